"""The command line: what it prints, what it answers to bad input, and its exit codes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from harness.assignment import Tree, own_tree
from harness.cli import VERBS

ROOT = own_tree().root
SLUG = "aces-up"
FIXTURES = ROOT / "fixtures" / SLUG / "submissions"


def patience(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CI": "true"}
    return subprocess.run(
        [sys.executable, "-m", "harness", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=cwd,
        env=environment,
        check=False,
    )


@pytest.fixture
def small_class(tmp_path: Path) -> Path:
    folder = tmp_path / "class"
    for name, sample in (
        ("ann", "right/recursion"),
        ("bob", "wrong/ace-high-forgotten"),
        ("cem", "load_error/missing-colon"),
    ):
        shutil.copytree(FIXTURES / sample, folder / name)
    return folder


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_verb_has_help_with_an_example(verb: str) -> None:
    done = patience(verb, "--help")
    assert done.returncode == 0, done.stderr
    assert "Example: patience" in done.stdout


def test_help_loads_nothing_heavy() -> None:
    code = "import sys; sys.argv = ['patience', '--help']\nimport harness.cli\ntry: harness.cli.main()\nexcept SystemExit: pass\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )
    loaded = done.stdout.splitlines()[-1].split()
    assert not {"yaml", "rich", "jinja2", "hypothesis", "harness.pipeline"} & set(loaded)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["grade", "aces-upp", "{class}"], 2, "there is no assignment 'aces-upp'; did you mean `aces-up`?"),
        (["grade", SLUG, "{tmp}/nowhere"], 2, "no such folder"),
        (["grade", SLUG, "{empty}"], 2, "there are no submissions here"),
        (["grade", SLUG, "{class}", "--rubric", "{other}"], 2, "this rubric is for 'montana', not for 'aces-up'"),
        (["check", SLUG, "{tmp}/nothing.py"], 2, "there is no such file"),
        (["grad", SLUG], 2, "did you mean 'grade'?"),
        (["show", "nothing"], 2, "there is no assignment 'nothing'"),
        (["list", "--assignments", "{empty}"], 0, ""),
        (["show", SLUG, "--assignments", "{empty}"], 2, "there are no assignments here"),
    ],
)
def test_bad_input_gets_one_clear_line(
    arguments: list[str], code: int, said: str, small_class: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    places = {
        "class": small_class,
        "tmp": tmp_path,
        "empty": tmp_path / "empty",
        "other": ROOT / "rubrics" / "montana.yaml",
    }
    out = ["--out", str(tmp_path / "out")] if "grade" in arguments else []
    done = patience(*(argument.format(**places) for argument in arguments), *out)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_grade_writes_records_gradebook_and_pages(small_class: Path, tmp_path: Path) -> None:
    out = tmp_path / "results"
    done = patience("grade", SLUG, str(small_class), "--out", str(out), "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert "3 submissions" in done.stdout
    records = {
        record["submission"]["id"]: record
        for record in map(json.loads, (path.read_text(encoding="utf-8") for path in (out / "records").glob("*.json")))
    }
    assert sorted(records) == ["ann", "bob", "cem"]
    assert all(len(record["items"]) == 11 for record in records.values())
    assert records["ann"]["points"] == 52
    assert records["bob"]["points"] < 52
    assert records["cem"]["points"] == 0
    assert (out / "grades.csv").exists()
    assert (out / "index.html").exists()


def test_a_second_run_keeps_what_has_not_changed_and_grades_what_has(small_class: Path, tmp_path: Path) -> None:
    out = tmp_path / "results"
    assert patience("grade", SLUG, str(small_class), "--out", str(out), "--jobs", "1").returncode == 0
    before = {path.name: path.read_bytes() for path in (out / "records").glob("*.json")}
    again = patience("grade", SLUG, str(small_class), "--out", str(out), "--jobs", "1")
    assert "3 of them unchanged" in again.stdout
    assert {path.name: path.read_bytes() for path in (out / "records").glob("*.json")} == before
    shutil.copy(FIXTURES / "right" / "recursion" / "proj10.py", small_class / "bob" / "proj10.py")
    changed = patience("grade", SLUG, str(small_class), "--out", str(out), "--jobs", "1")
    assert "2 of them unchanged" in changed.stdout


def test_fail_under_is_a_check_that_can_fail(small_class: Path, tmp_path: Path) -> None:
    assert (
        patience("grade", SLUG, str(small_class), "--out", str(tmp_path / "r"), "--fail-under", "10", "-q").returncode
        == 1
    )


def test_check_exits_with_0_for_full_marks_and_1_otherwise() -> None:
    right = patience("check", SLUG, str(FIXTURES / "right" / "recursion" / "proj10.py"))
    wrong = patience("check", SLUG, str(FIXTURES / "wrong" / "ace-high-forgotten" / "proj10.py"))
    assert (right.returncode, wrong.returncode) == (0, 1)
    assert "The ace is the highest card of its suit" in " ".join(wrong.stdout.split())


def test_check_finds_the_file_by_itself(tmp_path: Path) -> None:
    shutil.copy(FIXTURES / "right" / "recursion" / "proj10.py", tmp_path / "proj10.py")
    assert patience("check", SLUG, cwd=tmp_path).returncode == 0


def test_check_says_what_it_looked_for(tmp_path: Path) -> None:
    done = patience("check", SLUG, cwd=tmp_path)
    assert done.returncode == 2
    assert "there is no proj10.py in" in done.stderr


def test_a_second_run_on_the_same_results_is_refused(small_class: Path, tmp_path: Path) -> None:
    out = tmp_path / "results"
    out.mkdir()
    (out / ".lock").write_text(str(os.getpid()), encoding="ascii")
    done = patience("grade", SLUG, str(small_class), "--out", str(out))
    assert done.returncode == 3
    assert "another run" in done.stderr


@pytest.mark.parametrize("slug", own_tree().slugs)
def test_show_prints_every_line_of_the_rubric(slug: str, tree: Tree) -> None:
    done = patience("show", slug)
    assert done.returncode == 0, done.stderr
    assert "Points:" in done.stdout
    assert "Functions" in done.stdout


def test_list_is_the_specs(tree: Tree) -> None:
    assert [line.split()[0] for line in patience("list").stdout.splitlines()] == list(tree.slugs)


def test_play_plays_the_reference(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "harness",
            "play",
            SLUG,
            "--deck",
            str(ROOT / "fixtures" / SLUG / "sessions" / "test-1.txt"),
        ],
        input="q\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert "A♠  K♠  Q♠  A♥" in done.stdout
    assert "You have chosen to quit." in done.stdout
