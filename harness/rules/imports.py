"""Only the modules that the assignment allows are imported."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator

from harness.rules.finding import Finding, quoted
from harness.rules.source import Source

NAME = "imports"
WHY = "The assignment is about writing these parts yourself, and it is run with nothing else at hand."


@dataclasses.dataclass(frozen=True)
class Settings:
    """The modules in `allowed` and what is inside them; none by default. `from __future__ import …` is always allowed."""

    allowed: tuple[str, ...] = ()


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    allowed = {*settings.allowed, "__future__"}
    found = []
    for node, module in _imports(source):
        if not _is_allowed(module, allowed):
            found.append(_finding(source, node, module, settings))
    return tuple(found)


def _imports(source: Source) -> Iterator[tuple[ast.stmt, str]]:
    """Each import with each module it names."""
    for node in source.of(ast.Import):
        yield from ((node, alias.name) for alias in node.names)
    for origin in source.of(ast.ImportFrom):
        yield origin, "." * origin.level + (origin.module or "")


def _is_allowed(module: str, allowed: set[str]) -> bool:
    parts = module.split(".")
    return any(".".join(parts[:count]) in allowed for count in range(1, len(parts) + 1))


def _finding(source: Source, node: ast.stmt, module: str, settings: Settings) -> Finding:
    rest = f"only {', '.join(settings.allowed)} may be imported" if settings.allowed else "no module may be imported"
    message = f"The module {quoted(module)} is imported; {rest} here."
    return Finding(NAME, node.lineno, source.column(node), message, WHY)
