"""Montana: the input space of its functions.

A tableau always holds the 52 cards. Some are fresh deals, some have sequences in place, some are a step from the win.
Never drawn, because the handout leaves it open: a 2 moved next to an ace of its own suit.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from harness.values import DECK, RANKS, card

Fields = dict[str, Any]
Board = list[list[str]]
Place = tuple[int, int]

ROWS, COLUMNS = range(4), range(13)


def _rank(code: str) -> int:
    return RANKS.index(code[0]) + 1


def _is_gap(code: str) -> bool:
    return _rank(code) == 1


def _gaps(board: Board) -> list[Place]:
    return [(row, column) for row in ROWS for column in COLUMNS if _is_gap(board[row][column])]


def _place(board: Board, code: str) -> Place:
    return next((row, column) for row in ROWS for column in COLUMNS if board[row][column] == code)


@st.composite
def _dealt(draw: st.DrawFn) -> Board:
    """A fresh deal."""
    order = draw(st.permutations(DECK))
    return [list(order[13 * row : 13 * row + 13]) for row in ROWS]


@st.composite
def _under_way(draw: st.DrawFn) -> Board:
    """Each row starts with a sequence of some length, and all other cards lie as they were shuffled."""
    suits = draw(st.permutations("CDHS"))
    lengths = draw(st.lists(st.sampled_from([0, 1, 2, 5, 9, 11, 12]), min_size=4, max_size=4))
    rows = [[RANKS[rank] + suit for rank in range(1, length + 1)] for suit, length in zip(suits, lengths, strict=True)]
    used = {code for row in rows for code in row}
    rest = list(draw(st.permutations([code for code in DECK if code not in used])))
    for row in rows:
        row.extend(rest.pop() for _ in range(13 - len(row)))
    return rows


@st.composite
def _won(draw: st.DrawFn) -> Board:
    """A won game; the aces lie anywhere at the ends of the rows."""
    suits, aces = draw(st.permutations("CDHS")), draw(st.permutations("CDHS"))
    return [[RANKS[rank] + suit for rank in range(1, 13)] + ["A" + ace] for suit, ace in zip(suits, aces, strict=True)]


def _swap(board: Board, one: Place, other: Place) -> Board:
    copy = [list(row) for row in board]
    copy[one[0]][one[1]], copy[other[0]][other[1]] = board[other[0]][other[1]], board[one[0]][one[1]]
    return copy


@st.composite
def _nearly_won(draw: st.DrawFn) -> Board:
    """A won game with two places swapped, or two rows that have exchanged their ends."""
    board = draw(_won())
    places = st.tuples(st.sampled_from(ROWS), st.sampled_from(COLUMNS))
    if draw(st.booleans()):
        return _swap(board, draw(places), draw(places))
    one, other = draw(st.permutations(ROWS))[:2]
    cut = draw(st.integers(0, 12))
    rows = [list(row) for row in board]
    rows[one][cut:], rows[other][cut:] = board[other][cut:], board[one][cut:]
    return rows


@st.composite
def _gap_first(draw: st.DrawFn) -> Board:
    """A gap in the leftmost column, in a row whose last card matters to those who look at column -1."""
    board = draw(_dealt())
    row = draw(st.sampled_from(ROWS))
    return _swap(board, (row, 0), draw(st.sampled_from(_gaps(board))))


_BOARDS = st.one_of(_under_way(), _dealt(), _gap_first(), _nearly_won())


def _followers(board: Board, gap: Place) -> list[str]:
    """The cards that belong into a gap by the rule."""
    row, column = gap
    if column == 0:
        return ["2" + suit for suit in "CDHS"]
    left = board[row][column - 1]
    return [] if _is_gap(left) or left[0] == "K" else [RANKS[_rank(left)] + left[1]]


def _almost(board: Board, gap: Place) -> list[str]:
    """Cards that a wrong rule would let into a gap: another suit, one too low or too high, the one after the row's last card."""
    row, column = gap
    left = board[row][column - 1]
    ranks = [_rank(left), _rank(left) - 1, _rank(left) - 2, _rank(left) + 1]
    near = [RANKS[rank] + suit for rank in ranks if 0 <= rank < 13 for suit in "CDHS"]
    return [code for code in near if code not in _followers(board, gap)]


def _is_open(board: Board, source: Place, target: Place) -> bool:
    row, column = target
    left = board[row][column - 1] if column else ""
    moved = board[source[0]][source[1]]
    return bool(left) and _is_gap(left) and moved[0] == "2" and left[1] == moved[1]


@st.composite
def _moves(draw: st.DrawFn) -> Fields:
    """A legal move, a move that is nearly legal, or any two places."""
    board = draw(_BOARDS)
    gap = draw(st.sampled_from(sorted(_gaps(board), key=lambda place: place[1])))
    anywhere = st.tuples(st.sampled_from(ROWS), st.sampled_from(COLUMNS))
    wanted, near = _followers(board, gap), _almost(board, gap)
    kind = draw(st.sampled_from(["legal", "legal", "near", "near", "occupied", "any"]))
    if kind == "legal" and wanted:
        return _call(board, _place(board, draw(st.sampled_from(wanted))), gap)
    if kind in ("legal", "near") and near:
        return _call(board, _place(board, draw(st.sampled_from(near))), gap)
    if kind == "occupied":
        return _call(board, *draw(st.sampled_from(_onto_cards(board) or [((0, 0), (0, 0))])))
    return _call(board, draw(anywhere), draw(anywhere))


def _onto_cards(board: Board) -> list[tuple[Place, Place]]:
    """Moves that would be legal if the place were empty."""
    return [
        (_place(board, follower), (row, column))
        for row in ROWS
        for column in COLUMNS[1:]
        if not _is_gap(board[row][column])
        for follower in _followers(board, (row, column))
    ]


def _tableau(board: Board) -> list[Any]:
    return [[card(code) for code in row] for row in board]


def _call(board: Board, source: Place, target: Place) -> Fields:
    return {"args": [_tableau(board), *source, *target]}


def _settled(fields: Fields) -> bool:
    tableau, *places = fields["args"]
    board = [[cell["card"] for cell in row] for row in tableau]
    return not _is_open(board, (places[0], places[1]), (places[2], places[3]))


def _whole(board: Board) -> Fields:
    return {"args": [_tableau(board)]}


def _shuffled(board: Board) -> Fields:
    return {**_whole(board), "seed": 7, "repeat": 4}


_MOVES = _moves().filter(_settled)

CASES: dict[str, st.SearchStrategy[Fields]] = {
    "initialize": st.permutations(DECK).map(lambda order: {"args": [], "deck": list(order)}),
    "validate_move": _MOVES,
    "move": _MOVES,
    "shuffle_tableau": st.one_of(_under_way(), _dealt(), _nearly_won()).map(_shuffled),
    "check_win": st.one_of(_won(), _nearly_won(), _under_way()).map(_whole),
}

POOL = {"initialize": 10, "shuffle_tableau": 80}


def _board(*rows: str) -> Board:
    return [row.split() for row in rows]


_GAP_IN_FRONT = _board(
    "AC 5S 9D KH 3C 7S JD 2H 8C QS 4D 6H 9C",
    "2D 3D 4C AD 6S TC KS 5H 9H JC 7D QD 8S",
    "3S 4S 2S 5C TD 8H QC AH JS KD 6C 7H 9S",
    "TH AS 2C 6D 4H QH 8D 5D KC TS JH 7C 3H",
)


def _to(code: str, row: int, column: int) -> Fields:
    return _call(_GAP_IN_FRONT, _place(_GAP_IN_FRONT, code), (row, column))


_PICKED = [
    _to("2H", 0, 0),
    _to("TC", 0, 0),
    _to("5S", 0, 0),
    _to("5C", 1, 3),
    _to("5D", 1, 3),
    _to("3C", 1, 3),
    _to("JH", 3, 1),
    _to("KC", 2, 7),
    _to("AS", 0, 0),
    _to("4C", 1, 3),
]

ALWAYS: dict[str, list[Fields]] = {"validate_move": _PICKED, "move": _PICKED}
