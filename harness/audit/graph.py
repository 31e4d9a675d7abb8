"""Which functions of a program rest on which of its top-level names."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache

from harness.spec import Spec
from harness.standin import PARSING


@lru_cache(maxsize=16)
def _uses(source: bytes) -> Mapping[str, frozenset[str]]:
    """Each top-level name and the names that its definition mentions."""
    found: dict[str, set[str]] = {}
    with PARSING:
        statements = ast.parse(source).body
    for statement in statements:
        for name in _defined(statement):
            found.setdefault(name, set()).update(_mentioned(statement) - {name})
    return {name: frozenset(mentioned & found.keys()) for name, mentioned in found.items()}


def _defined(statement: ast.stmt) -> list[str]:
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return [statement.name]
    return [name.id for name in _names(statement, ast.Store)] if isinstance(statement, ast.Assign) else []


def _mentioned(statement: ast.stmt) -> set[str]:
    """The names that a statement reads, without a function's own parameters and variables."""
    if isinstance(statement, ast.ClassDef):
        return set().union(*map(_mentioned, statement.body), *(_read(base) for base in statement.bases))
    own = _own_names(statement) if isinstance(statement, ast.FunctionDef) else set()
    return _read(statement) - own


def _read(node: ast.AST) -> set[str]:
    return {name.id for name in _names(node, ast.Load)}


def _own_names(function: ast.FunctionDef) -> set[str]:
    arguments = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    return arguments | {name.id for name in _names(function, ast.Store)}


def _names(node: ast.AST, context: type[ast.expr_context]) -> Iterator[ast.Name]:
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, context))


def owners(source: bytes, spec: Spec, name: str) -> tuple[str, ...]:
    """The functions of the spec that a piece of the program belongs to: itself, or those that use it without another between."""
    return _above(source, spec, name, through=False)


def dependents(source: bytes, spec: Spec, name: str) -> tuple[str, ...]:
    """All functions of the spec whose behaviour can change with a piece of the program."""
    return _above(source, spec, name, through=True)


def _above(source: bytes, spec: Spec, name: str, *, through: bool) -> tuple[str, ...]:
    spelled = {
        spelling: function for function, asked in spec.functions.items() for spelling in (function, *asked.names)
    }
    uses = _uses(source)
    found: set[str] = set()
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        if current in spelled:
            found.add(spelled[current])
            if not through:
                continue
        waiting.extend(user for user, mentioned in uses.items() if current in mentioned)
    return tuple(function for function in spec.functions if function in found)
