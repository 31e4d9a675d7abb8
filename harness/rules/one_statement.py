"""One statement stands on a line."""

from __future__ import annotations

import ast
import dataclasses
import itertools

from harness.rules.finding import Finding
from harness.rules.source import Source
from harness.rules.syntax import COMPOUND, blocks, is_elif, last_line

NAME = "one_statement"
WHY = "A reader looks for one step on each line and misses the second."


@dataclasses.dataclass(frozen=True)
class Settings:
    """With `after_colon`, `if x: y` on one line counts as two statements; `class A: pass` never does."""

    after_colon: bool = False


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    found = []
    for node in (source.tree, *source.of(*COMPOUND)):
        for block in blocks(node):
            pairs = itertools.pairwise(block)
            found += [_finding(source, after) for before, after in pairs if last_line(before) == after.lineno]
            if settings.after_colon and _follows_colon(source, node, block):
                found.append(_finding(source, block[0]))
    return tuple(found)


def _follows_colon(source: Source, node: ast.AST, block: list[ast.stmt]) -> bool:
    """Something other than blanks stands before the first statement of a block."""
    if isinstance(node, (ast.Module, ast.ClassDef)) or is_elif(node, block):
        return False
    return bool(source.line(block[0].lineno)[: source.column(block[0]) - 1].strip())


def _finding(source: Source, node: ast.stmt) -> Finding:
    message = "This line holds more than one statement. Give each its own line."
    return Finding(NAME, node.lineno, source.column(node), message, WHY)
