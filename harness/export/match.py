"""Whose row is whose: by the ids that a gradebook holds, then by the exact name, and never by a guess."""

from __future__ import annotations

import dataclasses
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from harness.errors import UsageError
from harness.export.cells import Table
from harness.outcome import Outcome
from harness.report.sheet import outcomes, total_of

Record = Mapping[str, Any]


@dataclasses.dataclass(frozen=True)
class Person:
    """A row of their file: what to call it, the ids it holds, and the names it may be known by."""

    row: int
    label: str
    ids: tuple[str, ...]
    names: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Filled:
    """Their file with grades in it, and an account of every row and every record.

    `matched` are (our id, their row, grade); `unknown_here` are rows without a record, `unknown_there` records without a
    row, `ambiguous` records that fit several rows or share one; `waiting` and `unscored` have no final grade yet; `kept`
    are rows that the system itself protects.
    """

    text: str
    matched: tuple[tuple[str, str, str], ...]
    unknown_here: tuple[str, ...]
    unknown_there: tuple[str, ...]
    ambiguous: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    unscored: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def folded(text: str) -> str:
    """A form in which two spellings of one id or name are the same: blanks, letter case and the form of accents aside."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def both_orders(name: str) -> tuple[str, ...]:
    """`Doe, Jane` is `Jane Doe` as well."""
    last, comma, first = name.partition(",")
    return (name, f"{first.strip()} {last.strip()}") if comma else (name,)


@dataclasses.dataclass(frozen=True)
class Pairs:
    """Which record belongs to which row."""

    of: Mapping[str, Person]
    unknown: tuple[str, ...]
    ambiguous: tuple[str, ...]


def pair(people: Sequence[Person], records: Sequence[Record]) -> Pairs:
    """Give each record its row, if there is exactly one; two records that want one row get none."""
    wanted: dict[str, list[Person]] = {}
    for record in records:
        wanted[record["submission"]["id"]] = _rows_for(record["submission"], people)
    claims = Counter(rows[0].row for rows in wanted.values() if len(rows) == 1)
    single = {name: rows[0] for name, rows in wanted.items() if len(rows) == 1 and claims[rows[0].row] == 1}
    return Pairs(
        of=single,
        unknown=tuple(name for name, rows in wanted.items() if not rows),
        ambiguous=tuple(name for name, rows in wanted.items() if rows and name not in single),
    )


def _rows_for(submission: Mapping[str, Any], people: Sequence[Person]) -> list[Person]:
    mine = folded(submission["id"])
    by_id = [person for person in people if mine and mine in {folded(text) for text in person.ids if text.strip()}]
    if by_id:
        return by_id
    names = {folded(name) for name in both_orders(submission["name"]) if name.strip()}
    return [person for person in people if names & {folded(name) for name in person.names if name.strip()}]


def column_of(header: Sequence[str], wanted: str, what: str) -> int:
    """The one column with this heading, or an error that lists what there is."""
    found = [place for place, heading in enumerate(header) if folded(heading) == folded(wanted)]
    if len(found) == 1:
        return found[0]
    said = "several columns are" if found else "no column is"
    raise UsageError(f"{said} called {wanted!r} ({what}); the columns are: {', '.join(repr(name) for name in header)}")


@dataclasses.dataclass(frozen=True)
class Sheet:
    """Their file, as one of the systems reads it."""

    table: Table
    people: tuple[Person, ...]
    column: int
    mark: str = "."
    places: int = 2
    protected: Mapping[int, str] = dataclasses.field(default_factory=dict)
    most: Mapping[int, float] = dataclasses.field(default_factory=dict)
    notes: tuple[str, ...] = ()


def fill_sheet(sheet: Sheet, records: Sequence[Record], *, partial: bool) -> Filled:
    """Write the grades that are final (with `partial`, those that wait for a person too) and account for the rest."""
    pairs = pair(sheet.people, records)
    values: dict[tuple[int, int], str] = {}
    matched, kept, waiting, unscored = [], [], [], []
    for record in records:
        name = record["submission"]["id"]
        person = pairs.of.get(name)
        total = total_of(record)
        if total is None:
            unscored.append(name)
        elif Outcome.PENDING.value in outcomes(record) and not partial:
            waiting.append(name)
        elif person is not None and person.row in sheet.protected:
            kept.append(f"{person.label}: {sheet.protected[person.row]}")
        elif person is not None and total > sheet.most.get(person.row, total):
            kept.append(f"{person.label}: {_written(total, sheet)} is more than the maximum there")
        elif person is not None and sheet.column < len(sheet.table.rows[person.row]):
            grade = _written(total, sheet)
            values[person.row, sheet.column] = grade
            matched.append((name, person.label, grade))
        elif person is not None:
            kept.append(f"{person.label}: the row is too short")
    found = {person.row for person in pairs.of.values()}
    return Filled(
        text=sheet.table.with_values(values),
        matched=tuple(matched),
        unknown_here=tuple(person.label for person in sheet.people if person.row not in found),
        unknown_there=pairs.unknown,
        ambiguous=pairs.ambiguous,
        waiting=tuple(waiting),
        unscored=tuple(unscored),
        kept=tuple(kept),
        notes=sheet.notes,
    )


def _written(total: float, sheet: Sheet) -> str:
    """Rounded to what the system keeps, half a unit always up."""
    exact = Decimal(str(total)).quantize(Decimal(1).scaleb(-sheet.places), ROUND_HALF_UP)
    text = f"{exact:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace(".", sheet.mark)


def worth_note(column: str, theirs: float | None, records: Sequence[Record]) -> tuple[str, ...]:
    """A remark if the column is out of another number of points than the assignment."""
    ours = {record["max"] for record in records}
    if theirs is None or ours <= {theirs}:
        return ()
    said = ", ".join(f"{value:g}" for value in sorted(ours))
    return (f"{column!r} is out of {theirs:g} there and out of {said} here; the points are written as they are.",)


def as_number(text: str) -> float | None:
    """A number with a decimal point or comma, else None."""
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return None
