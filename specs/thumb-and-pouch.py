"""Thumb and Pouch: the input space of its functions.

Piles come from games that are played for a while, or are laid out small, around one card that fits or nearly does.
What the handout leaves open is never drawn: a missing or blank card for the validators, n below 1, cards that lie face
up but not in sequence, a column moved onto itself.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from typing import Any

from hypothesis import strategies as st

from harness.values import DECK, RANKS, SUITS, card, deck

Fields = dict[str, Any]
Pile = list[str]
Move = tuple[str, int, int, int]
"""A command and its numbers, piles counted from 0: where from, where to, how many cards."""


def _rank(code: str) -> int:
    return RANKS.index(code[0]) + 1


def _down(code: str) -> bool:
    return code.endswith("-")


def _fits_foundation(code: str, pile: Sequence[str]) -> bool:
    return _rank(code) == len(pile) + 1 and (not pile or pile[-1][1] == code[1])


def _fits_column(code: str, column: Sequence[str]) -> bool:
    return not column or (column[-1][1] != code[1] and _rank(column[-1]) == _rank(code) + 1)


@dataclasses.dataclass
class Game:
    """A game under way, all piles bottom first, two characters a card and a `-` if it lies face down."""

    foundation: list[Pile]
    columns: list[Pile]
    stock: Pile
    waste: Pile

    def moves(self) -> list[Move]:
        """The legal moves."""
        found: list[Move] = [("sw", 0, 0, 1)] if self.stock else []
        for kind, sources in (("wf", [self.waste]), ("tf", self.columns)):
            for source, pile in enumerate(sources):
                for target, foundation in enumerate(self.foundation):
                    if pile and _fits_foundation(pile[-1], foundation):
                        found.append((kind, source, target, 1))
        for target, column in enumerate(self.columns):
            if self.waste and _fits_column(self.waste[-1], column):
                found.append(("wt", 0, target, 1))
            found.extend(("tt", source, target, number) for source, number in self._groups(target))
        return found

    def _groups(self, target: int) -> list[tuple[int, int]]:
        """The groups that may go to a column; a whole column does not go to an empty one."""
        return [
            (source, number)
            for source, column in enumerate(self.columns)
            for number in range(1, sum(1 for code in column if not _down(code)) + 1)
            if source != target
            and _fits_column(column[-number], self.columns[target])
            and (self.columns[target] or number < len(column))
        ]

    def move(self, kind: str, source: int, target: int, number: int) -> None:
        pile = {"s": self.stock, "w": self.waste, "t": self.columns[source]}[kind[0]]
        goal = {"w": self.waste, "f": self.foundation[target % 4], "t": self.columns[target]}[kind[1]]
        goal.extend(pile[-number:])
        del pile[-number:]
        if kind[0] == "t" and pile:
            pile[-1] = pile[-1][:2]


def _new_game(order: Sequence[str]) -> Game:
    stock = list(order)
    columns: list[Pile] = [[] for _ in range(7)]
    for row in range(7):
        for column in columns[row:]:
            column.append(stock.pop() + "-")
        columns[row][-1] = columns[row][-1][:2]
    waste = [stock.pop()]
    return Game([[] for _ in range(4)], columns, stock, waste)


@st.composite
def _played(draw: st.DrawFn, steps: Sequence[int] = (0, 3, 8, 15, 25, 40)) -> Game:
    """A game after some legal moves; cards go to the foundation more often than not."""
    game = _new_game(draw(st.permutations(DECK)))
    for _ in range(draw(st.sampled_from(steps))):
        moves = game.moves()
        away = [move for move in moves if move[0][1] == "f"]
        eager: bool = draw(st.booleans())
        if moves:
            game.move(*draw(st.sampled_from(away if away and eager else moves)))
    return game


@st.composite
def _late(draw: st.DrawFn) -> Game:
    """Most cards are on the foundation; the others lie in columns, one face up on each, in the waste and in the stock."""
    suits = draw(st.permutations(SUITS))
    heights = draw(st.lists(st.sampled_from([0, 1, 8, 9, 11, 12, 12, 13, 13]), min_size=4, max_size=4))
    foundation = [_suit_pile(suit, height) for suit, height in zip(suits, heights, strict=True)]
    rest = list(draw(st.permutations([code for code in DECK if not any(code in pile for pile in foundation)])))
    columns: list[Pile] = []
    for size in draw(st.lists(st.sampled_from([0, 0, 1, 1, 2, 3]), min_size=7, max_size=7)):
        taken = [rest.pop() for _ in range(min(size, len(rest)))]
        columns.append([code + "-" for code in taken[:-1]] + taken[-1:])
    cut = draw(st.integers(0, min(len(rest), 4)))
    return Game(foundation, columns, rest[cut:], rest[:cut])


def _suit_pile(suit: str, height: int) -> Pile:
    return [rank + suit for rank in RANKS[:height]]


def _code(rank: int, suit: str) -> str:
    return RANKS[rank - 1] + suit


_SUIT = st.sampled_from(SUITS)
_CARD = st.sampled_from(DECK)


def _pile(codes: Sequence[str]) -> list[Any]:
    return [card(code) for code in codes]


def _piles(piles: Sequence[Sequence[str]]) -> list[Any]:
    return [_pile(codes) for codes in piles]


def _takers(code: str, taken: Collection[str]) -> Pile:
    """The cards of the tableau that a card could lie on, without those that are elsewhere."""
    above = [_code(_rank(code) + 1, suit) for suit in SUITS if suit != code[1]] if _rank(code) < 13 else []
    return [other for other in above if other not in taken]


@st.composite
def _column(draw: st.DrawFn, last: str, taken: Collection[str], longest: int = 3) -> Pile:
    """A column that ends with a card: perhaps a few face down, then a sequence face up."""
    run = [last]
    for _ in range(draw(st.integers(0, longest))):
        above = _takers(run[0], taken)
        if above:
            run.insert(0, draw(st.sampled_from(above)))
    return draw(_buried(run[0], {*taken, *run})) + run


@st.composite
def _buried(draw: st.DrawFn, first: str, taken: Collection[str]) -> Pile:
    """Up to three cards that lie face down; sometimes the last one would belong to the sequence if it were turned."""
    others = [code for code in DECK if code not in taken]
    hidden = draw(st.lists(st.sampled_from(others), unique=True, max_size=3))
    fitting = [code for code in _takers(first, taken) if code not in hidden]
    if hidden and fitting and draw(st.integers(0, 2)) == 0:
        hidden[-1] = draw(st.sampled_from(fitting))
    return [code + "-" for code in hidden]


@st.composite
def _near(draw: st.DrawFn, code: str, step: int, taken: Collection[str] = ()) -> str:
    """Another card: `step` ranks away in whatever suit, or a near miss, or any."""
    ranks = [
        _rank(code) + step,
        _rank(code) + step,
        _rank(code) - step,
        _rank(code) + 2 * step,
        _rank(code),
        14 - _rank(code),
    ]
    close = [_code(rank, suit) for rank in ranks if 1 <= rank <= 13 for suit in SUITS]
    free = [other for other in close if other != code and other not in taken]
    return draw(st.sampled_from(free or [other for other in DECK if other != code and other not in taken]))


@st.composite
def _foundation_for(draw: st.DrawFn, code: str) -> Pile:
    """A foundation for a card: the right one, one of its suit that is too low, or one of another suit of any height."""
    kind = draw(st.sampled_from(["right", "right", "low", "other", "same height", "empty"]))
    if kind == "right":
        return _suit_pile(code[1], _rank(code) - 1)
    if kind == "low":
        return _suit_pile(code[1], draw(st.integers(0, max(_rank(code) - 2, 0))))
    if kind == "empty":
        return []
    suit = draw(st.sampled_from([suit for suit in SUITS if suit != code[1]]))
    return _suit_pile(suit, _rank(code) - 1 if kind == "same height" else draw(st.integers(1, 13)))


@st.composite
def _two_cards(draw: st.DrawFn, step: int) -> Fields:
    """Two cards for a validator, the second one often a rank away from the first."""
    source = draw(_CARD)
    target = draw(st.one_of(_near(source, step), _near(source, step), _CARD.filter(lambda code: code != source)))
    return {"args": [card(source), card(target)]}


_LOW_CARD = st.one_of(st.sampled_from([rank + suit for suit in SUITS for rank in RANKS[:5]]), _CARD)


@st.composite
def _column_to_foundation(draw: st.DrawFn) -> Fields:
    """A column and a foundation that takes its last card, or does not."""
    last = draw(_LOW_CARD)
    foundation = draw(_foundation_for(last))
    column = draw(_column(last, foundation)) if draw(st.integers(0, 11)) else []
    return {"args": [_pile(column), _pile(foundation)]}


@st.composite
def _column_to_column(draw: st.DrawFn) -> Fields:
    """Two columns and a number of cards: all face up, reaching a card that lies face down, or more than there are."""
    column = draw(_column(draw(_CARD), ()))
    face_up = sum(1 for code in column if not _down(code))
    numbers = [*range(1, face_up + 1)] * 3 + [*range(face_up + 1, len(column) + 3)]
    number = draw(st.sampled_from(numbers))
    first = column[-min(number, len(column))][:2]
    taken = {code[:2] for code in column}
    kind = draw(st.sampled_from(["near", "near", "fits", "fits", "empty"]))
    fitting = _takers(first, taken)
    last = draw(st.sampled_from(fitting) if kind == "fits" and fitting else _near(first, 1, taken))
    target = [] if kind == "empty" else draw(_column(last, taken, longest=2))
    if not draw(st.integers(0, 15)):
        column, number = [], 1
    return {"args": [_pile(column), _pile(target), number]}


@st.composite
def _waste_below(draw: st.DrawFn, top: str, taken: Collection[str]) -> tuple[Pile, Pile]:
    """A waste with a card on top, and a little of the stock."""
    others = [code for code in DECK if code not in taken and code != top]
    some = draw(st.lists(st.sampled_from(others), unique=True, max_size=6))
    cut = draw(st.integers(0, min(len(some), 4)))
    return [*some[:cut], top], some[cut:]


@st.composite
def _waste_to(draw: st.DrawFn, place: str) -> Fields:
    """A waste and a foundation or a column; now and then the waste is empty."""
    top = draw(_LOW_CARD if place == "foundation" else _CARD)
    if place == "foundation":
        target = draw(_foundation_for(top))
    else:
        target = draw(_column(draw(_near(top, 1)), {top})) if draw(st.integers(0, 4)) else []
    waste, stock = draw(_waste_below(top, {code[:2] for code in target}))
    if not draw(st.integers(0, 11)):
        waste = []
    return {"args": [_pile(waste), _pile(target), deck(stock)]}


@st.composite
def _draw_from_stock(draw: st.DrawFn) -> Fields:
    """A stock of any size, often empty, and what was drawn from it before."""
    order = draw(st.permutations(DECK))
    left = draw(st.sampled_from([0, 0, 0, 1, 1, 2, 3, 5, 23]))
    return {"args": [deck(order[:left]), _pile(order[left : left + draw(st.sampled_from([0, 0, 1, 2, 4, 8]))])]}


@st.composite
def _from_game(draw: st.DrawFn, kind: str) -> Fields:
    """A move in the middle of a game, a legal one if there is any and the coin says so."""
    game = draw(_played())
    legal = [move for move in game.moves() if move[0] == kind]
    most = {"tf": (7, 4, 1), "tt": (7, 7, 3), "wf": (1, 4, 1), "wt": (1, 7, 1)}[kind]
    lawful: bool = draw(st.booleans())
    if legal and lawful:
        _, source, target, number = draw(st.sampled_from(legal))
    else:
        source, target = draw(st.integers(0, most[0] - 1)), draw(st.integers(0, most[1] - 1))
        number = draw(st.integers(1, most[2]))
        if kind == "tt" and source == target:
            target = (target + 1) % 7
    goal = _pile((game.foundation if kind[1] == "f" else game.columns)[target])
    if kind[0] == "w":
        return {"args": [_pile(game.waste), goal, deck(game.stock)]}
    return {"args": [_pile(game.columns[source]), goal, *([number] if kind == "tt" else [])]}


def _shown(game: Game) -> Fields:
    return {"args": [_piles(game.foundation), _piles(game.columns), deck(game.stock), _pile(game.waste)]}


def _asked(game: Game) -> Fields:
    left = [_piles(game.columns), deck(game.stock), _pile(game.waste)]
    return {"args": [_piles(game.foundation)], "alternatives": [left]}


@st.composite
def _ending(draw: st.DrawFn) -> Game:
    """The win, and games that lack a card or two of it: in a column, in the waste or in the stock."""
    suits = draw(st.permutations(SUITS))
    heights = [13 - draw(st.sampled_from([0, 0, 0, 0, 0, 1, 2])) for _ in SUITS]
    foundation = [_suit_pile(suit, height) for suit, height in zip(suits, heights, strict=True)]
    game = Game(foundation, [[] for _ in range(7)], [], [])
    for code in DECK:
        if not any(code in pile for pile in foundation):
            free = next((column for column in game.columns if not column), game.waste)
            draw(st.sampled_from([game.stock, game.waste, free])).append(code)
    return game


def _won(order: str) -> Fields:
    return _asked(Game([_suit_pile(suit, 13) for suit in order], [[] for _ in range(7)], [], []))


CASES: dict[str, st.SearchStrategy[Fields]] = {
    "setup_game": st.permutations(DECK).map(lambda order: {"args": [], "deck": order}),
    "display_game": st.one_of(_played(), _late().filter(lambda game: any(game.columns))).map(_shown),
    "valid_fnd_move": _two_cards(step=-1),
    "valid_tab_move": _two_cards(step=1),
    "tableau_to_foundation": st.one_of(_column_to_foundation(), _column_to_foundation(), _from_game("tf")),
    "tableau_to_tableau": st.one_of(_column_to_column(), _column_to_column(), _from_game("tt")),
    "waste_to_foundation": st.one_of(_waste_to("foundation"), _waste_to("foundation"), _from_game("wf")),
    "waste_to_tableau": st.one_of(_waste_to("column"), _waste_to("column"), _from_game("wt")),
    "stock_to_waste": _draw_from_stock(),
    "is_winner": st.one_of(_ending(), _ending(), _late(), _played(steps=(0, 15, 40))).map(_asked),
}

POOL = {"setup_game": 10, "display_game": 60, "stock_to_waste": 80, "is_winner": 120}


def _cards(text: str) -> list[Any]:
    """A pile from text: `5S- 6H`; nothing for an empty one."""
    return _pile(text.split())


ALWAYS: dict[str, list[Fields]] = {
    "setup_game": [{"args": [], "deck": list(DECK)}, {"args": [], "deck": list(reversed(DECK))}],
    "valid_fnd_move": [
        {"args": [card(source), card(target)]}
        for source, target in (
            ("2S", "AS"),
            ("AS", "2S"),
            ("KC", "QC"),
            ("3S", "AS"),
            ("2H", "AS"),
            ("2C", "AS"),
            ("AS", "KS"),
            ("KS", "AS"),
            ("TD", "9D"),
            ("JD", "TD"),
        )
    ],
    "valid_tab_move": [
        {"args": [card(source), card(target)]}
        for source, target in (
            ("TS", "JD"),
            ("TH", "JD"),
            ("TC", "JD"),
            ("TD", "JD"),
            ("JD", "TS"),
            ("9S", "JD"),
            ("AC", "2S"),
            ("KS", "AD"),
            ("AD", "KS"),
            ("QC", "KS"),
        )
    ],
    "tableau_to_foundation": [
        {"args": [_cards(column), _cards(foundation)]}
        for column, foundation in (
            ("AS", ""),
            ("2S", ""),
            ("", ""),
            ("", "AS"),
            ("5H- AS", ""),
            ("2H AS", ""),
            ("9D- 2S", "AS"),
            ("2H", "AS"),
            ("3S", "AS"),
            ("9D- 8C- 2S", "AH"),
        )
    ],
    "tableau_to_tableau": [
        {"args": [_cards(source), _cards(target), number]}
        for source, target, number in (
            ("5S", "6H", 1),
            ("5S", "6C", 1),
            ("5S", "6S", 1),
            ("5S", "7H", 1),
            ("5S", "4H", 1),
            ("", "6S", 1),
            ("", "", 1),
            ("5S", "", 2),
            ("9C- 6H 5S", "7D", 2),
            ("9C- 6H 5S", "7D", 3),
            ("8C- 6H 5S", "9D", 3),
            ("8C- 6H 5S", "", 3),
            ("7C- 6H 5S", "", 3),
            ("7C- 6H 5S", "8D", 3),
            ("9C- 6H 5S", "6D", 1),
            ("9C- 7D 6H 5S", "", 3),
            ("9C- 7D 6H 5S", "8S", 3),
            ("7D 6H 5S", "8S", 4),
        )
    ],
    "waste_to_foundation": [
        {"args": [_cards(waste), _cards(foundation), deck(["9C", "4D"])]}
        for waste, foundation in (
            ("AS", ""),
            ("AS 7D", ""),
            ("", ""),
            ("", "AS"),
            ("7D AS", ""),
            ("7D 2S", "AS"),
            ("2S 7D", "AS"),
            ("7D 2H", "AS"),
            ("7D 3S", "AS"),
        )
    ],
    "waste_to_tableau": [
        {"args": [_cards(waste), _cards(column), deck(["9C", "4D"])]}
        for waste, column in (
            ("5S", ""),
            ("", ""),
            ("", "6D"),
            ("5S", "6H"),
            ("5S", "6C"),
            ("5S", "6S"),
            ("KD 5S", "6H"),
            ("5S KD", "6H"),
            ("5S KD", "8C"),
            ("5S", "7H"),
            ("5S", "4H"),
        )
    ],
    "stock_to_waste": [
        {"args": [deck(stock.split()), _cards(waste)]}
        for stock, waste in (("", ""), ("", "5S"), ("5S", ""), ("5S 6H", "7D"))
    ],
    "is_winner": [_won(order) for order in ("CDHS", "SHDC", "HSCD", "DCSH", "HCSD", "SDCH")],
}
