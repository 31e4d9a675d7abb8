"""The smallest counterexample: Hypothesis shrinks a failing call over the live sandbox, for as long as it may."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis.errors import NoSuchExample
from hypothesis.strategies import SearchStrategy

from harness.assignment import Assignment
from harness.bank import HIDDEN, Case, case_of
from harness.banking import Fields, read_space
from harness.compare.values import compare_call
from harness.observation import CallSeen, CallsSeen, Observation
from harness.outcome import Outcome
from harness.plan import Calls, Program, Unit
from harness.submission import Submission
from harness.values import canonical
from harness.verdict import Verdict, judge_calls

SECONDS = 2.0
Observe = Callable[[Unit], Observation]


class _OutOfTimeError(Exception):
    """The time for shrinking is used up; what was found so far stands."""


@dataclasses.dataclass
class _Search:
    """Looks for smaller and smaller arguments on which the two programs still differ."""

    assignment: Assignment
    function: str
    student: Program
    reference: Program
    observe_student: Observe
    observe_reference: Observe
    until: float
    smallest: tuple[Case, CallSeen, CallSeen] | None = None

    def fails(self, fields: Fields) -> bool:
        if time.monotonic() > self.until:
            raise _OutOfTimeError
        case = case_of({**fields, "id": f"{self.function}-smallest", "function": self.function})
        expected, actual = (
            self._call(self.observe_reference, self.reference, case),
            self._call(self.observe_student, self.student, case),
        )
        if expected is None or actual is None:
            return False
        wanted = self.assignment.spec.functions[self.function]
        results = compare_call(self.function, wanted, case, expected, actual, self.assignment.judge)
        differs = any(result.outcome is not Outcome.PASSED for result in results)
        if differs and (self.smallest is None or _size(case) < _size(self.smallest[0])):
            self.smallest = (case, expected, actual)
        return differs

    def _call(self, observe: Observe, program: Program, case: Case) -> CallSeen | None:
        names = (self.function, *self.assignment.spec.functions[self.function].names)
        seen = observe(Calls(f"calls/{self.function}", program, self.function, names, (case,)))
        return seen.calls[0] if isinstance(seen, CallsSeen) and seen.calls else None


def _size(case: Case) -> int:
    return len(canonical([list(case.args), list(case.script), list(case.stdin)]))


def shrink(
    assignment: Assignment,
    submission: Submission,
    function: str,
    observer: Callable[[], Observe],
    *,
    seconds: float = SECONDS,
) -> tuple[Verdict, ...]:
    """The verdicts on the smallest failing call that can be found in the time, or nothing."""
    path: Path = assignment.tree.root / "specs" / f"{assignment.spec.slug}.py"
    if not path.exists():
        return ()
    strategy: SearchStrategy[Fields] | None = read_space(path, assignment.spec.functions).cases.get(function)
    if strategy is None:
        return ()
    search = _Search(
        assignment,
        function,
        Program(assignment.spec.file, submission.source, assignment.supplied),
        Program(assignment.spec.file, assignment.reference.source, assignment.supplied),
        observer(),
        observer(),
        time.monotonic() + seconds,
    )
    _search(strategy, search)
    if search.smallest is None:
        return ()
    case, expected, actual = search.smallest
    alone = dataclasses.replace(assignment, cases=(case,))
    loaded = observer()(Calls(f"calls/{function}", search.student, function, (function,), (case,)))
    assert isinstance(loaded, CallsSeen)
    return judge_calls(
        alone,
        function,
        CallsSeen("expected", loaded.loaded, (expected,)),
        CallsSeen("actual", loaded.loaded, (actual,)),
    )


def _search(strategy: SearchStrategy[Fields], search: _Search) -> None:
    quick = settings(
        max_examples=10_000,
        database=None,
        derandomize=True,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    try:
        find(strategy, search.fails, settings=quick)
    except (_OutOfTimeError, NoSuchExample):
        return


def with_smallest(
    assignment: Assignment,
    submission: Submission,
    verdicts: Sequence[Verdict],
    observer: Callable[[], Observe],
    *,
    seconds: float = SECONDS,
) -> tuple[Verdict, ...]:
    """The same verdicts, each failing function shown on the smallest call that breaks it; outcomes and marks stay as they are."""
    failing = dict.fromkeys(verdict.evidence for verdict in verdicts if _explainable(verdict))
    better: dict[tuple[str, str], Verdict] = {}
    for evidence in failing:
        function = evidence.partition("/")[2]
        shrunk = shrink(assignment, submission, function, observer, seconds=seconds / len(failing))
        better.update({(evidence, found.aspect): found for found in shrunk if found.outcome is not Outcome.PASSED})
    return tuple(_shown_on(verdict, better) for verdict in verdicts)


def _explainable(verdict: Verdict) -> bool:
    wrong = verdict.outcome in (Outcome.WRONG, Outcome.EXCEPTION) and not verdict.followed
    return wrong and verdict.evidence.startswith("calls/") and not verdict.case.startswith(HIDDEN)


def _shown_on(verdict: Verdict, better: dict[tuple[str, str], Verdict]) -> Verdict:
    """The first verdict of its kind takes over the words of the smaller case, if that is smaller indeed."""
    found = better.get((verdict.evidence, verdict.aspect))
    if found is None or not _explainable(verdict) or found.outcome is not verdict.outcome:
        return verdict
    del better[verdict.evidence, verdict.aspect]
    smaller = found.detail and verdict.detail and len(found.detail.tried) < len(verdict.detail.tried)
    return dataclasses.replace(verdict, sentence=found.sentence, detail=found.detail) if smaller else verdict
