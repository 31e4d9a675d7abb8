"""Case banks: drawing cases from the input space of an assignment, and choosing few that find every bug.

`specs/<slug>.py` holds the input space: `CASES` (a strategy of case fields for each function), `POOL` (how many to draw)
and `ALWAYS` (cases that are always among them). A field `label` becomes the beginning of the case's id, so that a line of
the rubric can ask for some of a function's cases only. Hypothesis mixes numbers from the sources it finds into wide draws, so
only draws below a hundred choices (cards, columns, orders) are the same for the same seed everywhere.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import sys
import types
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis.strategies import SearchStrategy

from harness.bank import Case, case_line, case_of
from harness.errors import DataError, Fault, HarnessError
from harness.values import canonical

Fields = dict[str, Any]
FIELDS = ("args", "alternatives", "script", "stdin", "deck", "seed", "repeat", "label")
DRAWN = 200
"""Cases to draw for a function, if `POOL` does not say."""


@dataclasses.dataclass(frozen=True)
class Space:
    """The input space of an assignment."""

    cases: Mapping[str, SearchStrategy[Fields]]
    pool: Mapping[str, int]
    always: Mapping[str, Sequence[Fields]]


def read_space(path: Path, functions: Iterable[str]) -> Space:
    """Load the strategies of an assignment; only functions that the spec knows may have some."""
    if not path.exists():
        raise DataError(
            [Fault(path, 0, "", "the file is missing", "it says which arguments each function is tried on")]
        )
    spec = importlib.util.spec_from_file_location(f"_space_{path.stem.replace('-', '_')}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up by name
    spec.loader.exec_module(module)
    return space_of(module, path, functions)


def space_of(module: types.ModuleType, path: Path, functions: Iterable[str]) -> Space:
    """The tables of a loaded module."""
    known = set(functions)
    tables = {name: getattr(module, name, {}) for name in ("CASES", "POOL", "ALWAYS")}
    faults = [
        Fault(path, 0, f"{table}[{name!r}]", "the spec has no such function", f"known: {', '.join(sorted(known))}")
        for table, content in tables.items()
        for name in content
        if name not in known
    ]
    if not tables["CASES"]:
        faults.append(Fault(path, 0, "CASES", "there are no strategies here", "CASES = {function: strategy}"))
    if faults:
        raise DataError(faults)
    return Space(tables["CASES"], tables["POOL"], tables["ALWAYS"])


def generate(space: Space, function: str, seed: int, count: int | None = None) -> tuple[Case, ...]:
    """Draw the cases of one function: the same for the same seed, none twice; label by label, simplest first."""
    wanted = count or space.pool.get(function, DRAWN)
    drawn = [*space.always.get(function, ()), *_draw(space.cases[function], seed, wanted)]
    nameless = {canonical(_without_label(fields, function)): fields for fields in drawn}
    labels = list(dict.fromkeys(str(fields.get("label", "")) for fields in drawn))
    texts = sorted(nameless, key=lambda text: (labels.index(str(nameless[text].get("label", ""))), len(text), text))
    ordered = [nameless[text] for text in texts]
    return numbered(case_of({**fields, "id": _stem(fields, function), "function": function}) for fields in ordered)


def _without_label(fields: Fields, function: str) -> Fields:
    unknown = [name for name in fields if name not in FIELDS]
    if unknown:
        raise HarnessError(f"a case drawn for {function} has a field {unknown[0]!r}; known: {', '.join(FIELDS)}")
    return {name: value for name, value in fields.items() if name != "label"}


def _stem(fields: Fields, function: str) -> str:
    return f"{fields['label']}-{function}-" if fields.get("label") else f"{function}-"


def _draw(strategy: SearchStrategy[Fields], seed: int, count: int) -> list[Fields]:
    found: list[Fields] = []

    @seeded(seed)
    @settings(
        max_examples=count,
        database=None,
        phases=[Phase.generate],
        derandomize=False,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(fields: Fields) -> None:
        found.append(fields)

    collect()
    return found


FEW = 5
"""Cases that each answer group keeps, so that one odd case does not decide what a group is worth."""


def select(
    pool: Sequence[Case], kills: Mapping[str, frozenset[str]], groups: Mapping[str, str], times: int = 3
) -> tuple[Case, ...]:
    """Few cases that kill each mutant `times` over where the pool can, and some of each answer group; simplest first.

    `kills` gives the ids of the cases that notice a mutant, `groups` the answer group of each case.
    """
    chosen = _cover([case.id for case in pool], kills, times) | _spread(pool, groups)
    return tuple(case for case in pool if case.id in chosen)


def _cover(ids: Sequence[str], kills: Mapping[str, frozenset[str]], times: int) -> set[str]:
    """Greedy set cover: always the case that notices most of what is not yet noticed often enough, simple ones preferred."""
    owed = {mutant: min(times, len(cases)) for mutant, cases in kills.items() if cases}
    noticed: dict[str, set[str]] = {name: set() for name in ids}
    for mutant, cases in kills.items():
        for name in cases:
            noticed[name].add(mutant)
    cost = {name: len(ids) + position for position, name in enumerate(ids)}
    chosen: list[str] = []
    while owed:
        best = max(
            (name for name in ids if name not in chosen), key=lambda name: len(noticed[name] & owed.keys()) / cost[name]
        )
        chosen.append(best)
        owed = {
            mutant: left - (mutant in noticed[best])
            for mutant, left in owed.items()
            if left > (mutant in noticed[best])
        }
    return _needed(chosen, cost, kills, times)


def _needed(
    chosen: Sequence[str], order: Mapping[str, int], kills: Mapping[str, frozenset[str]], times: int
) -> set[str]:
    """Leave out what later choices made superfluous, the last ones of the pool first."""
    kept = set(chosen)
    for name in sorted(chosen, key=order.__getitem__, reverse=True):
        others = kept - {name}
        if all(len(cases & others) >= min(times, len(cases)) for cases in kills.values() if name in cases):
            kept = others
    return kept


def _spread(pool: Sequence[Case], groups: Mapping[str, str]) -> set[str]:
    """Of each answer group a few cases, from the simplest to the largest."""
    members: dict[tuple[str, str], list[str]] = {}
    for case in pool:
        members.setdefault((stem(case.id), groups[case.id]), []).append(case.id)
    return {names[step * (len(names) - 1) // (FEW - 1)] for names in members.values() for step in range(FEW)}


def stem(name: str) -> str:
    """What the id of a case begins with: its function and, before it, its label. Lines of a rubric may ask for one label only."""
    return name.rpartition("-")[0]


def numbered(cases: Iterable[Case]) -> tuple[Case, ...]:
    """The cases with ids that count from one for each function and label."""
    counts: Counter[str] = Counter()
    renamed = []
    for case in cases:
        counts[stem(case.id)] += 1
        renamed.append(dataclasses.replace(case, id=f"{stem(case.id)}-{counts[stem(case.id)]:03d}"))
    return tuple(renamed)


def bank_text(cases: Iterable[Case]) -> str:
    """A bank as it is written to disk: one case a line."""
    return "".join(f"{case_line(case)}\n" for case in cases)
