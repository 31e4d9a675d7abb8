"""No function is defined inside another. A method is not nested, and neither is a lambda."""

from __future__ import annotations

import dataclasses

from harness.rules.finding import Finding, quoted
from harness.rules.source import FUNCTIONS, Source
from harness.rules.syntax import functions

NAME = "nested_functions"
WHY = "A function at the left margin can be called, tested and read by itself."


@dataclasses.dataclass(frozen=True)
class Settings:
    """Functions named in `allowed` may stand inside others."""

    allowed: tuple[str, ...] = ()


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    found = []
    for function in functions(source):
        around = source.scope(function)
        if isinstance(around, FUNCTIONS) and function.name not in settings.allowed:
            message = (
                f"The function {quoted(function.name)} is defined inside {quoted(around.name)}. "
                "Move it out, to the left margin."
            )
            found.append(Finding(NAME, function.lineno, source.column(function), message, WHY))
    return tuple(found)
