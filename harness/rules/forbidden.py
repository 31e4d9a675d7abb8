"""Names that the assignment forbids are not used, whatever they are imported as."""

from __future__ import annotations

import ast
import dataclasses

from harness.rules.finding import Finding, quoted
from harness.rules.source import Source
from harness.rules.syntax import dotted, functions, parameters

NAME = "forbidden"
WHY = "The assignment is about doing this yourself, or this does more than it seems to."


@dataclasses.dataclass(frozen=True)
class Settings:
    """Forbidden `names` such as `eval` or `os.system`, and forbidden `methods` such as `sort`, which are forbidden when called on anything.

    A function or variable of the student's own that is called like a forbidden name is not meant.
    """

    names: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    imported = _imported(source)
    own = _own_names(source) - imported.keys()
    found = {}
    read: list[ast.expr] = [node for node in source.of(ast.Attribute) if isinstance(node.ctx, ast.Load)]
    read += [node for node in source.of(ast.Name) if isinstance(node.ctx, ast.Load)]
    for node in read:
        name = _full_name(node, imported)
        if name in settings.names and name.partition(".")[0] not in own:
            found[(node.lineno, node.col_offset)] = _finding(source, node, name)
    for call in source.of(ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr in settings.methods:
            found[(call.lineno, call.col_offset)] = _finding(source, call, "." + call.func.attr)
    return tuple(found.values())


def _full_name(node: ast.expr, imported: dict[str, str]) -> str:
    first, point, rest = dotted(node).partition(".")
    return imported.get(first, first) + point + rest


def _imported(source: Source) -> dict[str, str]:
    """What each imported name stands for: `s` for `os.system` after `from os import system as s`."""
    found = {}
    for node in source.of(ast.Import):
        for alias in node.names:
            found[alias.asname or alias.name.partition(".")[0]] = (
                alias.name if alias.asname else alias.name.partition(".")[0]
            )
    for origin in source.of(ast.ImportFrom):
        found.update({alias.asname or alias.name: f"{origin.module}.{alias.name}" for alias in origin.names})
    return found


def _own_names(source: Source) -> set[str]:
    """Names that the program binds itself."""
    bound = {node.id for node in source.of(ast.Name) if not isinstance(node.ctx, ast.Load)}
    bound |= {function.name for function in functions(source)} | {node.name for node in source.of(ast.ClassDef)}
    return bound | {parameter.arg for function in functions(source) for parameter in parameters(function)}


def _finding(source: Source, node: ast.expr, name: str) -> Finding:
    message = f"{quoted(name)} is used here, which this assignment does not allow."
    return Finding(NAME, node.lineno, source.column(node), message, WHY)
