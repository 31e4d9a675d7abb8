"""Functions that must be quick for any size do no work that Python hides: `insert(0, …)`, `pop(0)`, copies, searches.

Counting lines or instructions (`growth`) sees loops, but a single call that moves a million elements counts as one.
This rule sees the calls whose cost depends on the size of a list, by how they are written.
"""

from __future__ import annotations

import ast
import dataclasses

from harness.rules.finding import Finding, quoted
from harness.rules.source import Source
from harness.rules.syntax import Function, functions

NAME = "linear_work"
WHY = "This must take the same time for ten elements and for ten million; work at the end of a list does, work at its front does not."
_SEARCHES = {
    "index": "searches",
    "count": "searches",
    "remove": "searches",
    "copy": "copies",
    "reverse": "turns over",
    "sort": "sorts",
}
_COPIES = {"list", "sorted", "tuple", "set", "deepcopy"}


@dataclasses.dataclass(frozen=True)
class Settings:
    """The `functions` to look at: `deal`, or `Deck.push` for a method."""

    functions: tuple[str, ...] = ()


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    found = []
    for function in functions(source):
        owner = source.scope(function)
        name = f"{owner.name}.{function.name}" if isinstance(owner, ast.ClassDef) else function.name
        if name in settings.functions:
            found += _costs(source, function, name)
    return tuple(found)


def _costs(source: Source, function: Function, name: str) -> list[Finding]:
    found = []
    for node in ast.walk(function):
        problem = _of_call(node) if isinstance(node, ast.Call) else _of_other(node)
        if problem and isinstance(node, (ast.expr, ast.stmt)):
            message = f"{quoted(name)} {problem}, so it takes longer the more elements there are."
            found.append(Finding(NAME, node.lineno, source.column(node), message, WHY))
    return found


def _of_call(call: ast.Call) -> str:
    """What a call costs, if it is one of those that depend on the size."""
    first = call.args[0] if call.args else None
    if isinstance(call.func, ast.Name):
        copies = call.func.id in _COPIES and isinstance(first, (ast.Name, ast.Attribute))
        return f"copies a whole list with `{call.func.id}`" if copies else ""
    if not isinstance(call.func, ast.Attribute):
        return ""
    method = call.func.attr
    if method in {"insert", "pop"} and isinstance(first, ast.Constant) and first.value == 0:
        return f"works at the front of a list (`{method}(0…)`), which moves every other element"
    return f"{_SEARCHES[method]} a whole list with `{method}`" if method in _SEARCHES else ""


def _of_other(node: ast.AST) -> str:
    if isinstance(node, ast.Delete):
        front = any(isinstance(target, ast.Subscript) and _is_zero(target.slice) for target in node.targets)
        return "deletes the first element of a list, which moves every other element" if front else ""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and isinstance(node.ctx, ast.Load):
        return "copies a part of a list"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        joined = isinstance(node.left, ast.List) or isinstance(node.right, ast.List)
        return "makes a new list with `+`" if joined else ""
    return ""


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0
