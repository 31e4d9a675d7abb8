"""Where two sequences differ, and that finding it never takes long."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.compare.align import MAX_EDITS, hunks, matches

SHORT = st.lists(st.sampled_from("abc"), max_size=12)


@given(SHORT, SHORT)
def test_matches_are_equal_and_rise(expected: list[str], actual: list[str]) -> None:
    found = matches(expected, actual)
    assert all(expected[one] == actual[other] for one, other in found)
    assert found == sorted(found)
    assert len({one for one, _ in found}) == len({other for _, other in found}) == len(found)


@given(SHORT, SHORT)
def test_no_longer_common_sequence_exists(expected: list[str], actual: list[str]) -> None:
    lengths = [[0] * (len(actual) + 1) for _ in range(len(expected) + 1)]
    for row, one in enumerate(expected):
        for column, other in enumerate(actual):
            above = max(lengths[row][column + 1], lengths[row + 1][column])
            lengths[row + 1][column + 1] = lengths[row][column] + 1 if one == other else above
    assert len(matches(expected, actual)) == lengths[-1][-1]


@given(SHORT, SHORT)
def test_hunks_turn_one_side_into_the_other(expected: list[str], actual: list[str]) -> None:
    rebuilt, place = [], 0
    for hunk in hunks(expected, actual):
        rebuilt += [*expected[place : hunk.start], *actual[hunk.other_start : hunk.other_stop]]
        place = hunk.stop
    assert rebuilt + expected[place:] == actual


@given(SHORT)
def test_equal_sequences_have_no_hunk(items: list[str]) -> None:
    assert hunks(items, list(items)) == ()


def test_past_the_bound_the_rest_is_one_hunk() -> None:
    expected = [f"a{n}" if n % 2 else "same" for n in range(2 * MAX_EDITS)]
    actual = [f"b{n}" if n % 2 else "same" for n in range(2 * MAX_EDITS)]
    assert len(hunks(expected, actual)) == 1


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        (["x"] * 50_000, ["x"] * 49_000 + ["y"] + ["x"] * 1_500),
        ([f"line {n}" for n in range(50_000)], [f"line {n} " for n in range(50_000)]),
        (["x", "y"] * 25_000, ["y", "x", "x"] * 17_000),
        ([str(n % 7) for n in range(50_000)], [str(n % 6) for n in range(50_000)]),
    ],
)
def test_fifty_thousand_nearly_equal_lines_are_quick(expected: list[str], actual: list[str]) -> None:
    start = time.process_time()
    assert hunks(expected, actual)
    assert time.process_time() - start < 5
