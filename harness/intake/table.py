"""Strict reading of CSV files: nothing is guessed, and every fault is reported at once with its line."""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Iterator, Mapping
from pathlib import Path

from harness.errors import DataError, Fault, UsageError

_LARGEST = 20_000_000


@dataclasses.dataclass(frozen=True)
class Row:
    """One line of a table: its number in the file, and its cells by column."""

    line: int
    cells: Mapping[str, str]


@dataclasses.dataclass(frozen=True)
class Table:
    """A CSV file. Column names are in small letters with single blanks; cells have no blanks around them."""

    path: Path
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def fault(self, row: Row | None, column: str, problem: str, remedy: str = "") -> Fault:
        return Fault(self.path, row.line if row else 1, column, problem, remedy)


def read_table(path: Path) -> Table:
    """Read a CSV file, or say what is wrong with it."""
    try:
        if not path.is_file():
            raise UsageError(f"{path}: there is no such file")
        if path.stat().st_size > _LARGEST:
            raise DataError([Fault(path, 0, "", "the file is too large to be a list of students")])
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    return parse(str(path), data)


def parse(name: str, data: bytes) -> Table:
    """Make a table of the bytes of a CSV file; commas, semicolons and tabs are told apart by the first line."""
    path = Path(name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError([Fault(path, line, "", "this is not UTF-8 text", "save it as CSV UTF-8")]) from None
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(",;\t", key=first.count)
    lines = _lines(path, text, delimiter)
    header = next(lines, None)
    if header is None:
        raise DataError([Fault(path, 1, "", "the file is empty", "its first line names the columns")])
    columns = tuple(_column(cell) for cell in header[1])
    rows, faults = [], _header_faults(path, header[0], columns)
    for line, cells in lines:
        if len(cells) > len(columns) and any(cell.strip() for cell in cells[len(columns) :]):
            problem = f"{len(cells)} cells where there are {len(columns)} columns"
            faults.append(Fault(path, line, "", problem, "put a name with a comma in quotes"))
        padded = [*cells, *[""] * len(columns)]
        rows.append(Row(line, {column: cell.strip() for column, cell in zip(columns, padded, strict=False)}))
    if faults:
        raise DataError(faults)
    return Table(path, columns, tuple(rows))


def _column(cell: str) -> str:
    return " ".join(cell.replace("_", " ").lower().split())


def _lines(path: Path, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The lines that say something, each with the number of its first line."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise DataError([Fault(path, line, "", f"not CSV: {error}", "check the quotes there")]) from None
        if cells is None:
            return
        if any(cell.strip() for cell in cells):
            yield line, cells
        line = reader.line_num + 1


def _header_faults(path: Path, line: int, columns: tuple[str, ...]) -> list[Fault]:
    named = [column for column in columns if column]
    twice = sorted({column for column in named if named.count(column) > 1})
    return [Fault(path, line, column, "the column stands here twice", "remove one") for column in twice]
