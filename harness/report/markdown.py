"""Markdown: `summary.md` for the class, a file per student for students."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.report.escape import fence, markdown, markdown_sentence
from harness.report.figures import common_failures
from harness.report.model import Report
from harness.report.sheet import Failure, Line, Sheet, explained, number
from harness.report.terminal import MARKS, summary_lines
from harness.store import file_name

MOST_COMMON = 20


def render(report: Report) -> dict[str, bytes]:
    """The class for staff, each student's own text for students."""
    if report.audience == "staff":
        return {"summary.md": class_markdown(report).encode("utf-8")}
    return {
        f"students/{file_name(sheet.id)}.md": student_markdown(sheet, report.title).encode("utf-8")
        for sheet in report.sheets
    }


def class_markdown(report: Report, most: int | None = None) -> str:
    """The class as a table, with the most common mistakes; at most so many rows."""
    sheets = report.sheets
    lines = [f"# {markdown(report.title)}", "", *(f"{markdown(said)}  " for said in summary_lines(sheets)), ""]
    lines += ["| student | total | of | lost on |", "| --- | ---: | ---: | --- |"]
    lines += [_row(sheet) for sheet in sheets[:most]]
    if most is not None and len(sheets) > most:
        lines += ["", f"and {len(sheets) - most} more."]
    lines += _common(sheets)
    return "\n".join(lines) + "\n"


def _row(sheet: Sheet) -> str:
    name = f"{sheet.name} ({sheet.label})" if sheet.name else sheet.label
    total = "?" if sheet.total is None else number(sheet.total)
    lost = ", ".join(f"{line.id} {number(-line.lost)}" for line in sheet.lines if line.lost)
    said = "not graded: a fault of the grader" if sheet.state == "unscored" else sheet.problem or lost
    return f"| {markdown(name)} | {total} | {number(sheet.max)} | {markdown(said)} |"


def _common(sheets: Sequence[Sheet]) -> list[str]:
    found = common_failures(sheets)[:MOST_COMMON]
    if not found:
        return []
    rows = [
        f"| {len(one.sheets)} | {markdown(_some(one.titles))} | {markdown_sentence(one.sentence)} |" for one in found
    ]
    return ["", "## Common mistakes", "", "| students | line | what |", "| ---: | --- | --- |", *rows]


def _some(titles: Sequence[str]) -> str:
    more = f" and {len(titles) - 3} more" if len(titles) > 3 else ""
    return ", ".join(titles[:3]) + more


def student_markdown(sheet: Sheet, title: str) -> str:
    """One student's report."""
    return "\n".join(_student(sheet, title)) + "\n"


def _student(sheet: Sheet, title: str) -> Iterator[str]:
    yield f"# {markdown(title)}"
    yield ""
    yield f"{markdown(sheet.name or sheet.label)}: **{_headline(sheet)}**"
    yield ""
    if sheet.problem:
        yield from (markdown_sentence(sheet.problem), "")
    yield from ("| | line | points | of |", "| --- | --- | ---: | ---: |")
    for line in sheet.lines:
        for one in (line, *line.parts):
            yield _line(one, part=one is not line)
    for reason in explained(sheet):
        if reason.summary or reason.failures:
            yield from ("", f"## {markdown(', '.join(reason.titles))}", "")
            said = {failure.sentence for failure in reason.failures}
            if reason.summary not in said:
                yield markdown_sentence(reason.summary)
            for failure in reason.failures:
                yield from _failure(failure, sheet)
    yield from _closing(sheet)


def _headline(sheet: Sheet) -> str:
    if sheet.state == "unscored":
        return "not graded yet"
    points = sheet.points if sheet.total is None else sheet.total
    open_ = " so far" if sheet.pending or sheet.hidden_lines else ""
    return f"{number(points)} of {number(sheet.max)}{open_}"


def _line(line: Line, *, part: bool) -> str:
    points = "?" if line.points is None else number(line.points)
    mark = "" if line.parts else MARKS[line.state]
    bonus = " (bonus)" if line.bonus and not part else ""
    return f"| {mark} | {'· ' if part else ''}{markdown(line.title)}{bonus} | {points} | {number(line.max)} |"


def _failure(failure: Failure, sheet: Sheet) -> Iterator[str]:
    yield markdown_sentence(failure.sentence)
    place = f"{sheet.file or 'your file'}, line {failure.line}" if failure.line else sheet.file
    blocks = (
        (place, failure.place),
        ("Tried", failure.call),
        ("Typed", failure.typed),
        ("The screen before" if failure.session else "The board before", failure.before),
        (failure.showing, failure.shown),
        ("Expected", failure.expected),
        ("Your program", failure.actual),
    )
    for heading, text in blocks:
        if text:
            yield from ("", f"{markdown(heading)}:", "", fence(text))
    for note in failure.notes:
        yield from ("", markdown_sentence(note))
    yield ""


def _closing(sheet: Sheet) -> Iterator[str]:
    waiting = [leaf for leaf in sheet.leaves if leaf.state == "pending"]
    items = [
        *(f"{leaf.title}: a person will look at this, up to {number(leaf.max)} points." for leaf in waiting),
        *(change.sentence for change in sheet.changes),
        *dict.fromkeys(said for leaf in sheet.leaves for said in leaf.told),
        *sheet.notes,
    ]
    if sheet.hidden_lines:
        items.append(
            f"{sheet.hidden_lines} more of the rubric's lines, worth {number(sheet.hidden_max)}, will be told later."
        )
    if items:
        yield ""
        yield from (f"- {markdown_sentence(item)}" for item in items)
