"""Numbers that mean something have a name in capitals."""

from __future__ import annotations

import ast
import dataclasses

from harness.rules.finding import Finding, plural
from harness.rules.source import Source
from harness.rules.syntax import enclosing_function, is_capital

NAME = "magic_numbers"
WHY = "A name tells what the number means, and is changed in one place."
_SHOWN = 20


@dataclasses.dataclass(frozen=True)
class Settings:
    """A number is a finding if functions write it `uses` times or more and it is not in `allowed` (whatever its sign).

    Numbers in a default of a parameter, in a constant and outside of functions are free.
    """

    allowed: tuple[float, ...] = (0, 1, 2, 3, 4, 10, 100, 0.5)
    uses: int = 3


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    places: dict[float | complex, list[ast.Constant]] = {}
    for node in source.of(ast.Constant):
        number = node.value
        if not isinstance(number, (int, float, complex)) or isinstance(number, bool):
            continue
        if number not in settings.allowed and _counts(source, node):
            places.setdefault(number, []).append(node)
    return tuple(_finding(source, nodes) for nodes in places.values() if len(nodes) >= max(settings.uses, 1))


def _counts(source: Source, node: ast.Constant) -> bool:
    """Inside a function, and not where the number is being given a name."""
    if enclosing_function(source, node) is None:
        return False
    below: ast.AST = node
    for above in source.ancestors(node):
        if isinstance(above, (ast.Assign, ast.AnnAssign)) and _names_a_constant(above):
            return False
        if isinstance(above, ast.arguments) or isinstance(below, ast.JoinedStr):
            return False
        below = above
    return True


def _names_a_constant(statement: ast.Assign | ast.AnnAssign) -> bool:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return all(isinstance(target, ast.Name) and is_capital(target.id) for target in targets)


def _finding(source: Source, nodes: list[ast.Constant]) -> Finding:
    first = min(nodes, key=lambda node: (node.lineno, node.col_offset))
    lines = sorted({node.lineno for node in nodes})
    where = ", ".join(str(line) for line in lines[:5]) + (", …" if len(lines) > 5 else "")
    text = source.line(first.lineno)[source.column(first) - 1 :][
        : first.end_col_offset - first.col_offset if first.end_col_offset else None
    ]
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    message = f"The number {shown} is written {plural(len(nodes), 'time')} ({'line' if len(lines) == 1 else 'lines'} {where}). Give it a name in capitals."
    return Finding(NAME, first.lineno, source.column(first), message, WHY)
