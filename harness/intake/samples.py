"""Sample submissions, filed under what they must get: `right/<name>/`, `wrong/<name>/`, `timeout/<name>/` ..."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from harness.intake.find import Wanted, find, folders_in
from harness.outcome import Outcome
from harness.submission import Submission

SAYS = "samples filed under their outcome"
KINDS = frozenset({"right", *(outcome.value for outcome in Outcome)})


def recognise(folder: Path) -> bool:
    """Every folder is named after an outcome."""
    names = [path.name for path in folders_in(folder)]
    return bool(names) and all(name in KINDS for name in names)


def submissions(folder: Path, wanted: Wanted) -> Iterator[Submission]:
    for kind in folders_in(folder):
        for student in folders_in(kind):
            yield find(student, wanted, f"{kind.name}/{student.name}")
