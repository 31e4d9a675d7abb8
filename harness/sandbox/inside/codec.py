"""Values in and out of the student's process.

Out: exact types only; a subclass, a cycle, or a value too deep, too large or too long is `{"bad": reason}`.
On the wire a list that holds nothing but cards is `{"pile": "5S 6H- TD"}`, which the decoder outside spells out again.
"""

from __future__ import annotations

import builtins
import json
import os
import struct
import sys
from collections.abc import Callable
from typing import Any

globals()["__builtins__"] = dict(vars(builtins))

MAX_DEPTH = 50
MAX_NODES = 20_000
MAX_TEXT = 100_000
MAX_BITS = 3321
MAX_ALIASES = 100
RANKS = "A23456789TJQK"
SUITS = "CDHS"

_write = os.write
_pack_length = struct.Struct(">I").pack
_get = object.__getattribute__
_BASES = (bool, int, float, str, bytes, list, tuple, set, frozenset, dict)
_CODES = {
    (rank + 1, suit + 1, face): RANKS[rank] + SUITS[suit] + ("" if face else "-")
    for rank in range(13)
    for suit in range(4)
    for face in (True, False)
} | {(0, 0, True): "00", (0, 0, False): "00"}


def _make_encoder() -> Callable[[Any], str]:
    """JSON by the C code alone: the part of it that is Python uses builtins that a student can replace."""
    make = getattr(json.encoder, "c_make_encoder", None)
    escape = getattr(json.encoder, "c_encode_basestring_ascii", None)
    if make is None or escape is None:
        return json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
    encode = make(None, repr, escape, None, ":", ",", False, False, False)
    return lambda tree: "".join(encode(tree, 0))


_to_json = _make_encoder()


class UnfitError(Exception):
    """A value that cannot be carried; its text is the reason."""


class Frames:
    """The way out: each frame is four bytes of length and that many bytes of JSON."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def send(self, frame: dict[str, Any]) -> None:
        body = _to_json(frame).encode("ascii")
        rest = _pack_length(len(body)) + body
        while rest:
            rest = rest[_write(self._descriptor, rest) :]


class Kinds:
    """The supplied classes that count as values, as they were before any student code ran."""

    def __init__(self, card: type | None = None, deck: type | None = None) -> None:
        self.card = card
        self.deck = deck

    def make_card(self, code: str) -> Any:
        """A card from its code: `5S`, `5S-` face down, `00` blank."""
        if self.card is None:
            raise LookupError("a card is wanted, but no supplied module has cards")
        if code == "00":
            return self.card()
        card = self.card(RANKS.index(code[0]) + 1, SUITS.index(code[1]) + 1)
        if code.endswith("-"):
            card.flip_card()
        return card

    def make_deck(self, codes: list[str]) -> Any:
        """A deck that holds these cards, bottom first."""
        if self.deck is None:
            raise LookupError("a deck is wanted, but no supplied module has decks")
        deck: Any = object.__new__(self.deck)
        deck._Deck__deck = [self.make_card(code) for code in codes]  # noqa: SLF001
        return deck

    def card_code(self, card: Any) -> str:
        """The code of a supplied card, read past anything a student may have replaced."""
        state = _get(card, "__dict__")
        rank, suit, face = state.get("_Card__rank"), state.get("_Card__suit"), state.get("_Card__face_up", True)
        if type(rank) is not int or type(suit) is not int or type(face) is not bool:
            raise UnfitError("a card whose inside was changed")
        code = _CODES.get((rank, suit, face))
        if code is None:
            raise UnfitError("a card whose inside was changed")
        return code


def decode(value: Any, kinds: Kinds, named: dict[str, Any]) -> Any:
    """The object that a value of the job stands for."""
    if type(value) is list:
        return [decode(item, kinds, named) for item in value]
    if type(value) is not dict:
        return value
    ((tag, content),) = value.items()
    if tag == "card":
        return kinds.make_card(content)
    if tag == "deck":
        return kinds.make_deck(content)
    if tag == "same":
        return named[content]
    if tag == "dict":
        return {decode(key, kinds, named): decode(item, kinds, named) for key, item in content}
    if tag in _FROM_TEXT:
        return _FROM_TEXT[tag](content)
    return _FROM_LIST[tag](decode(content, kinds, named))


_FROM_TEXT: dict[str, Any] = {"float": float, "bytes": bytes.fromhex}
_FROM_LIST: dict[str, Any] = {"tuple": tuple, "set": set, "frozenset": frozenset}


class Observer:
    """Turns the values of one observation into plain data and notes which containers are one and the same object."""

    def __init__(self, kinds: Kinds, named: dict[int, str] | None = None) -> None:
        self.aliases: list[tuple[str, str]] = []
        self._kinds = kinds
        self._named = named or {}
        self._nodes = 0
        self._first: dict[int, str] = {}
        self._inside: set[int] = set()
        self._keep: list[Any] = []

    def see(self, value: Any, path: str) -> Any:
        """The value as plain data, or the reason why it cannot be carried."""
        try:
            return self._see(value, path, 0)
        except UnfitError as reason:
            self._inside.clear()
            return {"bad": str(reason)}

    def _see(self, value: Any, path: str, depth: int) -> Any:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise UnfitError(f"more than {MAX_NODES} items")
        kind = type(value)
        if id(value) in self._named:
            return {"same": self._named[id(value)]}
        if kind in _SIMPLE:
            return _SIMPLE[kind](value)
        if kind is self._kinds.card and kind is not None:
            return {"card": self._kinds.card_code(value)}
        if kind in _CONTAINERS or (kind is self._kinds.deck and kind is not None):
            return self._container(value, kind, path, depth)
        return _opaque(kind)

    def _container(self, value: Any, kind: type, path: str, depth: int) -> Any:
        if depth >= MAX_DEPTH:
            raise UnfitError(f"nested more than {MAX_DEPTH} deep")
        if id(value) in self._inside:
            raise UnfitError("cyclic: it contains itself")
        if kind in _MUTABLE or kind is self._kinds.deck:
            self._note(value, path)
        self._inside.add(id(value))
        tree = self._open(value, kind, path, depth + 1)
        self._inside.discard(id(value))
        return tree

    def _note(self, value: Any, path: str) -> None:
        first = self._first.setdefault(id(value), path)
        self._keep.append(value)
        if first != path and len(self.aliases) < MAX_ALIASES:
            self.aliases.append((first, path))

    def _open(self, value: Any, kind: type, path: str, depth: int) -> Any:
        if kind is self._kinds.deck:
            return self._deck(value)
        if kind is dict:
            pairs = list(value.items())
            return {"dict": [self._pair(key, item, path, depth) for key, item in pairs]}
        items = list(value)
        if kind is list and items and all(type(item) is self._kinds.card for item in items):
            self._nodes += len(items)
            return {"pile": " ".join(map(self._kinds.card_code, items))}
        trees = [self._see(item, f"{path}[{index}]", depth) for index, item in enumerate(items)]
        if kind is list:
            return trees
        return {kind.__name__: trees if kind is tuple else sorted(trees, key=_to_json)}

    def _pair(self, key: Any, item: Any, path: str, depth: int) -> Any:
        seen = self._see(key, f"{path}.key", depth)
        return [seen, self._see(item, f"{path}[{_to_json(seen)[:60]}]", depth)]

    def _deck(self, value: Any) -> Any:
        inside = _get(value, "__dict__").get("_Deck__deck")
        if type(inside) is not list or len(inside) > 1000:
            raise UnfitError("a deck whose inside was changed")
        if not all(type(card) is self._kinds.card for card in inside):
            raise UnfitError("a deck that holds something other than cards")
        return {"deck": [self._kinds.card_code(card) for card in inside]}


def _integer(value: int) -> Any:
    if value.bit_length() > MAX_BITS:
        raise UnfitError("an integer of more than a thousand digits")
    return value


def _text(value: str) -> Any:
    if len(value) > MAX_TEXT:
        raise UnfitError(f"a text of more than {MAX_TEXT} characters")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise UnfitError("a text that is not valid Unicode") from None
    return value


def _bytes(value: bytes) -> Any:
    if len(value) > MAX_TEXT:
        raise UnfitError(f"more than {MAX_TEXT} bytes")
    return {"bytes": value.hex()}


def _opaque(kind: type) -> Any:
    for base in _BASES:
        if base in type.__dict__["__mro__"].__get__(kind):
            raise UnfitError(f"a subclass of {base.__name__}")
    return {"object": type_name(kind)}


def type_name(kind: type) -> str:
    """The name of a type, bounded, whatever its metaclass pretends."""
    name = type.__dict__["__name__"].__get__(kind)
    return name[:80].encode("ascii", "backslashreplace").decode("ascii") if type(name) is str else "object"


_SIMPLE: dict[type, Any] = {
    type(None): lambda value: value,
    bool: lambda value: value,
    int: _integer,
    float: lambda value: {"float": repr(value)},
    str: _text,
    bytes: _bytes,
}
_CONTAINERS = {list, tuple, set, frozenset, dict}
_MUTABLE = {list, set, dict}

if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(4300)
