"""Does the cost of an operation grow with the size? Decided from counted steps, never from seconds.

The counts come from the sandbox: (size, steps) pairs, several sizes, any number of counts for each.
"""

from __future__ import annotations

import dataclasses
import itertools
import statistics
from collections.abc import Sequence

FACTOR = 1.25
SLACK = 4
"""A constant cost may differ by a quarter and four steps between sizes: an empty pile often takes another branch."""


@dataclasses.dataclass(frozen=True)
class Growth:
    """The decision and the sentence that explains it."""

    grows: bool
    explanation: str


def grows(counts: Sequence[tuple[int, int]]) -> bool:
    """Whether the steps rise with the size, for most of the sizes and by more than a constant cost may differ."""
    costs = _by_size(counts)
    smallest, largest = costs[0][1], costs[-1][1]
    steps = [after > before for (_, before), (_, after) in itertools.pairwise(costs)]
    return largest > smallest * FACTOR + SLACK and sum(steps) * 2 > len(steps)


def explained(counts: Sequence[tuple[int, int]], what: str = "elements") -> Growth:
    """The decision with the counts behind it, in words."""
    costs = _by_size(counts)
    listed = ", ".join(f"{_number(cost)} steps with {size} {what}" for size, cost in costs)
    decision = grows(counts)
    verdict = "The work grows with the size" if decision else "The work stays the same for every size"
    return Growth(decision, f"{verdict}: it took {listed}.")


def _by_size(counts: Sequence[tuple[int, int]]) -> list[tuple[int, float]]:
    """The middle count of each size, smallest size first: one dear call among many cheap ones is no growth."""
    sizes = sorted({size for size, _ in counts})
    if len(sizes) < 2:
        raise ValueError("growth needs counts at two sizes at least")
    return [(size, statistics.median(cost for other, cost in counts if other == size)) for size in sizes]


def _number(cost: float) -> str:
    """A middle of two counts can be a half."""
    return str(int(cost)) if cost == int(cost) else str(cost)
