"""Which functions of a program rest on which of its top-level names."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import lru_cache

from harness.spec import Spec


@lru_cache(maxsize=16)
def _uses(source: bytes) -> Mapping[str, frozenset[str]]:
    """Each top-level name and the names that its definition mentions."""
    found: dict[str, set[str]] = {}
    for statement in ast.parse(source).body:
        mentioned = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
        for name in _defined(statement):
            found.setdefault(name, set()).update(mentioned - {name})
    return {name: frozenset(mentioned & found.keys()) for name, mentioned in found.items()}


def _defined(statement: ast.stmt) -> list[str]:
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return [statement.name]
    stored = (node for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return [node.id for node in stored]


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
