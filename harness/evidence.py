"""Running a plan and judging what came of it: the calls, their follow-through, the sessions and the source."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterator, Mapping, Sequence

from harness.assignment import Assignment
from harness.compare.games import SessionVerdict, accepted_boards
from harness.observation import CallsSeen, Observation, SessionSeen
from harness.outcome import Outcome
from harness.plan import Calls, Plan, Session, StandIn, Unit, follow_plan, make_plan
from harness.rules.inspection import Inspection
from harness.spec import reach
from harness.standin import stand_in
from harness.submission import Submission
from harness.values import Value
from harness.verdict import (
    Verdict,
    follow_through,
    judge_calls,
    judge_load,
    judge_session,
    judge_source,
    judge_structure,
)


@dataclasses.dataclass(frozen=True)
class Run:
    """The effects that grading needs, handed in from outside.

    `observer()` starts the budget of one submission and returns what runs its units;
    `check_source(source)` applies the rules of the assignment to a file.
    """

    observer: Callable[[], Callable[[Unit], Observation]]
    check_source: Callable[[bytes], Inspection]
    isolation: str


@dataclasses.dataclass(frozen=True)
class Observed:
    """What a submission did, by function and by session, and the means to run more of it."""

    plan: Plan
    calls: Mapping[str, CallsSeen]
    sessions: Mapping[str, SessionSeen]
    observe: Callable[[Unit], Observation]


@dataclasses.dataclass(frozen=True)
class Expected:
    """What the reference did."""

    observed: Observed


def observe_plan(plan: Plan, run: Run) -> Observed:
    """Run every unit. A program that cannot be loaded is loaded once, not once for each function."""
    observe = run.observer()
    calls: dict[str, CallsSeen] = {}
    first: CallsSeen | None = None
    for unit in plan.calls:
        seen = _calls(unit, first, observe)
        first = first or seen
        calls[unit.function] = seen
    sessions = {unit.id.partition("/")[2]: _session(unit, observe) for unit in plan.sessions}
    return Observed(plan, types.MappingProxyType(calls), types.MappingProxyType(sessions), observe)


def _calls(unit: Calls, first: CallsSeen | None, observe: Callable[[Unit], Observation]) -> CallsSeen:
    if first is not None and first.loaded.outcome is not Outcome.PASSED:
        return CallsSeen(unit.id, first.loaded)
    if first is not None and first.loaded.cuts:
        unit = dataclasses.replace(unit, salvage=True)
    seen = observe(unit)
    assert isinstance(seen, CallsSeen)
    return seen


def _session(unit: Session, observe: Callable[[Unit], Observation]) -> SessionSeen:
    seen = observe(unit)
    assert isinstance(seen, SessionSeen)
    return seen


def judge(
    assignment: Assignment, submission: Submission, expected: Expected, observed: Observed, run: Run
) -> tuple[tuple[Verdict, ...], tuple[str, ...]]:
    """All verdicts about a submission, and remarks that belong to none of them."""
    first = next(iter(observed.calls.values()), None)
    verdicts = [judge_load(assignment.spec.file, first)]
    plain = {
        unit.function: judge_calls(
            assignment, unit.function, expected.observed.calls[unit.function], observed.calls[unit.function]
        )
        for unit in observed.plan.calls
    }
    for unit in observed.plan.calls:
        verdicts.extend(_followed(assignment, unit, expected, observed, plain))
    for name, seen in observed.sessions.items():
        verdicts.append(_game(assignment, name, expected, seen, run))
    inspection = run.check_source(submission.source)
    verdicts.extend(judge_source(assignment, inspection))
    verdicts.extend(judge_structure(assignment, inspection))
    return tuple(verdicts), tuple(_remarks(assignment, observed))


def _followed(
    assignment: Assignment, unit: Calls, expected: Expected, observed: Observed, plain: Mapping[str, Sequence[Verdict]]
) -> Sequence[Verdict]:
    """A function as handed in and, where it fails and a helper of its own is to blame, beside the reference's helpers."""
    mine, seen = plain[unit.function], observed.calls[unit.function]
    helpers = reach(assignment.spec, unit.function)
    failing = tuple(dict.fromkeys(verdict.case for verdict in mine if verdict.outcome is not Outcome.PASSED))
    blamed = any(verdict.outcome is not Outcome.PASSED for name in helpers for verdict in plain.get(name, ()))
    if not blamed or not failing or seen.loaded.outcome is not Outcome.PASSED or not _defined(seen, unit):
        return mine
    standins = [_stand_in(assignment, helper) for helper in helpers]
    again = observed.observe(dataclasses.replace(follow_plan(unit, standins, failing), salvage=bool(seen.loaded.cuts)))
    assert isinstance(again, CallsSeen)
    right = expected.observed.calls[unit.function]
    wanted = dataclasses.replace(right, calls=tuple(call for call in right.calls if call.case in failing))
    return follow_through(unit.function, helpers, mine, judge_calls(assignment, unit.function, wanted, again))


def _stand_in(assignment: Assignment, name: str) -> StandIn:
    given = assignment.spec.functions[name].stand_in
    return StandIn(name, given) if given is not None else stand_in(assignment.reference.source, name)


def _defined(seen: CallsSeen, unit: Calls) -> bool:
    return any(name.name in unit.names for name in seen.loaded.names)


def _game(assignment: Assignment, name: str, expected: Expected, seen: SessionSeen, run: Run) -> Verdict:
    """A game against the reference's; after a random board of the student's own, against the reference playing on from it."""
    right = expected.observed.sessions[name]
    verdict, compared = judge_session(assignment, name, right, seen)
    function = assignment.spec.random_function
    if not compared.needs_replay or function is None:
        return verdict
    return _replayed(assignment, name, compared, seen, run)


def _replayed(assignment: Assignment, name: str, compared: SessionVerdict, seen: SessionSeen, run: Run) -> Verdict:
    assert assignment.spec.random_function is not None
    unit = next(unit for unit in make_plan(assignment, assignment.reference).sessions if unit.id == f"session/{name}")
    forced = ((assignment.spec.random_function, _boards(assignment, compared)),)
    return judge_session(assignment, name, _session(dataclasses.replace(unit, forced=forced), run.observer()), seen)[0]


def _boards(assignment: Assignment, compared: SessionVerdict) -> tuple[Value, ...]:
    """The student's own board after each random turn: read from the screen if the judge can, else as it was handed to the display."""
    read = assignment.judge.get("read_board")
    if read is None:
        return accepted_boards(compared)
    return tuple(board for promised in compared.promised if (board := read(promised.turn.text)) is not None)


def _remarks(assignment: Assignment, observed: Observed) -> Iterator[str]:
    """What was cut to load the file, and what a person should look at."""
    first = next(iter(observed.calls.values()), None)
    if first is not None and first.loaded.cuts and assignment.spec.driver == "main":
        places = ", ".join(f"line {cut.line} (`{cut.text.strip()[:60]}`)" for cut in first.loaded.cuts[:5])
        yield f"To try the functions on their own, the part that runs the game when the file is loaded was left out: {places}."
    everything: list[Observation] = [*observed.calls.values(), *observed.sessions.values()]
    flagged = dict.fromkeys(flag for seen in everything for flag in seen.review)
    yield from (f"For a person to look at: {flag}" for flag in flagged)
