"""Plain text: the class as a table, and what one student reads.

Every line of a block that a student could have written starts with a bar of ours, so nothing in it can be taken for
text of the grader's; `log_line` keeps a CI job from obeying any of it.
"""

from __future__ import annotations

import dataclasses
import statistics
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from harness.compare.drawing import width_of
from harness.report.audience import for_student
from harness.report.escape import log_line, plain_ascii
from harness.report.model import Audience, Report
from harness.report.sheet import Explained, Failure, Line, Sheet, explained, number, read_sheet, signed
from harness.store import file_name

MARKS = {"passed": "✓", "partly": "◐", "failed": "✗", "pending": "…", "internal": "?", "skipped": "\u2013"}
_ASCII_MARKS = {"passed": "+", "partly": "~", "failed": "x", "pending": ".", "internal": "?", "skipped": "-"}
NOTHING = "(nothing)"
_WIDEST_ID = 32


def render(report: Report) -> dict[str, bytes]:
    """`summary.txt` for staff, a text per student for students."""
    if report.audience == "staff":
        text = f"{report.title}\n\n{class_table(report.records)}\n"
        return {"summary.txt": text.encode("utf-8")}
    return {
        f"students/{file_name(record['submission']['id'])}.txt": student_text(record, title=report.title).encode(
            "utf-8"
        )
        for record in report.records
    }


def class_table(records: Sequence[Mapping[str, Any]], *, ascii_only: bool = False) -> str:
    """A row per submission with the lines that lost points, and a summary."""
    sheets = [read_sheet(record) for record in records]
    rows = [(_clip(sheet.label, _WIDEST_ID), _total(sheet), number(sheet.max), _losses(sheet)) for sheet in sheets]
    header = ("id", "total", "max", "lost on")
    widths = [max(width_of(row[column]) for row in (header, *rows)) for column in range(3)]
    lines = [_row(header, widths), "─" * (sum(widths) + 4 + 2 + len(header[3]))]
    lines += [_row(row, widths) for row in rows]
    text = log_line("\n".join([*lines, "", *summary_lines(sheets)]))
    return plain_ascii(text) if ascii_only else text


def _row(cells: tuple[str, str, str, str], widths: Sequence[int]) -> str:
    label, total, most, lost = cells
    left = label + " " * (widths[0] - width_of(label))
    return f"{left}  {total:>{widths[1]}}  {most:>{widths[2]}}  {lost}".rstrip()


def _total(sheet: Sheet) -> str:
    if sheet.total is None:
        return "?"
    return number(sheet.total) + ("…" if sheet.state == "pending" else "")


def _losses(sheet: Sheet) -> str:
    if sheet.state == "unscored":
        return "not graded: a fault of the grader"
    if sheet.problem:
        return f"{sheet.outcome.replace('_', ' ')}: {_clip(sheet.problem, 70)}"
    lost = [f"{line.id} {number(-line.lost)}" for line in sheet.lines if line.lost]
    changes = [f"{change.kind} {signed(change.points)}" for change in sheet.changes if change.points]
    return ", ".join([*lost, *changes])


def _clip(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def summary_lines(sheets: Sequence[Sheet]) -> list[str]:
    """How many of each kind, and how the totals lie."""
    counted = [
        (state, sum(1 for sheet in sheets if sheet.state == state)) for state in ("graded", "pending", "unscored")
    ]
    words = {"graded": "graded", "pending": "waiting for a person", "unscored": "not graded (a fault of ours)"}
    said = [f"{count} {words[state]}" for state, count in counted if count]
    lines = [f"{_plural(len(sheets), 'submission')}: {', '.join(said) or 'none'}"]
    totals = [sheet.total for sheet in sheets if sheet.total is not None]
    if totals:
        lines.append(
            f"mean {number(statistics.fmean(totals))} · median {number(statistics.median(totals))}"
            f" · lowest {number(min(totals))} · highest {number(max(totals))}"
        )
    return lines


def _plural(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def student_text(
    record: Mapping[str, Any],
    *,
    title: str = "",
    width: int = 88,
    ascii_only: bool = False,
    verbose: bool = False,
    only: str | None = None,
    audience: Audience = "student",
) -> str:
    """What one student reads: what to repair first, what is right in one line, the total, and what is still open.

    With `verbose` each line that is right has a row of its own; `only` shows a single line of the rubric.
    """
    sheet = read_sheet(for_student(record) if audience == "student" else record)
    page = _Page(width, _ASCII_MARKS if ascii_only else MARKS, verbose=verbose)
    text = log_line("\n".join(page.lines(sheet, title) if only is None else page.single(sheet, only))) + "\n"
    return plain_ascii(text) if ascii_only else text


@dataclasses.dataclass(frozen=True)
class _Page:
    """The layout of a student's text."""

    width: int
    marks: Mapping[str, str]
    verbose: bool = False

    def single(self, sheet: Sheet, only: str) -> Iterator[str]:
        """One line of the rubric, whatever became of it."""
        sheet = dataclasses.replace(sheet, lines=tuple(line for line in sheet.lines if line.id == only))
        for reason in explained(sheet):
            yield from self._reason(reason, sheet)
        yield from dataclasses.replace(self, verbose=True).right(sheet)
        yield from self._waiting(sheet)

    def lines(self, sheet: Sheet, title: str) -> Iterator[str]:
        yield from self._ends(" · ".join(part for part in (title, sheet.file or sheet.label) if part), _headline(sheet))
        yield "─" * self.width
        if sheet.problem:
            yield ""
            yield from self.wrapped(sheet.problem)
        for reason in explained(sheet):
            yield ""
            yield from self._reason(reason, sheet)
        yield from self.right(sheet)
        yield ""
        yield from self._closing(sheet)

    def _ends(self, left: str, right: str) -> Iterator[str]:
        room = self.width - width_of(left) - width_of(right)
        if room >= 2:
            yield f"{left}{' ' * room}{right}"
        else:
            yield from self.wrapped(left, "  ", "")
            yield f"{' ' * max(self.width - width_of(right), 0)}{right}"

    def wrapped(self, text: str, indent: str = "", first: str | None = None) -> list[str]:
        return textwrap.wrap(
            text,
            self.width,
            initial_indent=indent if first is None else first,
            subsequent_indent=indent,
            break_on_hyphens=False,
        )

    def _reason(self, reason: Explained, sheet: Sheet) -> Iterator[str]:
        for line, name in zip(reason.lines, reason.titles, strict=True):
            yield from self._ends(f"{self.marks[line.state]} {name}", _share(line))
        said = [failure.sentence for failure in reason.failures]
        if reason.summary and reason.summary not in said and reason.summary != sheet.problem:
            yield from self.wrapped(reason.summary, "  ")
        for failure in reason.failures:
            yield from self.failure(failure, sheet)

    def failure(self, failure: Failure, sheet: Sheet) -> Iterator[str]:
        if failure.sentence != sheet.problem:
            yield from self.wrapped(failure.sentence, "  ")
        if failure.place:
            yield from self._where(failure, sheet)
        if failure.call:
            yield from self._block("Tried:", failure.call)
        if failure.typed:
            yield from self._block("Typed:", failure.typed)
        if failure.before:
            yield from self._block("The screen before:" if failure.session else "The board before:", failure.before)
        if failure.shown:
            yield from self._block(f"{failure.showing}:", failure.shown)
        yield from self._both(failure)
        for note in failure.notes:
            yield from self.wrapped(note, "  ")
        if failure.others:
            verb = "differs" if failure.others == 1 else "differ"
            yield f"  {_plural(failure.others, 'other case')} {verb} too."

    def _where(self, failure: Failure, sheet: Sheet) -> Iterator[str]:
        line = f", line {failure.line}" if failure.line else ""
        yield f"  {sheet.file or 'your file'}{line}:"
        yield f"  │ {failure.place}"

    def _block(self, title: str, text: str) -> Iterator[str]:
        yield f"  {title}"
        yield from (f"  │ {row}".rstrip() for row in text.split("\n"))

    def _both(self, failure: Failure) -> Iterator[str]:
        if not (failure.expected or failure.actual):
            return
        rows, others = (text.split("\n") for text in (failure.expected or NOTHING, failure.actual or NOTHING))
        left = max(len("expected"), *(width_of(row) for row in rows))
        right = max(len("your program"), *(width_of(row) for row in others))
        if "\t" in failure.expected + failure.actual or left + right + 7 > self.width:
            yield from self._block("Expected:", failure.expected or NOTHING)
            yield from self._block("Your program:", failure.actual or NOTHING)
            return
        yield f"  │ {'expected':{left}} │ your program"
        for row, other in zip_longest(rows, others, fillvalue=""):
            mark = "│" if row == other else "≠"
            yield f"  │ {row}{' ' * (left - width_of(row))} {mark} {other}".rstrip()

    def right(self, sheet: Sheet) -> Iterator[str]:
        right = [one for line in sheet.lines for one in _right(line)]
        if right:
            yield ""
        if self.verbose:
            for title, line in right:
                yield from self._ends(f"{self.marks['passed']} {title}", _share(line))
        elif right:
            named = ", ".join(f"{title} {number(line.points or 0)}/{number(line.max)}" for title, line in right)
            yield from self.wrapped(named, "  ", f"{self.marks['passed']} ")
        for said in dict.fromkeys(said for leaf in sheet.leaves for said in leaf.told):
            yield from self.wrapped(said, "    ", "  · ")

    def _waiting(self, sheet: Sheet) -> Iterator[str]:
        for line in sheet.lines:
            for leaf in line.leaves:
                if leaf.state == "pending":
                    name = f"{line.title}: {leaf.title}" if line.parts else line.title
                    yield from self._ends(
                        f"{self.marks['pending']} {name}", f"a person will look, up to {number(leaf.max)}"
                    )

    def _closing(self, sheet: Sheet) -> Iterator[str]:
        if sheet.state != "unscored":
            yield f"{'Automatic points' if sheet.pending else 'Points'}: {number(sheet.points)} of {number(sheet.max)}"
        yield from self._waiting(sheet)
        if sheet.hidden_lines:
            lines = _plural(sheet.hidden_lines, "line")
            yield f"{lines} of the rubric, worth {number(sheet.hidden_max)}, will be told later."
        for change in sheet.changes:
            yield from self.wrapped(change.sentence)
        if sheet.total is not None and (sheet.changes or sheet.pending):
            yield f"Total{' so far' if sheet.pending else ''}: {number(sheet.total)} of {number(sheet.max)}"
        for note in sheet.notes:
            yield from self.wrapped(note, "  ", "· ")


def _right(line: Line) -> list[tuple[str, Line]]:
    """The line if all of it is right, else those of its parts that are."""
    if all(leaf.state == "passed" for leaf in line.leaves):
        return [(line.title, line)]
    return [(f"{line.title}: {part.title}", part) for part in line.parts if part.state == "passed"]


def explanation(line: Line, sheet: Sheet, width: int = 100) -> str:
    """Why one line or part lost its points, as a text of its own."""
    page = _Page(width, MARKS)
    said = {failure.sentence for failure in line.failures}
    lines = page.wrapped(line.summary) if line.summary not in said else []
    for failure in line.failures:
        lines += [row.removeprefix("  ") for row in page.failure(failure, sheet)]
    return "\n".join(lines)


def _headline(sheet: Sheet) -> str:
    if sheet.state == "unscored":
        return "not graded yet"
    if sheet.total is None:
        return f"{number(sheet.points)} points on the lines shown"
    return f"{number(sheet.total)} of {number(sheet.max)} points"


def _share(line: Line) -> str:
    earned = "?" if line.points is None else number(line.points)
    bonus = " bonus" if line.bonus else ""
    return f"{earned}/{number(line.max)}{bonus}"
