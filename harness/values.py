"""Values as plain data: the form in which arguments go in and results come out of the sandbox.

A value is a JSON tree. What JSON has is written as it is: null, true, false, integers, strings, and a list for a list.
Everything else is an object with one tag:

    {"float": "1.5"}                 the text Python's repr gives, so that nan and -0.0 survive
    {"bytes": "00ff"}                hexadecimal
    {"tuple": [...]}   {"set": [...]}   {"frozenset": [...]}   {"dict": [[key, value], ...]}
    {"card": "5S"}                   a supplied card: rank A23456789TJQK, suit C D H S; "5S-" lies face down; "00" is blank
    {"deck": ["AC", "5S-", ...]}     a supplied deck, bottom first, so that the last one is dealt next
    {"same": "name"}                 the very object that an earlier step of a script called `name`
    {"object": "TypeName"}           something else: it equals nothing, not even itself
    {"bad": "reason"}                a value that cannot be carried: cyclic, too deep, too large, a lying subclass

Sets are sorted by their encoding and dicts keep their order. Two values are the same exactly if their trees are,
types included, so `True`, `1` and `1.0` differ and a tuple is not a list.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

Value = Any
"""A JSON tree as the module docstring draws it."""

RANKS = "A23456789TJQK"
SUITS = "CDHS"
PIPS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""A fresh deck, bottom first, as the supplied modules build it."""

_CONTAINERS = ("tuple", "set", "frozenset")


def card(code: str) -> Value:
    """A card lying face up for `5S`, face down for `5S-`."""
    return {"card": code}


def cards(text: str) -> list[Value]:
    """A pile from text a person can type: `5S 6H- TD`."""
    return [card(code) for code in text.split()]


def deck(codes: list[str] | tuple[str, ...]) -> Value:
    """A supplied deck, bottom first."""
    return {"deck": list(codes)}


def tuple_(*items: Value) -> Value:
    return {"tuple": list(items)}


def same(expected: Value, actual: Value) -> bool:
    """Equal, types included. Dicts may differ in order; an opaque or bad value equals nothing."""
    if expected == actual:
        # Nearly all values that are compared are equal; one look at the text is far quicker than a walk of the tree.
        text = repr(expected)
        if text == repr(actual) and "'object'" not in text and "'bad'" not in text:
            return True
    return _same_tree(expected, actual)


def _same_tree(expected: Value, actual: Value) -> bool:
    if isinstance(expected, dict) != isinstance(actual, dict):
        return False
    if isinstance(expected, dict):
        return _same_tagged(expected, actual)
    if isinstance(expected, list):
        return (
            isinstance(actual, list)
            and len(expected) == len(actual)
            and all(_same_tree(one, other) for one, other in zip(expected, actual, strict=True))
        )
    return type(expected) is type(actual) and bool(expected == actual)


def _same_tagged(expected: dict[str, Value], actual: dict[str, Value]) -> bool:
    if expected.keys() != actual.keys() or "object" in expected or "bad" in expected:
        return False
    if "dict" in expected:
        pairs = {canonical(key): value for key, value in expected["dict"]}
        others = {canonical(key): value for key, value in actual["dict"]}
        return pairs.keys() == others.keys() and all(_same_tree(pairs[key], others[key]) for key in pairs)
    return all(_same_tree(expected[tag], actual[tag]) for tag in expected)


def canonical(value: Value) -> str:
    """One line of JSON, the same for the same value."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def is_plain(value: Value) -> bool:
    """No opaque and no bad value anywhere inside."""
    if isinstance(value, dict):
        return not ({"object", "bad"} & value.keys()) and all(is_plain(item) for item in value.values())
    return all(is_plain(item) for item in value) if isinstance(value, list) else True


def shown(value: Value) -> str:
    """The value as a person reads it: cards as on the screen, the rest as Python writes it."""
    if isinstance(value, list):
        return "[" + ", ".join(shown(item) for item in value) + "]"
    if not isinstance(value, dict):
        return repr(value)
    tag, content = next(iter(value.items()))
    if tag in _CONTAINERS:
        return _shown_container(tag, [shown(item) for item in content])
    if tag == "dict":
        return "{" + ", ".join(f"{shown(key)}: {shown(item)}" for key, item in content) + "}"
    return _SHOWN[tag](content)


def _shown_container(tag: str, items: list[str]) -> str:
    inside = ", ".join(items)
    if tag == "tuple":
        return f"({inside},)" if len(items) == 1 else f"({inside})"
    if not items:
        return f"{tag}()"
    return "{" + inside + "}" if tag == "set" else f"frozenset({{{inside}}})"


def card_text(code: str) -> str:
    """`10♦` for `TD`, `(10♦)` if it lies face down, `--` for a blank card."""
    if code == "00":
        return "--"
    face = code[:2]
    text = ("10" if face[0] == "T" else face[0]) + PIPS[face[1]]
    return f"({text})" if code.endswith("-") else text


_SHOWN: Mapping[str, Callable[[Any], str]] = {
    "float": str,
    "bytes": lambda content: repr(bytes.fromhex(content)),
    "card": card_text,
    "deck": lambda content: f"Deck[{', '.join(card_text(code) for code in content)}]",
    "same": str,
    "object": lambda content: f"<{content} object>",
    "bad": lambda content: f"<{content}>",
}


def source(value: Value) -> str:
    """Python that rebuilds the value at a prompt after `from cards import Card, Deck`."""
    if isinstance(value, list):
        return "[" + ", ".join(source(item) for item in value) + "]"
    if not isinstance(value, dict):
        return repr(value)
    tag, content = next(iter(value.items()))
    if tag in _CONTAINERS:
        return _shown_container(tag, [source(item) for item in content])
    if tag == "dict":
        return "{" + ", ".join(f"{source(key)}: {source(item)}" for key, item in content) + "}"
    if tag == "float":
        return content if content.lstrip("-")[0].isdigit() else f"float({content!r})"
    if tag == "card":
        return _card_source(content)
    if tag == "deck":
        return f"deck_of([{', '.join(_card_source(code) for code in content)}])"
    return shown(value)


def _card_source(code: str) -> str:
    if code == "00":
        return "Card()"
    text = f"Card({RANKS.index(code[0]) + 1}, {SUITS.index(code[1]) + 1})"
    return f"face_down({text})" if code.endswith("-") else text
