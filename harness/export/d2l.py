"""Brightspace (D2L): the export of the grade book, with one item's `Points Grade` filled in.

Students are found by OrgDefinedId or Username, which Brightspace writes with a `#` before them. A heading may carry what
the item is worth (`HW1 Points Grade <Numeric MaxPoints:10>`); it is accepted back as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.errors import UsageError
from harness.export.cells import Table, decimal_mark, read_table
from harness.export.match import Filled, Person, Record, Sheet, fill_sheet, folded, worth_note

IDS = ("OrgDefinedId", "Username")
_ITEM = re.compile(r"(?P<item>.+) Points Grade(?:\s*<(?P<about>.*)>)?", re.DOTALL | re.IGNORECASE)
_WORTH = re.compile(r"MaxPoints:(\d+(?:[.,]\d+)?)", re.IGNORECASE)


def fill(their_file: str, records: Sequence[Record], column: str | None = None, *, partial: bool = False) -> Filled:
    """Fill the points of an item, named by its name or its whole heading."""
    table = read_table(their_file)
    header = table.header()
    if not any(name in IDS for name in header):
        raise UsageError("this is no grade book of Brightspace: it has neither OrgDefinedId nor Username")
    items = {place: found for place, name in enumerate(header) if (found := _ITEM.fullmatch(name))}
    place = _column(header, items, column)
    worth = _WORTH.search(items[place]["about"] or "")
    most = float(worth[1].replace(",", ".")) if worth else None
    return fill_sheet(
        Sheet(
            table=table,
            people=tuple(_person(table, header, row) for row in range(1, len(table.rows))),
            column=place,
            mark=decimal_mark([cell.value for row in table.rows[1:] for cell in row], table.delimiter),
            notes=worth_note(items[place]["item"], most, records),
        ),
        records,
        partial=partial,
    )


def _column(header: Sequence[str], items: dict[int, re.Match[str]], wanted: str | None) -> int:
    listed = ", ".join(repr(found["item"]) for found in items.values()) or "none"
    if wanted is None:
        if len(items) == 1:
            return next(iter(items))
        raise UsageError(f"say which item is to be filled: {listed}")
    places = [
        place
        for place, found in items.items()
        if folded(wanted) in (folded(header[place]), folded(found["item"]), folded(f"{found['item']} Points Grade"))
    ]
    if len(places) != 1:
        said = "several items are" if places else "no item is"
        raise UsageError(f"{said} called {wanted!r}; there are: {listed}")
    return places[0]


def _person(table: Table, header: Sequence[str], row: int) -> Person:
    ids = tuple(table.value(row, place).strip().removeprefix("#") for place, name in enumerate(header) if name in IDS)
    cells = {name: table.value(row, place).strip() for place, name in enumerate(header)}
    name = f"{cells.get('First Name', '')} {cells.get('Last Name', '')}".strip()
    return Person(row, next((text for text in ids if text), f"row {row + 1}"), ids, (name,) if name else ())
