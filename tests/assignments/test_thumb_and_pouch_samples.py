"""Each thumb-and-pouch sample loses exactly the rubric lines it is filed under, as far as can be told without the harness.

The layout of the board and the wording of messages are free, so screens are compared by the cards and counts they show.
A function is judged beside the reference's validators, as the harness does it.
"""

from __future__ import annotations

import copy
import functools
import random
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.assignments.recorder import (
    RANKS,
    ROOT,
    SUITS,
    Sample,
    SessionFile,
    play,
    read_session,
    salvage,
    samples,
    supplied_cards,
    turns,
)
from tests.assignments.table import FULL_DECK, Seen, Table, seen

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

REFERENCE = ROOT / "reference" / "thumb-and-pouch"
SUPPLIED = REFERENCE / "cards.py"
FOLDER = ROOT / "fixtures" / "thumb-and-pouch" / "sessions"
SESSIONS = {path.stem: read_session(path) for path in sorted(FOLDER.glob("*.txt"))}
RUBRIC_SESSIONS = ("test-1", "test-2", "test-3")
SAMPLES = samples("thumb-and-pouch")
RIGHT = [sample for sample in SAMPLES if sample.kind == "right"]

CARDS = supplied_cards(SUPPLIED, " ".join(random.Random(2).sample(FULL_DECK, 52)))
GAME = salvage(REFERENCE / "proj10.py", CARDS)
TABLE = Table(CARDS)
VALIDATORS = ("valid_fnd_move", "valid_tab_move")
SHOWN = re.compile(r"(?:10|[2-9AJQK])[♣♦♥♠]|XX|(?<=#\()\d+")
Call = tuple[str, tuple[Any, ...]]


def calls() -> list[Call]:
    """The calls to compare on: the corners by hand, then moves among few cards, many of which fit."""
    pile, deck = TABLE.pile, TABLE.deck
    found: list[Call] = [
        ("setup_game", ()),
        ("stock_to_waste", (deck("5S 6H"), pile("AC"))),
        ("stock_to_waste", (deck(""), pile("AC"))),
        ("tableau_to_foundation", (pile("KS- AH"), [])),
        ("tableau_to_foundation", (pile("KS AH-"), [])),
        ("tableau_to_foundation", ([], pile("AH"))),
        ("tableau_to_tableau", (pile("KS- 9S- 8H 7C 6D"), pile("9C"), 3)),
        ("tableau_to_tableau", (pile("KS- 9S- 8H 7C 6D"), pile("8C"), 2)),
        ("tableau_to_tableau", (pile("KS- 9S- 8H 7C 6D"), pile("TC"), 4)),
        ("tableau_to_tableau", (pile("8H 7C 6D"), [], 2)),
        ("tableau_to_tableau", (pile("8H 7C 6D"), pile("9C"), 4)),
        ("waste_to_foundation", ([], pile("AH"), deck("5S"))),
        ("waste_to_tableau", ([], pile("AH"), deck("5S"))),
        ("display_game", (TABLE.piles("AC", "", "", ""), TABLE.columns("5S", "6S- TH"), deck("2C 3C"), pile("8C 8D"))),
    ]
    return found + pairs() + wins() + [call for number in range(100) for call in moves(random.Random(number))]


def pairs() -> list[Call]:
    near = [(one, other) for one in FULL_DECK for other in FULL_DECK if other[0] in "A27TK" and one != other]
    return [(name, (TABLE.card(one), TABLE.card(other))) for name in VALIDATORS for one, other in near]


def wins() -> list[Call]:
    full = [" ".join(rank + suit for rank in RANKS) for suit in SUITS]
    less = [*full[:3], full[3].removesuffix(" KS")]
    states = [(full, "", "", ""), (less, "KS", "", ""), (less, "", "KS", ""), (less, "", "", "KS")]
    return [
        ("is_winner", (TABLE.piles(*fnd), TABLE.columns(tab), TABLE.deck(stock), TABLE.pile(waste)))
        for fnd, tab, stock, waste in states
    ]


def moves(draw: random.Random) -> list[Call]:
    """Single cards moved onto short piles."""
    low = draw.sample([card for card in FULL_DECK if card[0] in "A234"], 4)
    fnd, tab = draw.choice(["", "AS", "AS 2S"]), draw.choice(["", low[0]])
    waste, stock = TABLE.pile(f"{low[1]} {low[2]}"), TABLE.deck(low[3])
    return [
        ("waste_to_foundation", (waste, TABLE.pile(fnd), stock)),
        ("waste_to_tableau", (waste, TABLE.pile(tab), stock)),
        ("tableau_to_foundation", (TABLE.pile(f"{low[1]}- {low[2]}"), TABLE.pile(fnd))),
        ("tableau_to_tableau", (TABLE.pile(f"{low[1]}- {low[2]}"), TABLE.pile(tab), 1)),
    ]


def see(module: ModuleType, call: Call) -> Seen:
    """What a call does; False and a RuntimeError are one answer of a validator, and what a mover prints is its own."""
    name, arguments = call[0], copy.deepcopy(call[1])
    function = getattr(module, name, None)
    if function is None:
        return Seen("missing", None, None, "")
    if name == "is_winner":
        arguments = arguments[:1] if function.__code__.co_argcount == 1 else arguments[1:]
    found = seen(function, arguments)
    printed = " ".join(SHOWN.findall(found.printed)) if name == "display_game" else ""
    if name == "is_winner":
        return Seen(found.end, found.returned, None, "")
    if name in VALIDATORS and found.end == "RuntimeError":
        return Seen("returned", (("bool", "False"), False), found.arguments, "")
    return Seen(found.end, found.returned, found.arguments, printed)


@functools.cache
def battery() -> list[tuple[Call, Seen]]:
    return [(call, see(GAME, call)) for call in calls()]


def lost_functions(program: Path) -> set[str]:
    """The functions that differ, each with the reference's validators unless it is one itself."""
    own, helped = salvage(program, CARDS), salvage(program, CARDS)
    for name in VALIDATORS:
        setattr(helped, name, getattr(GAME, name))
    lost: set[str] = set()
    for call, expected in battery():
        if call[0] not in lost and see(own, call) != expected and see(own if fixed(call) else helped, call) != expected:
            lost.add(call[0])
    return lost


def fixed(call: Call) -> bool:
    return call[0] in VALIDATORS


def plays_alike(program: Path, session: SessionFile) -> bool:
    """The program ends by itself, and every graded turn shows the same through the session's view."""
    played = play(program, session.typed, cards=supplied_cards(SUPPLIED, session.deck), seconds=1.0)
    view = re.compile(session.header["view"].removeprefix("tokens ")) if "view" in session.header else SHOWN
    mine, its = played.turns, turns(session.screen)
    graded = [turn for turn in range(len(its)) if turn not in session.ungraded]
    if played.stopped is not None or len(mine) != len(its):
        return False
    return all(view.findall(mine[turn]) == view.findall(its[turn]) for turn in graded)


def test_the_battery_has_valid_and_invalid_calls_of_every_function() -> None:
    ends = {(call[0], expected.end, str(expected.returned)) for call, expected in battery()}
    for name in (
        "tableau_to_foundation",
        "tableau_to_tableau",
        "waste_to_foundation",
        "waste_to_tableau",
        "stock_to_waste",
    ):
        assert {end for one, end, _ in ends if one == name} == {"returned", "RuntimeError"}
    for name in (*VALIDATORS, "is_winner"):
        assert len({returned for one, _, returned in ends if one == name}) == 2


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.kind}-{sample.name}")
def test_a_sample_loses_exactly_what_it_is_filed_under(sample: Sample) -> None:
    lost = {name for name in RUBRIC_SESSIONS if not plays_alike(sample.program, SESSIONS[name])}
    assert lost | lost_functions(sample.program) == sample.lost - {"coding-standard.automatic", "errors", "restart"}
    assert (sample.kind == "right") == (not sample.lost)
    assert (sample.kind == "right") == (not sample.why)


@pytest.mark.parametrize("sample", RIGHT, ids=lambda sample: sample.name)
def test_a_right_sample_plays_our_own_sessions_too(sample: Sample) -> None:
    assert [name for name, one in SESSIONS.items() if not plays_alike(sample.program, one)] == []


def test_there_are_enough_samples_of_every_kind() -> None:
    kinds = {sample.kind for sample in SAMPLES}
    assert {"right", "wrong", "load_error", "timeout", "missing", "exception"} <= kinds
    assert len(RIGHT) >= 4
    assert len(SAMPLES) - len(RIGHT) >= 8
