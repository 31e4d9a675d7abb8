"""Which file is taken in one student's folder: the exact name, a near miss with a note, or none and why."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.intake import take_in
from harness.intake.find import MOST_ENTRIES, Wanted, near_miss
from harness.outcome import Outcome
from harness.submission import LARGEST_SOURCE, Submission

WANTED = Wanted("proj10.py")


def taken(folder: Path) -> Submission:
    (one,) = take_in(folder, WANTED, "folders").submissions
    return one


def hand_in(tmp_path: Path, *names: str, source: bytes = b"x = 1\n") -> Submission:
    for name in names:
        path = tmp_path / "alice" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(source)
    return taken(tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        "Proj10.py",
        "PROJ10.PY",
        "proj10.py.txt",
        "proj10.py.py",
        "proj10 (1).py",
        "proj10(12).py",
        "proj10-2.py",
        "proj10_2.py",
        "proj10 - Copy.py",
        "proj10 copy 2.py",
        "Copy of proj10.py",
        "proj10 .py",
    ],
)
def test_a_near_miss_is_taken_with_a_note(name: str, tmp_path: Path) -> None:
    one = hand_in(tmp_path, name)
    assert (one.outcome, one.source, one.files) == (Outcome.PASSED, b"x = 1\n", (name,))
    assert one.notes == (f"The file is called {name!r}; it was taken for proj10.py.",)


@pytest.mark.parametrize(
    "name", ["proj11.py", "proj101.py", "proj1.py", "project10.py", "xproj10.py", "proj10.txt", "proj10", "main.py"]
)
def test_another_name_is_not_taken_but_named(name: str, tmp_path: Path) -> None:
    one = hand_in(tmp_path, name)
    assert (one.outcome, one.source) == (Outcome.MISSING, b"")
    assert one.problem == f"There is no proj10.py. There is: {name}."


def test_the_exact_name_is_taken_without_a_note(tmp_path: Path) -> None:
    one = hand_in(tmp_path, "proj10.py", "cards.py", "readme.txt")
    assert (one.outcome, one.notes, one.files) == (Outcome.PASSED, (), ("proj10.py",))


def test_the_exact_name_wins_over_a_near_miss_and_says_so(tmp_path: Path) -> None:
    one = hand_in(tmp_path, "proj10.py", "old/proj10 (1).py")
    assert one.outcome is Outcome.PASSED
    assert one.notes == (
        "There is also 'old/proj10 (1).py'; proj10.py was taken because it has the name that was asked for.",
    )


@pytest.mark.parametrize(
    "names",
    [
        ("proj10 (1).py", "proj10 (2).py"),
        ("proj10.py", "src/proj10.py"),
        ("Proj10.py", "proj10.py.txt"),
    ],
)
def test_two_candidates_are_ambiguous(names: tuple[str, str], tmp_path: Path) -> None:
    one = hand_in(tmp_path, *names)
    assert (one.outcome, one.source) == (Outcome.AMBIGUOUS, b"")
    assert all(name in one.problem for name in names)


def test_twins_by_case_are_ambiguous_on_every_disk(tmp_path: Path) -> None:
    one = hand_in(tmp_path, "proj10.py", "PROJ10.py")
    if len(list((tmp_path / "alice").iterdir())) == 2:
        assert one.outcome is Outcome.AMBIGUOUS


def test_twins_by_the_form_of_accents_are_ambiguous(tmp_path: Path) -> None:
    composed, apart = (unicodedata.normalize(form, "café.py") for form in ("NFC", "NFD"))
    for name in (composed, apart):
        path = tmp_path / "alice" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x = 1\n")
    (one,) = take_in(tmp_path, Wanted(composed)).submissions
    assert one.outcome is Outcome.AMBIGUOUS


def test_it_is_found_in_folders_and_junk_is_ignored(tmp_path: Path) -> None:
    one = hand_in(
        tmp_path,
        "hw1/src/proj10.py",
        "__MACOSX/hw1/src/._proj10.py",
        "__MACOSX/proj10.py",
        "._proj10.py",
        ".ipynb_checkpoints/proj10.py",
        ".git/proj10.py",
        ".history/proj10.py",
        "venv/lib/proj10.py",
        "__pycache__/proj10.py",
        "my environment/proj10.py",
        "my environment/pyvenv.cfg",
    )
    assert (one.outcome, one.files, one.notes) == (Outcome.PASSED, ("hw1/src/proj10.py",), ())


def test_only_what_macos_adds_is_nothing(tmp_path: Path) -> None:
    one = hand_in(tmp_path, "__MACOSX/._proj10.py", "._proj10.py")
    assert (one.outcome, one.problem) == (Outcome.MISSING, "Nothing was handed in: proj10.py was expected.")


def test_it_is_not_looked_for_deeper_than_told(tmp_path: Path) -> None:
    assert hand_in(tmp_path, "1/2/3/4/5/proj10.py").outcome is Outcome.MISSING


def test_twelve_hundred_nested_folders_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "alice").mkdir()
    top = os.open(tmp_path / "alice", os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("d", dir_fd=top)
        below = os.open("d", os.O_RDONLY, dir_fd=top)
        os.close(top)
        top = below
    os.close(top)
    assert taken(tmp_path).outcome is Outcome.MISSING
    _remove_deep(tmp_path / "alice")


def _remove_deep(folder: Path) -> None:
    """Take the chain of folders away level by level, for pytest's own clean-up cannot."""
    parking = folder.with_name("parked")
    while (folder / "d").exists():
        (folder / "d").rename(parking)
        folder.rmdir()
        parking.rename(folder)


def test_a_folder_with_too_many_files_is_refused_by_a_rule(tmp_path: Path) -> None:
    (tmp_path / "alice" / "many").mkdir(parents=True)
    for number in range(MOST_ENTRIES + 1):
        (tmp_path / "alice" / "many" / f"{number}.txt").touch()
    assert "more than 5,000 files" in taken(tmp_path).problem
    (tmp_path / "alice" / "proj10.py").write_bytes(b"x = 1\n")
    one = taken(tmp_path)
    assert one.outcome is Outcome.PASSED
    assert one.notes == ("Not everything could be looked at. There are more than 5,000 files.",)


def test_a_virtual_environment_of_ten_thousand_files_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "alice" / "venv" / "lib").mkdir(parents=True)
    for number in range(10_000):
        (tmp_path / "alice" / "venv" / "lib" / f"{number}.py").touch()
    (tmp_path / "alice" / "proj10.py").write_bytes(b"x = 1\n")
    assert (taken(tmp_path).outcome, taken(tmp_path).notes) == (Outcome.PASSED, ())


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("proj10.ipynb", "a Jupyter notebook"),
        ("proj10.docx", "a Word document"),
        ("proj10.pyc", "a compiled Python file"),
        ("proj10.rar", "a RAR archive"),
        ("proj10.pdf", "a PDF"),
        ("proj10.tar.gz", "a gzip archive"),
    ],
)
def test_another_kind_of_file_is_named(name: str, kind: str, tmp_path: Path) -> None:
    one = hand_in(tmp_path, name)
    assert one.outcome is Outcome.REJECTED
    assert (
        one.problem
        == f"There is no proj10.py, but {name}, which is {kind}. Hand in the Python file itself, called proj10.py."
    )


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        (b"PK\x03\x04\x14\x00", "a Word document or a zip archive"),
        (b"%PDF-1.7", "a PDF"),
        (b"{\\rtf1", "a rich-text document"),
        (b"Rar!\x1a\x07\x00", "a RAR archive"),
        (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
        (b"\x1f\x8b\x08", "a gzip archive"),
        (b"\x7fELF\x02", "a compiled program"),
        (b"\xa7\r\r\n\x00\x00\x00\x00", "a compiled Python file (.pyc)"),
        (b"\n<!DOCTYPE html><html>", "a web page"),
        (b"x" * 257 + b"ustar\x0000", "a tar archive"),
        (b' {\n "cells": [], "nbformat": 4}', "a Jupyter notebook"),
    ],
)
def test_something_else_renamed_is_recognised_by_its_bytes(source: bytes, kind: str, tmp_path: Path) -> None:
    one = hand_in(tmp_path, "proj10.py", source=source)
    assert (one.outcome, one.source) == (Outcome.REJECTED, b"")
    assert kind in one.problem


@pytest.mark.parametrize(
    "source",
    [b"", b"\xef\xbb\xbfx = 1\r\n", b"s = '\xe9'\n", b"x = 1\r\r\n", b"MZ = 1\n", b"BZh = 2\n", b"\xff\xfex\x00"],
)
def test_odd_but_possible_source_is_taken_as_it_is(source: bytes, tmp_path: Path) -> None:
    one = hand_in(tmp_path, "proj10.py", source=source)
    assert (one.outcome, one.source) == (Outcome.PASSED, source)


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "alice").mkdir()
    with (tmp_path / "alice" / "proj10.py").open("wb") as file:
        file.truncate(500_000_000)
    one = taken(tmp_path)
    assert one.outcome is Outcome.REJECTED
    assert one.problem == "proj10.py has 500,000,000 bytes or more; at most 1,000,000 are accepted."


def test_the_largest_file_is_taken(tmp_path: Path) -> None:
    assert hand_in(tmp_path, "proj10.py", source=b"#" * LARGEST_SOURCE).outcome is Outcome.PASSED


@given(st.text(max_size=300))
def test_no_name_makes_near_miss_fail(name: str) -> None:
    if near_miss(name, "proj10.py"):
        assert "proj10" in unicodedata.normalize("NFKC", name).casefold()


@given(st.text(alphabet="aPrRoOjJ10 ().-_copyCOPYtx", max_size=30))
def test_near_misses_end_in_py_or_what_was_added_to_it(name: str) -> None:
    if near_miss(name, "proj10.py"):
        assert ".py" in name.lower()
