"""The gradebook."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

from hypothesis import given, settings

from harness.record import Json
from harness.report import Report, render
from harness.report.gradebook import FIXED, grades
from tests.report import samples
from tests.report.strategies import classes


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_golden(golden: Callable[[str, str], None]) -> None:
    golden("grades.csv", grades(samples.special()))


def test_excel_is_told_that_it_is_utf_8() -> None:
    content = render("gradebook", Report("T", "t", samples.special()))["grades.csv"]
    assert content.startswith(b"\xef\xbb\xbf")
    assert not content.startswith(b"\xef\xbb\xbf\xef\xbb\xbf")


def test_totals_add_up() -> None:
    for row in rows(grades(samples.class_of(60))):
        if row["total"]:
            lines = [float(value) for name, value in row.items() if name not in FIXED and value]
            assert float(row["points"]) == sum(lines)
            assert float(row["total"]) == sum(lines) + float(row["adjustments"])


def test_a_fault_of_ours_has_no_number() -> None:
    row = next(row for row in rows(grades(samples.special())) if row["id"] == "oscar")
    assert (row["total"], row["points"], row["complete"], row["outcome"]) == ("", "", "no", "internal")


def test_who_handed_in_nothing_has_a_row_with_the_reason() -> None:
    row = next(row for row in rows(grades(samples.special())) if row["id"] == "frank")
    assert (row["total"], row["outcome"]) == ("0", "missing")
    assert row["problem"].startswith("Nothing was handed in")


def test_a_line_called_like_a_column_keeps_apart() -> None:
    record = samples.record("x")
    record["items"][0]["id"] = "total"
    assert rows(grades([record]))[0]["total (line)"] == "5"


def test_lines_of_two_rubrics_stand_beside_each_other() -> None:
    other = samples.record("y")
    other["items"][0]["id"] = "new-line"
    first, second = rows(grades([samples.record("x"), other]))
    assert (first["deal"], first["new-line"], second["deal"], second["new-line"]) == ("5", "", "", "5")


@settings(max_examples=40)
@given(classes)
def test_a_row_for_each_submission_and_no_formula(class_: list[Json]) -> None:
    found = list(csv.reader(io.StringIO(grades(class_), newline="")))
    assert len(found) == len(class_) + 1
    assert {len(row) for row in found} == {len(found[0])}
    for row in found[1:]:
        for value in (row[0], row[1], row[8]):
            assert not value.lstrip().startswith(("=", "+", "-", "@"))
