"""Cards as text on the table of a test: `5S` lies face up, `5S-` face down, and `5S 6H- TD` is a pile."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from tests.assignments.recorder import RANKS, SUITS, TimeUpError, perform

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType

FULL_DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)


@dataclasses.dataclass(frozen=True)
class Table:
    """Makes cards, piles and decks of one supplied module."""

    cards: ModuleType

    def card(self, text: str) -> Any:
        made = self.cards.Card(RANKS.index(text[0]) + 1, SUITS.index(text[1]) + 1)
        if text.endswith("-"):
            made.flip_card()
        return made

    def pile(self, text: str) -> list[Any]:
        return [self.card(one) for one in text.split()]

    def piles(self, *texts: str) -> list[list[Any]]:
        return [self.pile(text) for text in texts]

    def columns(self, *texts: str) -> list[list[Any]]:
        """A tableau that begins with these columns; the rest of the seven are empty."""
        return self.piles(*texts, *[""] * (7 - len(texts)))

    def deck(self, text: str) -> Any:
        """A deck that deals these cards in this order."""
        made = self.cards.Deck()
        made._Deck__deck = self.pile(text)[::-1]
        return made


def code(card: Any) -> str:
    return RANKS[card.rank() - 1] + SUITS[card.suit() - 1] + ("" if card.is_face_up() else "-")


def codes(cards: Iterable[Any]) -> list[str]:
    return [code(card) for card in cards]


def dealt(order: list[str]) -> tuple[list[list[str]], list[str], list[str]]:
    """Tableau, waste and stock after the deal of both games, as text: row by row, the first of each row face up."""
    places = [(row, column) for row in range(7) for column in range(row, 7)]
    tableau: list[list[str]] = [[] for _ in range(7)]
    for (row, column), card in zip(places, order, strict=False):
        tableau[column].append(card + ("-" if column > row else ""))
    return tableau, order[28:29], order[29:]


def tree(value: Any) -> Any:
    """A value in plain data: cards as text, decks as what they deal, lists and tuples kept apart."""
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, [tree(item) for item in value])
    if hasattr(value, "_Deck__deck"):
        return ("deck", codes(reversed(value._Deck__deck)))
    return code(value) if hasattr(value, "flip_card") else (type(value).__name__, repr(value))


def shared_lists(value: Any) -> bool:
    """Some list occurs twice inside the value."""
    found: list[int] = []

    def walk(part: Any) -> None:
        if isinstance(part, list):
            found.append(id(part))
        if isinstance(part, (list, tuple)):
            for item in part:
                walk(item)

    walk(value)
    return len(set(found)) < len(found)


@dataclasses.dataclass(frozen=True)
class Seen:
    """One call: how it ended, what it returned, its arguments afterwards, what it printed."""

    end: str
    returned: Any
    arguments: Any
    printed: str


def seen(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Seen:
    """Call a function of a sample or a reference and write down what happened."""
    box: list[Any] = []
    played = perform(lambda: box.append(function(*arguments)), seconds=0.5)
    if isinstance(played.stopped, TimeUpError):
        return Seen("timeout", None, None, "")
    if played.stopped is None and not box:
        return Seen("exited", None, None, "")
    end = type(played.stopped).__name__ if played.stopped else "returned"
    returned = (tree(box[0]), shared_lists(box[0])) if box else None
    return Seen(end, returned, tree(arguments), played.screen)
