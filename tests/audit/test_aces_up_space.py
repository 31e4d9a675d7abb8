"""What the handout of Aces Up leaves open is never drawn, and what is drawn are cards as they can lie."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from harness.assignment import Tree
from harness.bank import Case
from harness.banking import generate, read_space
from harness.workshop import load

FUNCTIONS = (
    "init_game",
    "deal_to_tableau",
    "get_option",
    "validate_move_to_foundation",
    "move_to_foundation",
    "validate_move_within_tableau",
    "move_within_tableau",
    "check_for_win",
)
SEEDS = (0, 1, 2)


def drawn(tree: Tree, function: str) -> list[Case]:
    space = read_space(tree.root / "specs" / "aces-up.py", load(tree, "aces-up").spec.functions)
    return [case for seed in SEEDS for case in generate(space, function, seed)]


def codes(value: Any) -> list[str]:
    if isinstance(value, list):
        return [code for item in value for code in codes(item)]
    if isinstance(value, dict):
        return [value["card"]] if "card" in value else list(value["deck"])
    return []


def test_every_judged_function_is_drawn_for(tree: Tree) -> None:
    spec = load(tree, "aces-up").spec
    space = read_space(tree.root / "specs" / "aces-up.py", spec.functions)
    assert set(space.cases) == {name for name, function in spec.functions.items() if function.judged} == set(FUNCTIONS)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_card_lies_in_two_places(tree: Tree, function: str) -> None:
    for case in drawn(tree, function):
        seen = Counter(codes(list(case.args)))
        assert not seen or max(seen.values()) == 1


@pytest.mark.parametrize("function", [name for name in FUNCTIONS if "move" in name])
def test_columns_are_those_on_the_table(tree: Tree, function: str) -> None:
    asked = [value for case in drawn(tree, function) for value in case.args if isinstance(value, int)]
    assert set(asked) == {1, 2, 3, 4}


def test_the_stock_can_be_dealt_from(tree: Tree) -> None:
    sizes = {len(case.args[0]["deck"]) for case in drawn(tree, "deal_to_tableau")}
    assert 0 not in sizes
    assert all(size % 4 == 0 for size in sizes)


def test_a_win_has_one_ace_in_each_column(tree: Tree) -> None:
    wins = 0
    for case in drawn(tree, "check_for_win"):
        stock, tableau = case.args
        if not stock["deck"] and all(code[0] == "A" for code in codes(tableau)):
            assert [len(column) for column in tableau] == [1, 1, 1, 1]
            wins += 1
    assert wins > 10


def test_what_is_typed_is_neither_blank_nor_about_other_columns(tree: Tree) -> None:
    for case in drawn(tree, "get_option"):
        (line,) = case.stdin
        assert line == " ".join(line.split()) != ""
        assert not any(word.isdigit() and not 1 <= int(word) <= 4 for word in line.split())
