"""The program uses what the assignment asks it to use: assertions, exceptions, handlers."""

from __future__ import annotations

import ast
import dataclasses

from harness.rules.finding import Finding, plural
from harness.rules.source import Source
from harness.rules.syntax import TRIES, dotted

NAME = "required"
WHY = "The assignment practises stating what must hold, saying when it does not, and recovering from it."


@dataclasses.dataclass(frozen=True)
class Settings:
    """How many `assert`, `raise` and `try … except` there are at least, and exception types that must be raised somewhere.

    An assertion of something that is always true is none.
    """

    asserts: int = 0
    raises: int = 0
    tries: int = 0
    raised: tuple[str, ...] = ()


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    asserts = [node for node in source.of(ast.Assert) if not isinstance(node.test, ast.Constant)]
    raises = source.of(ast.Raise)
    tries = [node for node in source.of(*TRIES) if getattr(node, "handlers", ())]
    problems = [
        _problem("`assert`", len(asserts), settings.asserts),
        _problem("`raise`", len(raises), settings.raises),
        _problem("`try … except`", len(tries), settings.tries),
    ]
    types = {_type(node) for node in raises}
    problems += [
        f"The program never raises {name}, which the assignment asks for."
        for name in settings.raised
        if name not in types
    ]
    return tuple(Finding(NAME, 0, 0, problem, WHY) for problem in problems if problem)


def _problem(word: str, count: int, least: int) -> str:
    if count >= least:
        return ""
    if count == 0:
        return f"The program does not use {word}, which the assignment asks for."
    return f"The program uses {word} only {plural(count, 'time')}; the assignment asks for at least {least}."


def _type(node: ast.Raise) -> str:
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    return dotted(raised).rpartition(".")[2] if raised is not None else ""
