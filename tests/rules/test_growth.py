from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.rules.growth import explained, grows

SIZES = (10, 100, 1000, 10000)

CONSTANT = {
    "always the same": [(size, 6) for size in SIZES],
    "another branch when empty": [(0, 2), (10, 6), (100, 6), (1000, 6)],
    "a dearer branch when not empty": [(0, 3), (10, 12), (100, 12), (1000, 12)],
    "dearer when empty": [(0, 30), (10, 6), (1000, 6)],
    "one dear call among many": [(size, cost) for size in SIZES for cost in (6, 6, 6, 5 * size)],
    "one dear call at the end": [(10, 6), (100, 6), (1000, 6), (10000, 30000)],
    "just within the slack": [(10, 4), (100, 9)],
    "one of two steps": [(10, 4), (100, 4), (1000, 40)],
    "a step up and down": [(10, 6), (100, 9), (1000, 6), (10000, 8)],
}

GROWING = {
    "in proportion": [(size, 2 * size + 4) for size in SIZES],
    "squared": [(size, size * size) for size in SIZES],
    "by halving": [(size, 12 + 3 * int(math.log2(size))) for size in SIZES],
    "in proportion, two sizes": [(10, 24), (1000, 2004)],
    "just beyond the slack": [(10, 4), (100, 10)],
    "slowly": [(size, 50 + size // 10) for size in SIZES],
    "in no order": [(1000, 2000), (10, 20), (100, 200)],
}


@pytest.mark.parametrize("counts", CONSTANT.values(), ids=CONSTANT.keys())
def test_constant_cost_does_not_grow(counts: list[tuple[int, int]]) -> None:
    assert not grows(counts)


@pytest.mark.parametrize("counts", GROWING.values(), ids=GROWING.keys())
def test_growing_cost_is_seen(counts: list[tuple[int, int]]) -> None:
    assert grows(counts)


def test_the_explanation_shows_the_counts() -> None:
    growth = explained([(10, 24), (1000, 2004)], "cards")
    assert growth.grows
    assert (
        growth.explanation
        == "The work grows with the size: it took 24 steps with 10 cards, 2004 steps with 1000 cards."
    )
    assert "it took 6.5 steps with 10 elements" in explained([(10, 6), (10, 7), (1000, 6)]).explanation
    assert explained([(10, 6), (1000, 6)]).explanation.startswith(
        "The work stays the same for every size: it took 6 steps"
    )


@pytest.mark.parametrize("counts", [[], [(10, 5)], [(10, 5), (10, 6)]])
def test_one_size_says_nothing(counts: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="two sizes"):
        grows(counts)


@given(
    st.lists(st.integers(0, 10**6), min_size=2, max_size=6, unique=True),
    st.integers(1, 100),
    st.integers(0, 1000),
    st.randoms(),
)
def test_the_order_of_counts_does_not_matter(sizes: list[int], factor: int, constant: int, random: object) -> None:
    counts = [(size, factor * size + constant) for size in sizes]
    mixed = list(counts)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert grows(counts) == grows(mixed)


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=6, unique=True), st.integers(0, 1000), st.data())
def test_a_few_steps_more_or_less_are_no_growth(sizes: list[int], constant: int, data: st.DataObject) -> None:
    counts = [(size, constant + data.draw(st.integers(0, 4))) for size in sizes]
    assert not grows(counts)
