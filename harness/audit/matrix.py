"""The kill matrix: which case of a pool notices which mutant. Banks are chosen with it."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from harness.assignment import Assignment
from harness.audit.graph import dependents
from harness.audit.mutants import Mutant, mutants
from harness.bank import Case
from harness.banking import stem
from harness.compare.values import group_of
from harness.evidence import Expected, Run
from harness.observe import ENDLESS_CALLS
from harness.outcome import Outcome
from harness.pipeline import examine
from harness.spec import reach
from harness.submission import Submission
from harness.verdict import Verdict


@dataclasses.dataclass(frozen=True)
class Matrix:
    """Who notices what. A row is a mutant as the cases of one function and label show it, named `mutant@label-function`."""

    mutants: int
    cases: int
    kills: Mapping[str, frozenset[str]]
    groups: Mapping[str, str]

    @property
    def size(self) -> int:
        return len(self.kills) * self.cases


def pooled(assignment: Assignment, pool: Sequence[Case]) -> Assignment:
    """The assignment with another pool of cases and without whole games."""
    spec = dataclasses.replace(assignment.spec, sessions=types.MappingProxyType({}))
    return dataclasses.replace(assignment, spec=spec, scripts=types.MappingProxyType({}), cases=tuple(pool))


def kill_matrix(
    assignment: Assignment, run: Run, expected: Expected, *, jobs: int, on_mutant: Callable[[Mutant], None]
) -> Matrix:
    """Run every mutant over the cases of the functions that it can change."""
    found = mutants(assignment.reference.source, assignment.spec)
    inspection = run.check_source(assignment.reference.source)
    hasty = dataclasses.replace(run, check_source=lambda _: inspection)
    kills: dict[str, frozenset[str]] = {}

    def one(mutant: Mutant) -> tuple[Mutant, dict[str, frozenset[str]]]:
        functions = dependents(assignment.reference.source, assignment.spec, mutant.definition)
        judged = [
            name for name in functions if assignment.cases_of.get(name) and assignment.spec.functions[name].judged
        ]
        return mutant, {
            f"{mutant.id}@{start}": frozenset(case for case in noticed if stem(case) == start)
            for name in judged
            for noticed in [_noticed(assignment, name, mutant, expected, hasty)]
            for start in dict.fromkeys(stem(case.id) for case in assignment.cases_of[name])
        }

    with ThreadPoolExecutor(jobs) as pool:
        for mutant, rows in pool.map(one, found):
            kills.update(rows)
            on_mutant(mutant)
    return Matrix(len(found), len(assignment.cases), kills, groups_of(assignment, expected))


def _noticed(assignment: Assignment, function: str, mutant: Mutant, expected: Expected, run: Run) -> frozenset[str]:
    """The cases of one function that notice a mutant even beside the reference's helpers, which are tried along with it."""
    tried = (*reach(assignment.spec, function), function)
    only = dataclasses.replace(assignment, cases=tuple(case for case in assignment.cases if case.function in tried))
    verdicts, _ = examine(only, Submission(mutant.id, assignment.spec.file, mutant.source), expected, run)
    mine = [verdict for verdict in verdicts if verdict.evidence == f"calls/{function}" and _failed(verdict)]
    endless = dict.fromkeys(verdict.case for verdict in mine if verdict.outcome is Outcome.TIMEOUT)
    certain = (verdict.case for verdict in mine if verdict.outcome is not Outcome.TIMEOUT)
    return frozenset(certain) | frozenset(list(endless)[:ENDLESS_CALLS])


def _failed(verdict: Verdict) -> bool:
    return verdict.outcome is not Outcome.PASSED and not verdict.followed


def groups_of(assignment: Assignment, expected: Expected) -> dict[str, str]:
    """The answer group of each case."""
    cases = {case.id: case for case in assignment.cases}
    seen = (call for calls in expected.observed.calls.values() for call in calls.calls)
    return {call.case: group_of(cases[call.case], call) for call in seen if call.case in cases}
