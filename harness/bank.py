"""The case bank: arguments for function tests, kept as data, simplest first and without expected values."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

from harness.errors import DataError, Fault
from harness.values import Value, canonical

_KEYS = ("id", "function", "args", "alternatives", "script", "stdin", "deck", "seed", "repeat")


@dataclasses.dataclass(frozen=True)
class Case:
    """One call of one function (or a script of method calls), as data.

    `args` are the arguments; `alternatives` are argument lists for other accepted signatures, of other lengths.
    `script` takes the place of `args` for classes: steps such as
        {"new": "Card", "args": ["s", "A"], "as": "c"}
        {"on": "c", "call": "rankCard", "args": []}
        {"str": "c"}   {"repr": "c"}
    `stdin` holds the lines that `input()` will get, `deck` the order in which a new Deck deals, `seed` the random seed.
    `hidden` marks a case of an instructor's own bank, of which students see nothing but the outcome.
    `repeat` asks for the call to be made that often with the same arguments, for functions that draw random numbers.
    """

    id: str
    function: str
    args: tuple[Value, ...] = ()
    alternatives: tuple[tuple[Value, ...], ...] = ()
    script: tuple[dict[str, Any], ...] = ()
    stdin: tuple[str, ...] = ()
    deck: tuple[str, ...] | None = None
    seed: int = 0
    repeat: int = 1
    hidden: bool = False


HIDDEN = "hidden:"
"""How the ids of hidden cases begin."""


def read_hidden(path: Path) -> tuple[Case, ...]:
    """An instructor's own bank: students never see its cases."""
    return tuple(dataclasses.replace(case, id=HIDDEN + case.id, hidden=True) for case in read_bank(path))


def read_bank(path: Path) -> tuple[Case, ...]:
    """Read the cases of a bank, one JSON object a line."""
    if not path.exists():
        return ()
    cases: list[Case] = []
    faults: list[Fault] = []
    seen: set[str] = set()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        case, problem = _case(line)
        if case is not None and case.id in seen:
            problem = f"the id {case.id!r} stands here for the second time"
        if case is None or problem:
            faults.append(Fault(path, number, "", problem, "generate the bank again with `patience bank`"))
            continue
        seen.add(case.id)
        cases.append(case)
    if faults:
        raise DataError(faults)
    return tuple(cases)


def _case(line: str) -> tuple[Case | None, str]:
    try:
        data = json.loads(line)
    except ValueError as error:
        return None, f"not JSON: {error}"
    if not isinstance(data, dict) or not isinstance(data.get("id"), str) or not isinstance(data.get("function"), str):
        return None, "a case is an object with an id and a function"
    unknown = [name for name in data if name not in _KEYS]
    if unknown:
        return None, f"unknown key {unknown[0]!r}; known: {', '.join(_KEYS)}"
    return case_of(data), ""


def case_of(data: dict[str, Any]) -> Case:
    """A case from its JSON object."""
    return Case(
        id=data["id"],
        function=data["function"],
        args=tuple(data.get("args", ())),
        alternatives=tuple(tuple(args) for args in data.get("alternatives", ())),
        script=tuple(data.get("script", ())),
        stdin=tuple(data.get("stdin", ())),
        deck=tuple(data["deck"]) if data.get("deck") is not None else None,
        seed=data.get("seed", 0),
        repeat=data.get("repeat", 1),
    )


def case_line(case: Case) -> str:
    """One line of a bank: only what differs from the default is written."""
    data: dict[str, Any] = {"id": case.id, "function": case.function}
    optional = {
        "args": list(case.args),
        "alternatives": [list(args) for args in case.alternatives],
        "script": list(case.script),
        "stdin": list(case.stdin),
        "deck": None if case.deck is None else list(case.deck),
        "seed": case.seed,
        "repeat": case.repeat if case.repeat != 1 else 0,
    }
    data.update({name: value for name, value in optional.items() if value not in ([], None, 0)})
    return canonical(data)
