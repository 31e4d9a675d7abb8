"""`grades.csv`: a row per submission and a column per line of the rubric.

It starts with a byte order mark: without one Excel reads UTF-8 as the local code page and José becomes JosÃ©, while
Python (`utf-8-sig`), pandas and LibreOffice skip it. Text is quoted and numbers are not; no cell is taken for a formula.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from harness.outcome import Outcome
from harness.report.escape import cell
from harness.report.model import Report
from harness.report.sheet import outcomes, total_of

FIXED = ("id", "name", "total", "points", "max", "adjustments", "complete", "outcome", "problem", "submitted_at")


def render(report: Report) -> dict[str, bytes]:
    """The gradebook."""
    return {"grades.csv": grades(report.shown).encode("utf-8-sig")}


def grades(records: Sequence[Mapping[str, Any]]) -> str:
    """The table as text, without the byte order mark."""
    lines = list(dict.fromkeys(item["id"] for record in records for item in record["items"]))
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow([*FIXED, *(cell(f"{name} (line)" if name in FIXED else name) for name in lines)])
    for record in records:
        earned = {item["id"]: item["points"] for item in record["items"]}
        writer.writerow([cell(value) for value in (*_fixed(record), *(earned.get(name) for name in lines))])
    return file.getvalue()


def _fixed(record: Mapping[str, Any]) -> tuple[str | float | None, ...]:
    submission = record["submission"]
    ours = Outcome.INTERNAL.value in outcomes(record) or "fault" in record
    return (
        submission["id"],
        submission["name"],
        total_of(record),
        None if ours else record["points"],
        record["max"],
        round(sum(change["points"] for change in record["adjustments"]), 6),
        "yes" if record["complete"] else "no",
        Outcome.INTERNAL.value if ours else submission["outcome"],
        "not graded because of a fault of the grader; run it again" if ours else submission["problem"],
        submission["submitted_at"],
    )
