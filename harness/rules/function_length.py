"""Functions are of reasonable length."""

from __future__ import annotations

import dataclasses

from harness.rules.finding import Finding, quoted
from harness.rules.source import Source
from harness.rules.syntax import Function, docstring, functions, last_line

NAME = "function_length"
WHY = "A function that fits on a screen can be checked at a glance, and its parts can be used again."


@dataclasses.dataclass(frozen=True)
class Settings:
    """At most `maximum` lines of code: blank lines, lines of comment and the docstring are free, and so are the functions in `exempt`."""

    maximum: int = 100
    exempt: tuple[str, ...] = ()


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    found = []
    for function in functions(source):
        length = _length(source, function)
        if length > settings.maximum and function.name not in settings.exempt:
            message = (
                f"The function {quoted(function.name)} has {length} lines of code; at most {settings.maximum} are allowed. "
                "Give a part of it a name and make it a function."
            )
            found.append(Finding(NAME, function.lineno, source.column(function), message, WHY))
    return tuple(found)


def _length(source: Source, function: Function) -> int:
    numbers = set(range(function.lineno, last_line(function) + 1))
    text = docstring(function)
    if text is not None:
        numbers -= set(range(text.lineno, last_line(text) + 1))
    lines = (source.line(number).strip() for number in numbers)
    return sum(1 for line in lines if line and not line.startswith("#"))
