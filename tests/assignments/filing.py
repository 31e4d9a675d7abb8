"""Does a sample submission lose what it is filed under? A small, trusting judge to check our samples with.

It knows the two rules that matter for filing: a session is lost if any turn reads differently (blank lines and blanks
at line ends aside), and a function is lost if it differs from the reference's even beside the reference's helpers.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from tests.assignments import recorder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from types import ModuleType

    Arguments = Callable[[], tuple[Any, ...]]


@dataclasses.dataclass(frozen=True)
class Bench:
    """What the functions of samples are compared on: the reference, its cards, helpers and arguments per function."""

    reference: ModuleType
    cards: ModuleType
    helpers: Mapping[str, Sequence[str]]
    arguments: Mapping[str, Sequence[Arguments]]


def plays_alike(program: Path, session: recorder.SessionFile, supplied: Path) -> bool:
    """The program ends by itself and every graded turn reads as in the session file."""
    cards = recorder.supplied_cards(supplied, session.deck)
    played = recorder.play(program, session.typed, cards=cards, seed=session.seed, seconds=1.0)
    return played.stopped is None and same_turns(played.turns, recorder.turns(session.screen), session.ungraded)


def same_turns(mine: Sequence[str], its: Sequence[str], ungraded: frozenset[int] = frozenset()) -> bool:
    """Turn by turn the same lines, blank ones aside."""
    if len(mine) != len(its):
        return False
    pairs = enumerate(zip(mine, its, strict=True))
    return all(turn in ungraded or recorder.forgiving(one) == recorder.forgiving(other) for turn, (one, other) in pairs)


def results(module: ModuleType, function: str, arguments: Sequence[Arguments]) -> list[tuple[str, str]]:
    """What each call returned and what its arguments were afterwards, up to the first one that did not return."""
    seen: list[tuple[str, str]] = []

    def call_all() -> None:
        for make in arguments:
            given = make()
            returned = getattr(module, function)(*given)
            seen.append((f"{type(returned).__name__} {returned}", str(given)))

    recorder.perform(call_all, seconds=1.0)
    return seen


def both_results(bench: Bench, program: Path, function: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The results of a sample's function beside the reference's helpers, and the reference's own."""
    module = recorder.salvage(program, bench.cards)
    for helper in bench.helpers[function]:
        setattr(module, helper, getattr(bench.reference, helper))
    arguments = bench.arguments[function]
    return results(module, function, arguments), results(bench.reference, function, arguments)


def lost_functions(bench: Bench, program: Path) -> set[str]:
    """The functions that differ from the reference's in what they return or do to their arguments."""
    pairs = ((function, both_results(bench, program, function)) for function in bench.helpers)
    return {function for function, (mine, its) in pairs if mine != its}
