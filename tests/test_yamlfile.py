"""Strict YAML: every fault at once, each with its place and its remedy."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import pytest

from harness.errors import DataError
from harness.yamlfile import EMPTY, close_names, key, read


@dataclasses.dataclass(frozen=True)
class Suit:
    name: str = key("Its name.")
    red: bool = key("Whether it is red.", default=False)


@dataclasses.dataclass(frozen=True)
class Game:
    title: str = key("The title.")
    points: Fraction = key("Points.", default=Fraction(1), least=0)
    columns: int = key("Columns.", default=4)
    cards: tuple[str, ...] = key("Cards.", default=())
    mode: Literal["open", "closed"] = key("Mode.", default="open")
    suits: Mapping[str, Suit] = key("Suits.", default=EMPTY)
    note: str | None = key("A note.", default=None)
    extra: Any = key("Anything.", default=None)


def game(tmp_path: Path, text: str) -> Game:
    path = tmp_path / "game.yaml"
    path.write_text(text, encoding="utf-8")
    return read(path, Game).record


def faults(tmp_path: Path, text: str) -> list[tuple[int, str, str]]:
    with pytest.raises(DataError) as caught:
        game(tmp_path, text)
    return [(fault.line, fault.key, f"{fault.problem}; {fault.remedy}") for fault in caught.value.faults]


def test_a_complete_record_is_read(tmp_path: Path) -> None:
    text = 'title: "War"\npoints: 2.5\ncolumns: 7\ncards: [AS, TH]\nmode: closed\nsuits: {S: {name: spades}}\nnote: null\nextra: {a: [1, true, x]}\n'
    found = game(tmp_path, text)
    assert found.title == "War"
    assert found.points == Fraction(5, 2)
    assert found.columns == 7
    assert found.cards == ("AS", "TH")
    assert found.mode == "closed"
    assert found.suits["S"] == Suit("spades")
    assert found.note is None
    assert found.extra["a"] == (1, True, "x")


@pytest.mark.parametrize(("written", "points"), [("1/3", Fraction(1, 3)), ("3", Fraction(3)), ("0.1", Fraction(1, 10))])
def test_points_are_exact(tmp_path: Path, written: str, points: Fraction) -> None:
    assert game(tmp_path, f"title: x\npoints: {written}\n").points == points


@pytest.mark.parametrize(
    ("text", "line", "key_", "said"),
    [
        ("title: x\ncolums: 4\n", 2, "colums", "did you mean `columns`?"),
        ("title: x\ntitle: y\n", 2, "title", "second time"),
        ("title: x\ncolumns: four\n", 2, "columns", "not a whole number"),
        ("title: x\ncolumns: 012\n", 2, "columns", "not a whole number"),
        ("title: NO\n", 1, "title", 'read by YAML as a yes or no, not as text; put it in quotes: "NO"'),
        ("title: 1:30\n", 1, "title", 'read by YAML as a number, not as text; put it in quotes: "1:30"'),
        ("title: 2024-01-01\n", 1, "title", "read by YAML as a date"),
        ("title: x\ncards: [AS, 10, 2C]\n", 2, "cards.1", 'put it in quotes: "10"'),
        ("title: x\ncards: AS\n", 2, "cards", "where a list belongs"),
        ("title: x\nmode: opn\n", 2, "mode", "did you mean `open`?"),
        ("title: x\npoints: 1e3\n", 2, "points", "not a number of points"),
        ("title: x\npoints: -1\n", 2, "points", "too small; at least 0"),
        ("title: x\nsuits: {S: {nme: spades}}\n", 2, "suits.S.nme", "did you mean `name`?"),
        ("title: x\nsuits: {S: spades}\n", 2, "suits.S", "where `key: value` lines belong"),
        ("points: 3\n", 1, "title", "the key is missing"),
        ("title: [a\n", 2, "", "not YAML"),
        ("", 1, "", "the file is empty"),
        ("title: &a x\nnote: *a\n", 1, "", "anchors and aliases"),
        ("title: x\nsuits: {S: {name: s, red: yes}}\n", 2, "suits.S.red", "write true or false"),
    ],
)
def test_a_fault_names_line_key_and_remedy(tmp_path: Path, text: str, line: int, key_: str, said: str) -> None:
    found = faults(tmp_path, text)
    assert [(one[0], one[1]) for one in found if said in one[2]] == [(line, key_)], found


def test_all_faults_are_reported_at_once(tmp_path: Path) -> None:
    text = "title: NO\ncolums: 4\npoints: many\nmode: shut\nmode: open\n"
    assert [one[0] for one in faults(tmp_path, text)] == [1, 2, 3, 4, 5]


def test_a_file_that_is_not_utf8_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_bytes("title: é".encode("latin-1"))
    with pytest.raises(DataError, match="not UTF-8"):
        read(path, Game)


@pytest.mark.parametrize(("wanted", "near"), [("validate_move", ["validateMove"]), ("move", ["mov"]), ("zzz", [])])
def test_near_names_ignore_case_and_underscores(wanted: str, near: list[str]) -> None:
    assert close_names(wanted, ["validateMove", "mov", "other"]) == near
