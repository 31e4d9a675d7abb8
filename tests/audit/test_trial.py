"""Auditing a tiny assignment from end to end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness import pipeline
from harness.assignment import Tree
from harness.audit.banks import make_bank
from harness.audit.trial import Audit, audit, hurried, in_the_right_place, lost_lines, own_lines
from harness.bank import read_bank
from harness.cli import audit_, bank_
from harness.workshop import load, opened

SAME = "highest.shorter-1"
EQUIVALENT = ("highest.backwards-1", SAME)
"""The highest number is the same from both ends, and the first one is compared with itself for nothing."""


def bank(tree: Tree, *more: str) -> Result:
    arguments = ["tiny", "--unsandboxed", "--jobs", "1", "--assignments", str(tree.root), *more]
    return CliRunner().invoke(bank_.command, arguments, standalone_mode=False, catch_exceptions=False)


def audited(tree: Tree, cache: Path | None = None) -> Audit:
    assignment = hurried(load(tree, "tiny"))
    with opened(assignment, jobs=1, unsandboxed=True) as (run, expected):
        return audit(assignment, run, expected, jobs=1, on_result=lambda _: None, cache=cache)


def excuse(tree: Tree, audit: Audit, *, diff: str = "") -> None:
    """List all survivors as equivalent."""
    entries = [
        f'  - {{id: {result.mutant.id}, diff: "{diff or result.mutant.fingerprint}", because: same, reason: "so it is"}}'
        for result in audit.survivors
    ]
    path = tree.fixtures("tiny") / "equivalent.yaml"
    path.write_text("\n".join(["mutants:", *entries, ""]), encoding="utf-8")


def test_a_bank_chosen_with_mutants_finds_all_but_the_equivalent_ones(tiny: Tree) -> None:
    said = bank(tiny).output
    cases = read_bank(tiny.fixtures("tiny") / "cases.jsonl")
    assert "kill matrix" in said
    assert f"{len(cases)} cases in" in said
    assert {case.function for case in cases} == {"higher", "highest"}
    result = audited(tiny)
    assert [survivor.mutant.id for survivor in result.survivors] == list(EQUIVALENT)
    assert len(result.killed) == len(result.results) - len(EQUIVALENT)
    assert result.localised == 1


def test_a_mistake_of_a_helper_is_not_charged_to_who_uses_it(tiny: Tree) -> None:
    made = make_bank(
        tiny, "tiny", seed=0, count=None, times=3, jobs=1, unsandboxed=True, on_mutant=lambda _: None
    ).matrix.kills
    assert len(made["higher.compare-2@higher"]) >= 3
    assert made["higher.compare-2@highest"] == frozenset()
    assert len(made["highest.dropped-1@highest"]) >= 3
    assert "highest.dropped-1@higher" not in made


def test_the_same_seed_makes_the_same_bank(tiny: Tree, tmp_path: Path) -> None:
    for name in ("one", "other"):
        bank(tiny, "--seed", "7", "--out", str(tmp_path / name))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_a_poor_bank_leaves_survivors_and_names_the_line_that_should_have_noticed(tiny: Tree) -> None:
    path = tiny.fixtures("tiny") / "cases.jsonl"
    path.write_text(
        '{"id":"higher-001","function":"higher","args":[2,1]}\n{"id":"highest-001","function":"highest","args":[[1,2]]}\n',
        encoding="utf-8",
    )
    survivors = {result.mutant.id: result for result in audited(tiny).survivors}
    boundary = survivors["higher.compare-1"]
    assert boundary.mutant.description == "`a > b` becomes `a >= b`"
    assert boundary.should_lose == ("higher",)
    assert boundary.lost == ()


def test_listed_survivors_make_an_audit_sound_until_they_change(tiny: Tree) -> None:
    bank(tiny)
    first = audited(tiny)
    assert not first.sound
    excuse(tiny, first)
    assert audited(tiny).sound
    excuse(tiny, first, diff="000000000000")
    again = audited(tiny)
    assert len(again.complaints) == len(first.survivors)
    assert "another change now" in again.complaints[0]
    assert not again.sound


def test_a_listed_mutant_that_is_killed_or_gone_is_complained_about(tiny: Tree) -> None:
    bank(tiny)
    killed = audited(tiny).killed[0].mutant
    path = tiny.fixtures("tiny") / "equivalent.yaml"
    path.write_text(
        f'mutants:\n  - {{id: {killed.id}, diff: "{killed.fingerprint}", because: same, reason: "x"}}\n'
        '  - {id: higher.compare-99, diff: "0", because: open, reason: "x"}\n',
        encoding="utf-8",
    )
    said = audited(tiny).complaints
    assert said == (
        f"{killed.id} is listed, but it loses points: take it off the list",
        "higher.compare-99 is listed, but there is no such mutant",
    )


def test_what_lies_outside_of_the_assignment_is_not_changed(tiny: Tree) -> None:
    path = tiny.fixtures("tiny") / "equivalent.yaml"
    path.write_text('outside:\n  - {name: highest, reason: "x"}\n  - {name: lowest, reason: "x"}\n', encoding="utf-8")
    bank(tiny)
    found = audited(tiny)
    assert {result.mutant.definition for result in found.results} == {"higher"}
    assert found.complaints == ("lowest is listed as outside, but the reference has no such piece",)


def test_a_second_audit_runs_nothing_again_until_something_changes(
    tiny: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank(tiny)
    graded: list[str] = []
    ordinary = pipeline.grade
    monkeypatch.setattr("harness.audit.trial.grade", lambda *args: graded.append(args[1].id) or ordinary(*args))  # type: ignore[func-returns-value]
    first = audited(tiny, tmp_path / "cache")
    assert len(graded) == len(first.results)
    assert audited(tiny, tmp_path / "cache") == first
    assert len(graded) == len(first.results)
    path = tiny.fixtures("tiny") / "cases.jsonl"
    path.write_text(path.read_text(encoding="utf-8").splitlines(keepends=True)[0], encoding="utf-8")
    audited(tiny, tmp_path / "cache")
    assert len(graded) == 2 * len(first.results)


def test_a_damaged_cache_is_no_result(tiny: Tree, tmp_path: Path) -> None:
    bank(tiny)
    first = audited(tiny, tmp_path)
    for path in tmp_path.glob("*.json"):
        path.write_text("{", encoding="utf-8")
    assert audited(tiny, tmp_path) == first


def test_the_command_fails_for_a_survivor_and_shows_its_change(tiny: Tree, tmp_path: Path) -> None:
    bank(tiny)
    arguments = ["--unsandboxed", "--jobs", "1", "--assignments", str(tiny.root), "--cache", str(tmp_path / "cache")]
    run = CliRunner().invoke(audit_.command, ["tiny", *arguments], standalone_mode=False)
    assert run.return_value == 1
    assert f"SURVIVED {SAME}" in run.stdout
    assert "    +    for number in list(numbers)[1:]:" in run.stdout
    excuse(tiny, audited(tiny))
    run = CliRunner().invoke(audit_.command, ["--all", "--write-docs", *arguments], standalone_mode=False)
    assert run.return_value == 0
    page = (tiny.root / "docs" / "audit.md").read_text(encoding="utf-8")
    assert "## Tiny" in page
    assert f"- `{SAME}` (line 12): " in page
    assert "so it is" in page


def test_the_command_prints_plain_data(tiny: Tree, tmp_path: Path) -> None:
    bank(tiny)
    arguments = [
        "tiny",
        "--json",
        "--unsandboxed",
        "--jobs",
        "1",
        "--assignments",
        str(tiny.root),
        "--cache",
        str(tmp_path),
    ]
    run = CliRunner().invoke(audit_.command, arguments, standalone_mode=False)
    (data,) = json.loads(run.stdout)
    assert data["mutants"] == len(data["results"]) == data["killed"] + len(data["survivors"])
    assert all(result["lost"] for result in data["results"] if result["id"] not in data["survivors"])


@pytest.mark.parametrize("arguments", [[], ["tiny", "--all"], ["tiny", "--write-docs"]])
def test_the_command_says_what_it_needs(tiny: Tree, arguments: list[str]) -> None:
    run = CliRunner().invoke(audit_.command, [*arguments, "--assignments", str(tiny.root)])
    assert run.exit_code == 2


def test_rules_of_style_do_not_kill_a_mutant() -> None:
    style = {"points": 0, "max": 2, "evidence": [{"name": "style"}]}
    calls = {"points": 1, "max": 2, "evidence": [{"name": "calls/f"}]}
    person = {"points": None, "max": 2, "evidence": [{"name": "manual"}]}
    items = [{"id": "standard", "parts": [{"id": "auto", **style}, {"id": "hand", **person}]}, {"id": "f", **calls}]
    assert lost_lines({"items": items}) == ("f",)


def test_points_must_be_lost_where_the_change_is(tiny: Tree) -> None:
    bank(tiny)
    assignment = load(tiny, "tiny")
    mutant = next(result.mutant for result in audited(tiny).killed if result.mutant.function == "higher")
    own = own_lines(assignment, mutant)
    assert own == ("higher",)
    assert in_the_right_place(assignment, mutant, own, ["higher"])
    assert not in_the_right_place(assignment, mutant, own, ["highest"])
    assert not in_the_right_place(assignment, mutant, own, ["higher", "highest"])
    assert not in_the_right_place(assignment, mutant, own, ["test-1"])
