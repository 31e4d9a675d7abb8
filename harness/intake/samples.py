"""Sample submissions, filed under what they must get: `right/<name>/`, `wrong/<name>/`, `timeout/<name>/` ..."""

from __future__ import annotations

from collections.abc import Iterator

from harness.intake.find import Wanted
from harness.intake.handin import HandIn
from harness.intake.items import Item, folders_in
from harness.outcome import Outcome

SAYS = "samples filed under their outcome"
KINDS = frozenset({"right", *(outcome.value for outcome in Outcome)})


def recognise(root: Item, wanted: Wanted) -> bool:  # noqa: ARG001 - the same two functions in each layout
    """Every folder is named after an outcome."""
    names = [folder.name for folder in folders_in(root)]
    return bool(names) and all(name in KINDS for name in names)


def hand_ins(root: Item, wanted: Wanted) -> Iterator[HandIn]:  # noqa: ARG001 - the same two functions in each layout
    """Samples are our own files, so they may be hard links: that is how some installers put them there."""
    for kind in folders_in(root):
        for student in folders_in(kind):
            yield HandIn(
                f"{kind.name}/{student.name}",
                student,
                f"{kind.name}/{student.name}",
                taken=(kind.name,),
                hard_links=True,
            )
