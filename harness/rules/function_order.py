"""Functions stand before other code: nothing runs in between their definitions."""

from __future__ import annotations

import ast
import dataclasses

from harness.rules.finding import Finding, quoted
from harness.rules.source import FUNCTIONS, Source
from harness.rules.syntax import TRIES, dotted

NAME = "function_order"
WHY = "A reader finds the program that runs in one place, below the functions it uses."
_DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
_QUIET = (*_DEFINITIONS, ast.Import, ast.ImportFrom, ast.Pass, ast.AugAssign, ast.Delete, ast.Global, ast.Assert)


@dataclasses.dataclass(frozen=True)
class Settings:
    """Calls that may stand between functions, such as the `random.seed` of a starter file."""

    allowed_calls: tuple[str, ...] = ("random.seed",)


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    own = {node.name for node in source.tree.body if isinstance(node, FUNCTIONS)} | {"input", "print"}
    running: ast.stmt | None = None
    found = []
    for node in source.tree.body:
        if isinstance(node, FUNCTIONS) and running is not None:
            message = (
                f"The function {quoted(node.name)} stands below code that already runs (line {running.lineno}). "
                "Put all functions first."
            )
            found.append(Finding(NAME, node.lineno, source.column(node), message, WHY))
        elif running is None and _runs(node, own, settings.allowed_calls):
            running = node
    return tuple(found)


def _runs(node: ast.stmt, own: set[str], allowed: tuple[str, ...]) -> bool:
    """Whether a statement is part of the program that runs, rather than a definition or a constant."""
    if isinstance(node, _QUIET):
        return False
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call) and dotted(node.value.func) not in allowed
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        calls = (inner for inner in ast.walk(node) if isinstance(inner, ast.Call))
        return any(dotted(call.func) in own for call in calls)
    if isinstance(node, (*TRIES, ast.If)):
        return not all(isinstance(inner, (*_QUIET, ast.Assign)) for inner in getattr(node, "body", ()))
    return True
