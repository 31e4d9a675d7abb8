"""Boards of Montana as cards of two letters, and its rules over again, written apart from the reference."""

from __future__ import annotations

import itertools
from typing import Any

from tests.assignments import recorder
from tests.assignments.recorder import ROOT, supplied_cards

Board = list[list[str]]

REFERENCE = ROOT / "reference" / "montana" / "proj10.py"
SUPPLIED = ROOT / "reference" / "montana" / "cards.py"
SESSIONS = {session.path.stem: session for session in recorder.sessions("montana")}
HANDOUT = ("test-1", "test-2", "test-3")
RANKS = "A23456789TJQK"
FULL_DECK = [rank + suit for suit in "CDHS" for rank in RANKS]
LETTERS = str.maketrans("♣♦♥♠", "CDHS")
CARDS = supplied_cards(SUPPLIED)
GAME = recorder.load(REFERENCE, CARDS)
WON = [[rank + suit for rank in RANKS[1:]] + ["A" + ace] for suit, ace in zip("CSDH", "DHSC", strict=True)]
EXAMPLE = [
    ["AH", *(rank + "C" for rank in "3456789TJQK"), "5H"],
    ["2S", "AD", *(rank + "D" for rank in "23456789TJQ")],
    ["KD", "AC", *(rank + "S" for rank in "3456789TJQK")],
    ["2C", "2H", "3H", "4H", "AS", "6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH"],
]


def cards(board: Board) -> list[list[Any]]:
    return [[CARDS.Card(RANKS.index(code[0]) + 1, "CDHS".index(code[1]) + 1) for code in row] for row in board]


def codes(tableau: list[list[Any]]) -> Board:
    return [[str(card).replace("10", "T").translate(LETTERS) for card in row] for row in tableau]


def rows(deck: list[str]) -> Board:
    return [deck[start : start + 13] for start in range(0, 52, 13)]


def sequence(row: list[str]) -> int:
    """How many cards of the row count up from a 2 in one suit."""
    wanted = [rank + row[0][1] for rank in RANKS[1:]]
    return next((n for n in range(12) if row[n] != wanted[n]), 12)


def is_legal(board: Board, source: str, row: int, col: int) -> bool:
    """The rule again, for cards of two letters."""
    if board[row][col][0] != "A":
        return False
    left = board[row][col - 1]
    return source[0] == "2" if col == 0 else left[0] not in "AK" and source == RANKS[RANKS.index(left[0]) + 1] + left[1]


def is_open(board: Board, source: str, row: int, col: int) -> bool:
    """The handout does not settle whether a 2 may stand right of the ace of its suit."""
    return col > 0 and source[0] == "2" and board[row][col - 1] == "A" + source[1]


def keeps_promise(before: Board, after: Board) -> bool:
    """Sequences are untouched, one blank stands right of each, the cards are the same (which ace is where aside)."""
    faces = [sorted(code[0] if code[0] == "A" else code for row in board for code in row) for board in (before, after)]
    kept = [sequence(row) for row in before]
    return faces[0] == faces[1] and all(
        new[:end] == old[:end] and [col for col, code in enumerate(new) if code[0] == "A"] == [end]
        for old, new, end in zip(before, after, kept, strict=True)
    )


def boards_on(screen: str) -> list[Board]:
    """The boards that a screen shows, with some ace in each empty space."""
    lines = [line for line in screen.splitlines() if line[:4].strip() in {"1:", "2:", "3:", "4:"}]
    aces = itertools.cycle(["AC", "AD", "AH", "AS"])
    cells = [[line[4 + 4 * col : 8 + 4 * col].strip() for col in range(13)] for line in lines]
    found = [[cell.replace("10", "T").translate(LETTERS) or next(aces) for cell in row] for row in cells]
    return [found[start : start + 4] for start in range(0, len(found), 4)]


def with_blanks(board: Board) -> Board:
    return [["" if code[0] == "A" else code for code in row] for row in board]


def swapped(one: tuple[int, int], other: tuple[int, int]) -> Board:
    board = [list(row) for row in WON]
    board[one[0]][one[1]], board[other[0]][other[1]] = board[other[0]][other[1]], board[one[0]][one[1]]
    return board


LOST_BOARDS = {
    "the entire row must be of the same suit": swapped((0, 5), (1, 5)),
    "one suit up to the king": swapped((0, 11), (3, 11)),
    "an increasing sequence": swapped((2, 0), (2, 1)),
    "a blank space in the rightmost column": swapped((3, 11), (3, 12)),
    "starting with a 2 in the leftmost column": [[row[12], *row[:12]] for row in WON],
    "each row of the tableau": [*WON[:2], [*WON[2][:11], "AS", "KD"], WON[3]],
    "only the first row": [WON[0], WON[1][::-1], WON[2][::-1], WON[3][::-1]],
}
