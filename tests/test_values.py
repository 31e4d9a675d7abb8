"""Values as plain data: sameness with types, and how a person sees them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.values import canonical, card, cards, deck, is_plain, same, shown, source

codes = st.builds(
    lambda rank, suit, face: rank + suit + face,
    st.sampled_from("A23456789TJQK"),
    st.sampled_from("CDHS"),
    st.sampled_from(["", "-"]),
)
leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.text(max_size=5),
    st.floats().map(lambda number: {"float": repr(number)}),
    codes.map(card),
    st.lists(codes, max_size=3).map(deck),
    st.binary(max_size=3).map(lambda data: {"bytes": data.hex()}),
)
values = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(lambda items: {"tuple": items}),
        st.lists(st.tuples(st.text(max_size=2), inner).map(list), max_size=3, unique_by=lambda pair: pair[0]).map(
            lambda pairs: {"dict": pairs}
        ),
    ),
    max_leaves=8,
)


@given(values)
def test_a_plain_value_is_the_same_as_itself(value: Any) -> None:
    assert is_plain(value)
    assert same(value, value)


@given(values, values)
def test_sameness_is_equality_of_the_text(one: Any, other: Any) -> None:
    ordered = "dict" in canonical(one) + canonical(other)
    assert ordered or same(one, other) == (canonical(one) == canonical(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (True, 1),
        (1, {"float": "1.0"}),
        ([1, 2], {"tuple": [1, 2]}),
        (card("5S"), card("5S-")),
        ("5", 5),
        (None, False),
        ([], None),
        ({"object": "X"}, {"object": "X"}),
        ({"bad": "cyclic"}, {"bad": "cyclic"}),
        ({"dict": [["a", 1]]}, {"dict": [["a", 2]]}),
        ({"float": "0.0"}, {"float": "-0.0"}),
        (deck(["AS"]), [card("AS")]),
    ],
)
def test_what_differs_in_type_differs(one: Any, other: Any) -> None:
    assert not same(one, other)


def test_dicts_may_differ_in_order() -> None:
    assert same({"dict": [["a", 1], ["b", 2]]}, {"dict": [["b", 2], ["a", 1]]})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (card("TD"), "10♦"),
        (card("5S-"), "(5♠)"),
        (cards("AS KH"), "[A♠, K♥]"),
        ({"tuple": [1]}, "(1,)"),
        ({"set": []}, "set()"),
        ({"dict": [["a", None]]}, "{'a': None}"),
        ({"object": "Pile"}, "<Pile object>"),
        (deck(["AC"]), "Deck[A♣]"),
        (card("00"), "--"),
    ],
)
def test_a_value_as_a_person_reads_it(value: Any, text: str) -> None:
    assert shown(value) == text


@given(values)
def test_every_value_can_be_shown_and_written(value: Any) -> None:
    assert shown(value)
    compile(source(value), "value", "eval")
