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
class Outside:
    """A piece of the reference that no test can be asked about, because the assignment does not ask for it."""

    name: str = key("A top-level function, class or constant of the reference.", example="choose_plan")
    reason: str = key("Why, in a sentence.", example='"It belongs to an extension that nobody has to write."')


@dataclasses.dataclass(frozen=True)
class Excused:
    """All that may survive."""

    mutants: tuple[Equivalent, ...] = key("The mutants that may survive.", default=())
    outside: tuple[Outside, ...] = key("The pieces of the reference that are not changed at all.", default=())


def read_excused(path: Path) -> Excused:
    """What may survive; nothing if there is no file."""
    return read(path, Excused).record if path.exists() else Excused()


def outside_complaints(listed: Sequence[Outside], mutants: Sequence[Mutant]) -> Iterator[str]:
    """Pieces that are listed but not there."""
    known = {mutant.definition for mutant in mutants}
    return (
        f"{entry.name} is listed as outside, but the reference has no such piece"
        for entry in listed
        if entry.name not in known
    )


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
