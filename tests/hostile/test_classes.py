"""Entries of the catalogue that are about a whole class: names, lists, counts, and rubrics that must be refused."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.assignment import Tree
from harness.batch import Batch
from harness.intake import Intake, take_in
from harness.intake.find import Wanted
from harness.intake.roster import read_roster
from harness.store import Store
from harness.workshop import load, opened
from tests.hostile.builders import ODD_IDS
from tests.hostile.conftest import MakePlace
from tests.hostile.entries import HONEST, entry
from tests.hostile.oracle import CANARY, Graded, Place, check_reports, grade, read_records, without_id
from tests.hostile.test_catalogue import SCHEMA, Record

WANTED = Wanted("solution.py")
Shown = Callable[[str, str], None]


def graded_here(place: Place, intake: Intake, *, unsandboxed: bool) -> dict[str, Record]:
    """What the command does with a class that was taken in, for what the command has no option for."""
    assignment, store = load(Tree(place.tree), "add"), Store(place.root / "results")
    store.open()
    with opened(assignment, jobs=2, unsandboxed=unsandboxed) as (run, expected):
        Batch(assignment, store, run, expected).grade(intake.submissions, lambda *_: None, jobs=2)
    records = read_records(store.folder)
    for record in records.values():
        SCHEMA.validate(record)
    return dict(records)


def roster(place: Place, *ids: str) -> Path:
    path = place.root / "roster.csv"
    path.write_text("id,name\n" + "".join(f"{one},Student {one}\n" for one in ids), encoding="utf-8")
    return path


def check_outcomes(number: str, records: dict[str, Record]) -> None:
    expected = entry(number).built
    assert expected is not None
    for student, allowed in expected.outcomes.items():
        for one in records if student == "every" else [student]:
            assert records[one]["submission"]["outcome"] in allowed, one


def test_d01_nothing_handed_in(new_place: MakePlace, sandboxed: bool, shown: Shown) -> None:
    place = new_place()
    place.hand_in("bob")
    intake = take_in(place.students, WANTED, roster=read_roster(roster(place, "alice", "bob")))
    records = graded_here(place, intake, unsandboxed=not sandboxed)
    check_outcomes("D01", records)
    assert (records["alice"]["total"], records["bob"]["total"]) == (0, 10)
    assert "solution.py" in records["alice"]["submission"]["problem"]
    shown("D01", "held")


@pytest.mark.parametrize(
    "twins",
    [("Alice", "alice"), (unicodedata.normalize("NFC", "zoé"), unicodedata.normalize("NFD", "zoé")), ("ann", "ann ")],
    ids=["case", "accents", "blanks"],
)
def test_d06_twins_are_refused_before_grading(
    twins: tuple[str, str], new_place: MakePlace, options: tuple[str, ...], shown: Shown
) -> None:
    place = new_place()
    for name in twins:
        place.hand_in(name)
    if len(list(place.students.iterdir())) < 2:
        pytest.skip("on this disk the two names are one")
    run = grade(place, *options)
    assert run.code == 2
    assert "cannot be told apart" in run.said
    assert run.records == {}
    shown("D06", "held")


def test_odd_ids_are_kept_apart(odd: Graded, shown: Shown) -> None:
    """D07 and the names of I02, I04 and I07: every folder has its own record with full marks, and every report can hold it."""
    handed_in = list((odd.out.parent / "class").iterdir())
    assert len(handed_in) > sum(len(names) for names in ODD_IDS.values()) * 0.9, "nearly all names exist on this disk"
    assert len(odd.records) == len(handed_in)
    assert {record["total"] for record in odd.records.values()} == {10}
    assert len({without_id({**record, "submission": {}}) for record in odd.records.values()}) == 1
    assert (odd.code, odd.survivors, odd.leftovers, odd.changed) == (0, (), (), ())
    assert not [line for line in odd.said.splitlines() if line.startswith(("::", "##"))]
    assert not any(ord(character) < 32 and character != "\n" for character in odd.said)
    check_reports(odd)
    shown("D07", "held")


def test_d14_a_change_during_the_run(new_place: MakePlace, sandboxed: bool, shown: Shown) -> None:
    place = new_place()
    path = place.hand_in("alice")
    intake = take_in(place.students, WANTED)
    path.write_bytes(b"raise SystemExit\n")
    records = graded_here(place, intake, unsandboxed=not sandboxed)
    check_outcomes("D14", records)
    assert records["alice"]["total"] == 10
    assert records["alice"]["submission"]["sha256"] == hashlib.sha256(HONEST).hexdigest()
    shown("D14", "held")


def test_d15_rows_are_the_class_list_and_the_folders(new_place: MakePlace, sandboxed: bool, shown: Shown) -> None:
    """Two with the same bytes, one who is not on the list, one who handed in nothing, some that are broken."""
    place = new_place()
    good, broken = [f"good{number}" for number in range(20)], [f"broken{number}" for number in range(5)]
    for name in [*good, "stranger"]:
        place.hand_in(name)
    for name in broken:
        place.hand_in(name, b"PK\x03\x04 not a program")
    listed = read_roster(roster(place, *good, *broken, "absent"))
    records = graded_here(place, take_in(place.students, WANTED, roster=listed), unsandboxed=not sandboxed)
    assert records.keys() == {*good, *broken, "stranger", "absent"}
    check_outcomes("D15", records)
    assert {records[name]["total"] for name in good} == {10}
    assert {records[name]["submission"]["outcome"] for name in broken} == {"rejected"}
    assert records["absent"]["submission"]["outcome"] == "missing"
    shown("D15", "held")


FAULTS: dict[str, tuple[str, str, str]] = {
    "duplicate key": ("rubrics/add.yaml", "total: 10", "total: 10\ntotal: 11"),
    "points do not add up": ("rubrics/add.yaml", "total: 10", "total: 12"),
    "no line at all": ("rubrics/add.yaml", "items:", "items: []\nunused:"),
    "alias bomb": (
        "rubrics/add.yaml",
        'note: "',
        'told: [&a [x, x, x, x], &b [*a, *a, *a, *a], &c [*b, *b, *b, *b], [*c, *c, *c, *c]]\nnote: "',
    ),
    "no for a word": ("rubrics/add.yaml", "id: hidden", "id: no"),
    "an evidence that is not there": ("rubrics/add.yaml", "[calls/sq]", "[calls/cube]"),
    "a session without a file": ("specs/add.yaml", "  talk:", '  walk: {title: "x"}\n  talk:'),
    "no cases": ("fixtures/add/cases.jsonl", '"function":"sq"', '"function":"add"'),
    "a reference that ends itself": ("reference/add/solution.py", "return x * x", "raise SystemExit"),
    "a reference that does not load": ("reference/add/solution.py", "import cards", "import cards_that_are_not_there"),
    "python object": ("rubrics/add.yaml", 'title: "sq"', "title: !!python/object/apply:os.getcwd []"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_d16_a_faulty_rubric_is_refused_before_grading(
    fault: str, new_place: MakePlace, options: tuple[str, ...], shown: Shown
) -> None:
    place = new_place()
    place.hand_in(CANARY)
    file, old, new = FAULTS[fault]
    path = place.tree / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    run = grade(place, *options)
    assert run.code == 2, run.said
    assert run.records == {}
    assert any(name in run.said for name in (file.rpartition("/")[2], "walk.txt", "add.yaml")), (
        "the fault is told with its file"
    )
    assert "Traceback" not in run.said
    shown("D16", "held")
