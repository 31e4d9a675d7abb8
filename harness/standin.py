"""Stand-ins: a function of the reference's, cut out with exactly the source it needs.

What is judged beside a stand-in must not be found in it, so nothing else of the reference comes along: no comment, no
docstring of other functions, no neighbour, no name that the function does not reach.
"""

from __future__ import annotations

import ast
import threading
from collections.abc import Iterable
from functools import lru_cache

from harness.errors import HarnessError
from harness.plan import StandIn

PARSING = threading.Lock()
"""CPython 3.11 counts the depth of the syntax tree once for all threads: two that parse at a time can fail both."""


@lru_cache(maxsize=64)
def _definitions(source: bytes) -> dict[str, ast.stmt]:
    """Each top-level name and the statement that binds it first."""
    found: dict[str, ast.stmt] = {}
    for statement in ast.parse(source).body:
        for name in _bound(statement):
            found.setdefault(name, statement)
    return found


def _bound(statement: ast.stmt) -> Iterable[str]:
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return [statement.name]
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return [alias.asname or alias.name.partition(".")[0] for alias in statement.names]
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return [
            node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        ]
    return []


def stand_in(reference: bytes, name: str) -> StandIn:
    """The function or class `name` with everything it reaches, as source of its own."""
    with PARSING:
        return _cut_out(reference, name)


@lru_cache(maxsize=256)
def _cut_out(reference: bytes, name: str) -> StandIn:
    definitions = _definitions(reference)
    if name not in definitions:
        raise HarnessError(f"the reference defines no {name!r}, which a spec names as a helper")
    needed: list[ast.stmt] = []
    waiting = [name]
    while waiting:
        statement = definitions.get(waiting.pop())
        if statement is not None and statement not in needed:
            needed.append(statement)
            waiting.extend(node.id for node in ast.walk(statement) if isinstance(node, ast.Name))
    ordered = sorted(needed, key=lambda statement: statement.lineno)
    return StandIn(name, "\n\n".join(ast.unparse(_without_docstring(statement)) for statement in ordered) + "\n")


def _without_docstring(statement: ast.stmt) -> ast.stmt:
    copy = ast.parse(ast.unparse(statement)).body[0]
    for node in ast.walk(copy):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return copy


def reached_names(reference: bytes, name: str) -> frozenset[str]:
    """The functions and classes whose source a stand-in carries, itself included."""
    tree = ast.parse(stand_in(reference, name).source)
    return frozenset(node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef)))
