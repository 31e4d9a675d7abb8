"""What every format is made from."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cached_property
from typing import Literal

from harness.record import Json
from harness.report.audience import for_student
from harness.report.sheet import Sheet, read_sheet

Audience = Literal["staff", "student"]


@dataclasses.dataclass(frozen=True)
class Report:
    """A class to report on, and for whom. `made_at` is the time as it is to be printed; the caller has the clock."""

    title: str
    slug: str
    records: Sequence[Json]
    made_at: str = ""
    audience: Audience = "staff"

    @cached_property
    def shown(self) -> tuple[Json, ...]:
        """The records as this audience may see them."""
        return tuple(for_student(record) if self.audience == "student" else record for record in self.records)

    @cached_property
    def sheets(self) -> tuple[Sheet, ...]:
        """The records read once for all pages."""
        return tuple(read_sheet(record) for record in self.shown)
