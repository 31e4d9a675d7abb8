"""Moodle: the grading worksheet of an assignment, or the export of the gradebook.

A worksheet is known by its `Identifier` column (`Participant 123`); its `Grade` is filled and `Last modified (grade)` is
left alone, since Moodle uses it to protect newer grades. In an export of the gradebook the column must be named.
Moodle refuses a whole file for one grade above the maximum, so such a grade is left out and listed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.errors import UsageError
from harness.export.cells import Table, decimal_mark, read_table
from harness.export.match import Filled, Person, Record, Sheet, as_number, column_of, fill_sheet, folded, worth_note

IDS = ("Identifier", "ID number", "Email address", "Username", "id")
NAMES = ("Full name",)
_PARTICIPANT = re.compile(r"\D*?(\d+)")


def fill(their_file: str, records: Sequence[Record], column: str | None = None, *, partial: bool = False) -> Filled:
    """Fill the grades of a worksheet, or a named column of the gradebook's export."""
    table = read_table(their_file)
    header = table.header()
    worksheet = _place(header, "Identifier") is not None
    if not worksheet and column is None:
        raise UsageError(f"say which column is to be filled: {', '.join(repr(name) for name in header)}")
    if not any(folded(name) == folded(known) for name in header for known in (*IDS, "First name", *NAMES)):
        raise UsageError(
            "this is no file of Moodle's: it has no Identifier, ID number, Email address or Username; "
            "download it in English, since Moodle translates its headings"
        )
    place = column_of(header, column or "Grade", "the grades")
    rows = range(1, len(table.rows))
    maximum, changeable = _place(header, "Maximum grade"), _place(header, "Grade can be changed")
    most = {row: worth for row in rows if maximum is not None and (worth := as_number(table.value(row, maximum)))}
    return fill_sheet(
        Sheet(
            table=table,
            people=tuple(_person(table, header, row) for row in rows),
            column=place,
            mark=decimal_mark([cell.value for row in table.rows for cell in row], table.delimiter),
            places=5,
            protected={
                row: "Moodle says that the grade cannot be changed"
                for row in rows
                if changeable is not None and folded(table.value(row, changeable)) == "no"
            },
            most=most,
            notes=worth_note(header[place], next(iter(most.values()), None), records),
        ),
        records,
        partial=partial,
    )


def _place(header: Sequence[str], name: str) -> int | None:
    return next((place for place, heading in enumerate(header) if folded(heading) == folded(name)), None)


def _person(table: Table, header: Sequence[str], row: int) -> Person:
    cells = {folded(name): table.value(row, place).strip() for place, name in enumerate(header)}
    ids = [cells[folded(name)] for name in IDS if cells.get(folded(name))]
    found = _PARTICIPANT.fullmatch(cells.get("identifier", ""))
    if found is not None:
        ids.append(found[1])
    first_last = f"{cells.get('first name', '')} {cells.get('last name', cells.get('surname', ''))}".strip()
    names = [name for name in (cells.get("full name", ""), first_last) if name]
    return Person(row, (names or ids or [f"row {row + 1}"])[0], tuple(ids), tuple(names))
