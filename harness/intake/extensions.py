"""Extensions: students with more time, as `id,until` or `id,hours`."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

from harness.errors import DataError, Fault
from harness.intake.items import folded
from harness.intake.table import Row, Table, read_table
from harness.intake.times import in_zone, iso_time, zone_named

_LONGEST = 24 * 366


@dataclasses.dataclass(frozen=True)
class Extension:
    """More time for one student: until a moment, or by some hours."""

    id: str
    line: int
    until: datetime | None = None
    hours: Fraction = Fraction(0)

    def length(self, due: datetime) -> timedelta:
        """How much later than `due` the student may hand in; never less than nothing."""
        if self.until is not None:
            return max(self.until - due, timedelta(0))
        return timedelta(seconds=int(self.hours * 3600))


@dataclasses.dataclass(frozen=True)
class Extensions:
    """A file of extensions."""

    path: Path
    rows: tuple[Extension, ...]

    def lengths(self, ids: Iterable[str], resolve: Callable[[str], str | None], due: datetime) -> dict[str, timedelta]:
        """The extension of each student by id; one for a student whom nobody knows is an error."""
        known = {folded(one): one for one in ids}
        found: dict[str, timedelta] = {}
        faults = []
        for row in self.rows:
            student = known.get(folded(row.id)) or resolve(row.id)
            if student is None:
                remedy = "the student is neither on the class list nor among the submissions"
                faults.append(Fault(self.path, row.line, "id", f"there is no student {row.id!r}", remedy))
            elif student in found:
                faults.append(Fault(self.path, row.line, "id", f"{row.id!r} has two extensions", "remove one"))
            else:
                found[student] = row.length(due)
        if faults:
            raise DataError(faults)
        return found


def read_extensions(path: Path, timezone: str | None = None) -> Extensions:
    """Read a file of extensions, or raise an error that names every fault with its line."""
    table = read_table(path)
    missing = [] if "id" in table.columns else ["id"]
    missing += [] if {"until", "hours"} & set(table.columns) else ["until"]
    unknown = [
        column for column in table.columns if column not in ("id", "until", "hours", "name", "note", "reason", "")
    ]
    faults = [
        table.fault(None, column, "the column is missing", "the first line is id,until or id,hours")
        for column in missing
    ]
    faults += [
        table.fault(None, column, "unknown column", "known: id, until, hours, name, note, reason") for column in unknown
    ]
    if faults:
        raise DataError(faults)
    zone = zone_named(timezone)
    read = [_extension(table, row, zone) for row in table.rows]
    faults = [one for one in read if isinstance(one, Fault)]
    if faults:
        raise DataError(faults)
    return Extensions(path, tuple(one for one in read if isinstance(one, Extension)))


def _extension(table: Table, row: Row, zone: ZoneInfo | None) -> Extension | Fault:
    student, until, hours = (row.cells.get(column, "") for column in ("id", "until", "hours"))
    if not student:
        return table.fault(row, "id", "the cell is empty", "say whose extension this is")
    if bool(until) == bool(hours):
        problem = (
            "there is both a time and a number of hours" if until else "there is neither a time nor a number of hours"
        )
        return table.fault(row, "until", problem, "fill in one of them")
    if until:
        moment = iso_time(until)
        if moment is None:
            return table.fault(row, "until", f"{until!r} is not a time", "write 2022-12-02 23:59")
        moment = in_zone(moment, zone)
        if moment is None:
            return table.fault(
                row,
                "until",
                f"{until!r} has no time zone",
                "the assignment's policy has none either; write 2022-12-02T23:59-05:00",
            )
        return Extension(student, row.line, until=moment)
    if not re.fullmatch(r"\d{1,5}(\.\d{1,3})?", hours, re.ASCII) or not 0 < Fraction(hours) <= _LONGEST:
        return table.fault(row, "hours", f"{hours!r} is not a number of hours", "write 24 or 1.5")
    return Extension(student, row.line, hours=Fraction(hours))
