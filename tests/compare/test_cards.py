"""Finding cards in lines of any game."""

from __future__ import annotations

import pytest

from harness.compare.cards import cards_at, cards_in, without_cards


@pytest.mark.parametrize(
    ("line", "cards"),
    [
        ("  1:  2♣ 10♦  K♠", ["2♣", "10♦", "K♠"]),
        ("[ A♣] XX  [   ]", ["A♣", "XX"]),
        ("   Stock [ ?? 7c+ Ac- Th ]", ["??", "7c+", "Ac-", "Th"]),
        ("  Spades [ ]", []),
        ("As you like it: Is it 7c??", []),
        ("EXXON and XX1", []),
    ],
)
def test_cards_are_found_where_cards_are(line: str, cards: list[str]) -> None:
    found = cards_in(line)
    assert [spot.text for spot in found] == cards
    assert all(line[spot.start : spot.end] == spot.text for spot in found)
    assert not any(card in without_cards(line) for card in cards)


@pytest.mark.parametrize(
    ("line", "other", "column", "cards"),
    [
        ("5♠ 7♥", "5♠ 8♥", 3, ("7♥", "8♥")),
        ("5♠ 7♥", "5♠ 7♦", 4, ("7♥", "7♦")),
        (" 10♦", "  9♦", 1, ("10♦", "9♦")),
        ("  9♦", " 10♦", 1, ("9♦", "10♦")),
        ("5♠  7♥", "5♠", 2, ("7♥", "")),
        ("5♠", "5♠  7♥", 2, ("", "7♥")),
        ("5♠     K♥", "5♠  7♥ K♥", 4, ("", "7♥")),
        ("5♠  7♥ K♥", "5♠     K♥", 4, ("7♥", "")),
        ("No.", "So.", 0, ("", "")),
        ("5♠ is x 6♠", "5♠ is y 6♠", 6, ("", "")),
    ],
)
def test_the_cards_at_the_first_difference(line: str, other: str, column: int, cards: tuple[str, str]) -> None:
    assert cards_at(line, other, column) == cards
