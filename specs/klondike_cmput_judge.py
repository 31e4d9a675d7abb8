"""The CMPUT Klondike: what `cheat` promises, and mistakes that can be recognised from what the methods answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

PACK = tuple(rank + suit for suit in "shdc" for rank in "A23456789TJQK")
_CARD = re.compile(r"\b[A2-9TJQK][shdc]\b")


def every_card_is_shown(_before: Any, actual: Any) -> str | None:
    """The promise of `cheat`: the whole pack, each card once, with or without the board before or after it."""
    shown = _CARD.findall(actual.text)
    runs = (shown[start : start + len(PACK)] for start in range(len(shown) - len(PACK) + 1))
    if any(len(set(run)) == len(PACK) for run in runs):
        return None
    hidden = [code for code in PACK if code not in shown]
    if hidden:
        return f"cheat should show every card, but {len(hidden)} of 52 cannot be seen, {hidden[0]} for one."
    return "cheat should show each of the 52 cards once, but shows some of them again in between."


def _steps(case: Any, expected: Any, actual: Any) -> Iterator[tuple[dict[str, Any], Any, Any]]:
    """Each judged step of a script, with the right answer and the answer that came."""
    for step, right, found in zip(case.script, expected.steps, actual.steps, strict=False):
        if step.get("judged", True):
            yield step, right.get("value"), found.get("value")


def _first_wrong(case: Any, expected: Any, actual: Any) -> tuple[dict[str, Any], Any, Any] | None:
    return next((entry for entry in _steps(case, expected, actual) if entry[1] != entry[2]), None)


def _calls(step: dict[str, Any], method: str) -> bool:
    call = step.get("call", "")
    return method in ([call] if isinstance(call, str) else call)


def suit_and_rank_swapped(case: Any, expected: Any, actual: Any) -> bool:
    """Asked for the one, the card gives the other."""
    wrong = _first_wrong(case, expected, actual)
    if wrong is None or not (_calls(wrong[0], "rankCard") or _calls(wrong[0], "suitCard")):
        return False
    made = next(step for step in case.script if step.get("as") == wrong[0]["on"])
    return wrong[2] in made["args"]


def prints_its_answer(case: Any, expected: Any, actual: Any) -> bool:
    """None came back where a value was due, and there is something on the screen."""
    wrong = _first_wrong(case, expected, actual)
    return wrong is not None and wrong[2] is None and bool(actual.printed.strip())


def cards_share_their_side(case: Any, expected: Any, actual: Any) -> bool:
    """With two cards the wrong side is seen: the one that the other card was turned to."""
    wrong = _first_wrong(case, expected, actual)
    cards = sum(1 for step in case.script if step.get("new") == "Card")
    return wrong is not None and cards > 1 and _calls(wrong[0], "isVisibleCard") and wrong[2] is (not wrong[1])


def decks_share_their_cards(case: Any, expected: Any, actual: Any) -> bool:
    """With two decks one holds more than was put on it."""
    wrong = _first_wrong(case, expected, actual)
    if wrong is None or sum(1 for step in case.script if step.get("new") == "Deck") < 2:
        return False
    step, right, found = wrong
    return (_calls(step, "sizeDeck") and isinstance(found, int) and found > right) or (
        _calls(step, "isEmptyDeck") and right is True and found is False
    )


def takes_another_card_than_the_top(case: Any, expected: Any, actual: Any) -> bool:
    """Another of the pushed cards came back."""
    wrong = _first_wrong(case, expected, actual)
    return wrong is not None and isinstance(wrong[2], dict) and "same" in wrong[2] and wrong[1] != wrong[2]


def peeking_takes_the_card(case: Any, expected: Any, actual: Any) -> bool:
    """The deck is smaller than it should be, although only peekDeck could have taken a card."""
    wrong = _first_wrong(case, expected, actual)
    if wrong is None or not _calls(wrong[0], "sizeDeck") or not isinstance(wrong[2], int):
        return False
    peeked = any(_calls(step, "peekDeck") for step in case.script)
    return wrong[2] < wrong[1] and peeked and not any(_calls(step, "popDeck") for step in case.script)
