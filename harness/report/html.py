"""Web pages: one for the class, one per student. Each is one file that needs no network and no script to be read.

A policy in every page allows its own style sheet and, on the class page, one small script that sorts the table, both by
their hash, and nothing else.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from harness.compare.align import hunks
from harness.report.escape import pieces
from harness.report.figures import Bar, common_failures, distribution, losses, middle
from harness.report.model import Report
from harness.report.sheet import Explained, Failure, Line, Sheet, explained, number, signed
from harness.report.terminal import MARKS
from harness.store import file_name

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

WORDS = {
    "passed": "right",
    "partly": "partly right",
    "failed": "to repair",
    "pending": "a person will look",
    "internal": "not graded",
    "skipped": "not counted",
}
STATES = {"graded": "graded", "pending": "waiting for a person", "unscored": "not graded"}
MOST_COMMON = 100
MOST_OPEN = 10
MOST_NAMES = 24
Pieces = tuple[tuple[str, bool], ...]
"""The stretches of a line, each with whether it is what differs."""


def render(report: Report) -> dict[str, bytes]:
    """`index.html` for staff, and a page per student."""
    pages = {f"students/{page_name(sheet)}": student_page(report, sheet).encode("utf-8") for sheet in report.sheets}
    return {"index.html": class_page(report).encode("utf-8"), **pages} if report.audience == "staff" else pages


def page_name(sheet: Sheet) -> str:
    return f"{file_name(sheet.id)}.html"


def class_page(report: Report) -> str:
    """The page of the class."""
    sheets = report.sheets
    counts = [(state, words, sum(1 for sheet in sheets if sheet.state == state)) for state, words in STATES.items()]
    return _page(
        "class.html",
        script=_text("sort.js"),
        report=report,
        sheets=sheets,
        counts=counts,
        middle=middle(sheets),
        bars=_drawn_bars(distribution(sheets)),
        losses=losses(sheets),
        common=common_failures(sheets)[:MOST_COMMON],
        most_mistakes=MOST_OPEN,
        isolations=list(dict.fromkeys(sheet.isolation for sheet in sheets)),
        versions=list(dict.fromkeys(pair for sheet in sheets for pair in sheet.versions)),
        inputs=list(dict.fromkeys(pair for sheet in sheets for pair in sheet.inputs)),
    )


def student_page(report: Report, sheet: Sheet) -> str:
    """The page of one student."""
    reasons = [reason for reason in explained(sheet) if reason.summary or reason.failures]
    return _page(
        "student.html",
        script="",
        report=report,
        sheet=sheet,
        reasons=reasons,
        rows=_rows(sheet.lines, reasons),
        strip=_strip(sheet.lines),
        right=[line for line in sheet.lines if all(leaf.state == "passed" for leaf in line.leaves)],
        waiting=[(line, leaf) for line in sheet.lines for leaf in line.leaves if leaf.state == "pending"],
    )


def _page(template: str, script: str, **facts: Any) -> str:
    style = _text("style.css")
    allowed = f"style-src '{_digest(style)}'" + (f"; script-src '{_digest(script)}'" if script else "")
    policy = f"default-src 'none'; {allowed}; img-src data:; base-uri 'none'; form-action 'none'"
    return _environment().get_template(template).render(style=style, script=script, policy=policy, **facts)


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"


@lru_cache
def _text(name: str) -> str:
    """A file of ours that goes into the pages as it is."""
    return resources.files("harness.report").joinpath("templates").joinpath(name).read_text(encoding="utf-8").strip()


@lru_cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined  # noqa: PLC0415 - only those who want pages pay for it

    made = Environment(
        loader=FunctionLoader(_text), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters.update(number=number, signed=signed, sentence=_sentence, page_name=page_name)
    made.globals.update(MARKS=MARKS, WORDS=WORDS, STATES=STATES, both_sides=both_sides, most_names=MOST_NAMES)
    return made


def _sentence(text: str) -> Markup:
    """A sentence with what stands between backquotes as code."""
    from markupsafe import Markup, escape  # noqa: PLC0415 - comes with jinja2

    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if is_code else escape(piece) for piece, is_code in pieces(text)
    )


def both_sides(failure: Failure) -> tuple[list[Pieces], list[Pieces]]:
    """Expected and actual line by line, with what differs told apart."""
    rows, others = failure.expected.split("\n"), failure.actual.split("\n")
    one: list[Pieces] = []
    two: list[Pieces] = []
    place = 0
    for hunk in hunks(rows, others):
        same: list[Pieces] = [((row, False),) for row in rows[place : hunk.start]]
        one += same
        two += same
        mine, theirs = rows[hunk.start : hunk.stop], others[hunk.other_start : hunk.other_stop]
        for row, other in zip_longest(mine, theirs):
            one += [_marked(row, other or "")] if row is not None else []
            two += [_marked(other, row or "")] if other is not None else []
        place = hunk.stop
    rest: list[Pieces] = [((row, False),) for row in rows[place:]]
    return one + rest, two + rest


def _marked(row: str, other: str) -> Pieces:
    """The middle of a row that the other row has not; all of it if they have little in common."""
    start = 0
    while start < min(len(row), len(other)) and row[start] == other[start]:
        start += 1
    end = 0
    while end < min(len(row), len(other)) - start and row[-1 - end] == other[-1 - end]:
        end += 1
    if 2 * (start + end) < len(row):
        return ((row, True),)
    found = ((row[:start], False), (row[start : len(row) - end], True), (row[len(row) - end :], False))
    return tuple(piece for piece in found if piece[0])


@dataclasses.dataclass(frozen=True)
class Row:
    """A line or a part in the table, and the number of the explanation it leads to, 0 if there is none."""

    line: Line
    part: bool
    reason: int


def _rows(lines: Sequence[Line], reasons: Sequence[Explained]) -> list[Row]:
    numbers = {id(leaf): place for place, reason in enumerate(reasons, 1) for leaf in reason.lines}
    return [
        Row(one, part=one is not line, reason=0 if one.parts else numbers.get(id(one), 0))
        for line in lines
        for one in (line, *line.parts)
    ]


def _strip(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """The rubric as a strip: a stretch per part, as wide as its points, filled as far as it was earned."""
    leaves = [(line, leaf) for line in lines for leaf in line.leaves if not line.bonus and leaf.max]
    whole = sum(leaf.max for _, leaf in leaves) or 1
    left, found = 0.0, []
    for line, leaf in leaves:
        width = 1000 * leaf.max / whole
        earned = width * min(max((leaf.points or 0) / leaf.max, 0), 1)
        title = line.title if leaf is line else f"{line.title}: {leaf.title}"
        gap = 3 if width > 6 else 0
        found.append(
            {"x": round(left, 1), "width": round(width - gap, 1), "earned": round(max(min(earned, width - gap), 0), 1),
             "state": leaf.state, "title": title, "points": leaf.points, "max": leaf.max}
        )  # fmt: skip
        left += width
    return found


def _drawn_bars(bars: Sequence[Bar]) -> list[dict[str, Any]]:
    """Where the bars of the histogram stand, in a field of 600 by 180."""
    highest = max((bar.count for bar in bars), default=0) or 1
    width = 600 / max(len(bars), 1)
    return [
        {"x": round(width * place + 3, 1), "width": round(width - 6, 1), "middle": round(width * (place + 0.5), 1),
         "height": round(150 * bar.count / highest, 1), "y": round(170 - 150 * bar.count / highest, 1), "bar": bar}
        for place, bar in enumerate(bars)
    ]  # fmt: skip
