"""One statement stands on a line."""

from __future__ import annotations

import ast
import dataclasses
import itertools

from harness.rules.finding import Finding
from harness.rules.source import Source
from harness.rules.syntax import blocks, last_line

NAME = "one_statement"
WHY = "A reader looks for one step on each line and misses the second."


@dataclasses.dataclass(frozen=True)
class Settings:
    """With `after_colon`, `if x: y` on one line counts as two statements; a class of one line never does."""

    after_colon: bool = False


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    found = []
    for node in source.of(ast.Module, *ast.stmt.__subclasses__(), ast.ExceptHandler, ast.match_case):
        for block in blocks(node) if not isinstance(node, ast.Try) else _try_blocks(node):
            pairs = itertools.pairwise(block)
            found += [_finding(source, after) for before, after in pairs if last_line(before) == after.lineno]
            if settings.after_colon and _follows_colon(source, node, block[0]):
                found.append(_finding(source, block[0]))
    return tuple(found)


def _try_blocks(node: ast.Try) -> list[list[ast.stmt]]:
    """The blocks of a `try` without its handlers, which are looked at by themselves."""
    return [block for block in (node.body, node.orelse, node.finalbody) if block]


def _follows_colon(source: Source, node: ast.AST, first: ast.stmt) -> bool:
    """Something other than blanks stands before the first statement of a block, and it is no class or stub."""
    if isinstance(node, (ast.Module, ast.ClassDef)):
        return False
    if isinstance(first, ast.If) and source.line(first.lineno).lstrip().startswith("elif"):
        return False
    return bool(source.line(first.lineno)[: source.column(first) - 1].strip())


def _finding(source: Source, node: ast.stmt) -> Finding:
    message = f"Line {node.lineno} holds more than one statement. Give each its own line."
    return Finding(NAME, node.lineno, source.column(node), message, WHY)
