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


def cards_at(line: str, other: str, column: int) -> tuple[str, str]:
    """The cards of two lines that stand at or over the column where they first differ; empty where there is none."""
    spot, other_spot = (_covering(text, column, column + 1) for text in (line, other))
    if spot is None and other_spot is None:
        spot, other_spot = (_next(text, column) for text in (line, other))
    if spot and not other_spot:
        other_spot = _covering(other, spot.start, spot.end)
    if other_spot and not spot:
        spot = _covering(line, other_spot.start, other_spot.end)
    return spot.text if spot else "", other_spot.text if other_spot else ""


def _covering(line: str, start: int, end: int) -> Spot | None:
    return next((spot for spot in cards_in(line) if spot.start < end and start < spot.end), None)


def _next(line: str, column: int) -> Spot | None:
    """The card that follows the column after nothing but blanks."""
    spots = (spot for spot in cards_in(line) if spot.start >= column)
    return next((spot for spot in spots if not line[column : spot.start].strip()), None)
