"""Each klondike sample loses exactly the rubric lines it is filed under, as far as it can be told without the harness.

Which line a call belongs to: a call that uncovers a card belongs to `flipping`, every other one to its function.
"""

from __future__ import annotations

import copy
import functools
import random
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest

from tests.assignments.filing import plays_alike
from tests.assignments.recorder import RANKS, ROOT, SUITS, Sample, load, read_session, salvage, samples, supplied_cards
from tests.assignments.table import FULL_DECK, Table, seen

if TYPE_CHECKING:
    from types import ModuleType

REFERENCE = ROOT / "reference" / "klondike"
SUPPLIED = REFERENCE / "cards.py"
FOLDER = ROOT / "fixtures" / "klondike"
SESSIONS = {path.stem: read_session(path) for path in sorted((FOLDER / "sessions").glob("*.txt"))}
SAMPLES = samples("klondike")
RIGHT = [sample for sample in SAMPLES if sample.kind == "right"]

CARDS = supplied_cards(SUPPLIED, " ".join(random.Random(1).sample(FULL_DECK, 52)))
GAME = load(REFERENCE / "proj10.py", CARDS)
TABLE = Table(CARDS)
MOVERS = ("tableau_to_foundation", "tableau_to_tableau")
FUNCTIONS = ("initialize", "stock_to_waste", "waste_to_foundation", "waste_to_tableau", *MOVERS, "check_win")
HELPERS = {"tableau_to_foundation": "waste_to_foundation", "tableau_to_tableau": "waste_to_tableau"}
Call = tuple[str, tuple[Any, ...]]


def calls() -> list[Call]:
    """The calls to compare on: the corners by hand, then moves among few cards, many of which fit."""
    piles, columns, deck, pile = TABLE.piles, TABLE.columns, TABLE.deck, TABLE.pile
    found: list[Call] = [
        ("initialize", ()),
        ("stock_to_waste", (deck("5S 6H"), pile("AC"))),
        ("stock_to_waste", (deck(""), pile("AC"))),
        ("waste_to_foundation", (pile("5S"), piles("", "AS 2S", "", ""), 1)),
        ("waste_to_foundation", (pile("AS"), piles("", "", "", ""), 0)),
        ("waste_to_tableau", (pile("7H"), columns("8D"), 0)),
        ("waste_to_tableau", (pile("7H"), columns("8S"), 3)),
        ("tableau_to_tableau", (columns("7H", "8D"), 0, 1)),
        ("tableau_to_tableau", (columns("7H", "8S"), 0, 6)),
    ]
    return found + wins() + [call for number in range(250) for call in moves(random.Random(number))]


def wins() -> list[Call]:
    full = [" ".join(rank + suit for rank in RANKS) for suit in SUITS]
    less = [*full[:3], full[3].removesuffix(" KS")]
    left = [("KS", "", ""), ("", "KS", ""), ("", "", "KS")]
    ends = [(TABLE.deck(s), TABLE.pile(w), TABLE.piles(*less), TABLE.columns(t)) for s, w, t in left]
    won: tuple[Any, ...] = (TABLE.deck(""), [], TABLE.piles(*full), TABLE.columns())
    return [("check_win", one) for one in [won, *ends, start_of_a_game()]]


def start_of_a_game() -> tuple[Any, ...]:
    """The arguments of check_win after the deal."""
    tableau, stock, foundation, waste = GAME.initialize()
    return stock, waste, foundation, tableau


def moves(draw: random.Random) -> list[Call]:
    """A small board, and a call of each mover on it; no pile that a card is taken from is empty."""
    built = [[rank + suit for rank in RANKS[: draw.randrange(4)]] for suit in draw.sample(SUITS, 4)]
    taken = [card for pile in built for card in pile]
    low = [card for card in FULL_DECK if card[0] in "A23456K" and card not in taken]
    draw.shuffle(low)
    columns = [" ".join(low.pop() + down for down in draw.choice([("",), ("", ""), ("-", "")])) for _ in range(6)]
    foundation = TABLE.piles(*(" ".join(pile) for pile in built))
    tableau = TABLE.columns(*columns)
    source, other = draw.sample(range(7), 2)
    goal, waste = draw.randrange(4), TABLE.pile(low.pop())
    always: list[Call] = [
        ("waste_to_foundation", (waste, foundation, goal)),
        ("waste_to_tableau", (waste, tableau, other)),
    ]
    if not tableau[source]:
        return always
    return [*always, (MOVERS[0], (tableau, foundation, source, goal)), (MOVERS[1], (tableau, source, other))]


def line_of(call: Call) -> str:
    """The rubric line a call is evidence for."""
    name, arguments = call
    if name not in MOVERS:
        return name
    source = arguments[0][arguments[2] if name == "tableau_to_foundation" else arguments[1]]
    valid = seen(getattr(GAME, name), copy.deepcopy(arguments)).returned[0] == ("bool", "True")
    return "flipping" if valid and len(source) > 1 else name


@functools.cache
def battery() -> list[tuple[str, Call, Any]]:
    """Each call with its line and what the reference does."""
    return [(line_of(call), call, seen(getattr(GAME, call[0]), copy.deepcopy(call[1]))) for call in calls()]


def lost_functions(module: ModuleType) -> set[str]:
    lost: set[str] = set()
    for line, (name, arguments), expected in battery():
        if (
            line not in lost
            and differs(getattr(module, name, None), arguments, expected)
            and not follows(module, name, arguments, expected)
        ):
            lost.add(line)
    if "initialize" not in lost and never_shuffles(module):
        lost.add("initialize")
    return lost


def never_shuffles(module: ModuleType) -> bool:
    """Over a fixed deck a missing shuffle shows only by counting."""
    with mock.patch.object(CARDS.Deck, "shuffle") as shuffle:
        seen(module.initialize, ())
    return not shuffle.called


def differs(function: Any, arguments: tuple[Any, ...], expected: Any) -> bool:
    return function is None or seen(function, copy.deepcopy(arguments)) != expected


def follows(module: ModuleType, name: str, arguments: tuple[Any, ...], expected: Any) -> bool:
    """Whether a function is right beside the reference's helper."""
    helper = HELPERS.get(name)
    if helper is None or not hasattr(module, name):
        return False
    with mock.patch.object(module, helper, getattr(GAME, helper), create=True):
        return not differs(getattr(module, name), arguments, expected)


def test_the_battery_knows_every_line_and_both_answers() -> None:
    answers = {(line, str(expected.returned[0])) for line, _, expected in battery() if line != "initialize"}
    yes, no = "('bool', 'True')", "('bool', 'False')"
    assert answers == {(name, answer) for name in FUNCTIONS[1:] for answer in (yes, no)} | {("flipping", yes)}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.kind}-{sample.name}")
def test_a_sample_loses_exactly_what_it_is_filed_under(sample: Sample) -> None:
    lost = lost_functions(salvage(sample.program, CARDS))
    if not plays_alike(sample.program, SESSIONS["test-1"], SUPPLIED):
        lost.add("test-1")
    assert lost == sample.lost - {"coding-standard.automatic"}
    assert (sample.kind == "right") == (not sample.lost)
    assert (sample.kind == "right") == (not sample.why)


@pytest.mark.parametrize("sample", RIGHT, ids=lambda sample: sample.name)
def test_a_right_sample_plays_our_own_sessions_too(sample: Sample) -> None:
    assert [name for name, one in SESSIONS.items() if not plays_alike(sample.program, one, SUPPLIED)] == []


def test_there_are_enough_samples_of_every_kind() -> None:
    kinds = {sample.kind for sample in SAMPLES}
    assert {"right", "wrong", "load_error", "timeout", "missing", "exception"} <= kinds
    assert len(RIGHT) >= 4
    assert len(SAMPLES) - len(RIGHT) >= 8
