"""Imports stand after the header and before other code."""

from __future__ import annotations

import ast
import dataclasses

from harness.rules.finding import Finding, quoted
from harness.rules.source import Source
from harness.rules.syntax import TRIES, enclosing_function, in_guard, is_dunder

NAME = "import_order"
WHY = "One look at the top of the file tells what it depends on."
_IMPORTS = (ast.Import, ast.ImportFrom)


@dataclasses.dataclass(frozen=True)
class Settings:
    """With `in_functions`, an import inside a function is allowed too; inside the `__main__` guard it always is."""

    in_functions: bool = False


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    first = next((node for node in source.tree.body if not _may_precede(node)), None)
    if first is None:
        return ()
    found = []
    for node in (*source.of(ast.Import), *source.of(ast.ImportFrom)):
        function = enclosing_function(source, node)
        allowed = settings.in_functions and function is not None
        if node.lineno >= first.lineno and not allowed and not in_guard(source, node):
            where = (
                f"inside the function {quoted(function.name)}"
                if function
                else f"after other code (line {first.lineno})"
            )
            message = f"This import stands {where}. Move it to the top of the file, below the header."
            found.append(Finding(NAME, node.lineno, source.column(node), message, WHY))
    return tuple(found)


def _may_precede(node: ast.stmt) -> bool:
    """Imports, docstrings, `__author__ = …`, and `try` or `if` around nothing but these may stand before an import."""
    if isinstance(node, (*_IMPORTS, ast.Pass)):
        return True
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        return all(isinstance(target, ast.Name) and is_dunder(target.id) for target in node.targets)
    if isinstance(node, (*TRIES, ast.If)):
        return any(isinstance(inner, _IMPORTS) for inner in getattr(node, "body", ()))
    return False
