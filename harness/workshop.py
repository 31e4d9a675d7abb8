"""Everything that grading needs, opened together and closed together: the assignment, the sandbox, the rules, the reference's run."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.assignment import Assignment, Tree, open_assignment
from harness.errors import Fault
from harness.evidence import Expected, Run
from harness.observation import Observation
from harness.observe import Budget, observe
from harness.pipeline import expect
from harness.plan import Unit, limits_of
from harness.rules import Rule, read_rules
from harness.rules.child import Checker
from harness.rules.inspection import Inspection
from harness.sandbox import Sandbox, open_sandbox


def load(tree: Tree, slug: str, *, rubric: Path | None = None, bank: Path | None = None) -> Assignment:
    """Read an assignment with all its checks."""
    return open_assignment(tree, slug, check_rules=_rule_faults, rubric=rubric, bank=bank)


def _rule_faults(rules: Mapping[str, Any], path: Path) -> Sequence[Fault]:
    return read_rules(rules, path)[1]


def cores() -> int:
    """The processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextlib.contextmanager
def opened(assignment: Assignment, *, jobs: int, unsandboxed: bool = False) -> Iterator[tuple[Run, Expected]]:
    """A sandbox and a checker of sources for as long as they are needed, and what the reference does in them."""
    rules, _ = read_rules(assignment.spec.rules, assignment.tree.spec(assignment.spec.slug))
    with open_sandbox(jobs=jobs, unsandboxed=unsandboxed) as sandbox, _Checkers(rules) as checkers:
        run = Run(observer(sandbox, assignment), checkers.check(assignment.spec.file), sandbox.rung)
        yield run, expect(assignment, run)


def observer(sandbox: Sandbox, assignment: Assignment) -> Callable[[], Callable[[Unit], Observation]]:
    """Starts the budget of one submission."""
    limits = limits_of(assignment.spec)

    def start() -> Callable[[Unit], Observation]:
        budget = Budget(limits)
        return lambda unit: observe(unit, sandbox, limits, budget)

    return start


class _Checkers:
    """One checker of sources per thread, all closed at the end."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self._rules = rules
        self._mine = threading.local()
        self._all: list[Checker] = []
        self._lock = threading.Lock()

    def __enter__(self) -> _Checkers:  # noqa: PYI034 - Self is not in Python 3.10
        return self

    def __exit__(self, *_: object) -> None:
        for checker in self._all:
            checker.__exit__(None, None, None)

    def check(self, file: str) -> Callable[[bytes], Inspection]:
        return lambda source: self._checker().check(file, source)

    def _checker(self) -> Checker:
        checker: Checker | None = getattr(self._mine, "checker", None)
        if checker is None:
            checker = self._mine.checker = Checker(self._rules)
            with self._lock:
                self._all.append(checker)
        return checker
