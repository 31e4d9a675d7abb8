from __future__ import annotations

from pathlib import Path

import pytest

from harness.rules.outline import MOST_DEFINITIONS, Definition, outline
from harness.rules.source import Source, read
from harness.rules.structure import Difference, Signature, differences, read_signatures

MOVE = Signature("move", ("tableau", "row", "col"))
VALIDATE = Signature("validate_move", ("tableau",))
WINNER = Signature("is_winner", ("foundation",), alternatives=(("tableau", "stock", "waste"),))
DECK = Signature("Deck", kind="class")
EMPTY = Signature("isEmptyDeck", (), owner="Deck", spellings=("isemptyDeck",))


def outline_of(text: str) -> tuple[Definition, ...]:
    source = read("program.py", text.encode())
    assert isinstance(source, Source)
    return outline(source)


def compared(text: str, *expected: Signature) -> list[tuple[str, str, int]]:
    return [(item.kind, item.name, item.line) for item in differences(outline_of(text), expected)]


def only(text: str, *expected: Signature) -> Difference:
    (difference,) = differences(outline_of(text), expected)
    return difference


RIGHT = {
    "as asked for": ("def move(tableau, row, col):\n    pass\n", MOVE),
    "other names of parameters": ("def move(a, b, c):\n    pass\n", MOVE),
    "defaults": ("def move(a, b, c, d=1, *, e=2):\n    pass\n", MOVE),
    "any number": ("def move(*args, **kwargs):\n    pass\n", MOVE),
    "position only": ("def move(a, b, /, c):\n    pass\n", MOVE),
    "a lambda": ("move = lambda a, b, c: a\n", MOVE),
    "another name of a function": ("def go(a, b, c):\n    pass\nmove = go\n", MOVE),
    "imported": ("from helpers import move\n", MOVE),
    "computed": ("import functools\nmove = functools.partial(print)\n", MOVE),
    "decorated, so nobody knows": ("import functools\n@functools.wraps(print)\ndef move(x):\n    pass\n", MOVE),
    "async": ("async def move(a, b, c):\n    pass\n", MOVE),
    "in both arms of an if": (
        "if X:\n    def move(a, b, c):\n        pass\nelse:\n    def move(a, b, c):\n        pass\n",
        MOVE,
    ),
    "in a try": ("try:\n    def move(a, b, c):\n        pass\nexcept E:\n    def move(a, b, c):\n        pass\n", MOVE),
    "the first signature": ("def is_winner(f):\n    pass\n", WINNER),
    "the second signature": ("def is_winner(t, s, w):\n    pass\n", WINNER),
    "full-width letters": ("def ｍｏｖｅ(a, b, c):\n    pass\n", MOVE),  # noqa: RUF001  the point of the test
    "a class": ("class Deck:\n    pass\n", DECK),
    "a named tuple as a class": ("Deck = namedtuple('Deck', 'a')\n", DECK),
    "a method": ("class Deck:\n    def isEmptyDeck(self):\n        pass\n", EMPTY),
    "the other spelling": ("class Deck:\n    def isemptyDeck(self):\n        pass\n", EMPTY),
    "both spellings": ("class Deck:\n    def isEmptyDeck(self):\n        pass\n    isemptyDeck = isEmptyDeck\n", EMPTY),
    "a static method": ("class Deck:\n    @staticmethod\n    def isEmptyDeck():\n        pass\n", EMPTY),
    "a class method": ("class Deck:\n    @classmethod\n    def isEmptyDeck(cls):\n        pass\n", EMPTY),
    "an inherited method": (
        "class Pile:\n    def isEmptyDeck(self):\n        pass\nclass Deck(Pile):\n    pass\n",
        EMPTY,
    ),
    "a property with a setter": (
        "class Deck:\n    @property\n    def isEmptyDeck(self):\n        pass\n    @isEmptyDeck.setter\n    def isEmptyDeck(self, x):\n        pass\n",
        EMPTY,
    ),
    "any parameters": ("def move(a):\n    pass\n", Signature("move")),
}


@pytest.mark.parametrize(("text", "expected"), RIGHT.values(), ids=RIGHT.keys())
def test_what_is_there_is_found(text: str, expected: Signature) -> None:
    assert compared(text, expected) == []


WRONG = {
    "missing": ("x = 1\n", MOVE, ("missing", "move", 0)),
    "an empty file": ("", DECK, ("missing", "Deck", 0)),
    "camel case": ("def validateMove(a):\n    pass\n", VALIDATE, ("near_miss", "validate_move", 1)),
    "a slip": ("x = 1\ndef validate_mvoe(a):\n    pass\n", VALIDATE, ("near_miss", "validate_move", 2)),
    "capitals": ("def Move(a, b, c):\n    pass\n", MOVE, ("near_miss", "move", 1)),
    "too few parameters": ("def move(a, b):\n    pass\n", MOVE, ("arity", "move", 1)),
    "with an optional keyword": ("def move(a, *, b=2):\n    pass\n", MOVE, ("arity", "move", 1)),
    "a second name of a wrong method": (
        "class Deck:\n    def empty(self, x):\n        pass\n    isEmptyDeck = empty\n",
        EMPTY,
        ("arity", "Deck.isEmptyDeck", 4),
    ),
    "no parameters": ("def move():\n    pass\n", MOVE, ("arity", "move", 1)),
    "too many": ("def move(a, b, c, d):\n    pass\n", MOVE, ("arity", "move", 1)),
    "neither signature": ("def is_winner(a, b):\n    pass\n", WINNER, ("arity", "is_winner", 1)),
    "a lambda with too few": ("move = lambda a: a\n", MOVE, ("arity", "move", 1)),
    "a method without self": (
        "class Deck:\n    def isEmptyDeck(self, x):\n        pass\n",
        EMPTY,
        ("arity", "Deck.isEmptyDeck", 2),
    ),
    "twice": ("def move(a, b, c):\n    pass\ndef move(a, b, c):\n    pass\n", MOVE, ("duplicate", "move", 3)),
    "a number": ("move = 5\n", MOVE, ("not_callable", "move", 1)),
    "a class for a function": ("class move:\n    pass\n", MOVE, ("not_callable", "move", 1)),
    "a function for a class": ("def Deck():\n    pass\n", DECK, ("not_callable", "Deck", 1)),
    "inside a function": ("def main():\n    def move(a, b, c):\n        pass\n", MOVE, ("near_miss", "move", 2)),
    "inside a class": ("class Game:\n    def move(self, a, b, c):\n        pass\n", MOVE, ("near_miss", "move", 2)),
    "outside of its class": ("def isEmptyDeck():\n    pass\n", EMPTY, ("near_miss", "Deck.isEmptyDeck", 1)),
    "a missing method": ("class Deck:\n    pass\n", EMPTY, ("missing", "Deck.isEmptyDeck", 0)),
}


@pytest.mark.parametrize(("text", "expected", "difference"), WRONG.values(), ids=WRONG.keys())
def test_departures_are_named(text: str, expected: Signature, difference: tuple[str, str, int]) -> None:
    assert compared(text, expected) == [difference]


def test_a_near_miss_is_not_another_function_that_is_asked_for() -> None:
    text = "def deal_to_row_1(a):\n    pass\n"
    expected = (Signature("deal_to_row_1"), Signature("deal_to_row_2"))
    assert compared(text, *expected) == [("missing", "deal_to_row_2", 0)]


def test_the_messages_tell_what_to_do() -> None:
    assert only("def validateMove(a):\n    pass\n", VALIDATE).message == (
        "There is no `validate_move`. Line 1 defines `validateMove`: is that it? The name must be exactly the same."
    )
    assert only("def move(a, b=1):\n    pass\n", MOVE).message == (
        "`move` on line 1 has 1 to 2 parameters; it is called as move(tableau, row, col)."
    )
    assert "at least 4 parameters" in only("def move(a, b, c, d, *e):\n    pass\n", MOVE).message
    twice = "def move(a, b, c):\n    pass\n"
    assert "defined 2 times (lines 1, 3)" in only(twice * 2, MOVE).message
    assert "inside the function `main`" in only("def main():\n    def move(a, b, c):\n        pass\n", MOVE).message
    assert only("def f(t, s):\n    pass\nis_winner = f\n", WINNER).message.endswith(
        "is_winner(foundation) or is_winner(tableau, stock, waste)."
    )


def test_wrong_number_and_doubled_are_both_told() -> None:
    text = "def move(a, b, c):\n    pass\ndef move(a):\n    pass\n"
    assert compared(text, MOVE) == [("duplicate", "move", 3), ("arity", "move", 3)]


def test_an_outline_has_an_end() -> None:
    assert len(outline_of("def f(): pass\n" * (MOST_DEFINITIONS + 50))) == MOST_DEFINITIONS


def test_the_outline_names_parameters_without_self() -> None:
    method = outline_of("class Deck(Pile):\n    def push(self, card, face_up=True):\n        pass\n")
    assert method[0] == Definition("Deck", "class", 1, bases=("Pile",))
    assert method[1] == Definition("push", "function", 2, "Deck", "", ("card", "face_up"), 1, 2)


def test_signatures_are_read_from_data() -> None:
    data = [
        {"name": "is_winner", "parameters": ["foundation"], "alternatives": [["tableau", "stock", "waste"]]},
        {"name": "Deck", "kind": "class"},
        {"name": "isEmptyDeck", "owner": "Deck", "parameters": [], "spellings": ["isemptyDeck"]},
    ]
    assert read_signatures(data, Path("spec.yaml")) == ((WINNER, DECK, EMPTY), ())


FAULTS: tuple[tuple[object, str], ...] = (
    ({}, "structure: must be a list of signatures"),
    (["move"], "structure[0]: must be a mapping with a name"),
    ([{"name": 3}], "structure[0]: must be a mapping with a name"),
    ([{"name": "f", "parameter": []}], "structure[0].parameter: unknown key; did you mean parameters?"),
    ([{"name": "f", "parameters": "a, b"}], "structure[0].parameters: must be a list of names"),
    ([{"name": "f", "spellings": [1]}], "structure[0].spellings: must be a list of names"),
    ([{"name": "f", "alternatives": [["a"], "b"]}], "structure[0].alternatives: must be a list of lists of names"),
    ([{"name": "f", "kind": "method"}], "structure[0].kind: must be function or class"),
    ([{"name": "f", "owner": 1}], "structure[0].owner: must be text"),
)


@pytest.mark.parametrize(("data", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_signatures_are_read_strictly(data: object, message: str) -> None:
    signatures, faults = read_signatures(data, Path("spec.yaml"))
    assert signatures == ()
    assert message in str(faults[0])
    assert len(faults) == 1
