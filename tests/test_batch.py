"""A class is graded whatever happens to one submission; a fault of ours is never a zero."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness import batch as batch_module
from harness import pipeline
from harness.assignment import Assignment, own_tree
from harness.bank import HIDDEN
from harness.batch import Batch, rescore
from harness.errors import HarnessError, SandboxError
from harness.evidence import Expected, Run
from harness.outcome import Outcome
from harness.report import for_student
from harness.score import score
from harness.store import Store
from harness.submission import Submission
from harness.verdict import refused
from harness.workshop import load, opened

SLUG = "aces-up"


@pytest.fixture(scope="module")
def shop() -> Iterator[tuple[Assignment, Run, Expected]]:
    assignment = load(own_tree(), SLUG)
    with opened(assignment, jobs=1, unsandboxed=True) as (run, expected):
        yield assignment, run, expected


def graded(shop: tuple[Assignment, Run, Expected], folder: Path, submissions: list[Submission]) -> dict[str, Any]:
    assignment, run, expected = shop
    store = Store(folder)
    store.open()
    seen: dict[str, Any] = {}
    Batch(assignment, store, run, expected).grade(
        submissions, lambda record, how: seen.update({record["submission"]["id"]: (record, how)}), jobs=1
    )
    return seen


def test_a_fault_of_ours_is_listed_and_costs_nothing(
    shop: tuple[Assignment, Run, Expected], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assignment = shop[0]
    original = pipeline.grade

    def fails_for_bob(assignment: Assignment, submission: Submission, *rest: Any) -> Any:
        if submission.id == "bob":
            raise SandboxError("the sandbox broke")
        return original(assignment, submission, *rest)

    monkeypatch.setattr(batch_module, "grade", fails_for_bob)
    source = assignment.reference.source
    seen = graded(shop, tmp_path, [Submission(name, assignment.spec.file, source) for name in ("ann", "bob", "cem")])
    bob = seen["bob"][0]
    assert bob["fault"]
    assert all(item["points"] is None for item in bob["items"] if not item.get("parts"))
    assert {item["outcome"] for item in bob["items"]} <= {"internal", "pending"}
    assert seen["cem"][0]["points"] == seen["ann"][0]["points"] == 52
    monkeypatch.setattr(batch_module, "grade", original)
    again = graded(shop, tmp_path, [Submission("bob", assignment.spec.file, source)])
    assert again["bob"][1] == "graded"
    assert again["bob"][0]["points"] == 52


def test_five_faults_in_a_row_stop_the_batch(
    shop: tuple[Assignment, Run, Expected], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> Any:
        raise SandboxError("the sandbox broke")

    monkeypatch.setattr(batch_module, "grade", fails)
    many = [Submission(f"s{number}", "proj10.py", b"") for number in range(20)]
    with pytest.raises(HarnessError, match="5 submissions in a row could not be graded"):
        graded(shop, tmp_path, many)


@pytest.mark.parametrize("outcome", [Outcome.MISSING, Outcome.AMBIGUOUS, Outcome.REJECTED])
def test_what_cannot_be_graded_keeps_every_line_with_its_reason(
    shop: tuple[Assignment, Run, Expected], tmp_path: Path, outcome: Outcome
) -> None:
    assignment = shop[0]
    absent = Submission("ann", assignment.spec.file, outcome=outcome, problem="Nothing was handed in.")
    record = graded(shop, tmp_path, [absent])["ann"][0]
    assert [item["id"] for item in record["items"]] == [item.id for item in assignment.rubric.items]
    assert record["points"] == 0
    assert all(
        "Nothing was handed in." in item["summary"] for item in record["items"] if item["outcome"] == outcome.value
    )


@pytest.mark.parametrize("slug", own_tree().slugs)
def test_nobody_who_handed_in_nothing_is_a_fault_of_ours(slug: str) -> None:
    """Lines that look at some aspects or some cases only must not be left without evidence."""
    assignment = load(own_tree(), slug)
    marks = score(
        assignment.rubric, refused(assignment, Submission("x", "x", outcome=Outcome.MISSING, problem="Nothing."))
    )
    found = {part.outcome for mark in marks.marks for part in (mark.parts or (mark,))}
    assert found <= {Outcome.MISSING, Outcome.PENDING}


def test_a_changed_rubric_only_re_scores(shop: tuple[Assignment, Run, Expected], tmp_path: Path) -> None:
    assignment, run, expected = shop
    one = Submission("ann", assignment.spec.file, assignment.reference.source)
    graded(shop, tmp_path, [one])
    doubled = dataclasses.replace(
        assignment.rubric,
        total=assignment.rubric.total + 3,
        items=tuple(
            dataclasses.replace(item, points=item.points + 3) if item.id == "init_game" else item
            for item in assignment.rubric.items
        ),
    )
    changed = dataclasses.replace(assignment, rubric=doubled, inputs={**assignment.inputs, "rubric": "another"})
    record, how = graded((changed, run, expected), tmp_path, [one])["ann"]
    assert how == "re-scored"
    assert (record["points"], record["max"]) == (55, 58)


def test_scoring_stored_evidence_again_changes_nothing(shop: tuple[Assignment, Run, Expected], tmp_path: Path) -> None:
    assignment = shop[0]
    sample = own_tree().fixtures(SLUG) / "submissions" / "wrong" / "ace-high-forgotten" / assignment.spec.file
    record = graded(shop, tmp_path, [Submission("ann", assignment.spec.file, sample.read_bytes())])["ann"][0]
    assert rescore(assignment, record) == record


def test_a_students_copy_holds_nothing_of_a_hidden_bank(tmp_path: Path) -> None:
    bank = tmp_path / "hidden.jsonl"
    public = (own_tree().fixtures(SLUG) / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    bank.write_text("\n".join(public[::7]) + "\n", encoding="utf-8")
    assignment = load(own_tree(), SLUG, bank=bank)
    sample = own_tree().fixtures(SLUG) / "submissions" / "wrong" / "ace-high-forgotten" / assignment.spec.file
    with opened(assignment, jobs=1, unsandboxed=True) as (run, expected):
        record = pipeline.grade(assignment, Submission("ann", assignment.spec.file, sample.read_bytes()), expected, run)
    assert HIDDEN in json.dumps(record)
    assert HIDDEN not in json.dumps(for_student(record))
