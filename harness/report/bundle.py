"""The feedback bundle: a page per student, named so that the system the submissions came from takes it back.

    plain     <id>.html, by the id as a safe file name
    moodle    <Full name>_<participant>_assignsubmission_file_feedback.html; Moodle reads the participant's number
    canvas    <name>_<user>_<file>_<original>.html; Canvas needs both numbers, so the downloaded name must be known

`origins` gives, per id, the name under which the submission was downloaded. Nothing is guessed: a student whose name
cannot be made is listed instead.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping

from harness.errors import UsageError
from harness.report.html import student_page
from harness.report.model import Report
from harness.report.sheet import Sheet
from harness.store import file_name

_CANVAS = re.compile(r"(?P<start>[^/\\]+?_(?:LATE_)?\d{1,20}_\d{1,20}_)(?P<original>[^/\\]+)", re.ASCII | re.DOTALL)
_MOODLE = re.compile(r"(?P<name>[^/\\]+)_(?P<id>\d{1,20})_assignsubmission_file", re.ASCII | re.DOTALL)
_UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f/\\:*?"<>|\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]')
_NOWHERE: Mapping[str, str] = {}


@dataclasses.dataclass(frozen=True)
class Bundle:
    """The files by name, and the ids for which no name could be made."""

    files: Mapping[str, bytes]
    unnamed: tuple[str, ...]


def make_bundle(report: Report, layout: str = "plain", origins: Mapping[str, str] = _NOWHERE) -> Bundle:
    """Each student's own page, without anything a student may not see, whoever asked for it."""
    if layout not in NAMES:
        raise UsageError(f"there are no feedback files for {layout!r}; known: {', '.join(NAMES)}")
    report = dataclasses.replace(report, audience="student")
    files: dict[str, bytes] = {}
    unnamed = []
    for sheet in report.sheets:
        name = NAMES[layout](sheet, origins.get(sheet.id, ""))
        if name is None or name.casefold() in {other.casefold() for other in files}:
            unnamed.append(sheet.id)
        else:
            files[name] = student_page(report, sheet).encode("utf-8")
    return Bundle(files, tuple(unnamed))


def _plain(sheet: Sheet, origin: str) -> str:  # noqa: ARG001 - the same in each layout
    return f"{file_name(sheet.id)}.html"


def _moodle(sheet: Sheet, origin: str) -> str | None:
    found = _MOODLE.match(origin)
    if found is not None:
        return f"{_safe(found['name'])}_{found['id']}_assignsubmission_file_feedback.html"
    if not re.fullmatch(r"\d{1,20}", sheet.id, re.ASCII):
        return None
    return f"{_safe(sheet.name) or 'Participant'}_{sheet.id}_assignsubmission_file_feedback.html"


def _canvas(sheet: Sheet, origin: str) -> str | None:
    for name in (origin, *((sheet.id,) if not origin else ())):
        found = _CANVAS.fullmatch(name)
        if found is not None:
            return f"{_safe(found['start'])}{_safe(found['original']).removesuffix('.py')}.html"
    return None


def _safe(name: str) -> str:
    """A part of a file name that is allowed on every disk and shows nothing but itself."""
    return _UNSAFE.sub("-", name).strip(" .")[:100]


NAMES: Mapping[str, Callable[[Sheet, str], str | None]] = {"plain": _plain, "moodle": _moodle, "canvas": _canvas}
