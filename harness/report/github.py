"""GitHub Actions: the summary of a step, and annotations as workflow commands.

For staff the class is annotated as a whole; for a student's own repository each line that lost points is, at the place
in the file where it went wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from harness.report.escape import command_data, command_property
from harness.report.markdown import class_markdown, student_markdown
from harness.report.model import Report
from harness.report.sheet import MINUS, Explained, Sheet, explained, number

SUMMARY_BYTES = 1_000_000
"""GitHub drops a summary that is larger than a mebibyte."""
MOST_ROWS = 500


def render(report: Report) -> dict[str, bytes]:
    """`summary.md` for `$GITHUB_STEP_SUMMARY`, and `annotations.txt` to be printed as it is."""
    lines = "".join(f"{line}\n" for line in commands(report))
    return {"summary.md": _summary(report), "annotations.txt": lines.encode("utf-8")}


def _summary(report: Report) -> bytes:
    if report.audience == "student":
        pages = [student_markdown(sheet, report.title) for sheet in report.sheets]
        kept = [page.encode("utf-8") for page in pages]
        while sum(map(len, kept)) > SUMMARY_BYTES:
            kept.pop()
        return b"\n".join(kept) or b"The report is too long for a summary; see the other files of this run.\n"
    rows = MOST_ROWS
    text = class_markdown(report, rows).encode("utf-8")
    while len(text) > SUMMARY_BYTES and rows:
        rows //= 2
        text = class_markdown(report, rows).encode("utf-8")
    return text


def commands(report: Report) -> Iterator[str]:
    """Workflow commands, one to a line."""
    for sheet in report.sheets:
        if report.audience == "student":
            yield from _student(report, sheet)
        elif sheet.state == "unscored":
            yield _command("warning", "Not graded", f"{sheet.label}: a fault of the grader; run it again")
    if report.audience == "staff":
        graded = sum(1 for sheet in report.sheets if sheet.state != "unscored")
        yield _command("notice", report.title, f"{graded} of {len(report.sheets)} submissions graded")


def _student(report: Report, sheet: Sheet) -> Iterator[str]:
    for reason in explained(sheet):
        if reason.lines[0].state in ("failed", "partly"):
            yield _lost(reason, sheet)
    if sheet.state == "unscored":
        yield _command("warning", report.title, "Not graded because of a fault of the grader; run it again")
    else:
        points = sheet.points if sheet.total is None else sheet.total
        yield _command("notice", "Autograding complete", f"Points {_plain(points)}/{_plain(sheet.max)}")


def _lost(reason: Explained, sheet: Sheet) -> str:
    first = reason.failures[0] if reason.failures else None
    more = f" and {len(reason.titles) - 2} more" if len(reason.titles) > 3 else ""
    title = ", ".join(reason.titles[:2] if more else reason.titles) + more
    earned = sum(line.points or 0 for line in reason.lines)
    worth = sum(line.max for line in reason.lines)
    said = reason.summary or reason.lines[0].outcome.replace("_", " ")
    message = f"{said} ({_plain(earned)}/{_plain(worth)})"
    return _command("error", title, message, sheet.file, first.line if first else None)


def _command(kind: str, title: str, message: str, file: str = "", line: int | None = None) -> str:
    where = {"file": file, "line": str(line) if line and file else "", "title": title}
    properties = ",".join(f"{name}={command_property(value)}" for name, value in where.items() if value)
    return f"::{kind} {properties}::{command_data(message)}"


def _plain(points: float) -> str:
    return number(points).replace(MINUS, "-")
