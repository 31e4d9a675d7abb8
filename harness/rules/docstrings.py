"""Every function has a docstring."""

from __future__ import annotations

import dataclasses
import re

from harness.rules.finding import Finding, quoted
from harness.rules.source import FUNCTIONS, Source
from harness.rules.syntax import Function, docstring, functions, is_dunder

NAME = "docstrings"
WHY = "The docstring tells what a function is for, what it receives and what it returns, without reading its body."


@dataclasses.dataclass(frozen=True)
class Settings:
    """A docstring has at least `minimum_words` words and is none of the `placeholders` a starter file comes with.

    Functions in `exempt` (those the course supplies) need none, and neither do methods such as `__init__` unless
    `dunder_methods` is set; functions inside functions are their outer function's business.
    """

    minimum_words: int = 1
    dunder_methods: bool = False
    exempt: tuple[str, ...] = ()
    placeholders: tuple[str, ...] = (
        "docstring",
        "doc string",
        "todo",
        "insert docstring here",
        "add your docstring here",
    )


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    placeholders = {_words(text) for text in settings.placeholders}
    found = []
    for function in functions(source):
        problem = _problem(function, settings.minimum_words, placeholders)
        if problem and _needs_one(source, function, settings):
            message = (
                f"The function {quoted(function.name)} {problem}. "
                "Say what it does, what it receives and what it returns."
            )
            found.append(Finding(NAME, function.lineno, source.column(function), message, WHY))
    return tuple(found)


def _needs_one(source: Source, function: Function, settings: Settings) -> bool:
    if function.name in settings.exempt or isinstance(source.scope(function), FUNCTIONS):
        return False
    return settings.dunder_methods or not is_dunder(function.name)


def _problem(function: Function, minimum: int, placeholders: set[tuple[str, ...]]) -> str:
    text = docstring(function)
    if text is None:
        return "has no docstring"
    words = _words(str(text.value))
    if not words:
        return "has an empty docstring"
    if words in placeholders:
        return "still has the placeholder as its docstring"
    return f"has a docstring of only {len(words)} words, and {minimum} are asked for" if len(words) < minimum else ""


def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", text.lower()))
