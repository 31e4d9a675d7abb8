"""Finding cards in a line of text, whatever the game: `10♦`, `XX`, and `7c+` or `??` between square brackets."""

from __future__ import annotations

import dataclasses
import re

_DRAWN = re.compile(r"(?:10|[2-9TJQKA])[♣♦♥♠]|\b(?:XX|xx)\b")
_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_LETTERED = re.compile(r"(?<![\w?])(?:(?:10|[2-9TJQKA])[cdhsCDHS][+-]?|\?\?)(?![\w?])")


@dataclasses.dataclass(frozen=True)
class Spot:
    """A card and where it stands in its line."""

    start: int
    end: int
    text: str


def cards_in(line: str) -> tuple[Spot, ...]:
    """The cards of a line from left to right."""
    found = [Spot(match.start(), match.end(), match[0]) for match in _DRAWN.finditer(line)]
    for bracket in _BRACKETS.finditer(line):
        found += [
            Spot(match.start(), match.end(), match[0])
            for match in _LETTERED.finditer(line, bracket.start(), bracket.end())
        ]
    return tuple(sorted(found, key=lambda spot: spot.start))


def without_cards(line: str) -> str:
    """The line with its cards and blanks taken out."""
    for spot in reversed(cards_in(line)):
        line = line[: spot.start] + line[spot.end :]
    return "".join(line.split())


def card_at(line: str, column: int) -> str:
    """The card that covers the column, or an empty text."""
    return next((spot.text for spot in cards_in(line) if spot.start <= column < spot.end), "")
