"""Which functions a piece of the program belongs to."""

from __future__ import annotations

import types

import pytest

from harness.audit.graph import dependents, owners
from harness.spec import Function, Spec

SOURCE = b"""
LIMIT = 3

def small(a):
    return a < LIMIT

def valid(a):
    return small(a)

def move(a):
    return valid(a) and step(a)

def step(a):
    return a + 1

def main():
    move(2)

main()
"""
SPEC = Spec(
    "tiny",
    "Tiny",
    "",
    "tiny.py",
    functions=types.MappingProxyType({name: Function("") for name in ("valid", "move", "main")}),
)


@pytest.mark.parametrize(
    ("name", "own", "affected"),
    [
        ("LIMIT", ("valid",), ("valid", "move", "main")),
        ("small", ("valid",), ("valid", "move", "main")),
        ("valid", ("valid",), ("valid", "move", "main")),
        ("step", ("move",), ("move", "main")),
        ("main", ("main",), ("main",)),
        ("", (), ()),
    ],
)
def test_a_piece_belongs_to_the_nearest_function_of_the_spec(
    name: str, own: tuple[str, ...], affected: tuple[str, ...]
) -> None:
    assert owners(SOURCE, SPEC, name) == own
    assert dependents(SOURCE, SPEC, name) == affected


def test_a_parameter_is_not_the_variable_of_the_same_name_outside() -> None:
    source = b"def valid(deck):\n    return deck\ndef play(a):\n    return a\ndeck = play(1)\n"
    functions = types.MappingProxyType({name: Function("") for name in ("valid", "play")})
    assert dependents(source, Spec("tiny", "Tiny", "", "tiny.py", functions=functions), "play") == ("play",)


def test_a_method_counts_for_its_class() -> None:
    source = b"SUITS = 'SH'\nclass Card:\n    def suit(self):\n        return SUITS[0]\n"
    functions = types.MappingProxyType({"Card": Function("", kind="class")})
    assert owners(source, Spec("tiny", "Tiny", "", "tiny.py", functions=functions), "SUITS") == ("Card",)


def test_another_spelling_is_the_same_function() -> None:
    functions = types.MappingProxyType({"is_valid": Function("", names=("valid",))})
    assert owners(SOURCE, Spec("tiny", "Tiny", "", "tiny.py", functions=functions), "LIMIT") == ("is_valid",)
