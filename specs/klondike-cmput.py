"""The CMPUT Klondike: scripts that try its two classes.

A script makes cards and decks and calls their methods. What the handout leaves open is never asked: how cards and decks
are written as text, on which side a new card lies (it is always turned first), taking or looking at a card of an empty
deck, what faceupCard and pushDeck return. Each kind of script tries few methods, so that one that is wrong does not
hide the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

Fields = dict[str, Any]
Step = dict[str, Any]
Call = str | list[str]
"""A method, or its accepted spellings."""

PACK = tuple(rank + suit for suit in "shdc" for rank in "A23456789TJQK")
NAMES = ("Stock", "Discard", "Spades", "Hearts", "Diamonds", "Clubs", *(f"PILE-{number}" for number in range(1, 8)))
VISIBLE: Call = ["isVisibleCard", "isvisibleCard"]
EMPTY: Call = ["isEmptyDeck", "isemptyDeck"]


def _ask(name: str, call: Call) -> Step:
    return {"on": name, "call": call}


def _card(name: str, code: str) -> Step:
    rank, suit = code[0], code[1]
    return {"new": "Card", "args": [suit, rank], "as": name, "judged": False}


def _deck(name: str, title: str) -> Step:
    return {"new": "Deck", "args": [title], "as": name, "judged": False}


def _turn(name: str, *, up: bool) -> Step:
    return {"on": name, "call": "faceupCard", "args": [up], "judged": False}


def _push(deck: str, card: str) -> Step:
    return {"on": deck, "call": "pushDeck", "args": [{"same": card}], "judged": False}


def _script(*steps: Step) -> Fields:
    return {"script": list(steps)}


def _filled(deck: str, codes: Sequence[str]) -> list[Step]:
    """Steps that make the cards, each called by its rank and suit, and push them."""
    return [step for code in codes for step in (_card(_called(code), code), _push(deck, _called(code)))]


def _called(code: str) -> str:
    """A name for a card that can stand in a program: `card_7c`."""
    return f"card_{code}"


_CODE = st.sampled_from(PACK)
_TITLE = st.sampled_from(NAMES)


def _codes(least: int, most: int) -> st.SearchStrategy[list[str]]:
    return st.lists(_CODE, min_size=least, max_size=most, unique=True)


@st.composite
def _faces(draw: st.DrawFn) -> Fields:
    """Rank and suit of a card, before or after it is turned, in either order."""
    asked = draw(st.permutations(["rankCard", "suitCard"]))
    turned = [_turn("c", up=up) for up in draw(st.lists(st.booleans(), max_size=2))]
    return _script(_card("c", draw(_CODE)), *turned, *(_ask("c", call) for call in asked))


@st.composite
def _sides(draw: st.DrawFn) -> Fields:
    """A card that is turned a few times, both ways, and also to the side on which it lies."""
    turns = draw(st.lists(st.booleans(), min_size=2, max_size=5).filter(lambda ups: len(set(ups)) > 1))
    looks = [step for up in turns for step in (_turn("c", up=up), _ask("c", VISIBLE))]
    return _script(_card("c", draw(_CODE)), *looks)


@st.composite
def _two_cards(draw: st.DrawFn) -> Fields:
    """Two cards that know nothing of each other."""
    one, other = draw(_codes(2, 2))
    up = draw(st.booleans())
    first, second = draw(st.permutations("ab"))
    made = [_card("a", one), _card("b", other)]
    asked: Call = draw(st.sampled_from([VISIBLE, "rankCard", "suitCard"]))
    seen = [_ask(first, VISIBLE), _ask(second, VISIBLE), _ask(first, asked), _ask(second, asked)]
    return _script(*made, _turn(first, up=up), _turn(second, up=not up), *seen)


@st.composite
def _named(draw: st.DrawFn) -> Fields:
    """The name of a deck, empty or not."""
    return _script(_deck("d", draw(_TITLE)), *_filled("d", draw(_codes(0, 2))), _ask("d", "nameDeck"))


@st.composite
def _counted(draw: st.DrawFn) -> Fields:
    """Size and emptiness of a deck that grows and shrinks."""
    cards = draw(_codes(1, 4))
    asked: list[Call] = draw(st.permutations(["sizeDeck", EMPTY]))
    steps = [_deck("d", draw(_TITLE)), *(_ask("d", call) for call in asked)]
    for card in cards:
        steps += [*_filled("d", [card]), _ask("d", draw(st.sampled_from(asked)))]
    for _ in cards[: draw(st.integers(0, len(cards)))]:
        steps += [{**_ask("d", "popDeck"), "judged": False}, _ask("d", draw(st.sampled_from(asked)))]
    return _script(*steps, *(_ask("d", call) for call in asked))


@st.composite
def _stacked(draw: st.DrawFn) -> Fields:
    """Cards that are pushed and popped in turns; they come back in the reverse order."""
    steps, held = [_deck("d", draw(_TITLE))], 0
    for code in draw(_codes(2, 5)):
        steps += _filled("d", [code])
        held += 1
        taken = draw(st.sampled_from([0, 0, 1, min(2, held)]))
        steps += [_ask("d", "popDeck")] * taken
        held -= taken
    return _script(*steps, *[_ask("d", "popDeck")] * held)


@st.composite
def _peeked(draw: st.DrawFn) -> Fields:
    """Looking at the top card, once or twice, takes nothing away."""
    cards = draw(_codes(1, 4))
    looks = [_ask("d", "peekDeck")] * draw(st.integers(1, 2))
    after: list[Call] = draw(st.sampled_from([["sizeDeck"], [EMPTY], ["popDeck"], ["popDeck", "sizeDeck"]]))
    return _script(_deck("d", draw(_TITLE)), *_filled("d", cards), *looks, *(_ask("d", call) for call in after))


@st.composite
def _turned_on_top(draw: st.DrawFn) -> Fields:
    """The card that is seen is the card that lies there: turned on the deck, it is turned when it is taken."""
    cards = draw(_codes(1, 3))
    top, up = _called(cards[-1]), draw(st.booleans())
    look: Step = {"on": "d", "call": draw(st.sampled_from(["peekDeck", "popDeck"])), "as": "top"}
    steps = [_deck("d", draw(_TITLE)), *_filled("d", cards), _turn(top, up=not up), look, _turn("top", up=up)]
    return _script(*steps, _ask(top, VISIBLE), _ask("top", "rankCard"), _ask("top", "suitCard"))


@st.composite
def _two_decks(draw: st.DrawFn) -> Fields:
    """Two decks, each with cards of its own; cards may move from one to the other."""
    titles = draw(st.lists(_TITLE, min_size=2, max_size=2, unique=True))
    cards = draw(_codes(1, 3))
    steps = [_deck("d", titles[0]), _deck("e", titles[1]), *_filled("d", cards), _ask("e", "sizeDeck")]
    if draw(st.booleans()):
        steps += [{"on": "d", "call": "popDeck", "as": "moved"}, _push("e", "moved")]
    asked: Call = draw(st.sampled_from(["sizeDeck", EMPTY]))
    return _script(*steps, _ask("d", asked), _ask("e", asked))


CASES: dict[str, st.SearchStrategy[Fields]] = {
    "Card": st.one_of(_faces(), _sides(), _two_cards()),
    "Deck": st.one_of(_named(), _counted(), _stacked(), _peeked(), _turned_on_top(), _two_decks()),
}

POOL = {"Card": 150, "Deck": 250}

_SUIT = [f"{rank}s" for rank in "A23456789TJQK"]

ALWAYS: dict[str, list[Fields]] = {
    "Card": [
        *(_script(_card("c", code), _ask("c", "suitCard"), _ask("c", "rankCard")) for code in ("As", "Th", "Kd", "2c")),
        _script(_card("c", "7c"), _turn("c", up=True), _ask("c", VISIBLE), _turn("c", up=False), _ask("c", VISIBLE)),
    ],
    "Deck": [
        _script(_deck("d", "Stock"), _ask("d", "nameDeck")),
        _script(_deck("d", "Discard"), _deck("e", "PILE-7"), _ask("d", "nameDeck"), _ask("e", "nameDeck")),
        _script(_deck("d", "Clubs"), _ask("d", EMPTY), _ask("d", "sizeDeck")),
        _script(
            _deck("d", "Spades"),
            *_filled("d", _SUIT),
            _ask("d", "sizeDeck"),
            *[_ask("d", "popDeck")] * 13,
            _ask("d", EMPTY),
        ),
        _script(_deck("d", "PILE-1"), _deck("e", "PILE-1"), *_filled("d", ["Kh"]), _ask("d", EMPTY), _ask("e", EMPTY)),
    ],
}
