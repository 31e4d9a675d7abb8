"""Thumb and Pouch: what a display must show, how piles are drawn, and mistakes that can be recognised from an answer."""

from __future__ import annotations

import re
from typing import Any

from harness.values import DECK, RANKS, card_text, same

Codes = list[str]

_SHOWN = re.compile(r"(?:10|[2-9AJQK])[♣♦♥♠]|XX|(?<=#\()\d+")
_RED = "DH"


def _codes(pile: Any) -> Codes | None:
    """The cards of a pile or deck, or None if it holds anything else."""
    if isinstance(pile, dict) and isinstance(pile.get("deck"), list):
        return list(pile["deck"])
    if not isinstance(pile, list) or not all(isinstance(card, dict) and "card" in card for card in pile):
        return None
    return [card["card"] for card in pile]


def _piles(values: Any) -> list[Codes]:
    """All piles among the arguments; what is none is left out."""
    return [codes for value in values if isinstance(value, (list, dict)) and (codes := _codes(value)) is not None]


def _rank(code: str) -> int:
    return RANKS.index(code[0]) + 1


def _face(code: str) -> str:
    """A card as it is printed: XX if it lies face down."""
    return "XX" if code.endswith("-") else card_text(code)


def _wanted(case: Any) -> dict[str, list[str]]:
    """What has to be on the screen, part by part, in its order."""
    foundation, tableau, stock, waste = case.args
    columns = [_codes(column) or [] for column in tableau]
    depth = max(len(column) for column in columns)
    return {
        "the foundation": [card_text(pile[-1]["card"]) for pile in foundation if pile],
        "the tableau": [_face(column[row]) for row in range(depth) for column in columns if row < len(column)],
        "the stock": [str(len(stock["deck"]))],
        "the waste": [card_text(card["card"]) for card in waste],
    }


def shows_the_game(case: Any, seen: Any) -> str | None:
    """The promise of display_game: the right cards and the size of the stock in the right order, wherever they stand."""
    if any(not same(before, after) for before, after in zip(case.args, seen.args, strict=False)):
        return "it changed the game, which it should only show."
    found, wanted = _SHOWN.findall(seen.printed), _wanted(case)
    if found == [text for part in wanted.values() for text in part]:
        return None
    start = 0
    for name, texts in wanted.items():
        if found[start : start + len(texts)] != texts:
            shown = " ".join(found[start : start + len(texts)]) or "nothing"
            form = " as Stock #(k)" if name == "the stock" else ""
            return f"{name} should be shown{form} with {' '.join(texts)}, but there is {shown}."
        start += len(texts)
    return f"after the waste there is more than there should be: {' '.join(found[start : start + 8])}."


_ROLES = {
    "valid_fnd_move": ("src_card", "dest_card"),
    "valid_tab_move": ("src_card", "dest_card"),
    "tableau_to_foundation": ("tab", "fnd"),
    "tableau_to_tableau": ("tab1", "tab2", "n"),
    "waste_to_foundation": ("waste", "fnd", "stock"),
    "waste_to_tableau": ("waste", "tab", "stock"),
    "stock_to_waste": ("stock", "waste"),
    "display_game": ("foundation", "tableau", "stock", "waste"),
    "is_winner": ("foundation",),
}


def draw(case: Any) -> str:
    """Each argument by its name, piles from the bottom to the top; a card in brackets lies face down."""
    roles = list(zip(_ROLES.get(case.function, ()), case.args, strict=False))
    if case.function == "is_winner" and case.alternatives:
        roles += zip(("tableau", "stock", "waste"), case.alternatives[0], strict=False)
    return "\n".join(line for name, value in roles for line in _drawn(name, value))


def _drawn(name: str, value: Any) -> list[str]:
    if name in ("foundation", "tableau"):
        return [f"{name[0]}{number}: {_line(_codes(pile) or [])}" for number, pile in enumerate(value, 1)]
    if isinstance(value, dict) and "card" in value:
        return [f"{name}: {card_text(value['card'])}"]
    codes = _codes(value)
    return [f"{name}: {value if codes is None else _line(codes)}"]


def _line(codes: Codes) -> str:
    return " ".join(card_text(code) for code in codes) or "empty"


def dealt_column_by_column(case: Any, expected: Any, actual: Any) -> bool:
    """The first column is right and the second one holds the two cards that were dealt next."""
    tableau = _part(actual.returned, 1)
    order = list(case.deck or reversed(DECK))
    second = _codes(tableau[1]) if tableau is not None and len(tableau) > 1 else None
    return second is not None and [code[:2] for code in second] == order[1:3]


def turned_the_wrong_way(case: Any, expected: Any, actual: Any) -> bool:
    """The tableau holds the right cards, but some lie face up or down where they should not."""
    right, found = _part(expected.returned, 1), _part(actual.returned, 1)
    if right is None or found is None or same(right, found):
        return False
    columns = [(_codes(one), _codes(other)) for one, other in zip(right, found, strict=False)]
    return len(right) == len(found) and all(
        one is not None and other is not None and [code[:2] for code in one] == [code[:2] for code in other]
        for one, other in columns
    )


def _part(returned: Any, index: int) -> list[Any] | None:
    """One part of what setup_game returned, if it is a list."""
    parts = returned.get("tuple") if isinstance(returned, dict) else None
    if not isinstance(parts, list) or len(parts) <= index or not isinstance(parts[index], list):
        return None
    part: list[Any] = parts[index]
    return part


def _said(expected: Any, actual: Any) -> tuple[bool, bool]:
    """Whether the move is valid, and whether the student says so."""
    return expected.returned is True, actual.raised is None and actual.returned is True


def _two(case: Any) -> tuple[str, str]:
    return case.args[0]["card"], case.args[1]["card"]


def goes_the_wrong_way(case: Any, expected: Any, actual: Any) -> bool:
    """The two ranks differ by one, the suits are as they should be, and yet it says the opposite."""
    source, target = _two(case)
    valid, said = _said(expected, actual)
    suits_fit = (source[1] == target[1]) == (case.function == "valid_fnd_move")
    return valid != said and suits_fit and abs(_rank(source) - _rank(target)) == 1


def skips_ranks(case: Any, expected: Any, actual: Any) -> bool:
    """True for a card of the suit that is higher by more than one."""
    source, target = _two(case)
    return _said(expected, actual) == (False, True) and source[1] == target[1] and _rank(source) > _rank(target) + 1


def forgets_the_suit(case: Any, expected: Any, actual: Any) -> bool:
    """True for cards whose ranks fit and whose suits do not."""
    source, target = _two(case)
    step = 1 if case.function == "valid_fnd_move" else -1
    return _said(expected, actual) == (False, True) and _rank(source) - _rank(target) == step


def wants_the_other_colour(case: Any, expected: Any, actual: Any) -> bool:
    """No to a valid move between two suits of the same colour."""
    source, target = _two(case)
    return _said(expected, actual) == (True, False) and (source[1] in _RED) == (target[1] in _RED)


def prints_where_it_should_raise(case: Any, expected: Any, actual: Any) -> bool:
    """Nothing was raised, but something was printed."""
    return expected.raised is not None and actual.raised is None and bool(actual.printed.strip())


def loses_a_card(case: Any, expected: Any, actual: Any) -> bool:
    """There are fewer cards afterwards than before."""
    if len(actual.args) != len(case.args):
        return False
    before, after = (sum(len(pile) for pile in _piles(values)) for values in (case.args, actual.args))
    return after < before and len(_piles(actual.args)) == len(_piles(case.args))


def leaves_the_next_card_face_down(case: Any, expected: Any, actual: Any) -> bool:
    """The column the card came from ends with a card that still lies face down."""
    left, right, before = _column_left(actual), _column_left(expected), _codes(case.args[0]) or []
    return bool(left and right) and left[-1] == f"{right[-1]}-" and left[-1] in before


def turns_a_card_that_was_face_up(case: Any, expected: Any, actual: Any) -> bool:
    """The column ends with a card that lies face down and lay face up before."""
    left, right, before = _column_left(actual), _column_left(expected), _codes(case.args[0]) or []
    return bool(left and right) and left[-1] == f"{right[-1]}-" and right[-1] in before


def _column_left(seen: Any) -> Codes:
    return (_codes(seen.args[0]) or []) if seen.args and seen.raised is None else []


def turns_the_group_upside_down(case: Any, expected: Any, actual: Any) -> bool:
    """The group arrived, with its last card first."""
    if len(expected.args) != len(case.args) or len(actual.args) != len(case.args) or expected.raised is not None:
        return False
    number, right, found = case.args[2], _codes(expected.args[1]) or [], _codes(actual.args[1]) or []
    return number > 1 and found == right[:-number] + right[: -number - 1 : -1]


def moves_more_than_there_is(case: Any, expected: Any, actual: Any) -> bool:
    """It moved cards although fewer than n of them lie face up."""
    column = _codes(case.args[0]) or []
    face_up = sum(1 for code in column if not code.endswith("-"))
    return expected.raised is not None and actual.raised is None and case.args[2] > face_up


def takes_the_bottom_of_the_waste(case: Any, expected: Any, actual: Any) -> bool:
    """The first card of the waste is gone and the last one is not."""
    waste = _codes(case.args[0]) or []
    return bool(actual.args) and len(waste) > 1 and _codes(actual.args[0]) == waste[1:]


def puts_nothing_on_the_waste(case: Any, expected: Any, actual: Any) -> bool:
    """None was put on the waste."""
    return len(actual.args) > 1 and isinstance(actual.args[1], list) and None in actual.args[1]


def wins_too_early(case: Any, expected: Any, actual: Any) -> bool:
    """True for a game that is not won."""
    return expected.returned is False and actual.returned is True
