"""Gradescope's `results.json`, one per submission.

Gradescope shows a test to students or hides it, nothing between. A line about which a student sees nothing is `hidden`
and keeps its full text for the staff; of every other line only what the student may see is written at all.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from harness.record import Json
from harness.report.audience import for_student
from harness.report.model import Report
from harness.report.sheet import Line, Sheet, read_sheet
from harness.report.terminal import explanation
from harness.store import file_name

_HIDDEN = "nothing"


def render(report: Report) -> dict[str, bytes]:
    """`results.json` for a single submission, else a file for each."""
    made = {record["submission"]["id"]: results(record) for record in report.shown}
    single = len(made) == 1
    return {
        "results.json" if single else f"gradescope/{file_name(name)}.json": _encoded(data)
        for name, data in made.items()
    }


def _encoded(data: Json) -> bytes:
    return (json.dumps(data, ensure_ascii=True, indent=1, allow_nan=False) + "\n").encode("ascii")


def results(record: Mapping[str, Any]) -> Json:
    """What Gradescope reads about one submission. Without a score, because of a fault of ours, it asks for a re-run."""
    full, shown = read_sheet(record), read_sheet(for_student(record))
    hidden = {item["id"] for item in record["items"] if item["visibility"] == _HIDDEN}
    by_id = dict(zip((item["id"] for item in for_student(record)["items"]), shown.lines, strict=True))
    tests: list[Json] = []
    for number, (item, line) in enumerate(zip(record["items"], full.lines, strict=True), 1):
        is_hidden = item["id"] in hidden
        sheet = full if is_hidden else shown
        tests += _tests(number, line if is_hidden else by_id[item["id"]], sheet, "hidden" if is_hidden else "visible")
    data: Json = {
        "output": "\n".join([shown.problem, *(change.sentence for change in shown.changes), *shown.notes]).strip(),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
        "extra_data": {"id": full.label, "versions": dict(full.versions), "isolation": full.isolation},
    }
    if full.total is not None:
        data["score"] = full.total
    return data


def _tests(number: int, line: Line, sheet: Sheet, visibility: str) -> list[Json]:
    tests = []
    for place, leaf in enumerate(line.leaves, 1):
        test: Json = {
            "name": f"{line.title}: {leaf.title}" if line.parts else f"{line.title}{' (bonus)' if line.bonus else ''}",
            "number": f"{number}.{place}" if line.parts else str(number),
            "max_score": 0 if line.bonus else leaf.max,
            "output": explanation(leaf, sheet) or " ".join(leaf.told),
            "visibility": visibility,
        }
        if leaf.points is not None:
            test["score"] = leaf.points
            test["status"] = "passed" if leaf.state == "passed" else "failed"
        tests.append(test)
    return tests
