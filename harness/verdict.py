"""Observations beside the reference's: what each piece of evidence shows, with words for the student."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from fractions import Fraction

from harness.assignment import Assignment
from harness.bank import Case
from harness.compare.values import AspectResult, compare_call, group_of, step_source
from harness.observation import CallSeen, CallsSeen, Loaded, Name, Raised
from harness.outcome import Outcome
from harness.spec import Function
from harness.values import source
from harness.yamlfile import close_names

_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclasses.dataclass(frozen=True)
class Detail:
    """What a person needs to see a difference: the call or the typed line, expected and actual, and where to look."""

    tried: str = ""
    before: str = ""
    expected: str = ""
    actual: str = ""
    line: int | None = None
    text: str = ""


@dataclasses.dataclass(frozen=True)
class Verdict:
    """One aspect of one case, one session, or one rule.

    `followed` marks a case that is right once the helpers are the reference's; `share` is what a session got right of
    its turns; `kinds` are the kinds of difference that were found in it.
    """

    evidence: str
    case: str
    aspect: str
    outcome: Outcome
    group: str = ""
    share: Fraction = _ZERO
    kinds: tuple[str, ...] = ()
    followed: bool = False
    sentence: str = ""
    detail: Detail | None = None
    notes: tuple[str, ...] = ()


def judge_calls(assignment: Assignment, function: str, expected: CallsSeen, actual: CallsSeen) -> tuple[Verdict, ...]:
    """Judge the calls of one function against the reference's."""
    evidence = f"calls/{function}"
    wanted = assignment.spec.functions[function]
    cases = {case.id: case for case in assignment.cases_of.get(function, ())}
    absent = absence(assignment, function, actual)
    if absent is not None:
        outcome, sentence, detail = absent
        return tuple(
            Verdict(
                evidence, seen.case, aspect, outcome, group_of(cases[seen.case], seen), sentence=sentence, detail=detail
            )
            for seen in expected.calls
            for aspect in wanted.aspects
        )
    found = {seen.case: seen for seen in actual.calls}
    verdicts: list[Verdict] = []
    for right in expected.calls:
        case = cases[right.case]
        seen = found.get(
            right.case, CallSeen(right.case, Outcome.TIMEOUT, detail="the time for this submission was used up")
        )
        results = compare_call(function, wanted, case, right, seen, assignment.judge)
        verdicts.extend(_call_verdict(assignment, function, case, right, seen, result) for result in results)
    return tuple(verdicts)


def _call_verdict(
    assignment: Assignment, function: str, case: Case, expected: CallSeen, actual: CallSeen, result: AspectResult
) -> Verdict:
    passed = result.outcome is Outcome.PASSED
    return Verdict(
        evidence=f"calls/{function}",
        case=case.id,
        aspect=result.aspect,
        outcome=result.outcome,
        group=group_of(case, expected),
        share=_ONE if passed else _ZERO,
        sentence=""
        if passed
        else result.sentence + _hint(assignment, assignment.spec.functions[function], case, expected, actual),
        detail=None if passed else _detail(assignment, case, actual, result),
    )


def _hint(assignment: Assignment, function: Function, case: Case, expected: CallSeen, actual: CallSeen) -> str:
    for hint in function.hints:
        if assignment.judge[hint.when](case, expected, actual):
            return f" {hint.say}"
    return ""


def _detail(assignment: Assignment, case: Case, actual: CallSeen, result: AspectResult) -> Detail:
    draw = assignment.judge.get("draw")
    raised = actual.raised
    return Detail(
        tried=call_source(case),
        before=str(draw(case)) if draw is not None and not case.script else "",
        expected=result.expected,
        actual=result.actual,
        line=raised.line if raised else None,
        text=raised.text if raised else "",
    )


def call_source(case: Case) -> str:
    """The call as a student can paste it."""
    if case.script:
        return "\n".join(step_source(step) for step in case.script)
    return f"{case.function}({', '.join(source(argument) for argument in case.args)})"


def absence(assignment: Assignment, function: str, seen: CallsSeen) -> tuple[Outcome, str, Detail | None] | None:
    """Why there is nothing to call, or None if there is."""
    loaded = seen.loaded
    if loaded.outcome is not Outcome.PASSED:
        return loaded.outcome, load_sentence(assignment.spec.file, loaded), _load_detail(loaded.raised)
    names = (function, *assignment.spec.functions[function].names)
    if any(name.name in names for name in loaded.names):
        return None
    return Outcome.MISSING, missing_sentence(assignment, function, loaded.names), None


def missing_sentence(assignment: Assignment, function: str, names: Sequence[Name]) -> str:
    """A missing function, with the nearest name the student did define."""
    file, wanted = assignment.spec.file, assignment.spec.functions[function]
    what = "class" if wanted.kind == "class" else "function"
    others = [
        name for name in names if name.kind in ("function", "class") and name.name not in assignment.spec.functions
    ]
    near = close_names(function, [name.name for name in others])
    if near:
        line = next((name.line for name in others if name.name == near[0]), None)
        at = f" (line {line})" if line else ""
        return f"There is no {what} `{function}` in {file}. There is one called `{near[0]}`{at}: is that it? Names must match to the letter."
    return f"There is no {what} `{function}` in {file}."


_LOADS: Mapping[Outcome, str] = {
    Outcome.TIMEOUT: "{file} does not finish loading: {detail}. Is there a loop outside of the functions?",
    Outcome.EXITED: "{file} ends itself while it is being loaded ({detail}). Keep exit() and quit() inside `main`.",
    Outcome.MEMORY: "{file} uses more memory than there is while it is being loaded.",
    Outcome.CRASHED: "Python itself crashed while loading {file}: {detail}.",
    Outcome.OUTPUT_LIMIT: "{file} prints without end while it is being loaded.",
}


def load_sentence(file: str, loaded: Loaded) -> str:
    """Why a file could not be loaded, in words for its author."""
    raised = loaded.raised
    if raised is None:
        return _LOADS.get(loaded.outcome, "{file} could not be loaded: {detail}.").format(
            file=file, detail=loaded.detail.rstrip(".") or loaded.outcome.words
        )
    line = f" on line {raised.line}" if raised.line else ""
    if raised.type in ("SyntaxError", "IndentationError", "TabError"):
        return f"Python cannot read {file}: {raised.message}{line}."
    if raised.type == "EOFError":
        return f"{file} asks for input while it is being loaded{line}. Keep input() inside `main`."
    if raised.type in ("ModuleNotFoundError", "ImportError"):
        return f"{file} imports something that is not there{line}: {raised.message}."
    return f"{file} stops while it is being loaded{line}: {raised.type}: {raised.message}"


def _load_detail(raised: Raised | None) -> Detail | None:
    return Detail(tried="loading the file", line=raised.line, text=raised.text) if raised is not None else None


def judge_load(file: str, seen: CallsSeen | None) -> Verdict:
    """Whether the file loads at all, which gates may ask for."""
    if seen is None or seen.loaded.outcome is Outcome.PASSED:
        return Verdict("load", "load", "load", Outcome.PASSED, share=_ONE)
    return Verdict(
        "load",
        "load",
        "load",
        seen.loaded.outcome,
        sentence=load_sentence(file, seen.loaded),
        detail=_load_detail(seen.loaded.raised),
    )


def follow_through(
    function: str, helpers: Sequence[str], plain: Sequence[Verdict], helped: Sequence[Verdict]
) -> tuple[Verdict, ...]:
    """Mark the cases that are wrong as handed in and right beside the reference's helpers."""
    right = {(verdict.case, verdict.aspect) for verdict in helped if verdict.outcome is Outcome.PASSED}
    named = " and ".join(f"`{name}`" for name in helpers)
    sentence = f"`{function}` is right once {named} {'is' if len(helpers) == 1 else 'are'}."
    return tuple(
        dataclasses.replace(verdict, followed=True, sentence=sentence)
        if verdict.outcome is not Outcome.PASSED and (verdict.case, verdict.aspect) in right
        else verdict
        for verdict in plain
    )
