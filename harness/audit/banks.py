"""Making a bank: draw a pool, run the mutants over it, keep the few cases that notice them all."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

from harness.assignment import Tree
from harness.audit.matrix import Matrix, kill_matrix, pooled
from harness.audit.mutants import Mutant
from harness.audit.trial import hurried
from harness.bank import Case
from harness.banking import generate, numbered, read_space, select, stem
from harness.workshop import load, opened


@dataclasses.dataclass(frozen=True)
class Bank:
    """The chosen cases, and what they were chosen with; `counts` has kept, drawn, noticed and all mutants of each function and label."""

    cases: tuple[Case, ...]
    matrix: Matrix
    counts: Mapping[str, tuple[int, int, int, int]]


def make_bank(
    tree: Tree,
    slug: str,
    *,
    seed: int,
    count: int | None,
    times: int,
    jobs: int,
    unsandboxed: bool,
    on_mutant: Callable[[Mutant], None],
) -> Bank:
    """The bank of an assignment for one seed."""
    assignment = load(tree, slug)
    space = read_space(tree.root / "specs" / f"{slug}.py", assignment.spec.functions)
    pool = tuple(
        case
        for function in assignment.spec.functions
        if function in space.cases
        for case in generate(space, function, seed, count)
    )
    trial = hurried(pooled(assignment, pool))
    with opened(trial, jobs=jobs, unsandboxed=unsandboxed) as (run, expected):
        matrix = kill_matrix(trial, run, expected, jobs=jobs, on_mutant=on_mutant)
    chosen = select([case for case in pool if case.id in matrix.groups], matrix.kills, matrix.groups, times)
    return Bank(numbered(chosen), matrix, _counts(pool, chosen, matrix))


def _counts(pool: tuple[Case, ...], chosen: tuple[Case, ...], matrix: Matrix) -> dict[str, tuple[int, int, int, int]]:
    counts = {}
    for start in dict.fromkeys(stem(case.id) for case in pool):
        rows = [cases for name, cases in matrix.kills.items() if name.partition("@")[2] == start]
        kept, drawn = (sum(stem(case.id) == start for case in cases) for cases in (chosen, pool))
        counts[start] = (kept, drawn, sum(bool(cases) for cases in rows), len(rows))
    return counts
