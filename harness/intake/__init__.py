"""From what an instructor has to submissions: one file per layout, the same two functions in each, tried in this order."""

from __future__ import annotations

import dataclasses
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType

from harness.errors import UsageError
from harness.intake import flat, folders, samples
from harness.intake.find import Wanted
from harness.submission import Submission

LAYOUTS: Mapping[str, ModuleType] = {"samples": samples, "flat": flat, "folders": folders}


@dataclasses.dataclass(frozen=True)
class Intake:
    """What was found in a folder, and as which layout it was read."""

    layout: str
    says: str
    submissions: tuple[Submission, ...]


def take_in(folder: Path, wanted: Wanted, layout: str | None = None) -> Intake:
    """Read a folder of submissions, or say clearly why there is nothing to grade."""
    if not folder.exists():
        raise UsageError(f"{folder}: there is no such folder")
    if not folder.is_dir():
        raise UsageError(f"{folder}: this is a file; a folder of submissions is needed")
    try:
        name = layout or next((name for name, module in LAYOUTS.items() if module.recognise(folder)), None)
        if name is None:
            raise UsageError(
                f"{folder}: there are no submissions here; expected a folder per student with {wanted.file} in it, or one .py file per student"
            )
        found = tuple(LAYOUTS[name].submissions(folder, wanted))
    except PermissionError as error:
        raise UsageError(f"{error.filename}: this folder may not be read") from None
    if not found:
        raise UsageError(f"{folder}: read as {LAYOUTS[name].SAYS}, but nothing was handed in")
    _refuse_twins(found)
    return Intake(name, LAYOUTS[name].SAYS, found)


def _refuse_twins(submissions: Sequence[Submission]) -> None:
    """Two ids that differ only in case, accents' form or blanks would be one student to a person: refuse before grading."""
    folded = Counter(_folded(submission.id) for submission in submissions)
    twins = [submission.id for submission in submissions if folded[_folded(submission.id)] > 1]
    if twins:
        raise UsageError(
            f"these ids cannot be told apart: {', '.join(repr(name) for name in twins[:6])}; rename one of them"
        )


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
