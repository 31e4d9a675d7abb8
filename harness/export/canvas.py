"""Canvas: the gradebook as Canvas exports it, with one assignment's column filled in.

The first row holds the headings; then, maybe after a row about posting, comes one whose first cell says `Points Possible`;
students follow. A student is found by ID, SIS User ID, SIS Login ID or Integration ID, else by the exact name. `EX`
(excused) is never overwritten, and a column that Canvas marks `(read only)` is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from harness.errors import UsageError
from harness.export.cells import Table, decimal_mark, read_table
from harness.export.match import Filled, Person, Record, Sheet, as_number, both_orders, fill_sheet, folded, worth_note

IDS = ("ID", "SIS User ID", "SIS Login ID", "Integration ID")
_NUMBERED = re.compile(r"(?P<title>.*\S)\s*\((?P<id>\d+)\)", re.DOTALL)


def fill(their_file: str, records: Sequence[Record], column: str | None = None, *, partial: bool = False) -> Filled:
    """Fill the column of an assignment, named by its number, its title or its whole heading."""
    table = read_table(their_file)
    header = table.header()
    if len(header) < 4 or "student" not in header[0].casefold() or "id" not in header[1].casefold():
        raise UsageError("this is no gradebook of Canvas: its first two columns should be Student and ID")
    worth = _points_row(table)
    place = _column(header, column)
    possible = table.value(worth, place)
    if "read only" in possible.casefold():
        raise UsageError(f"Canvas does not let the column {header[place]!r} be changed: it is marked (read only)")
    return fill_sheet(
        Sheet(
            table=table,
            people=tuple(_person(table, header, row) for row in range(worth + 1, len(table.rows))),
            column=place,
            mark=decimal_mark([cell.value for row in table.rows for cell in row], table.delimiter),
            protected={
                row: "excused (EX)"
                for row in range(worth + 1, len(table.rows))
                if table.value(row, place).strip().upper() == "EX"
            },
            notes=worth_note(header[place], as_number(possible), records),
        ),
        records,
        partial=partial,
    )


def _points_row(table: Table) -> int:
    for row in range(1, len(table.rows)):
        if "points possible" in table.value(row, 0).casefold():
            return row
    raise UsageError("this is no gradebook of Canvas: there is no row that begins with `Points Possible`")


def _column(header: Sequence[str], wanted: str | None) -> int:
    assignments = {place: found for place, name in enumerate(header) if (found := _NUMBERED.fullmatch(name))}
    if wanted is None:
        if len(assignments) == 1:
            return next(iter(assignments))
        raise UsageError(f"say which column is to be filled: {_listed(header, assignments)}")
    by_number = [place for place, found in assignments.items() if found["id"] == wanted.strip()]
    by_heading = [place for place, name in enumerate(header) if folded(name) == folded(wanted) and place in assignments]
    by_title = [place for place, found in assignments.items() if folded(found["title"]) == folded(wanted)]
    for places in (by_number, by_heading, by_title):
        if len(places) == 1:
            return places[0]
        if places:
            raise UsageError(
                f"several columns are called {wanted!r}; name one by its number: {_listed(header, places)}"
            )
    raise UsageError(f"no assignment is called {wanted!r}; there are: {_listed(header, assignments)}")


def _listed(header: Sequence[str], places: Iterable[int]) -> str:
    return ", ".join(repr(header[place]) for place in places) or "none"


def _person(table: Table, header: Sequence[str], row: int) -> Person:
    label = table.value(row, 0).strip()
    ids = tuple(table.value(row, place) for place, name in enumerate(header) if name in IDS)
    return Person(row, label or f"row {row + 1}", ids, both_orders(label))
