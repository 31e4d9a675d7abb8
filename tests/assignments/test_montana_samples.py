"""Montana: the sample submissions lose exactly what they are filed under."""

from __future__ import annotations

import functools
import itertools
import random
from typing import TYPE_CHECKING, Any

import pytest

from tests.assignments import recorder
from tests.assignments.filing import Bench, both_results, lost_functions, same_turns
from tests.assignments.montana_boards import (
    CARDS,
    EXAMPLE,
    FULL_DECK,
    GAME,
    HANDOUT,
    LOST_BOARDS,
    RANKS,
    REFERENCE,
    SESSIONS,
    SUPPLIED,
    WON,
    Board,
    boards_on,
    cards,
    codes,
    is_open,
    keeps_promise,
    with_blanks,
)
from tests.assignments.recorder import perform, play, supplied_cards

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SAMPLES = recorder.samples("montana")
HELPERS = {"initialize": (), "validate_move": (), "move": ("validate_move",), "check_win": ()}


def plays_right(program: Path, session: recorder.SessionFile) -> bool:
    """As in the session file; or as the reference goes on from the boards of a shuffle that keeps its promise."""
    fixed = supplied_cards(SUPPLIED, session.deck)
    played = play(program, session.typed, cards=fixed, seconds=1.0)
    shuffles = zip(session.typed, played.turns[1:], strict=False)
    drawn = iter([boards_on(turn)[0] for typed, turn in shuffles if typed in ("s", "S") and "  1:" in turn])
    expected = played_over(drawn, session)
    return played.stopped is None and same_turns(played.turns, expected, session.ungraded)


def played_over(drawn: Iterator[Board], session: recorder.SessionFile) -> tuple[str, ...]:
    """What the reference shows if its shuffles give these boards; a board that breaks the promise is not taken over."""
    fixed = supplied_cards(SUPPLIED, session.deck)
    game = recorder.load(REFERENCE, fixed)

    def forced(tableau: list[list[Any]]) -> None:
        board = next(drawn, None)
        if board is not None and keeps_promise(codes(tableau), board):
            tableau[:] = cards(board)

    game.shuffle_tableau = forced  # type: ignore[attr-defined]
    return perform(game.main, session.typed).turns


def positions() -> list[Board]:
    draw = random.Random(7)
    found = [EXAMPLE, [list(row) for row in WON]]
    for _ in range(8):
        kept = [[rank + suit for rank in RANKS[1 : 1 + draw.randrange(10)]] for suit in "SHDC"]
        used = set(itertools.chain.from_iterable(kept))
        loose = [code for code in FULL_DECK if code not in used]
        draw.shuffle(loose)
        found.append([[*row, *(loose.pop() for _ in range(13 - len(row)))] for row in kept])
    return found


def moves(board: Board) -> list[tuple[int, int, int, int]]:
    """Moves worth asking about: into each gap whatever nearly fits, and some onto cards; nothing that is open."""
    draw = random.Random(3)
    at = {code: (row, col) for row in range(4) for col, code in enumerate(board[row])}
    found = []
    for ace in ("AC", "AD", "AH", "AS"):
        row, col = at[ace]
        rank = RANKS.index(board[row][col - 1][0])
        near = [RANKS[number % 13] + suit for number in (rank, rank + 1, rank + 2, 1) for suit in "CDHS"]
        found += [(*at[code], row, col) for code in near if not is_open(board, code, row, col)]
    found += [(*at[code], *at[draw.choice(FULL_DECK[1:13])]) for code in draw.sample(FULL_DECK, 6)]
    followers = [(row, col) for row in range(4) for col in range(1, 13) if board[row][col][0] not in "A2"]
    for row, col in followers[::4]:  # a card that fits there, but the place is taken
        left = board[row][col - 1]
        found += [(*at[RANKS[(RANKS.index(left[0]) + 1) % 13] + left[1]], row, col)]
    return found


@functools.cache
def arguments() -> dict[str, list[Callable[[], tuple[Any, ...]]]]:
    """Arguments for each function of the rubric but shuffle_tableau: nothing that the handout leaves open."""
    steps: list[Callable[[], tuple[Any, ...]]] = [
        functools.partial(_move, board, places) for board in positions() for places in moves(board)
    ]
    ends = [WON, WON[::-1], *LOST_BOARDS.values(), *positions()]
    return {
        "initialize": [tuple],
        "validate_move": steps,
        "move": steps,
        "check_win": [functools.partial(_alone, board) for board in ends],
    }


def _move(board: Board, places: tuple[int, int, int, int]) -> tuple[Any, ...]:
    return (cards(board), *places)


def _alone(board: Board) -> tuple[Any, ...]:
    return (cards(board),)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Here a shuffle turns the deck over, so that a game which never shuffles shows it."""
    monkeypatch.setattr(CARDS.Deck, "shuffle", lambda self: self._Deck__deck.reverse())
    return Bench(GAME, CARDS, HELPERS, arguments())


def lost_parts(bench: Bench, program: Path) -> set[str]:
    """The lost functions, with move in its two parts."""
    lost = lost_functions(bench, program) - {"move"}
    mine, its = both_results(bench, program, "move")
    boolean = [returned for returned, _ in mine] != [returned for returned, _ in its]
    tableau = [left for _, left in mine] != [left for _, left in its]
    return lost | {name for name, differs in (("move.boolean", boolean), ("move.tableau", tableau)) if differs}


def shuffles_right(program: Path) -> bool:
    """Every shuffle keeps its promise, changes the very tableau it got, returns None, and is not always the same."""
    module = recorder.salvage(program, CARDS)
    seen: list[bool] = []
    orders: list[Board] = []

    def shuffle_all() -> None:
        for board in positions():
            tableau = cards(board)
            returned = module.shuffle_tableau(tableau)
            seen.append(returned is None and keeps_promise(board, codes(tableau)))
        for _ in range(3):
            tableau = cards(EXAMPLE)
            module.shuffle_tableau(tableau)
            orders.append(with_blanks(codes(tableau)))

    perform(shuffle_all, seconds=1.0)
    return seen == [True] * len(positions()) and len(orders) == 3 and orders[0] != orders[1] != orders[2]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.kind}-{sample.name}")
def test_a_sample_loses_exactly_what_it_is_filed_under(sample: recorder.Sample, bench: Bench) -> None:
    sessions = {name for name in HANDOUT if not plays_right(sample.program, SESSIONS[name])}
    shuffle = set() if shuffles_right(sample.program) else {"shuffle_tableau"}
    assert sessions | shuffle | lost_parts(bench, sample.program) == sample.lost - {"coding-standard.automatic"}
    assert (sample.kind == "right") == (not sample.lost)


@pytest.mark.parametrize("sample", [one for one in SAMPLES if one.kind == "right"], ids=lambda sample: sample.name)
def test_a_right_sample_plays_our_own_sessions_too(sample: recorder.Sample) -> None:
    assert [name for name, session in SESSIONS.items() if not plays_right(sample.program, session)] == []
