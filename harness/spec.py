"""What an assignment asks for: the record behind `specs/<slug>.yaml`."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Literal

from harness.errors import Fault
from harness.policy import Policy
from harness.session import parse_view
from harness.yamlfile import EMPTY, Where, key, nearest

Aspect = Literal["returns", "arguments", "prints", "raises", "identity", "shuffles"]


@dataclasses.dataclass(frozen=True)
class Equivalent:
    """Two ways of answering that the handout both allows."""

    returned: Any = key("What the reference returns.", example="false")
    raised: str | None = key("An exception that says the same.", default=None, example="RuntimeError")
    also: Any = key("Another value that says the same.", default=None, example="null")


@dataclasses.dataclass(frozen=True)
class Hint:
    """A sentence for a student whose answer shows a known mistake."""

    when: str = key(
        "The mistake: the name of a function in the assignment's judge module that recognises it.",
        example="wrapped_to_the_last_column",
    )
    say: str = key(
        "What the student is told.",
        example='"Column 0 has no left neighbour: tableau[row][-1] is the other end of the row."',
    )


@dataclasses.dataclass(frozen=True)
class Method:
    """A method that a class must have."""

    parameters: tuple[str, ...] = key("Its parameters, without `self`.", default=(), example="[card]")
    names: tuple[str, ...] = key("Other accepted spellings.", default=(), example="[isvisibleCard]")


@dataclasses.dataclass(frozen=True)
class Function:
    """A function or class that must be there, and how its behaviour is judged."""

    doc: str = key(
        "What it does, as the stub's docstring says it to students.", example='"Return True if the move is valid."'
    )
    parameters: tuple[str, ...] = key("Its parameters, in order.", default=(), example="[tableau, from_col]")
    also: tuple[tuple[str, ...], ...] = key(
        "Other accepted parameter lists.", default=(), example="[[tableau, stock, waste]]"
    )
    names: tuple[str, ...] = key("Other accepted spellings of the name.", default=(), example="[check_for_win]")
    kind: Literal["function", "class"] = key(
        "A function, or a class with methods.", default="function", example="class"
    )
    methods: Mapping[str, Method] = key("The methods of a class.", default=EMPTY)
    supplied: bool = key(
        "The course hands it out with the starter file, so it is in the stub and nobody is asked to write it.",
        default=False,
    )
    judged: bool = key("Whether calls of it are part of the evidence.", default=True)
    aspects: tuple[Aspect, ...] = key(
        "What is compared with the reference.", default=("returns", "arguments"), example="[returns]"
    )
    helpers: tuple[str, ...] = key(
        "Functions it may rest on: they are replaced by the reference's if it fails as handed in.",
        default=(),
        example="[validate_move]",
    )
    accept: tuple[Equivalent, ...] = key("Answers that count as the same.", default=())
    any_exception: bool = key("Any exception counts as the one the reference raises.", default=False)
    stand_in: str | None = key(
        "Source that takes its place in follow-through, where the reference's own would not fit every program that rests on it.",
        default=None,
    )
    promise: str | None = key(
        "For functions that draw random numbers: the function of the judge module that says what must hold.",
        default=None,
        example="shuffle_keeps_its_promise",
    )
    hints: tuple[Hint, ...] = key("Sentences for known mistakes.", default=())


@dataclasses.dataclass(frozen=True)
class Session:
    """A whole game that is played; its text is `fixtures/<slug>/sessions/<name>.txt`."""

    title: str = key("One line for people.", example='"Test 1 of the handout"')
    view: str | None = key(
        "What counts, if not the assignment's own view: screen, exact, lines REGEX, tokens REGEX, state.",
        default=None,
        example="screen",
    )


@dataclasses.dataclass(frozen=True)
class Growth:
    """A method whose cost must not grow with the size of what it works on."""

    function: str = key("The class it belongs to.", example="Deck")
    method: str = key("The method that is measured.", example="pushDeck")
    build: tuple[Mapping[str, Any], ...] = key("Steps that make the object, before it is filled.", default=())
    fill: Mapping[str, Any] = key("The step that is repeated to make the object large.", default=EMPTY)
    step: Mapping[str, Any] = key("The step whose work is counted.", default=EMPTY)


@dataclasses.dataclass(frozen=True)
class LimitsSpec:
    """What one run of a program may use; every key has a default that suits a small program."""

    cpu_seconds: Fraction = key("CPU seconds for one unit of work.", default=Fraction(2), example="2", least=0)
    wall_seconds: Fraction = key(
        "Seconds by the clock, only as a guard against programs that wait.", default=Fraction(20), example="20", least=0
    )
    memory_mb: int = key("Memory in megabytes.", default=256, example="256", least=32)
    output_kb: int = key("Output in kilobytes.", default=1024, example="1024", least=1)
    submission_cpu_seconds: Fraction = key(
        "CPU seconds for everything one submission does.", default=Fraction(20), example="20", least=0
    )


@dataclasses.dataclass(frozen=True)
class Spec:
    """One assignment."""

    slug: str = key("The short name; the same as the file's.", example="war")
    title: str = key("The name for people.", example='"War"')
    course: str = key("Where and when it was set.", example='"CSE 231, Fall 2019"')
    file: str = key("The file that is handed in.", example="proj10.py")
    about: str = key("A few sentences for `patience show` and the student's page.", default="")
    supplied: Mapping[str, str] = key(
        "The modules the course supplies, and their files in `reference/supplied/`.",
        default=EMPTY,
        example="{cards: cards_2019.py}",
    )
    policy: Policy | None = key("Due date, late rules, early bonus.", default=None)
    functions: Mapping[str, Function] = key("The functions and classes that must be there.", default=EMPTY)
    sessions: Mapping[str, Session] = key("The whole games that are played.", default=EMPTY)
    view: str = key(
        "What counts in a session: screen, exact, lines REGEX, tokens REGEX, state.", default="screen", example="screen"
    )
    prompts: Literal["judged", "told"] = key(
        "Whether the wording of prompts counts or is only told.", default="judged", example="told"
    )
    supplied_text: tuple[str, ...] = key(
        "Text on the screen that is the course's, not the student's: a difference is told, never charged.", default=()
    )
    free: tuple[str, ...] = key(
        "Patterns of lines whose wording is free: they may differ, be missing or be there once more.", default=()
    )
    equivalents: tuple[tuple[str, ...], ...] = key(
        "Sets of patterns: lines that match patterns of one set are the same line if what their groups catch is the same.",
        default=(),
    )
    boards: tuple[str, ...] = key(
        "Patterns of the lines that make a board: it may be left out where it only repeats the last one, and one more is only told.",
        default=(),
    )
    random_turns: Mapping[str, str] = key(
        "Typed lines (a pattern) after which the board is random, and the judge function that says what must hold.",
        default=EMPTY,
    )
    random_function: str | None = key(
        "The function whose result is random; the reference is given the student's own board for it.", default=None
    )
    display: str | None = key(
        "The function that shows the board, for the view `state`.", default=None, example="display"
    )
    judge: str | None = key(
        "A Python file beside the spec with the functions that promises, hints and drawings name.",
        default=None,
        example="war_judge.py",
    )
    rules: Mapping[str, Mapping[str, Any]] = key(
        "Rules of the source and their settings.", default=EMPTY, example="{line-length: {maximum: 120}}"
    )
    growth: Mapping[str, Growth] = key("Methods whose cost must not grow.", default=EMPTY)
    questions: bool = key(
        "Whether the answers to the course's questions are collected from comments at the end of the file.",
        default=False,
    )
    limits: LimitsSpec = key("What one run may use.", default=LimitsSpec())
    driver: Literal["main", "module"] = key(
        "Where the game is started: in a guarded `main`, or by code of the module itself, as some starters have it.",
        default="main",
        example="module",
    )
    depth: int = key("How deep in a submission's folder the file is looked for.", default=4, example="4", least=0)

    @classmethod
    def faults(cls, spec: Spec, where: Where) -> Iterator[Fault]:
        """What the types cannot say: names that exist, patterns that are patterns, helpers without a circle."""
        if spec.slug != where.path.stem:
            yield where.fault(
                "slug", f"{spec.slug!r} differs from the file's name {where.path.stem!r}", "make them the same"
            )
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*\.py", spec.file):
            yield where.fault("file", f"{spec.file!r} cannot be imported", "a Python file such as proj10.py")
        if spec.policy is not None:
            yield from Policy.faults(spec.policy, where)
        for name, patterns in (
            ("free", spec.free),
            ("boards", spec.boards),
            *((f"equivalents.{index}", group) for index, group in enumerate(spec.equivalents)),
        ):
            for index, pattern in enumerate(patterns):
                yield from _pattern_faults(pattern, where, f"{name}.{index}")
        for at, text in (
            ("view", spec.view),
            *((f"sessions.{name}.view", session.view) for name, session in spec.sessions.items()),
        ):
            yield from _view_faults(text, where, at)
        for pattern in spec.random_turns:
            yield from _pattern_faults(pattern, where, f"random-turns.{pattern}")
        yield from _helper_faults(spec, where)
        if spec.judge is None and (
            spec.random_turns or any(function.promise or function.hints for function in spec.functions.values())
        ):
            yield where.fault(
                "judge", "promises and hints name functions, but no judge module is given", "judge: some_file.py"
            )
        for name, growth in spec.growth.items():
            if growth.function not in spec.functions:
                yield where.fault(
                    f"growth.{name}.function",
                    f"{growth.function!r} is not among `functions`",
                    nearest(growth.function, spec.functions),
                )


def _pattern_faults(pattern: str, where: Where, at: str) -> Iterator[Fault]:
    try:
        re.compile(pattern)
    except re.error as error:
        yield where.fault(at, f"{pattern!r} is not a pattern: {error}", "a regular expression of Python's re")


def _view_faults(text: str | None, where: Where, at: str) -> Iterator[Fault]:
    if text is None:
        return
    try:
        parse_view(text)
    except ValueError as error:
        yield where.fault(at, str(error))


def _helper_faults(spec: Spec, where: Where) -> Iterator[Fault]:
    for name, function in spec.functions.items():
        at = f"functions.{name}.helpers"
        for helper in function.helpers:
            if helper not in spec.functions:
                yield where.fault(
                    at,
                    f"{helper!r} is not among `functions`",
                    nearest(helper, spec.functions) + f"known: {', '.join(spec.functions)}",
                )
        if name in _reach(spec, function.helpers):
            yield where.fault(at, f"{name} rests on itself through its helpers", "a helper must not need what it helps")


def _reach(spec: Spec, names: tuple[str, ...]) -> set[str]:
    """All functions that these rest on, directly or not, themselves included."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found and name in spec.functions:
            found.add(name)
            waiting.extend(spec.functions[name].helpers)
    return found


def reach(spec: Spec, function: str) -> tuple[str, ...]:
    """The helpers of a function and theirs, in the order of the spec."""
    found = _reach(spec, spec.functions[function].helpers)
    return tuple(name for name in spec.functions if name in found)
