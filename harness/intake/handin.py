"""One thing that was handed in, as a layout reads it: whose it is, when it came, and what is in it."""

from __future__ import annotations

import dataclasses
from datetime import datetime

from harness.intake.items import Item


@dataclasses.dataclass(frozen=True)
class HandIn:
    """One version of one student's work; a student may have several.

    A `time` without a zone is one that the system wrote in its own; `order` tells versions apart where there is no time;
    `late` is what the system itself says. `also` are other ids that a class list may use for the student.
    """

    id: str
    content: Item
    origin: str
    name: str = ""
    time: datetime | None = None
    order: int = 0
    late: bool | None = None
    also: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    hard_links: bool = False

    @property
    def takes(self) -> tuple[str, ...]:
        """The names at the top of the class's folder that this accounts for."""
        return self.taken or (self.origin,)
