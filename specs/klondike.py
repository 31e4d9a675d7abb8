"""Klondike: the input space of its functions.

Positions come from games that are played for a while, or are laid out small around one move: the card that is asked for
and the pile it should go to are chosen first, so that moves that fit and moves that nearly fit are both frequent.
What the handout leaves open is never drawn: an empty column or waste as the source, a column onto itself, an empty
stock over a waste that might be turned over, foundations that are not full while nothing is left elsewhere.

Labels keep kinds of cases apart in the bank. A move is labelled `flip` if it is valid and uncovers a card, and `plain`
otherwise: the rubric counts them in different lines. A position of check_win is labelled by where the last cards are.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from harness.values import DECK, RANKS, SUITS, card, deck

Fields = dict[str, Any]
Piles = list[list[str]]
COLUMNS = range(7)
FOUNDATIONS = range(4)


def _rank(code: str) -> int:
    return RANKS.index(code[0]) + 1


def _is_red(code: str) -> bool:
    return code[1] in "DH"


def _fits_column(code: str, column: Sequence[str]) -> bool:
    if not column:
        return code[0] == "K"
    return _is_red(code) != _is_red(column[-1]) and _rank(code) + 1 == _rank(column[-1])


def _fits_foundation(code: str, pile: Sequence[str]) -> bool:
    if not pile:
        return code[0] == "A"
    return code[1] == pile[-1][1] and _rank(code) == _rank(pile[-1]) + 1


@dataclasses.dataclass
class Game:
    """A game under way: stock and waste bottom first, columns top first, a dash behind a card that lies face down."""

    stock: list[str]
    waste: list[str]
    foundation: Piles
    columns: Piles

    def moves(self) -> list[tuple[list[str], list[str]]]:
        """The legal moves of a card, each as the pile it leaves and the pile it goes to."""
        sources = [pile for pile in (self.waste, *self.columns) if pile]
        away = [(pile, to) for pile in sources for to in self.foundation if _fits_foundation(pile[-1], to)]
        across = [
            (pile, to) for pile in sources for to in self.columns if pile is not to and _fits_column(pile[-1], to)
        ]
        return away + across

    def move(self, source: list[str], target: list[str]) -> None:
        target.append(source.pop())
        if source:
            source[-1] = source[-1][:2]

    def turn(self) -> None:
        if self.stock:
            self.waste.append(self.stock.pop())


def _dealt(order: Sequence[str]) -> Game:
    stock = list(order)
    columns: Piles = [[] for _ in COLUMNS]
    for row in COLUMNS:
        for column in columns[row:]:
            column.append(stock.pop() + ("" if column is columns[row] else "-"))
    return Game(stock, [stock.pop()], [[] for _ in FOUNDATIONS], columns)


@st.composite
def _played(draw: st.DrawFn, lengths: Sequence[int] = (0, 1, 3, 6, 10, 20, 40)) -> Game:
    """A game after some moves; now and then a card of the stock is turned."""
    game = _dealt(draw(st.permutations(DECK)))
    for _ in range(draw(st.sampled_from(lengths))):
        moves = game.moves()
        if moves and draw(st.sampled_from([True, True, False])):
            game.move(*moves[draw(st.integers(0, len(moves) - 1))])
        else:
            game.turn()
    return game


def _pile(codes: Sequence[str]) -> list[Any]:
    return [card(code) for code in codes]


def _piles(piles: Sequence[Sequence[str]]) -> list[Any]:
    return [_pile(pile) for pile in piles]


def _foundations(draw: st.DrawFn, heights: Sequence[int]) -> Piles:
    """Four foundations, each of its own suit, some of them empty."""
    suits = draw(st.permutations(SUITS))
    return [[rank + suit for rank in RANKS[: draw(st.sampled_from(heights))]] for suit in suits]


def _rest(draw: st.DrawFn, *used: str) -> list[str]:
    """The cards that are not used yet, shuffled."""
    return list(draw(st.permutations([code for code in DECK if code not in used])))


def _near_foundation(pile: Sequence[str], free: Sequence[str]) -> list[list[str]]:
    """Cards that nearly fit a foundation, one list for each way of missing it."""
    if not pile:
        return [[code for code in free if code[0] in ranks] for ranks in ("2", "K", "3456789TJQ")]
    top = pile[-1]
    return [
        [code for code in free if code[1] != top[1] and _rank(code) == _rank(top) + 1],
        [code for code in free if code[1] == top[1] and _rank(code) == _rank(top) + 2],
        [code for code in free if code[1] == top[1] and _rank(code) > _rank(top) + 2],
        [code for code in free if code[1] != top[1] and _rank(code) <= _rank(top)],
    ]


def _near_column(column: Sequence[str], free: Sequence[str]) -> list[list[str]]:
    """Cards that nearly fit a column, one list for each way of missing it."""
    if not column:
        return [[code for code in free if code[0] in ranks] for ranks in ("Q", "A", "23456789TJ")]
    last = column[-1]
    other = [code for code in free if _is_red(code) != _is_red(last)]
    lower = [code for code in free if _rank(code) + 1 == _rank(last)]
    return [
        [code for code in lower if code[1] == last[1]],
        [code for code in lower if code[1] != last[1] and _is_red(code) == _is_red(last)],
        [code for code in other if _rank(code) == _rank(last)],
        [code for code in other if _rank(code) == _rank(last) + 1],
        [code for code in other if _rank(code) == _rank(last) - 2],
        [code for code in other if code[0] == "K" and last[0] != "K"],
    ]


def _choose(draw: st.DrawFn, fitting: list[str], near: list[list[str]], free: list[str]) -> str:
    """A card that fits, as often as one that does not."""
    missing = [codes for codes in near if codes]
    if fitting and (not missing or draw(st.booleans())):
        return draw(st.sampled_from(fitting))
    return draw(st.sampled_from(draw(st.sampled_from(missing)) if missing else free))


def _laid_column(draw: st.DrawFn, last: str, rest: list[str]) -> list[str]:
    """A column that ends in a card: perhaps part of a run, perhaps over cards that lie face down."""
    run = [last]
    while draw(st.sampled_from([False, False, True])):
        above = [code for code in rest if _fits_column(run[0], [code])]
        if not above:
            break
        run.insert(0, above[0])
        rest.remove(above[0])
    hidden = [f"{rest.pop()}-" for _ in range(min(draw(st.sampled_from([0, 0, 1, 2, 4])), len(rest)))]
    return hidden + run


def _laid_columns(draw: st.DrawFn, given: dict[int, list[str]], rest: list[str]) -> Piles:
    """Seven columns, some of them given, the others short or empty."""
    shapes = st.sampled_from(["", "", "+", "+", "-+", "--+"])
    columns: Piles = []
    for index in COLUMNS:
        shape = "" if index in given else draw(shapes)
        others = [rest.pop() + ("-" if mark == "-" else "") for mark in shape[: len(rest)]]
        columns.append(given.get(index, [*others[:-1], *(code[:2] for code in others[-1:])]))
    return columns


@st.composite
def _small_to_foundation(draw: st.DrawFn) -> tuple[str, Piles, int, list[str]]:
    """A card, four foundations, the one it should go to, and the cards that are left."""
    foundation = _foundations(
        draw, draw(st.sampled_from([(0, 0, 1, 2), (0, 1, 2, 3, 5), (0, 3, 7, 10, 12), (11, 12, 13)]))
    )
    on_piles = [code for pile in foundation for code in pile]
    if len(on_piles) == len(DECK):
        on_piles.remove(foundation[0].pop())
    target = draw(st.sampled_from(FOUNDATIONS))
    free = _rest(draw, *on_piles)
    fitting = [code for code in free if _fits_foundation(code, foundation[target])]
    chosen = _choose(draw, fitting, _near_foundation(foundation[target], free), free)
    free.remove(chosen)
    return chosen, foundation, target, free


@st.composite
def _small_to_column(draw: st.DrawFn) -> tuple[str, list[str], list[str]]:
    """A card, the column it should go to, and the cards that are left."""
    rest = _rest(draw)
    column = draw(st.sampled_from([[], [rest[0]], [rest[0]], [rest[0]]]))
    free = [code for code in rest if code not in column]
    fitting = [code for code in free if _fits_column(code, column)]
    chosen = _choose(draw, fitting, _near_column(column, free), free)
    free.remove(chosen)
    return chosen, _laid_column(draw, column[0], free) if column else [], free


def _few(draw: st.DrawFn, rest: list[str], most: int) -> list[str]:
    return [rest.pop() for _ in range(min(draw(st.integers(0, most)), len(rest)))]


@st.composite
def _waste_to_foundation(draw: st.DrawFn) -> Fields:
    chosen, foundation, target, free = draw(_small_to_foundation())
    return {"args": [_pile([*_few(draw, free, 3), chosen]), _piles(foundation), target]}


@st.composite
def _waste_to_tableau(draw: st.DrawFn) -> Fields:
    chosen, column, free = draw(_small_to_column())
    target = draw(st.sampled_from(COLUMNS))
    waste = [*_few(draw, free, 3), chosen]
    return {"args": [_pile(waste), _piles(_laid_columns(draw, {target: column}, free)), target]}


@st.composite
def _tableau_to_foundation(draw: st.DrawFn) -> Fields:
    chosen, foundation, target, free = draw(_small_to_foundation())
    source = draw(st.sampled_from(COLUMNS))
    column = _laid_column(draw, chosen, free)
    return _away(_laid_columns(draw, {source: column}, free), foundation, source, target)


@st.composite
def _tableau_to_tableau(draw: st.DrawFn) -> Fields:
    chosen, column, free = draw(_small_to_column())
    source = draw(st.sampled_from(COLUMNS))
    target = draw(st.sampled_from([index for index in COLUMNS if index != source]))
    laid = {source: _laid_column(draw, chosen, free), target: column}
    return _across(_laid_columns(draw, laid, free), source, target)


def _away(columns: Piles, foundation: Piles, source: int, target: int) -> Fields:
    flips = len(columns[source]) > 1 and _fits_foundation(columns[source][-1], foundation[target])
    return {"label": "flip" if flips else "plain", "args": [_piles(columns), _piles(foundation), source, target]}


def _across(columns: Piles, source: int, target: int) -> Fields:
    flips = len(columns[source]) > 1 and _fits_column(columns[source][-1], columns[target])
    return {"label": "flip" if flips else "plain", "args": [_piles(columns), source, target]}


def _filled(game: Game) -> st.SearchStrategy[int]:
    return st.sampled_from([index for index in COLUMNS if game.columns[index]])


@st.composite
def _in_a_game(draw: st.DrawFn, function: str) -> Fields:
    """A move of a game that is played, of any kind."""
    game = draw(_played().filter(lambda game: game.waste and any(game.columns)))
    source, pile, column = draw(_filled(game)), draw(st.sampled_from(FOUNDATIONS)), draw(st.sampled_from(COLUMNS))
    if function == "waste_to_foundation":
        return {"args": [_pile(game.waste), _piles(game.foundation), pile]}
    if function == "waste_to_tableau":
        return {"args": [_pile(game.waste), _piles(game.columns), column]}
    if function == "tableau_to_foundation":
        return _away(game.columns, game.foundation, source, pile)
    return _across(game.columns, source, column if column != source else (source + 1) % len(COLUMNS))


def _turned(game: Game) -> Fields:
    return {"args": [deck(game.stock), _pile(game.waste)]}


@st.composite
def _small_stock(draw: st.DrawFn) -> Fields:
    """A few cards in the stock, a few in the waste; without a stock there is no waste either."""
    rest = _rest(draw)
    stock = [rest.pop() for _ in range(draw(st.sampled_from([1, 1, 2, 3, 5])))]
    return {"args": [deck(stock), _pile(_few(draw, rest, 4))]}


def _checked(game: Game) -> Fields:
    left = {"stock": game.stock, "waste": game.waste, "columns": [code for pile in game.columns for code in pile]}
    places = [name for name, codes in left.items() if codes]
    label = places[0] if len(places) == 1 else "several" if places else "won"
    return {
        "label": label,
        "args": [deck(game.stock), _pile(game.waste), _piles(game.foundation), _piles(game.columns)],
    }


@st.composite
def _endings(draw: st.DrawFn) -> Fields:
    """The win and what comes near it: the last cards in the stock, in the waste or in a column."""
    foundation: Piles = [[rank + suit for rank in RANKS] for suit in draw(st.permutations(SUITS))]
    game = Game([], [], foundation, [[] for _ in COLUMNS])
    where = draw(st.sampled_from(["stock", "waste", "column", "stock waste column", "waste column"])).split()
    for _ in range(draw(st.sampled_from([0, 0, 1, 1, 1, 2, 3, 5, 8]))):
        pile = draw(st.sampled_from([pile for pile in foundation if pile]))
        piles = {"stock": game.stock, "waste": game.waste, "column": game.columns[draw(st.sampled_from(COLUMNS))]}
        piles[draw(st.sampled_from(where))].append(pile.pop())
    return _checked(game)


CASES: dict[str, st.SearchStrategy[Fields]] = {
    "initialize": st.permutations(DECK).map(lambda order: {"args": [], "deck": order}),
    "stock_to_waste": st.one_of(
        _small_stock(), _played(lengths=(0, 6, 20)).filter(lambda game: bool(game.stock)).map(_turned)
    ),
    "waste_to_foundation": st.one_of(_waste_to_foundation(), _waste_to_foundation(), _in_a_game("waste_to_foundation")),
    "waste_to_tableau": st.one_of(_waste_to_tableau(), _waste_to_tableau(), _in_a_game("waste_to_tableau")),
    "tableau_to_foundation": st.one_of(
        _tableau_to_foundation(), _tableau_to_foundation(), _in_a_game("tableau_to_foundation")
    ),
    "tableau_to_tableau": st.one_of(_tableau_to_tableau(), _tableau_to_tableau(), _in_a_game("tableau_to_tableau")),
    "check_win": st.one_of(_endings(), _endings(), _played(lengths=(0, 10, 40)).map(_checked)),
}

POOL = {"initialize": 12, "stock_to_waste": 40, "check_win": 120}


def _read(text: str) -> Piles:
    """Piles from text: cards of a pile side by side, `.` for an empty one; seven columns unless four are written."""
    piles = [[] if part == "." else part.split("+") for part in text.split()]
    wanted = len(FOUNDATIONS) if len(piles) == len(FOUNDATIONS) else len(COLUMNS)
    return piles + [[] for _ in range(wanted - len(piles))]


def _won(stock: str = "", waste: str = "", columns: str = "") -> Fields:
    left = [*stock.split(), *waste.split(), *columns.replace("+", " ").split()]
    foundation = [[rank + suit for rank in RANKS if rank + suit not in left] for suit in SUITS]
    return _checked(Game(stock.split(), waste.split(), foundation, _read(columns)))


ALWAYS: dict[str, list[Fields]] = {
    "initialize": [{"args": [], "deck": list(DECK)}, {"args": [], "deck": list(reversed(DECK))}],
    "stock_to_waste": [
        {"args": [deck(stock.split()), _pile(waste.split())]}
        for stock, waste in (("", ""), ("5S", ""), ("5S", "KH"), ("5S 6H", "2C AD"))
    ],
    "waste_to_foundation": [
        {"args": [_pile(waste.split()), _piles(_read(foundation)), index]}
        for waste, foundation, index in (
            ("AS", ". . . .", 0),
            ("AC", ". . . .", 3),
            ("2S", ". . . .", 3),
            ("KH", ". . . .", 1),
            ("2S", "AS . . .", 0),
            ("2S", "AS . . .", 1),
            ("2H", "AS . AC .", 2),
            ("2C", "AS . AC .", 0),
            ("3C", "AC . . .", 0),
            ("AD", "AC AH . .", 1),
            ("9H AD", ". AS+2S AH .", 3),
            ("KD 3S", ". AS+2S AH .", 1),
        )
    ],
    "waste_to_tableau": [
        {"args": [_pile(waste.split()), _piles(_read(columns)), index]}
        for waste, columns, index in (
            ("KS", "5H . 3C", 1),
            ("QS", "5H . 3C", 1),
            ("AS", ". . .", 6),
            ("4S", "5H . 3C", 0),
            ("4H", "5H . 3C", 0),
            ("4D", "5H . 3C", 0),
            ("2S", "5H . 3C", 2),
            ("4C", "3D 5D- .", 0),
            ("QH", ". . KS", 2),
            ("AH", "2C . KS", 0),
            ("KH", "AC . KS", 0),
            ("5H JD", "TS- 8C QS", 2),
        )
    ],
    "tableau_to_foundation": [
        _away(_read(columns), _read(foundation), source, target)
        for columns, foundation, source, target in (
            ("AS . 3H", ". . . .", 0, 0),
            ("5D 3S AH", ". . . .", 2, 3),
            ("2S . 3H", ". AS . .", 0, 1),
            ("2S . 3H", ". AS . .", 0, 0),
            ("3S . 3H", ". AS . .", 0, 1),
            ("2H . 3H", ". AS . .", 0, 1),
            ("KS- AS", "AH . . .", 1, 0),
            ("4D KS-+AS", "AH . . .", 1, 1),
            ("4D 3S+2H", "AH . . .", 1, 0),
            ("4D KS-+9C-+2H", "AH . . .", 1, 0),
        )
    ],
    "tableau_to_tableau": [
        _across(_read(columns), source, target)
        for columns, source, target in (
            ("4S 5H", 0, 1),
            ("4S 5H", 1, 0),
            ("KS . 5H", 0, 1),
            ("5H . KS", 2, 6),
            ("QS . 5H", 0, 1),
            ("4D 5H", 0, 1),
            ("4C 5S 5H", 0, 1),
            ("9S-+4S 5H", 0, 1),
            ("9D+8S 9H", 0, 1),
            ("2C 9H-+3S-+AD", 1, 0),
            ("9S-+KH . 5C", 0, 1),
        )
    ],
    "check_win": [
        _won(),
        _won(stock="KC"),
        _won(waste="KS"),
        _won(columns="KD"),
        _won(columns=". . . . . . KH"),
        _won(stock="KC", waste="KS", columns=". KD"),
        _won(waste="KC", columns="KS KD KH"),
    ],
}
