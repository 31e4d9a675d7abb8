"""Aces Up: how a board is drawn, and mistakes that can be recognised from an answer."""

from __future__ import annotations

from typing import Any

from harness.values import card_text


def draw(case: Any) -> str:
    """The columns side by side, as the game shows them, with the column that is asked about marked."""
    tableau = next(
        (
            value
            for value in case.args
            if isinstance(value, list) and value and all(isinstance(pile, list) for pile in value)
        ),
        None,
    )
    if tableau is None:
        return ""
    chosen = [value for value in case.args if isinstance(value, int)]
    heads = [f"{f'>{number}' if number in chosen else number:<5}" for number in range(1, len(tableau) + 1)]
    rows = [
        "".join(f"{card_text(pile[row]['card']) if row < len(pile) else '':<5}" for pile in tableau)
        for row in range(max((len(pile) for pile in tableau), default=0))
    ]
    stock = next((value["deck"] for value in case.args if isinstance(value, dict) and "deck" in value), None)
    above = [] if stock is None else [f"stock: {len(stock)} cards"]
    return "\n".join(line.rstrip() for line in [*above, "".join(heads), *rows])


def _bottoms(case: Any) -> list[str]:
    return [pile[-1]["card"] if pile else "" for pile in case.args[0]]


def ace_is_low(case: Any, expected: Any, actual: Any) -> bool:
    """The answer would be right if the ace were the lowest card: an ace of the moved card's suit decides it."""
    if expected.returned == actual.returned:
        return False
    bottoms = _bottoms(case)
    moved = bottoms[case.args[1] - 1]
    return moved[:1] == "A" or any(code == f"A{moved[1:2]}" for code in bottoms)


def counts_columns_from_zero(case: Any, expected: Any, actual: Any) -> bool:
    """It stopped with an IndexError at the last column."""
    return actual.raised is not None and actual.raised.type == "IndexError" and 4 in case.args[1:]
