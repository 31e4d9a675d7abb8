"""The class list: who is in the class, whatever their system calls its columns, and whose is what was handed in."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from harness.errors import DataError, Fault
from harness.intake.handin import HandIn
from harness.intake.items import folded
from harness.intake.table import Row, Table, read_table
from harness.outcome import Outcome
from harness.submission import Submission, shown

_IDS = (
    "id",
    "student id",
    "studentid",
    "sid",
    "student number",
    "id number",
    "identifier",
    "orgdefinedid",
    "sis user id",
    "netid",
    "username",
    "user name",
    "login",
    "sis login id",
    "email",
    "email address",
    "github",
    "github username",
)
"""Columns that can name a student, the most telling first."""
_NAMES = ("name", "full name", "student", "student name", "display name")
_FIRST = ("first name", "firstname", "given name")
_LAST = ("last name", "lastname", "surname", "family name")


@dataclasses.dataclass(frozen=True)
class Student:
    """One line of the class list. `also` are the other ids the student goes by."""

    id: str
    name: str
    line: int
    also: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Roster:
    """A class list, in its own order."""

    path: Path
    students: tuple[Student, ...]

    @cached_property
    def by_id(self) -> dict[str, Student]:
        """Every id somebody goes by, folded; a main id wins over another column, and what two students share names nobody."""
        main = {folded(student.id): student for student in self.students}
        shared = Counter(folded(other) for student in self.students for other in set(student.also))
        others = {
            folded(other): student for student in self.students for other in student.also if shared[folded(other)] == 1
        }
        return {**others, **main}

    @cached_property
    def by_name(self) -> dict[str, Student]:
        """Names that only one student has, in either order."""
        named: dict[str, list[Student]] = {}
        for student in self.students:
            for name in {_plain_name(student.name), _turned(student.name)} - {""}:
                named.setdefault(name, []).append(student)
        return {name: found[0] for name, found in named.items() if len(found) == 1}


def read_roster(path: Path) -> Roster:
    """Read a class list, or raise an error that names every fault with its line."""
    table = read_table(path)
    ids = [column for column in _IDS if column in table.columns]
    if not ids:
        known = ", ".join(_IDS[:4])
        remedy = f"name one of them {known} or the like; there are: {', '.join(filter(None, table.columns))}"
        raise DataError([table.fault(None, "", "no column says who the students are", remedy)])
    students, faults = [], []
    for row in table.rows:
        if row.cells[table.columns[0]].lower() == "points possible":
            continue
        student = _student(row, ids, table)
        if student.id:
            students.append(student)
        else:
            faults.append(table.fault(row, ids[0], "the cell is empty", "every student needs an id"))
    faults.extend(_twice(table, ids[0], students))
    if not students and not faults:
        faults.append(table.fault(None, "", "there are no students in it"))
    if faults:
        raise DataError(faults)
    return Roster(path, tuple(students))


def _student(row: Row, ids: Sequence[str], table: Table) -> Student:
    values = [_bare(row.cells[column]) for column in ids]
    name = next((row.cells[column] for column in _NAMES if column in table.columns), "")
    if not name:
        parts = [
            next((row.cells[column] for column in columns if column in table.columns), "")
            for columns in (_FIRST, _LAST)
        ]
        name = " ".join(filter(None, parts))
    also = tuple(value for value in values[1:] if value and value != values[0])
    return Student(values[0], name, row.line, also)


def _bare(cell: str) -> str:
    """An id as it is meant: Brightspace writes `#1001`, Moodle `Participant 17`."""
    number = cell.removeprefix("Participant ")
    return number if number.isdigit() else shown(cell.removeprefix("#"), most=400)


def _twice(table: Table, column: str, students: Sequence[Student]) -> list[Fault]:
    first: dict[str, Student] = {}
    faults = []
    for student in students:
        earlier = first.setdefault(folded(student.id), student)
        if earlier is not student:
            problem = f"{student.id!r} stands here for the second time"
            faults.append(Fault(table.path, student.line, column, problem, f"it is also on line {earlier.line}"))
    return faults


def identify(hand_ins: Sequence[HandIn], roster: Roster) -> tuple[HandIn, ...]:
    """Give each hand-in the id and the name that the class list has for its student, and a note where that is not plain."""
    names = Counter(name for _, name in {(one.id, _plain_name(one.name)) for one in hand_ins})
    return tuple(_identified(one, roster, names) for one in hand_ins)


def _identified(one: HandIn, roster: Roster, names: Counter[str]) -> HandIn:
    student, how = _match(one, roster, names)
    if student is None:
        return dataclasses.replace(one, notes=(*one.notes, f"{shown(one.id)!r} is not on the class list."))
    notes = one.notes if one.id == student.id else (*one.notes, f"Handed in as {shown(one.id)!r}{how}.")
    return dataclasses.replace(one, id=student.id, name=student.name or one.name, notes=notes)


def _match(one: HandIn, roster: Roster, names: Counter[str]) -> tuple[Student | None, str]:
    for known in (one.id, *one.also):
        if folded(known) in roster.by_id:
            return roster.by_id[folded(known)], ""
    name = _plain_name(one.name)
    if name and names[name] == 1 and name in roster.by_name:
        return roster.by_name[name], f"; the class list was matched by the name {shown(one.name)!r}"
    return None, ""


def _plain_name(name: str) -> str:
    """`Doe, Jane` and `Jane Doe` alike."""
    last, comma, first = name.partition(",")
    return folded(f"{first} {last}" if comma else name)


def _turned(name: str) -> str:
    """The name as Canvas puts it into a file's name: last and first names run together, letters and digits only."""
    last, comma, first = name.partition(",")
    words = [*last.split(), *first.split()] if comma else [*name.split()[-1:], *name.split()[:-1]]
    return "".join(character for character in folded("".join(words)) if character.isalnum())


def missing(roster: Roster, ids: set[str], file: str) -> list[Submission]:
    """A submission that says so for everybody on the class list who handed in nothing."""
    problem = (
        f"Nothing was handed in: {file} was expected. The class list names this student, but there was no submission."
    )
    return [
        Submission(student.id, file, name=student.name, outcome=Outcome.MISSING, problem=problem)
        for student in roster.students
        if student.id not in ids
    ]
