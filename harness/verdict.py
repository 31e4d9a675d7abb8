"""Observations beside the reference's: what each piece of evidence shows, with words for the student."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from harness.assignment import Assignment
from harness.bank import Case
from harness.compare.difference import Difference
from harness.compare.explain import Explanation, explain
from harness.compare.games import SessionVerdict, compare_session
from harness.compare.turns import Turn
from harness.compare.values import AspectResult, compare_call, group_of, step_source
from harness.observation import CallSeen, CallsSeen, Loaded, Name, Raised, SessionSeen
from harness.outcome import Outcome
from harness.rubric import evidence_names
from harness.rules.finding import Finding
from harness.rules.inspection import Inspection
from harness.rules.structure import Signature, differences
from harness.session import parse_view
from harness.spec import Function
from harness.submission import Submission
from harness.values import card_text, source
from harness.yamlfile import close_names

_ZERO, _ONE = Fraction(0), Fraction(1)
EVERY_ASPECT = "all"
"""The aspect of a verdict that speaks of all cases and aspects of its evidence at once: nothing could be run."""


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
        sentence="" if passed else _sentence(assignment, function, case, expected, actual, result),
        detail=None if passed else _detail(assignment, case, actual, result),
    )


def _sentence(
    assignment: Assignment, function: str, case: Case, expected: CallSeen, actual: CallSeen, result: AspectResult
) -> str:
    """What is said about a wrong call; of a hidden case not even that much, since its words would give it away."""
    if case.hidden:
        return f"`{function}` is wrong for a case that is not shown."
    return result.sentence + _hint(assignment, assignment.spec.functions[function], case, expected, actual)


def _hint(assignment: Assignment, function: Function, case: Case, expected: CallSeen, actual: CallSeen) -> str:
    for hint in function.hints:
        if assignment.judge[hint.when](case, expected, actual):
            return f" {hint.say}"
    return ""


def _detail(assignment: Assignment, case: Case, actual: CallSeen, result: AspectResult) -> Detail:
    draw = assignment.judge.get("draw")
    raised = actual.raised
    return Detail(
        tried=call_source(assignment, case),
        before=str(draw(case)) if draw is not None and not case.script else "",
        expected=result.expected,
        actual=result.actual,
        line=raised.line if raised else None,
        text=raised.text if raised else "",
    )


_PRELUDE = (
    ("face_down(", "def face_down(card):\n    card.flip_card()\n    return card"),
    ("deck_of(", "def deck_of(cards):\n    deck = Deck()\n    deck._Deck__deck = list(cards)\n    return deck"),
)


def call_source(assignment: Assignment, case: Case) -> str:
    """The call as a student can paste it at a Python prompt, in the folder of the file."""
    module = assignment.spec.file.removesuffix(".py")
    if case.script:
        steps = [step_source(step) for step in case.script]
        return "\n".join([f"from {module} import *", *steps])
    call = f"{case.function}({', '.join(source(argument) for argument in case.args)})"
    needed = [text for word, text in _PRELUDE if word in call]
    classes = [name for name in ("Card", "Deck") if f"{name}(" in call or (name == "Deck" and "deck_of(" in call)]
    lines = [f"from {name} import {', '.join(classes)}" for name in assignment.spec.supplied if classes]
    if case.deck is not None:
        lines.append(f"# with a deck that deals {' '.join(card_text(code) for code in case.deck[:8])} ...")
    lines += [f"# and type: {line}" for line in case.stdin]
    return "\n".join([*lines, f"from {module} import {case.function}", *(f"{text}\n" for text in needed), call])


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


_KINDS = {
    Difference.BLANKS: "blanks",
    Difference.INVISIBLE: "blanks",
    Difference.LETTER_CASE: "case",
    Difference.PROMPT: "prompt",
}


def judge_session(
    assignment: Assignment, name: str, expected: SessionSeen, actual: SessionSeen
) -> tuple[Verdict, SessionVerdict]:
    """Judge a whole game against the reference's; the details are kept so that a caller can ask for a replay."""
    spec, script = assignment.spec, assignment.scripts[name]
    view = (
        parse_view(spec.sessions[name].view or "")
        if spec.sessions[name].view
        else (script.view or parse_view(spec.view))
    )
    compared = compare_session(
        expected,
        actual,
        view=view,
        ungraded=script.ungraded,
        supplied_text=spec.supplied_text,
        prompts=spec.prompts,
        free=spec.free,
        equivalents=spec.equivalents,
        boards=spec.boards,
        promises={
            _random_turn(assignment, pattern): assignment.judge[check] for pattern, check in spec.random_turns.items()
        },
    )
    return session_verdict(name, compared, actual), compared


def _random_turn(assignment: Assignment, pattern: str) -> Callable[[Turn], bool]:
    """Recognises the turns that show a random board: by the typed line, and because the reference shows a board there."""
    compiled = re.compile(pattern)
    read = assignment.judge.get("read_board")

    def recognise(turn: Turn) -> bool:
        typed = turn.typed is not None and compiled.fullmatch(turn.typed.strip()) is not None
        return typed and (read is None or read(turn.text) is not None)

    return recognise


def session_verdict(name: str, compared: SessionVerdict, actual: SessionSeen) -> Verdict:
    """One verdict about a whole game, with its first wrong turn explained."""
    passed = compared.outcome is Outcome.PASSED
    explanation = explain(compared)
    charged = compared.differences
    kinds = {_KINDS.get(difference, difference.value) for difference in charged}
    return Verdict(
        evidence=f"session/{name}",
        case=name,
        aspect="turns",
        outcome=compared.outcome,
        share=compared.share,
        kinds=() if passed or compared.ending_charged else tuple(sorted(kinds)),
        sentence="" if passed else explanation.sentence,
        detail=None if passed else _session_detail(explanation, actual),
        notes=tuple(explanation.notes),
    )


def _session_detail(explanation: Explanation, actual: SessionSeen) -> Detail:
    raised = actual.raised
    return Detail(
        before=explanation.before,
        actual=explanation.comparison,
        line=raised.line if raised else None,
        text=raised.text if raised else "",
    )


def judge_source(assignment: Assignment, inspection: Inspection) -> tuple[Verdict, ...]:
    """One verdict for each rule of the source; a file that cannot be read fails them all."""
    verdicts = []
    for name in assignment.spec.rules:
        if inspection.outcome is not Outcome.PASSED:
            verdicts.append(Verdict(f"style/{name}", name, "source", inspection.outcome, sentence=inspection.reason))
            continue
        broken = dict(inspection.failed).get(name)
        if broken is not None:
            verdicts.append(Verdict(f"style/{name}", name, "source", Outcome.INTERNAL, sentence=broken))
            continue
        found = [finding for finding in inspection.findings if finding.rule == name]
        verdicts.append(_rule_verdict(name, found))
    return tuple(verdicts)


def _rule_verdict(name: str, found: Sequence[Finding]) -> Verdict:
    if not found:
        return Verdict(f"style/{name}", name, "source", Outcome.PASSED, share=_ONE)
    lines = [f"line {finding.line}: {finding.message}" if finding.line else finding.message for finding in found]
    first = found[0]
    return Verdict(
        f"style/{name}",
        name,
        "source",
        Outcome.WRONG,
        sentence=f"{lines[0][:1].upper()}{lines[0][1:]} {first.why}".strip(),
        detail=Detail(tried="reading the source", actual="\n".join(lines[:20]), line=first.line or None),
    )


def judge_structure(assignment: Assignment, inspection: Inspection) -> tuple[Verdict, ...]:
    """Whether each function and class is there with the parameters that are asked for."""
    verdicts = []
    for name, function in assignment.spec.functions.items():
        evidence = f"structure/{name}"
        if inspection.outcome is not Outcome.PASSED:
            verdicts.append(Verdict(evidence, name, "structure", inspection.outcome, sentence=inspection.reason))
            continue
        found = differences(inspection.outline, _signatures(name, function))
        if not found:
            verdicts.append(Verdict(evidence, name, "structure", Outcome.PASSED, share=_ONE))
            continue
        outcome = Outcome.MISSING if any(difference.kind == "missing" for difference in found) else Outcome.WRONG
        sentence = " ".join(difference.message for difference in found[:3])
        line = next((difference.line for difference in found if difference.line), None)
        verdicts.append(Verdict(evidence, name, "structure", outcome, sentence=sentence, detail=Detail(line=line)))
    return tuple(verdicts)


def refused(assignment: Assignment, submission: Submission) -> tuple[Verdict, ...]:
    """Every piece of evidence fails for the same reason: there was nothing that could be graded."""
    return _everything(assignment, submission.outcome, submission.problem)


def internal(assignment: Assignment, reason: str) -> tuple[Verdict, ...]:
    """Nothing is known about the student: the fault is ours."""
    return _everything(assignment, Outcome.INTERNAL, reason)


def _everything(assignment: Assignment, outcome: Outcome, sentence: str) -> tuple[Verdict, ...]:
    names = [name for name in evidence_names(assignment.spec) if name not in ("manual", "style", "structure")]
    return tuple(Verdict(name, name, EVERY_ASPECT, outcome, sentence=sentence) for name in names)


def _signatures(name: str, function: Function) -> tuple[Signature, ...]:
    """What the source must define for one function or class of the spec."""
    if function.kind == "function":
        return (Signature(name, function.parameters, spellings=function.names, alternatives=function.also),)
    methods = (
        Signature(method, wanted.parameters, owner=name, spellings=wanted.names)
        for method, wanted in function.methods.items()
    )
    return (Signature(name, None, kind="class", spellings=function.names), *methods)
