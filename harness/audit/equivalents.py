"""Mutants that rightly keep all their points: the record behind `fixtures/<slug>/equivalent.yaml`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from harness.audit.mutants import Mutant
from harness.yamlfile import key, read


@dataclasses.dataclass(frozen=True)
class Equivalent:
    """One mutant that may survive, and why."""

    id: str = key("The mutant, as `patience audit` names it.", example="check_for_win.confused-2")
    diff: str = key("The fingerprint of its change, so that a changed reference is noticed.", example="3f2a9c0d1e5b")
    because: Literal["same", "open", "told"] = key(
        "`same`: no input tells it from the reference. `open`: only what the handout leaves open does. "
        "`told`: the student is told, but by the course's rules not charged.",
        example="same",
    )
    reason: str = key("Why, in a sentence.", example='"Only an ace has the value 1, so value() and rank() agree here."')


@dataclasses.dataclass(frozen=True)
class Equivalents:
    """All of them, in the order of the reference's lines."""

    mutants: tuple[Equivalent, ...] = key("The mutants that may survive.", default=())


def read_equivalents(path: Path) -> tuple[Equivalent, ...]:
    """The mutants that may survive, none if there is no file."""
    return read(path, Equivalents).record.mutants if path.exists() else ()


def complaints(listed: Sequence[Equivalent], mutants: Sequence[Mutant], killed: frozenset[str]) -> Iterator[str]:
    """What is out of date in the list: mutants that are gone, changed or lose points after all."""
    known = {mutant.id: mutant for mutant in mutants}
    seen: set[str] = set()
    for entry in listed:
        if entry.id in seen:
            yield f"{entry.id} is listed twice"
        seen.add(entry.id)
        mutant = known.get(entry.id)
        if mutant is None:
            yield f"{entry.id} is listed, but there is no such mutant"
        elif mutant.fingerprint != entry.diff:
            yield f"{entry.id} is another change now ({mutant.description}; its fingerprint is {mutant.fingerprint}): look at it again"
        elif entry.id in killed:
            yield f"{entry.id} is listed, but it loses points: take it off the list"
