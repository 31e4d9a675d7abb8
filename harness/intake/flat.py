"""One file per student, all in one folder: the file's name without `.py` is the id."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from harness.intake.find import Wanted, files_in, folders_in, load
from harness.submission import Submission

SAYS = "one file per student"


def recognise(folder: Path) -> bool:
    """Python files and no folders."""
    return any(path.suffix == ".py" for path in files_in(folder)) and not any(True for _ in folders_in(folder))


def submissions(folder: Path, wanted: Wanted) -> Iterator[Submission]:
    for path in files_in(folder):
        if path.suffix == ".py":
            name = folder.resolve().name if path.name == wanted.file else path.stem
            yield load(path, Submission(name, wanted.file), path.name)
