"""A class offers the public methods that the assignment lists, and no others."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Mapping

from harness.rules.finding import Finding, quoted
from harness.rules.source import FUNCTIONS, Source
from harness.rules.syntax import Function

NAME = "public_interface"
WHY = "Whoever uses a class may rely on every public method, so a class offers no more than was agreed."


@dataclasses.dataclass(frozen=True)
class Settings:
    """The public methods of each class. Letter case and underscores do not matter, so a second spelling is no extra method.

    Names that begin with an underscore are private, those with two on both sides are Python's; both are free.
    """

    classes: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    own = {node.name: node for node in source.tree.body if isinstance(node, ast.ClassDef)}
    found = {}
    for name, methods in settings.classes.items():
        allowed = {_plain(method) for method in methods}
        for owner in _with_bases(own, name):
            for method in _public_methods(owner):
                if _plain(method.name) not in allowed:
                    found[method] = _finding(source, owner, method)
    return tuple(found.values())


def _with_bases(own: dict[str, ast.ClassDef], name: str) -> list[ast.ClassDef]:
    """The class and those of its base classes that stand in the same file: their methods are its methods too."""
    waiting, found = [name], []
    while waiting:
        node = own.get(waiting.pop())
        if node is not None and node not in found:
            found.append(node)
            waiting += [base.id for base in node.bases if isinstance(base, ast.Name)]
    return found


def _public_methods(owner: ast.ClassDef) -> list[Function]:
    """One definition for each public name: a property and its setter are one."""
    methods = {node.name: node for node in reversed(owner.body) if isinstance(node, FUNCTIONS)}
    return [method for name, method in methods.items() if not name.startswith("_")]


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _finding(source: Source, owner: ast.ClassDef, method: Function) -> Finding:
    message = (
        f"The class {quoted(owner.name)} has a public method {quoted(method.name)} that the assignment does not list. "
        f"If only the class itself needs it, call it {quoted('_' + method.name)}."
    )
    return Finding(NAME, method.lineno, source.column(method), message, WHY)
