"""A name in capitals is a constant: it gets its value once."""

from __future__ import annotations

import ast
import dataclasses

from harness.rules import bindings
from harness.rules.finding import Finding, quoted
from harness.rules.source import Source
from harness.rules.syntax import enclosing_function, is_capital

NAME = "constants"
WHY = "Capitals promise the reader that the value stays the same everywhere."
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


@dataclasses.dataclass(frozen=True)
class Settings:
    """Names in `allowed` may change in spite of their capitals; one letter, such as `A`, is a name of mathematics."""

    allowed: tuple[str, ...] = ()


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    found = []
    for name, nodes in bindings.assignments(source).items():
        if is_capital(name) and len(name) > 1 and name not in settings.allowed:
            found += [_finding(source, node, name) for node in _changes(source, nodes)]
    declared = {(enclosing_function(source, node), name) for node, name in bindings.global_declarations(source)}
    for node in source.of(ast.Name):
        changed = isinstance(node.ctx, ast.Store) and is_capital(node.id) and node.id not in settings.allowed
        if changed and (enclosing_function(source, node), node.id) in declared:
            found.append(_finding(source, node, node.id))
    return tuple(found)


def _changes(source: Source, nodes: list[ast.AST]) -> list[ast.AST]:
    """Values given again in the same block, or in a loop. Two branches of an `if` or a `try` are one value."""
    seen: set[int] = set()
    changes = []
    for node in nodes:
        above = list(source.ancestors(node))
        statement = next(item for item in above if isinstance(item, ast.stmt))
        block = id(source.parent(statement))
        again = block in seen and not isinstance(source.parent(statement), (ast.If, ast.Try))
        if again or isinstance(statement, _LOOPS) or any(isinstance(item, _LOOPS) for item in above):
            changes.append(node)
        seen.add(block)
    return changes


def _finding(source: Source, node: ast.AST, name: str) -> Finding:
    message = f"The constant {quoted(name)} is given another value here. Write a name that changes in small letters."
    return Finding(NAME, getattr(node, "lineno", 0), source.column(node), message, WHY)
