"""Aces Up: the input space of its functions.

Positions come from games that are played for a while, or are dealt small so that suits meet and columns are empty.
What the handout leaves open is never drawn: columns outside 1 to 4, dealing from an empty stock, an empty stock with
several aces in one column, a blank line typed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from harness.values import DECK, card, deck

Fields = dict[str, Any]
ACES = ("AC", "AD", "AH", "AS")
COLUMNS = (1, 2, 3, 4)


@dataclasses.dataclass
class Game:
    """A game under way: the stock bottom first, the columns top first, all as two characters a card."""

    stock: list[str]
    columns: list[list[str]]
    foundation: list[str]

    def deal(self) -> None:
        for column in self.columns:
            column.append(self.stock.pop())

    def moves(self) -> list[tuple[int, int | None]]:
        """The legal moves: from a column to an empty one, or to the foundation (None)."""
        filled = [index for index, column in enumerate(self.columns) if column]
        empty = [index for index, column in enumerate(self.columns) if not column]
        away: list[tuple[int, int | None]] = [(index, None) for index in filled if self._beaten(index)]
        return away + [(index, target) for index in filled for target in empty]

    def move(self, source: int, target: int | None) -> None:
        pile = self.foundation if target is None else self.columns[target]
        pile.append(self.columns[source].pop())

    def _beaten(self, index: int) -> bool:
        mine = self.columns[index][-1]
        return any(
            column and column[-1][1] == mine[1] and _height(column[-1]) > _height(mine) for column in self.columns
        )


def _height(code: str) -> int:
    return "23456789TJQKA".index(code[0])


@st.composite
def _played(draw: st.DrawFn, deals: Sequence[int] = (1, 1, 1, 2, 2, 3, 4, 6, 9, 13)) -> Game:
    """A game after some deals, with a few legal moves after each."""
    game = Game(list(draw(st.permutations(DECK))), [[], [], [], []], [])
    for _ in range(draw(st.sampled_from(deals))):
        game.deal()
        for _ in range(draw(st.integers(0, 4))):
            moves = game.moves()
            if moves:
                game.move(*draw(st.sampled_from(moves)))
    return game


@st.composite
def _small(draw: st.DrawFn) -> Game:
    """A few cards of one or two suits, some columns empty; the rest of what was dealt is on the foundation."""
    suits = draw(st.sampled_from(["S", "H", "CD", "SH", "DC", "HC"]))
    hand = list(draw(st.permutations([code for code in DECK if code[1] in suits])))
    sizes = draw(st.lists(st.sampled_from([0, 1, 1, 2, 3]), min_size=4, max_size=4).filter(any))
    columns = [[hand.pop() for _ in range(size)] for size in sizes]
    away = [code for code in hand if code not in ACES][: -sum(sizes) % 4]
    used = {code for column in columns for code in column} | set(away)
    return Game([code for code in DECK if code not in used], columns, away)


def _tableau(columns: Sequence[Sequence[str]]) -> list[Any]:
    return [[card(code) for code in column] for column in columns]


_GAMES = st.one_of(_small(), _played())
_COLUMN = st.sampled_from(COLUMNS)
_WITH_GAP = _GAMES.filter(lambda game: not all(game.columns))


def _empty_column(game: Game) -> st.SearchStrategy[int]:
    return st.sampled_from([index + 1 for index, column in enumerate(game.columns) if not column])


def _from_one(game: Game, column: int) -> Fields:
    return {"args": [_tableau(game.columns), column]}


def _to_foundation(game: Game, column: int) -> Fields:
    return {"args": [_tableau(game.columns), [card(code) for code in game.foundation], column]}


def _from_to(game: Game, source: int, target: int) -> Fields:
    return {"args": [_tableau(game.columns), source, target]}


@st.composite
def _within(draw: st.DrawFn) -> Fields:
    """Any two columns, more often than not with an empty one as the target."""
    game = draw(st.one_of(_WITH_GAP, _GAMES))
    anywhere = st.one_of(_empty_column(game), _COLUMN) if not all(game.columns) else _COLUMN
    return _from_to(game, draw(_COLUMN), draw(anywhere))


def _dealt(game: Game) -> Fields:
    return {"args": [deck(game.stock), _tableau(game.columns)]}


@st.composite
def _endings(draw: st.DrawFn) -> Fields:
    """The win and what comes near it: the stock not empty, a card still above, below or between the aces."""
    aces = draw(st.permutations(ACES))
    others = draw(st.permutations([code for code in DECK if code not in ACES]))
    columns = [[code] for code in aces]
    for code in others[: draw(st.sampled_from([0, 0, 0, 1, 2, 3]))]:
        column = draw(st.sampled_from(columns))
        column.insert(draw(st.integers(0, len(column))), code)
    left = draw(st.sampled_from([0, 0, 4, 8])) if all(len(column) == 1 for column in columns) else 0
    return {"args": [deck(others[-left:] if left else []), _tableau(columns)]}


def _settled(fields: Fields) -> bool:
    """Only aces, two of them in one column, and no stock: whether that is a win is open."""
    stock, tableau = fields["args"]
    only_aces = all(code["card"] in ACES for column in tableau for code in column)
    return bool(stock["deck"]) or not only_aces or all(len(column) == 1 for column in tableau)


_WORDS = st.sampled_from(["1", "2", "3", "4", "a", "D", "x", "1.5"])
_WRONG_COUNT = st.tuples(st.sampled_from("DRHQFTdrhqft"), st.lists(_WORDS, max_size=4)).filter(
    lambda pair: len(pair[1]) != {"F": 1, "T": 2}.get(pair[0].upper(), 0)
)
_WRONG_TYPE = st.tuples(st.sampled_from("FTft"), st.lists(_WORDS, min_size=2, max_size=2)).filter(
    lambda pair: not set(pair[1][: " FT".index(pair[0].upper())]) <= set("1234")
)
_UNKNOWN = st.tuples(st.sampled_from(["X", "Z", "b", "1", "?", "#"]), st.lists(_WORDS, max_size=2))
_RIGHT = st.tuples(st.sampled_from("DRHQFTdrhqft"), st.lists(_COLUMN.map(str), min_size=2, max_size=2))


def _typed(letter: str, words: Sequence[str]) -> Fields:
    return {"args": [], "stdin": [" ".join([letter, *words])]}


_OPTIONS = st.one_of(
    _RIGHT.map(lambda pair: _typed(pair[0], pair[1][: {"F": 1, "T": 2}.get(pair[0].upper(), 0)])),
    _WRONG_COUNT.map(lambda pair: _typed(*pair)),
    _WRONG_TYPE.map(lambda pair: _typed(pair[0], pair[1][: " FT".index(pair[0].upper())])),
    _UNKNOWN.map(lambda pair: _typed(*pair)),
)

CASES: dict[str, st.SearchStrategy[Fields]] = {
    "init_game": st.permutations(DECK).map(lambda order: {"args": [], "deck": order}),
    "deal_to_tableau": _GAMES.filter(lambda game: game.stock and len(game.stock) % 4 == 0).map(_dealt),
    "get_option": _OPTIONS,
    "validate_move_to_foundation": st.builds(_from_one, _GAMES, _COLUMN),
    "move_to_foundation": st.builds(_to_foundation, _GAMES, _COLUMN),
    "validate_move_within_tableau": _within(),
    "move_within_tableau": _within(),
    "check_for_win": st.one_of(_endings(), _played(deals=(1, 2, 4, 13)).map(_dealt)).filter(_settled),
}

POOL = {"init_game": 12, "deal_to_tableau": 60, "get_option": 300}


def _columns(text: str) -> list[Any]:
    """Columns from text: cards of a column side by side, `-` for an empty one."""
    return _tableau([[] if part == "-" else part.split("+") for part in text.split()])


ALWAYS: dict[str, list[Fields]] = {
    "init_game": [{"args": [], "deck": list(DECK)}, {"args": [], "deck": list(reversed(DECK))}],
    "get_option": [
        _typed(letter, words)
        for letter, words in (
            ("D", ""),
            ("d", ""),
            ("F", "1"),
            ("t", "12"),
            ("T", "31"),
            ("Q", ""),
            ("D", "2"),
            ("F", "D"),
        )
    ],
    "validate_move_to_foundation": [
        {"args": [_columns(text), column]}
        for text, column in (
            ("KS AS 2H 3D", 1),
            ("KS AS 2H 3D", 2),
            ("2S 3S 4H 5D", 1),
            ("2S 3S 4H 5D", 2),
            ("9C 3D 5H TC", 1),
            ("9C 3D 5H TC", 4),
            ("QH - KH 3D", 1),
            ("QH - KH 3D", 2),
            ("QH KS KD AC", 1),
            ("5S AH+2S 6D 4S", 4),
            ("AH 4C KH 3D", 3),
            ("AC 5D 6H KC", 4),
        )
    ],
    "check_for_win": [
        {"args": [deck([]), _columns("AS AH AD AC")]},
        {"args": [deck(["2C", "3C", "4C", "5C"]), _columns("AS AH AD AC")]},
        {"args": [deck([]), _columns("AS AH KD+AD AC")]},
        {"args": [deck([]), _columns("AS AH AD AC+2C")]},
    ],
}
