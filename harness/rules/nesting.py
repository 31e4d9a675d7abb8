"""Control structures are not nested too deeply. An `elif` is no deeper than its `if`."""

from __future__ import annotations

import ast
import dataclasses

from harness.rules.finding import Finding, quoted
from harness.rules.source import Source
from harness.rules.syntax import CONTROL, Function, blocks, functions, is_elif

NAME = "nesting"
WHY = "Each level is one more condition to keep in mind while reading."


@dataclasses.dataclass(frozen=True)
class Settings:
    """At most `maximum` levels of if, for, while, try, with and match in one function, or outside of all."""

    maximum: int = 5


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    found = []
    for owner in (source.tree, *functions(source)):
        depth, deepest = _deepest(owner)
        if deepest is not None and depth > settings.maximum:
            where = (
                "The code outside of functions"
                if isinstance(owner, ast.Module)
                else f"The function {quoted(owner.name)}"
            )
            message = (
                f"{where} nests its control structures {depth} deep here; at most {settings.maximum} are allowed. "
                "Move the inner part into a function of its own."
            )
            found.append(Finding(NAME, deepest.lineno, source.column(deepest), message, WHY))
    return tuple(found)


def _deepest(owner: ast.Module | Function) -> tuple[int, ast.stmt | None]:
    """How deep the control structures of one function go, and the first of the deepest."""
    best: tuple[int, ast.stmt | None] = (0, None)
    stack: list[tuple[ast.stmt, int]] = [(statement, 1) for statement in reversed(owner.body)]
    while stack:
        node, depth = stack.pop()
        if not isinstance(node, CONTROL):
            continue
        best = max(best, (depth, node), key=lambda pair: pair[0])
        for block in reversed(list(blocks(node))):
            inside = depth if is_elif(node, block) else depth + 1
            stack.extend((statement, inside) for statement in reversed(block))
    return best
