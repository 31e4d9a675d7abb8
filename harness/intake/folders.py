"""One folder per student: the folder's name is the id."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from harness.intake.find import Wanted, find, folders_in
from harness.submission import Submission

SAYS = "one folder per student"


def recognise(folder: Path) -> bool:
    """Any folder with folders in it."""
    return any(True for _ in folders_in(folder))


def submissions(folder: Path, wanted: Wanted) -> Iterator[Submission]:
    for student in folders_in(folder):
        yield find(student, wanted, student.name)
