"""The decoder must survive anything that an enemy writes, and let through only what `harness.values` draws."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.sandbox import protocol
from harness.sandbox.protocol import GarbledError, Inbox
from harness.values import DECK, Value

codes = st.sampled_from(["00", *DECK, *(f"{card}-" for card in DECK)])
leaves = (
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.floats().map(lambda number: {"float": repr(number)})
    | st.binary().map(lambda data: {"bytes": data.hex()})
    | codes.map(lambda code: {"card": code})
    | st.lists(codes).map(lambda cards: {"deck": cards})
    | st.text("abc").map(lambda name: {"object": name})
)
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(lambda items: {"tuple": items})
        | st.lists(st.tuples(inner, inner).map(list)).map(lambda pairs: {"dict": pairs})
    ),
)
nonsense = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(["card", "deck", "pile", "dict"]), inner)
    ),
)


@given(values)
def test_a_value_comes_through_unchanged(value: Value) -> None:
    frame = protocol.pack({"call": value})
    inbox = Inbox()
    inbox.add(frame)
    assert protocol.value(protocol.decode(inbox.frames[0])["call"]) == value


@given(nonsense)
def test_nonsense_is_a_value_or_bad_but_never_an_error(tree: Any) -> None:
    found = protocol.value(tree)
    assert protocol.value(found) == found


@given(st.binary())
def test_any_bytes_are_frames_or_garbled(data: bytes) -> None:
    inbox = Inbox()
    inbox.add(data)
    for frame in inbox.frames:
        try:
            assert len(protocol.decode(frame)) == 1
        except GarbledError:
            continue
    assert inbox.garbled or inbox.rest <= len(data)


@given(st.lists(st.binary(max_size=50)), st.integers(1, 7))
def test_frames_are_the_same_however_they_arrive(bodies: list[bytes], step: int) -> None:
    data = b"".join(struct.pack(">I", len(body)) + body for body in bodies)
    inbox = Inbox()
    for start in range(0, len(data), step):
        inbox.add(data[start : start + step])
    assert inbox.frames == bodies
    assert not inbox.garbled
    assert inbox.rest == 0


@pytest.mark.parametrize(
    "body",
    [
        b'{"a": 1, "a": 2}',
        b'{"a": NaN}',
        b'{"a": Infinity}',
        b'{"a": 1.5}',
        b'{"a": ' + b"9" * 2000 + b"}",
        b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"a": ' + b"[" * 500 + b"]" * 500 + b"}",
        b'{"a": 1, "b": 2}',
        b"[1]",
        b'"text"',
        b'{"a": "\xff"}',
        b"",
    ],
)
def test_what_json_would_take_is_refused(body: bytes) -> None:
    with pytest.raises(GarbledError):
        protocol.decode(body)


@pytest.mark.parametrize(
    "tree",
    [
        {"card": "1S"},
        {"card": ["5S"]},
        {"card": "5S", "deck": []},
        {"pile": "5S  6H"},
        {"pile": ["5S"]},
        {"deck": ["5S", 6]},
        {"float": "1.50"},
        {"float": "one"},
        {"bytes": "0"},
        {"bytes": "FF"},
        {"dict": [[1, 2, 3]]},
        {"tuple": {}},
        {"unheard": 1},
        {},
        "\ud800",
        "x" * 200_000,
        [0] * 30_000,
    ],
)
def test_a_lying_value_is_bad_as_a_whole(tree: Any) -> None:
    assert list(protocol.value([tree, 1])) == ["bad"]


def test_a_nested_value_has_a_bottom() -> None:
    tree: Any = 0
    for _ in range(80):
        tree = [tree]
    assert "bad" in protocol.value(tree)


def test_a_pile_is_spelled_out() -> None:
    assert protocol.value({"pile": "5S 6H-"}) == [{"card": "5S"}, {"card": "6H-"}]


def test_a_flood_of_results_is_cut_off() -> None:
    inbox = Inbox()
    inbox.add(struct.pack(">I", protocol.MAX_FRAME + 1))
    assert inbox.garbled
    many = Inbox()
    many.add(struct.pack(">I", 0) * (protocol.MAX_FRAMES + 1))
    assert many.garbled
    assert len(many.frames) == protocol.MAX_FRAMES


def test_pack_is_what_the_worker_writes() -> None:
    assert protocol.pack({"ready": 1})[4:] == json.dumps({"ready": 1}, separators=(",", ":")).encode()
