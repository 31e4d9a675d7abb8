"""Montana: what a shuffle promises, how a board is drawn and read, and mistakes that can be recognised from an answer."""

from __future__ import annotations

import re
from typing import Any

from harness.values import PIPS, RANKS, SUITS, card_text

Rows = list[list[str]]
"""A board as card codes, `""` for an empty space."""

_ROW = re.compile(r"^ *([1-4]):((?:    |[ 0-9AJQK]{3}[♣♦♥♠]){13})\s*$", re.MULTILINE)
_SUIT_OF = {pip: suit for suit, pip in PIPS.items()}


def _rows(tableau: Any) -> Rows | None:
    """A board from a value, or None if it is not four rows of thirteen cards."""
    if not isinstance(tableau, list) or len(tableau) != 4:
        return None
    if not all(
        isinstance(row, list) and len(row) == 13 and all(isinstance(card, dict) and "card" in card for card in row)
        for row in tableau
    ):
        return None
    return [["" if card["card"][0] == "A" else card["card"] for card in row] for row in tableau]


def _screen_rows(text: str) -> Rows | None:
    """The last board on a screen."""
    found = _ROW.findall(text)[-4:]
    if [number for number, _ in found] != ["1", "2", "3", "4"]:
        return None
    return [[_code(cells[place : place + 4].strip()) for place in range(0, 52, 4)] for _, cells in found]


def _code(text: str) -> str:
    return "" if not text else text[:-1].replace("10", "T") + _SUIT_OF[text[-1]]


def read_board(text: str) -> Any:
    """The last board on a screen as a tableau; which ace lies in which gap does not show, so any will do."""
    rows = _screen_rows(text)
    if rows is None or sum(row.count("") for row in rows) != 4:
        return None
    aces = iter("A" + suit for suit in SUITS)
    return [[{"card": code or next(aces)} for code in row] for row in rows]


def _sequence(row: list[str]) -> int:
    """The length of the sequence that starts with a 2 in the leftmost column."""
    length = 0
    while (
        length < len(row)
        and row[length]
        and row[length][0] == RANKS[length + 1 : length + 2]
        and row[length][1] == row[0][1]
    ):
        length += 1
    return length


def _broken(before: Rows, after: Rows | None) -> str | None:
    """What is wrong with a shuffled board, or None if it is a fair one."""
    if after is None:
        return "after the shuffle there are not four rows of thirteen places."
    if sorted(code for row in after for code in row) != sorted(code for row in before for code in row):
        return "the cards after the shuffle are not the cards before it: some are lost or doubled."
    for number, (old, new) in enumerate(zip(before, after, strict=True), 1):
        length = _sequence(old)
        if new[:length] != old[:length]:
            return f"the sequence at the start of row {number} ({_drawn(old[:length])}) was not left in place."
        gaps = [column for column, code in enumerate(new) if not code]
        if gaps != [length]:
            where = "in the leftmost column" if length == 0 else f"right of the sequence, in column {length + 1}"
            found = ", ".join(str(column + 1) for column in gaps) or "none"
            return f"row {number} should have one empty space, {where}; it has them in: {found}."
    return None


def _drawn(codes: list[str]) -> str:
    return " ".join(card_text(code) for code in codes)


def _loose(rows: Rows) -> int:
    return sum(1 for row in rows for code in row[_sequence(row) :] if code)


def shuffle_is_fair(case: Any, seen: Any) -> str | None:
    """The promise of shuffle_tableau: sequences stay, gaps are right of them, the same cards, not always the same order."""
    before = _rows(case.args[0])
    assert before is not None
    boards = [_rows(seen.args[0]), *(_rows(args[0]) for _, args in seen.again)]
    for board in boards:
        problem = _broken(before, board)
        if problem is not None:
            return problem
    if len(boards) > 1 and _loose(before) >= 8 and all(board == boards[0] for board in boards):
        return f"{len(boards)} shuffles of the same tableau all gave the same order: the cards are not shuffled."
    return None


def board_is_fairly_shuffled(before: Any, actual: Any) -> str | None:
    """The same promise on the screen."""
    old, new = _screen_rows(before.text), _screen_rows(actual.text)
    if old is None:
        return None
    return _broken(old, new) if new is not None else "no board is shown after the shuffle."


def draw(case: Any) -> str:
    """The tableau as the game shows it, with the columns as the functions count them; the card is marked >, its place <."""
    rows = _rows(case.args[0]) if case.args else None
    if rows is None:
        return ""
    marks: dict[tuple[int, int], str] = {}
    if len(case.args) == 5:
        marks = {(case.args[3], case.args[4]): "<", (case.args[1], case.args[2]): ">"}
    head = "     " + "".join(f"{column:>4} " for column in range(13))
    lines = [
        f"{number:>3}: "
        + "".join(
            f"{card_text(code) if code else '·':>4}{marks.get((number, column), ' ')}"
            for column, code in enumerate(row)
        )
        for number, row in enumerate(rows)
    ]
    return "\n".join(line.rstrip() for line in [head, *lines])


def _place(case: Any) -> tuple[Rows, str, int, int]:
    rows = _rows(case.args[0])
    assert rows is not None
    _, source_row, source_col, dest_row, dest_col = case.args
    return rows, rows[source_row][source_col], dest_row, dest_col


def looks_left_of_the_first_column(case: Any, expected: Any, actual: Any) -> bool:
    """A gap in column 0, and the answer is the one that the last card of the row would give."""
    rows, card, row, column = _place(case)
    if column != 0 or rows[row][0] or expected.returned == actual.returned:
        return False
    last = rows[row][12]
    return (
        bool(card and last)
        and (last[1] == card[1] and RANKS.index(last[0]) + 1 == RANKS.index(card[0])) == actual.returned
    )


def forgets_the_suit(case: Any, expected: Any, actual: Any) -> bool:
    """True for a card that follows in rank but not in suit."""
    rows, card, row, column = _place(case)
    left = rows[row][column - 1] if column else ""
    return (
        actual.returned is True
        and expected.returned is False
        and bool(card and left)
        and RANKS.index(left[0]) + 1 == RANKS.index(card[0])
        and left[1] != card[1]
    )


def forgets_that_the_place_must_be_empty(case: Any, expected: Any, actual: Any) -> bool:
    """True although a card lies at the destination."""
    rows, _, row, column = _place(case)
    return actual.returned is True and expected.returned is False and bool(rows[row][column])


def leaves_the_card_behind(case: Any, expected: Any, actual: Any) -> bool:
    """The moved card is there twice."""
    after = _rows(actual.args[0]) if actual.args else None
    _, card, _, _ = _place(case)
    return after is not None and bool(card) and sum(row.count(card) for row in after) > 1


def looks_at_the_suit_of_the_ace(case: Any, expected: Any, actual: Any) -> bool:
    """False for a won board in which an ace is not of its row's suit."""
    return (
        expected.returned is True
        and actual.returned is False
        and any(row[12]["card"][1] != row[0]["card"][1] for row in case.args[0])
    )
