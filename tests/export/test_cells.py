"""A table is edited in place."""

from __future__ import annotations

import csv
import io
from typing import Literal

import hypothesis.strategies as st
import pytest
from hypothesis import given

from harness.errors import UsageError
from harness.export.cells import decimal_mark, read_table

values = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00\r\ufeff"), max_size=8)
tables = st.integers(2, 5).flatmap(
    lambda width: st.lists(st.lists(values, min_size=width, max_size=width), min_size=1, max_size=5)
)


@st.composite
def files(draw: st.DrawFn) -> tuple[str, list[list[str]]]:
    rows = [*draw(tables)]
    rows.insert(0, [f"h{place}" for place in range(len(rows[0]))])
    file = io.StringIO(newline="")
    delimiter = draw(st.sampled_from([",", ";", "\t"]))
    quote_all = draw(st.booleans())
    ends = draw(st.sampled_from(["\n", "\r\n"]))
    quoting: Literal[0, 1] = csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL
    csv.writer(file, delimiter=delimiter, quoting=quoting, lineterminator=ends).writerows(rows)
    text = file.getvalue()
    text = text.removesuffix(ends) if draw(st.booleans()) else text
    return draw(st.sampled_from(["", "\ufeff"])) + text, rows


@given(files())
def test_cells_are_read_as_csv_reads_them(file: tuple[str, list[list[str]]]) -> None:
    text, rows = file
    table = read_table(text)
    assert [[cell.value for cell in row] for row in table.rows] == rows


@given(files())
def test_nothing_changes_if_nothing_is_asked_for(file: tuple[str, list[list[str]]]) -> None:
    assert read_table(file[0]).with_values({}) == file[0]


@given(files(), st.data(), values)
def test_one_cell_changes_and_no_other(file: tuple[str, list[list[str]]], data: st.DataObject, value: str) -> None:
    text, rows = file
    row = data.draw(st.integers(0, len(rows) - 1))
    column = data.draw(st.integers(0, len(rows[0]) - 1))
    table = read_table(text)
    changed = table.with_values({(row, column): value})
    cell = table.rows[row][column]
    assert changed.startswith(text[: cell.start])
    assert changed.endswith(text[cell.end :])
    if row:
        rows[row][column] = value
        assert [[cell.value for cell in one] for one in read_table(changed).rows] == rows


@pytest.mark.parametrize("text", ["", "one column\na\n", "no table"])
def test_what_is_not_a_table_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="not a table"):
        read_table(text)


@pytest.mark.parametrize("text", ['a,b\n"never closed,1\n', 'a,b\n"closed"too early,1\n'])
def test_a_broken_quotation_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="quotation mark"):
        read_table(text)


@pytest.mark.parametrize(
    ("numbers", "delimiter", "mark"),
    [(["8.5"], ",", "."), (["8,5"], ";", ","), (["8,5"], ",", "."), (["8"], ";", "."), (["8,5", "7.5"], ";", ".")],
)
def test_the_decimal_mark_is_theirs(numbers: list[str], delimiter: str, mark: str) -> None:
    assert decimal_mark(numbers, delimiter) == mark
