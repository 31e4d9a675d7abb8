"""Klondike: how a board is drawn, and mistakes that can be recognised from an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.values import card_text

_PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "stock_to_waste": ("stock", "waste"),
    "waste_to_foundation": ("waste", "foundation", "to_pile"),
    "waste_to_tableau": ("waste", "tableau", "to_column"),
    "tableau_to_foundation": ("tableau", "foundation", "from_column", "to_pile"),
    "tableau_to_tableau": ("tableau", "from_column", "to_column"),
    "check_win": ("stock", "waste", "foundation", "tableau"),
}
_COLOURS = {"C": "black", "S": "black", "D": "red", "H": "red"}
_COLUMN_COUNT = 7


def _named(function: str, args: Any) -> dict[str, Any]:
    """Arguments by what they are; nothing if they are not as many as asked for."""
    names = _PARAMETERS.get(function, ())
    return dict(zip(names, args, strict=True)) if len(names) == len(args) else {}


def draw(case: Any) -> str:
    """The piles that the call is about, columns with their indices; the card's column is marked >, its destination <."""
    table = _named(case.function, case.args)
    above = [_drawn_stock(table["stock"])] if "stock" in table else []
    if "waste" in table:
        above.append("waste:      " + _drawn(table["waste"]))
    if "foundation" in table:
        piles = (
            f"{_marked(index, None, table.get('to_pile'))} {_drawn(pile[-1:])}"
            for index, pile in enumerate(table["foundation"])
        )
        above.append("foundation: " + "   ".join(piles))
    below = _drawn_columns(table) if "tableau" in table else []
    return "\n".join(line.rstrip() for line in [*above, *below])


def _drawn_stock(stock: Any) -> str:
    cards = stock["deck"]
    return f"stock:      {len(cards)} cards, {card_text(cards[-1])} on top" if cards else "stock:      empty"


def _drawn(pile: Any) -> str:
    return " ".join(card_text(card["card"]) for card in pile) or "empty"


def _marked(index: int, source: int | None, target: int | None) -> str:
    return f"{'>' if index == source else '<' if index == target else ''}{index}:"


def _drawn_columns(table: Mapping[str, Any]) -> list[str]:
    columns = table["tableau"]
    heads = [_marked(index, table.get("from_column"), table.get("to_column")) for index in range(len(columns))]
    rows = [
        "".join(f"{card_text(column[row]['card']) if row < len(column) else '':<7}" for column in columns)
        for row in range(max((len(column) for column in columns), default=0))
    ]
    return ["tableau:", "".join(f"{head:<7}" for head in heads), *rows]


def _codes(value: Any) -> list[str]:
    """All cards of a value, without the way they lie."""
    if isinstance(value, list):
        return [code for item in value for code in _codes(item)]
    if isinstance(value, dict) and "card" in value:
        return [str(value["card"])[:2]]
    if isinstance(value, dict) and ("deck" in value or "tuple" in value):
        inside = value.get("tuple") or [{"card": code} for code in value.get("deck", ())]
        return [code for item in inside for code in _codes(item)]
    return []


def _moved_card(table: Mapping[str, Any]) -> str:
    """The card that the call asks to move."""
    pile = table["tableau"][table["from_column"]] if "from_column" in table else table["waste"]
    return str(pile[-1]["card"])[:2] if pile else ""


def _last_card(table: Mapping[str, Any]) -> str:
    """The card it is to be laid on, or nothing for an empty pile."""
    pile = table["foundation"][table["to_pile"]] if "to_pile" in table else table["tableau"][table["to_column"]]
    return str(pile[-1]["card"])[:2] if pile else ""


def _changed(before: Any, after: Any) -> set[int]:
    """The indices of the piles that are not as they were."""
    if not isinstance(after, list) or len(after) != len(before):
        return set()
    return {index for index, (old, new) in enumerate(zip(before, after, strict=True)) if old != new}


def used_the_pile_before(case: Any, expected: Any, actual: Any) -> bool:
    """A card went to, or came from, the pile whose index is one less than the one that was given."""
    before, after = _named(case.function, case.args), _named(case.function, actual.args)
    for piles, numbers in (("foundation", ("to_pile",)), ("tableau", ("from_column", "to_column"))):
        if piles not in before or piles not in after:
            continue
        given = {before[number] for number in numbers if number in before}
        one_less = {(number - 1) % len(before[piles]) for number in given}
        if (_changed(before[piles], after[piles]) - given) & one_less:
            return True
    return False


def lost_a_card(case: Any, expected: Any, actual: Any) -> bool:
    """There are fewer cards after the call than before."""
    return actual.raised is None and bool(actual.args) and len(_codes(list(actual.args))) < len(_codes(list(case.args)))


def _refused(expected: Any, actual: Any) -> bool:
    return expected.returned is True and actual.returned is False


def _let_through(expected: Any, actual: Any) -> bool:
    return expected.returned is False and actual.returned is True


def refused_an_ace(case: Any, expected: Any, actual: Any) -> bool:
    """An ace was not let onto an empty foundation."""
    return _refused(expected, actual) and _moved_card(_named(case.function, case.args))[:1] == "A"


def let_any_card_into_an_empty_column(case: Any, expected: Any, actual: Any) -> bool:
    """A card that is no king was let into an empty column."""
    return _let_through(expected, actual) and not _last_card(_named(case.function, case.args))


def looked_at_the_suit_for_the_colour(case: Any, expected: Any, actual: Any) -> bool:
    """A card was let onto one of another suit and the same colour."""
    table = _named(case.function, case.args)
    card, last = _moved_card(table), _last_card(table)
    return (
        _let_through(expected, actual) and bool(last) and card[1] != last[1] and _COLOURS[card[1]] == _COLOURS[last[1]]
    )


def _uncovered(function: str, args: Any, column: int) -> str:
    """The last card of a column, with the way it lies, or nothing."""
    tableau = _named(function, args).get("tableau")
    pile = tableau[column] if isinstance(tableau, list) and len(tableau) > column else []
    last = pile[-1] if isinstance(pile, list) and pile else {}
    return str(last.get("card", "")) if isinstance(last, dict) else ""


def _face_down(case: Any, expected: Any, actual: Any) -> str:
    """The card that the move uncovers, as it lay before, if it should be face up now and lies face down."""
    table = _named(case.function, case.args)
    if "from_column" not in table or len(table["tableau"][table["from_column"]]) < 2:
        return ""
    column = table["from_column"]
    before = str(table["tableau"][column][-2]["card"])
    right, seen = (_uncovered(case.function, call.args, column) for call in (expected, actual))
    return before if right == before[:2] and seen == f"{right}-" else ""


def left_the_card_face_down(case: Any, expected: Any, actual: Any) -> bool:
    """The uncovered card was face down and still is."""
    return _face_down(case, expected, actual).endswith("-")


def turned_a_card_that_was_face_up(case: Any, expected: Any, actual: Any) -> bool:
    """The uncovered card was face up and is no longer."""
    card = _face_down(case, expected, actual)
    return bool(card) and not card.endswith("-")


def overlooked_what_is_left(case: Any, expected: Any, actual: Any) -> bool:
    """A game that goes on was called won."""
    return _let_through(expected, actual)


def _columns(seen: Any) -> list[Any] | None:
    """The tableau of a dealt game, if seven columns can be seen."""
    returned = seen.returned
    parts = returned.get("tuple") if isinstance(returned, dict) else returned
    tableau = parts[0] if isinstance(parts, list) and parts else None
    if not isinstance(tableau, list) or len(tableau) != _COLUMN_COUNT:
        return None
    return tableau if all(isinstance(column, list) for column in tableau) else None


def dealt_column_by_column(case: Any, expected: Any, actual: Any) -> bool:
    """The right number of cards in each column, in the order of the columns."""
    right, seen = _columns(expected), _columns(actual)
    if right is None or seen is None or [len(column) for column in seen] != [len(column) for column in right]:
        return False
    order = [str(code) for code in case.deck or ()][: len(_codes(seen))]
    return _codes(seen) == order and _codes(right) != order


def turned_the_wrong_way(case: Any, expected: Any, actual: Any) -> bool:
    """The right cards in the right places, but not face up and face down as they should be."""
    right, seen = _columns(expected), _columns(actual)
    same_places = (
        right is not None and seen is not None and [_codes(one) for one in right] == [_codes(one) for one in seen]
    )
    return same_places and right != seen
