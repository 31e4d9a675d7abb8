"""A table of somebody else's, edited in place: every byte that is not asked to change stays as it was.

`csv` would rewrite quotes, line ends and the byte order mark, and a gradebook that was not written as the system wrote it
may not be read back. So each cell keeps its place in the text, and only the places of changed cells are replaced.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from harness.errors import UsageError

_BOM = "\ufeff"
_DELIMITERS = (",", ";", "\t")


@dataclasses.dataclass(frozen=True)
class Cell:
    """What a cell says, and where it stands in the text, quotes included."""

    value: str
    start: int
    end: int


@dataclasses.dataclass(frozen=True)
class Table:
    """The text of a file and its cells."""

    text: str
    delimiter: str
    rows: tuple[tuple[Cell, ...], ...]

    def value(self, row: int, column: int) -> str:
        """What a cell says; nothing if the row is too short."""
        cells = self.rows[row]
        return cells[column].value if column < len(cells) else ""

    def header(self, row: int = 0) -> tuple[str, ...]:
        return tuple(cell.value.strip() for cell in self.rows[row])

    def with_values(self, values: Mapping[tuple[int, int], str]) -> str:
        """The text with these cells changed, and nothing else."""
        pieces: list[str] = []
        end = 0
        for (row, column), value in sorted(values.items()):
            cell = self.rows[row][column]
            pieces += [self.text[end : cell.start], self._written(cell, value)]
            end = cell.end
        return "".join([*pieces, self.text[end:]])

    def _written(self, cell: Cell, value: str) -> str:
        quoted = self.text[cell.start : cell.start + 1] == '"'
        needed = any(mark in value for mark in (self.delimiter, '"', "\n", "\r"))
        return '"' + value.replace('"', '""') + '"' if quoted or needed else value


def read_table(text: str) -> Table:
    """Read a table whose delimiter is a comma, a semicolon or a tab, whichever its first line uses most."""
    first = _first_line(text.removeprefix(_BOM))
    delimiter = max(_DELIMITERS, key=first.count)
    if delimiter not in first:
        raise UsageError("this is not a table: its first line has no comma, semicolon or tab")
    rows = tuple(row for row in _rows(text, delimiter) if len(row) > 1 or row[0].value)
    return Table(text, delimiter, rows)


def _first_line(text: str) -> str:
    """The first line without what stands between quotes."""
    outside, quoted = [], False
    for char in text:
        if char == '"':
            quoted = not quoted
        elif not quoted and char in "\r\n":
            break
        elif not quoted:
            outside.append(char)
    return "".join(outside)


def _rows(text: str, delimiter: str) -> Iterator[tuple[Cell, ...]]:
    place = 1 if text.startswith(_BOM) else 0
    row: list[Cell] = []
    while True:
        cell = _cell(text, place, delimiter)
        row.append(cell)
        place = cell.end
        if text[place : place + 1] == delimiter:
            place += 1
            continue
        yield tuple(row)
        row = []
        place += 2 if text[place : place + 2] == "\r\n" else 1
        if place >= len(text):
            return


def _cell(text: str, start: int, delimiter: str) -> Cell:
    if text[start : start + 1] != '"':
        end = start
        while end < len(text) and text[end] not in (delimiter, "\r", "\n"):
            end += 1
        return Cell(text[start:end], start, end)
    end = start + 1
    while True:
        end = text.find('"', end)
        if end < 0:
            raise UsageError("a cell of this table begins with a quotation mark that is never closed")
        if text[end + 1 : end + 2] != '"':
            break
        end += 2
    end += 1
    if end < len(text) and text[end] not in (delimiter, "\r", "\n"):
        raise UsageError(f"a cell of this table goes on after its closing quotation mark: {text[start : end + 10]!r}")
    return Cell(text[start + 1 : end - 1].replace('""', '"'), start, end)


def decimal_mark(values: Sequence[str], delimiter: str) -> str:
    """A comma if the numbers of the file use one, else a point; with no number to tell, a comma never splits a cell."""
    numbers = [value.strip() for value in values]
    if any(_is_decimal(value, ".") for value in numbers):
        return "."
    return "," if delimiter != "," and any(_is_decimal(value, ",") for value in numbers) else "."


def _is_decimal(value: str, mark: str) -> bool:
    whole, found, rest = value.partition(mark)
    return bool(found) and whole.isdigit() and rest.isdigit()
