"""Frames from the student's process, decoded as if an enemy had written them, because one may have.

A frame is four bytes of length, big-endian, and that many bytes of JSON. Sizes, depth, digits and tags are bounded;
duplicate keys, NaN and fractions are refused; a value with an unknown tag becomes `{"bad": …}`.
Nothing decoded here is ever executed, and nothing here trusts a length before it is checked.
"""

from __future__ import annotations

import dataclasses
import json
import struct
from collections.abc import Mapping
from typing import Any

from harness.values import RANKS, SUITS, Value

MAX_FRAME = 8 * 1024 * 1024
MAX_TOTAL = 64 * 1024 * 1024
MAX_FRAMES = 60_000
MAX_DEPTH = 120
MAX_VALUE_DEPTH = 60
MAX_NODES = 25_000
MAX_TEXT = 100_000
MAX_DIGITS = 1001

_HEAD = struct.Struct(">I")
_CARDS: Mapping[str, Value] = {
    code: {"card": code} for code in ("00", *(r + s + face for r in RANKS for s in SUITS for face in ("", "-")))
}
_LISTS = frozenset({"tuple", "set", "frozenset"})
_TEXTS = frozenset({"same", "object", "bad"})


class GarbledError(Exception):
    """The student's process sent something that is no frame of ours."""


def pack(message: Mapping[str, Any]) -> bytes:
    """One frame: used by tests; the worker has its own."""
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    return _HEAD.pack(len(body)) + body


@dataclasses.dataclass
class Inbox:
    """Bytes as they arrive, cut into whole frames."""

    frames: list[bytes] = dataclasses.field(default_factory=list)
    garbled: str = ""
    _buffer: bytearray = dataclasses.field(default_factory=bytearray)
    _total: int = 0

    def add(self, chunk: bytes) -> None:
        """Take in what arrived; after the first sign of garbage nothing more is looked at."""
        if self.garbled:
            return
        self._total += len(chunk)
        self._buffer += chunk
        if self._total > MAX_TOTAL:
            self.garbled = "more results than any honest run sends"
        while not self.garbled and len(self._buffer) >= _HEAD.size:
            (length,) = _HEAD.unpack_from(self._buffer)
            if length > MAX_FRAME or len(self.frames) >= MAX_FRAMES:
                self.garbled = "a result too large to be honest"
            elif len(self._buffer) < _HEAD.size + length:
                break
            else:
                self.frames.append(bytes(self._buffer[_HEAD.size : _HEAD.size + length]))
                del self._buffer[: _HEAD.size + length]

    @property
    def rest(self) -> int:
        """How many bytes came that make no whole frame."""
        return len(self._buffer)


def decode(body: bytes) -> dict[str, Any]:
    """One frame as a dict, or `GarbledError`."""
    try:
        found = json.loads(
            body.decode("ascii"),
            object_pairs_hook=_unique,
            parse_constant=_refuse,
            parse_float=_refuse,
            parse_int=_integer,
        )
    except (ValueError, RecursionError) as error:
        raise GarbledError(f"not a frame: {type(error).__name__}") from None
    if type(found) is not dict or len(found) != 1:
        raise GarbledError("not a frame: one key is wanted")
    if _depth(found) > MAX_DEPTH:
        raise GarbledError("not a frame: nested too deep")
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key twice")
    return found


def _refuse(text: str) -> Any:
    raise ValueError(f"{text[:20]} is no number of ours")


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise ValueError("too many digits")
    return int(text)


def _depth(tree: Any) -> int:
    """How deep the tree is, without recursion."""
    level, depth = [tree], 0
    while level and depth <= MAX_DEPTH:
        depth += 1
        below: list[Any] = []
        for item in level:
            if type(item) is list:
                below.extend(item)
            elif type(item) is dict:
                below.extend(item.values())
        level = below
    return depth


def value(tree: Any) -> Value:
    """A value as `harness.values` draws it; what does not follow that drawing is `{"bad": reason}` as a whole."""
    try:
        return _Reader().read(tree, 0)
    except GarbledError as reason:
        return {"bad": str(reason)}


class _Reader:
    def __init__(self) -> None:
        self.nodes = 0

    def read(self, tree: Any, depth: int) -> Value:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise GarbledError("more items than can be carried")
        if depth > MAX_VALUE_DEPTH:
            raise GarbledError("nested too deep")
        kind = type(tree)
        if tree is None or kind is bool or kind is int:
            return tree
        if kind is str:
            return text(tree)
        if kind is list:
            return [self.read(item, depth + 1) for item in tree]
        if kind is dict and len(tree) == 1:
            ((tag, content),) = tree.items()
            return self._tagged(tag, content, depth)
        raise GarbledError("not a value")

    def _tagged(self, tag: str, content: Any, depth: int) -> Value:
        if tag == "pile" and type(content) is str:
            return self._pile(content.split(" "))
        if tag == "card":
            return _card(content)
        if tag == "deck" and type(content) is list:
            self.nodes += len(content)
            return {"deck": [_card(code)["card"] for code in content]}
        if tag in _LISTS and type(content) is list:
            return {tag: [self.read(item, depth + 1) for item in content]}
        if tag == "dict" and type(content) is list:
            return {"dict": [self._pair(pair, depth + 1) for pair in content]}
        if type(content) is str and tag in _TEXTS:
            return {tag: text(content)}
        if type(content) is str and tag in ("float", "bytes"):
            return _number(content) if tag == "float" else _bytes(content)
        raise GarbledError("an unknown kind of value")

    def _pile(self, codes: list[str]) -> Value:
        self.nodes += len(codes)
        try:
            return [_CARDS[code] for code in codes]
        except KeyError:
            raise GarbledError("not a card") from None

    def _pair(self, pair: Any, depth: int) -> list[Value]:
        if type(pair) is not list or len(pair) != 2:
            raise GarbledError("not a dict")
        return [self.read(item, depth) for item in pair]


def _card(code: Any) -> Value:
    found = _CARDS.get(code) if type(code) is str else None
    if found is None:
        raise GarbledError("not a card")
    return found


def _number(content: str) -> Value:
    """A float as its own repr, so that one number has one spelling."""
    try:
        spelled = repr(float(content[:40]))
    except ValueError:
        raise GarbledError("not a float") from None
    if spelled != content:
        raise GarbledError("not a float as Python writes it")
    return {"float": content}


def _bytes(content: str) -> Value:
    try:
        spelled = bytes.fromhex(content[: 2 * MAX_TEXT]).hex()
    except ValueError:
        raise GarbledError("not bytes") from None
    if spelled != content:
        raise GarbledError("not bytes")
    return {"bytes": content}


def text(content: Any) -> str:
    """A text within bounds that can be written down as UTF-8."""
    if type(content) is not str or len(content) > MAX_TEXT:
        raise GarbledError("a text that is too long")
    try:
        content.encode("utf-8")
    except UnicodeEncodeError:
        raise GarbledError("a text that is not Unicode") from None
    return content
