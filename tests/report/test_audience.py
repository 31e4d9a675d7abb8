"""What a student may not see is not there."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from harness.outcome import Outcome
from harness.record import Json
from harness.report import FORMATS, Report, render
from harness.report.audience import OUR_FAULT, for_student
from harness.report.bundle import make_bundle
from harness.verdict import Detail
from tests.report import samples
from tests.report.strategies import records

DETAIL = ("TOKENtried", "TOKENbefore", "TOKENexpected", "TOKENactual", "TOKENtext", "TOKENnote")
ALLOWED = {
    "everything": {"TOKENsentence", *DETAIL},
    "message": {"TOKENsentence"},
    "outcome": set(),
    "nothing": set(),
}
STUDENT_FORMATS = [name for name in FORMATS if name != "gradescope"]


def planted(level: str) -> Json:
    """A student who failed the line with this visibility."""
    failure = samples.fails(
        "session/test-2",
        "TOKENsentence",
        detail=Detail("TOKENtried", "TOKENbefore", "TOKENexpected", "TOKENactual", 7, "TOKENtext"),
        notes=("TOKENnote",),
    )
    return samples.record(
        "eve", failure, hidden=level, notes=["A note about TOKENsentence.", "For a person to look at: TOKENflag"]
    )


def tokens(text: str) -> set[str]:
    return {word for word in ("TOKENsentence", "TOKENflag", *DETAIL) if word in text}


@pytest.mark.parametrize("level", ALLOWED)
def test_the_record_holds_what_the_level_allows(level: str) -> None:
    assert tokens(json.dumps(for_student(planted(level)))) == ALLOWED[level]


@pytest.mark.parametrize("level", ALLOWED)
@pytest.mark.parametrize("name", STUDENT_FORMATS)
def test_no_format_shows_more_than_the_level_allows(name: str, level: str) -> None:
    report = Report(samples.TITLE, samples.SLUG, [planted(level)], audience="student")
    shown = "\n".join(content.decode("utf-8") for content in render(name, report).values())
    assert tokens(shown) <= ALLOWED[level]


@pytest.mark.parametrize("level", ["message", "outcome", "nothing"])
def test_the_feedback_bundle_is_for_students_even_if_staff_ask_for_it(level: str) -> None:
    bundle = make_bundle(Report(samples.TITLE, samples.SLUG, [planted(level)], audience="staff"))
    assert tokens(b"".join(bundle.files.values()).decode("utf-8")) <= ALLOWED[level]


def test_a_hidden_line_is_gone_and_the_total_does_not_tell() -> None:
    passed = for_student(samples.record("ada", hidden="nothing"))
    failed = for_student(samples.record("ada", samples.BLANKS, hidden="nothing"))
    assert passed == failed
    assert [item["id"] for item in passed["items"]] == [
        "deal",
        "is_legal",
        "move",
        "test-1",
        "style",
        "comments",
        "undo",
    ]
    assert passed["total"] is None
    assert passed["hidden"] == {"lines": 1, "max": 5}
    assert passed["points"] == 38


def test_points_of_a_line_with_an_outcome_are_told() -> None:
    line = next(item for item in for_student(planted("outcome"))["items"] if item["id"] == "test-2")
    assert (line["points"], line["max"], line["outcome"], line["summary"], line["evidence"]) == (0, 5, "wrong", "", [])


def test_shared_evidence_is_as_secret_as_its_most_secret_line() -> None:
    record = planted("everything")
    twin = next(item for item in record["items"] if item["id"] == "test-2")
    record["items"].append({**twin, "id": "secret", "visibility": "nothing"})
    assert tokens(json.dumps(for_student(record)["verdicts"])) == set()
    assert not tokens(json.dumps([item["evidence"] for item in for_student(record)["items"]]))


def test_a_closed_gate_does_not_tell_what_it_rests_on() -> None:
    record = planted("nothing")
    record["items"][0].update(
        outcome="skipped", points=0, summary="Not counted, because session/test-2 did not pass: TOKENsentence"
    )
    shown = for_student(record)
    assert shown["items"][0]["summary"] == "Not counted, because something else that this line needs did not pass."


def test_our_own_fault_is_told_without_its_reason() -> None:
    fault = next(record for record in samples.special() if "fault" in record)
    shown = for_student(fault)
    assert "no space left" not in json.dumps(shown)
    assert shown["items"][0]["summary"] == OUR_FAULT
    assert "seed" not in shown


def test_evidence_that_no_line_rests_on_is_not_shown() -> None:
    record = planted("everything")
    record["verdicts"].append(
        {"evidence": "session/extra", "case": "x", "aspect": "turns", "outcome": "wrong", "sentence": "TOKENflag"}
    )
    assert "TOKENflag" not in json.dumps(for_student(record))
    load = {
        "evidence": "load",
        "case": "load",
        "aspect": "load",
        "outcome": "load_error",
        "sentence": "Python cannot read it.",
    }
    record["verdicts"].append(load)
    assert load in for_student(record)["verdicts"]


def test_an_old_record_without_the_field_told_is_read() -> None:
    record = planted("everything")
    del record["told"]
    assert for_student(record)["told"] == []
    assert render("terminal", Report("T", "t", [record]))


@pytest.mark.parametrize(
    ("level", "sentence"), [("everything", "TOKENtold"), ("message", "TOKENtold"), ("outcome", ""), ("nothing", None)]
)
def test_what_is_told_is_no_way_round_a_hidden_line(level: str, sentence: str | None) -> None:
    record = planted(level)
    record["told"] = [{"name": "session/test-2", "outcome": "wrong", "sentence": "TOKENtold"}]
    assert [entry["sentence"] for entry in for_student(record)["told"]] == ([] if sentence is None else [sentence])


def test_a_told_fault_of_ours_has_no_reason() -> None:
    record = planted("everything")
    record["told"] = [{"name": "session/extra", "outcome": "internal", "sentence": "TOKENtold"}]
    assert for_student(record)["told"] == [{"name": "session/extra", "outcome": "internal", "sentence": ""}]


def test_a_hidden_case_shows_its_sentence_and_nothing_else() -> None:
    record = samples.record("x", samples.ACE)
    text = json.dumps(record).replace('"l3"', '"hidden:l3"').replace('"l1"', '"hidden:l1"').replace("K♦", "TOKEN")
    shown = for_student(json.loads(text))
    assert "hidden:" not in json.dumps(shown)
    line = next(item for item in shown["items"] if item["id"] == "is_legal")
    assert line["evidence"][0]["first_failure"] == {
        "evidence": "calls/is_legal", "case": "", "aspect": "", "outcome": "wrong", "sentence": line["summary"],
    }  # fmt: skip
    assert [entry["case"] for entry in shown["verdicts"] if entry.get("outcome") == "wrong"] == ["l5"]


@given(records())
def test_doing_it_twice_changes_nothing_and_the_record_is_left_alone(record: Json) -> None:
    before = json.dumps(record)
    shown = for_student(record)
    assert json.dumps(record) == before
    assert for_student(shown) == shown


@given(records())
def test_no_hidden_verdict_is_left(record: Json) -> None:
    shown = for_student(record)
    hidden = {item["evidence"][0]["name"] for item in record["items"] if item["visibility"] != "everything"}
    assert not any(entry["evidence"] in hidden for entry in shown["verdicts"])
    assert not any(entry.get("outcome") == Outcome.INTERNAL.value for entry in shown["verdicts"])
