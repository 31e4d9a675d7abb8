"""Where two sequences differ, with bounded work.

Myers' greedy algorithm finds the fewest edits in time that grows with their number. Past the bounds below the rest
is one hunk: coarse, but found at once. `difflib` is not used because it takes minutes over many equal lines.
"""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

MAX_EDITS = 300
MAX_STEPS = 1_000_000


@dataclasses.dataclass(frozen=True)
class Hunk:
    """`expected[start:stop]` stands where the other side has `actual[other_start:other_stop]`."""

    start: int
    stop: int
    other_start: int
    other_stop: int


def hunks(expected: Sequence[Hashable], actual: Sequence[Hashable]) -> tuple[Hunk, ...]:
    """The stretches that differ, in order; none if the sequences are equal."""
    matched = [(-1, -1), *matches(expected, actual), (len(expected), len(actual))]
    found = (Hunk(one[0] + 1, two[0], one[1] + 1, two[1]) for one, two in pairwise(matched))
    return tuple(hunk for hunk in found if hunk.start < hunk.stop or hunk.other_start < hunk.other_stop)


def matches(expected: Sequence[Hashable], actual: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Pairs of places that hold the same, rising on both sides."""
    shorter = min(len(expected), len(actual))
    head = 0
    while head < shorter and expected[head] == actual[head]:
        head += 1
    tail = 0
    while tail < shorter - head and expected[-1 - tail] == actual[-1 - tail]:
        tail += 1
    numbers: dict[Hashable, int] = {}
    inner = [numbers.setdefault(item, len(numbers)) for item in expected[head : len(expected) - tail]]
    other = [numbers.setdefault(item, len(numbers)) for item in actual[head : len(actual) - tail]]
    middle = [(head + place, head + where) for place, where in _fewest_edits(inner, other)]
    ends = [(len(expected) - back, len(actual) - back) for back in range(tail, 0, -1)]
    return [(place, place) for place in range(head)] + middle + ends


def _fewest_edits(expected: list[int], actual: list[int]) -> list[tuple[int, int]]:
    """The pairs a shortest edit script keeps, or none at all if it would be too long to find."""
    furthest, trace, steps = {1: 0}, [], 0
    for edits in range(min(MAX_EDITS, len(expected) + len(actual)) + 1):
        trace.append(dict(furthest))
        for diagonal in range(-edits, edits + 1, 2):
            start = _entry(furthest, diagonal, edits)
            place = _slide(expected, actual, start, start - diagonal)
            steps += place - start + 1
            furthest[diagonal] = place
            if place >= len(expected) and place - diagonal >= len(actual):
                return _walk_back(trace, len(expected), len(actual))
            if steps > MAX_STEPS:
                return []
    return []


def _entry(furthest: dict[int, int], diagonal: int, edits: int) -> int:
    """Where a path comes onto the diagonal: down from the one above, or one to the right from the one below."""
    return furthest[diagonal + 1] if _comes_down(furthest, diagonal, edits) else furthest[diagonal - 1] + 1


def _comes_down(furthest: dict[int, int], diagonal: int, edits: int) -> bool:
    return diagonal == -edits or (diagonal != edits and furthest[diagonal - 1] < furthest[diagonal + 1])


def _slide(expected: list[int], actual: list[int], place: int, where: int) -> int:
    while place < len(expected) and where < len(actual) and expected[place] == actual[where]:
        place += 1
        where += 1
    return place


def _walk_back(trace: list[dict[int, int]], place: int, where: int) -> list[tuple[int, int]]:
    kept = []
    for edits in range(len(trace) - 1, -1, -1):
        furthest, diagonal = trace[edits], place - where
        entry = _entry(furthest, diagonal, edits)
        while place > entry:
            place, where = place - 1, where - 1
            kept.append((place, where))
        down = _comes_down(furthest, diagonal, edits)
        place, where = (place, where - 1) if down else (place - 1, where)
    return kept[::-1]
