"""Every entry of the catalogue through the real command, and the world as it was afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import jsonschema
import pytest

from harness.sandbox.catalogue import Expectation
from tests.hostile.conftest import GROUPS, MakePlace, group_of
from tests.hostile.entries import CATALOGUE, POINTS, SLOW, Entry, entries, entry, student
from tests.hostile.oracle import (
    CANARY,
    CHECKOUT,
    LARGEST_RSS_KB,
    Graded,
    check_reports,
    grade,
    student_artefacts,
    without_id,
)

SCHEMA = jsonschema.Draft202012Validator(
    json.loads((CHECKOUT / "docs" / "schema" / "record.schema.json").read_text(encoding="utf-8"))
)
ALONE = frozenset({"D01", "D06", "D07", "D14", "D15", "D16"})
"""Entries about a whole class; `test_classes.py` has a test for each."""
LONGEST_SECONDS = {"quick": 90, "slow": 180}
HIDDEN = ("7331", "5113", "90210", "60609")

Record = Mapping[str, Any]


def slow(mark: bool) -> tuple[pytest.MarkDecorator, ...]:
    return (pytest.mark.slow,) if mark else ()


IN_A_CLASS = [
    pytest.param(one, id=one.id, marks=slow(group_of(one) == "slow")) for one in entries() if one.id not in ALONE
]
EACH_GROUP = pytest.mark.parametrize("group", [pytest.param(name, marks=slow(name == "slow")) for name in GROUPS])


def outcomes(record: Record) -> dict[str, str]:
    return {item["id"]: item["outcome"] for item in record["items"]}


def check_program(record: Record, expected: Expectation) -> None:
    """The verdict as declared, line by line, and not a point more than the lines that may pass are worth."""
    found = outcomes(record)
    assert found.keys() == POINTS.keys()
    wrong = {line: (end, sorted(expected.of(line))) for line, end in found.items() if end not in expected.of(line)}
    assert not wrong, record["items"]
    assert record["total"] <= sum(points for line, points in POINTS.items() if "passed" in expected.of(line))
    assert record["total"] == sum(points for line, points in POINTS.items() if found[line] == "passed")
    assert "fault" not in record
    if expected.review:
        assert any(note.startswith("For a person to look at") for note in record["notes"]), record["notes"]


@pytest.mark.parametrize("one", IN_A_CLASS)
def test_entry(
    one: Entry,
    graded: Callable[[str], Graded],
    odd: Graded,
    sandboxed: bool,
    shown: Callable[[str, str], None],
) -> None:
    """The declared verdict, in exactly one record that the schema accepts."""
    if one.tier != "T0" and not sandboxed:
        shown(one.id, "needs T1")
        pytest.skip(f"{one.id} needs tier T1, a sandbox, which this machine does not give")
    records = graded(group_of(one)).records
    assert one.fixtures or one.built is not None
    for fixture in one.fixtures:
        record = records[student(fixture)]
        SCHEMA.validate(record)
        check_program(record, fixture.expected)
    if one.built is not None:
        check_built(one, one.built, {**odd.records, **records})
    shown(one.id, "held")


def check_built(one: Entry, expected: Expectation, records: Mapping[str, Record]) -> None:
    """What the intake made of folders that the test had to build: honest programs earn everything, the rest nothing."""
    for variant, allowed in expected.outcomes.items():
        if variant == "every":
            continue
        record = records[f"{one.id}+{variant}"]
        SCHEMA.validate(record)
        outcome = record["submission"]["outcome"]
        assert outcome in allowed, (variant, record["submission"])
        assert record["total"] == (10 if outcome == "passed" else 0), variant
        assert outcome == "passed" or record["submission"]["problem"], "the reason is told"


@EACH_GROUP
def test_the_command_ends_well_and_in_time(group: str, graded: Callable[[str], Graded]) -> None:
    run = graded(group)
    assert run.code == 0, run.said[-2000:]
    assert run.seconds < LONGEST_SECONDS[group]
    assert run.rss_kb < LARGEST_RSS_KB


@EACH_GROUP
def test_every_submission_has_its_record(group: str, graded: Callable[[str], Graded]) -> None:
    run = graded(group)
    handed_in = {path.name for path in (run.out.parent / "class").iterdir()}
    assert run.records.keys() == handed_in


@EACH_GROUP
def test_nothing_is_left_and_nothing_has_changed(group: str, graded: Callable[[str], Graded]) -> None:
    run = graded(group)
    assert run.survivors == ()
    assert run.leftovers == ()
    assert run.changed == ()


@EACH_GROUP
def test_no_secret_comes_out(group: str, graded: Callable[[str], Graded]) -> None:
    run = graded(group)
    for name, text in student_artefacts(run):
        assert run.token not in text, name


@EACH_GROUP
def test_reports_parse_and_hold_nothing_raw(group: str, graded: Callable[[str], Graded]) -> None:
    check_reports(graded(group))


@EACH_GROUP
def test_canaries_among_them_are_graded_as_if_alone(
    group: str, graded: Callable[[str], Graded], new_place: MakePlace, options: tuple[str, ...]
) -> None:
    """Before, between and after the attacks, and in a class of its own: byte for byte the same record."""
    run, place = graded(group), new_place()
    place.hand_in(CANARY)
    alone = grade(place, *options).records[CANARY]
    canaries = [without_id(record) for name, record in run.records.items() if CANARY in name]
    assert len(canaries) == 6
    mine = {**alone, "inputs": run.records[CANARY]["inputs"]}
    assert set(canaries) == {without_id(mine)}, "only the hashes of the two assignments differ, by their secrets"
    assert alone["total"] == 10


def test_the_same_class_again_after_the_attacks_gives_the_same_bytes(
    new_place: MakePlace, options: tuple[str, ...]
) -> None:
    """One canary is graded, then an attack beside it, then it alone again: three times the same file."""
    place = new_place()
    place.hand_in(CANARY)
    before = grade(place, *options, out="before")
    for number in ("H11", "H13", "C13"):
        for fixture in entry(number).fixtures:
            place.hand_in(student(fixture), fixture.source)
    between = grade(place, *options, out="between")
    after = grade(place, *options, out="after")
    files = [next(run.out.glob("records/canary-*.json")).read_bytes() for run in (before, between, after)]
    assert files[0] == files[1] == files[2]


def test_hidden_arguments_stay_hidden(graded: Callable[[str], Graded]) -> None:
    """A student's page of H33 shows the verdict on hidden cases and no number of theirs."""
    from harness.report import for_student  # noqa: PLC0415 - only here

    for fixture in entry("H33").fixtures:
        record = graded("quick").records[student(fixture)]
        page = json.dumps(for_student(record))
        assert not [number for number in HIDDEN if number in page], fixture.variant
        assert outcomes(record)["hidden"] != "passed"


def test_a_snapshot_s_hash_is_in_the_record(graded: Callable[[str], Graded]) -> None:
    import hashlib  # noqa: PLC0415 - only here

    for fixture in entry("H32").fixtures:
        record = graded("quick").records[student(fixture)]
        assert record["submission"]["sha256"] == hashlib.sha256(fixture.source).hexdigest()


def test_the_catalogue_is_complete(sandboxed: bool) -> None:
    """102 of 102: every id has a fixture or a builder, says what it expects, and none is left out on this machine."""
    listed = {
        f"{letter}{number:02}"
        for letter, most in (("C", 24), ("R", 17), ("H", 38), ("I", 7), ("D", 16))
        for number in range(1, most + 1)
    }
    present = {one.id for one in entries() if one.fixtures or one.built is not None}
    folders = {path.name[:3] for path in CATALOGUE.iterdir() if path.name[1:3].isdigit()}
    assert present == listed == folders
    assert len(present) == 102
    assert listed >= SLOW | ALONE
    left_out = [one.id for one in entries() if one.tier != "T0" and not sandboxed]
    print(f"{len(present) - len(left_out)} of {len(listed)} entries run on this machine")
    assert not left_out or not sandboxed


def test_every_fixture_says_what_it_expects() -> None:
    for one in entries():
        for fixture in one.fixtures:
            assert fixture.expected.outcomes, fixture.path
            assert fixture.expected.outcomes.keys() <= {*POINTS, "all"}, fixture.path
