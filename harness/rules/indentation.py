"""Each block is indented by the same number of blanks, and by no tab."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator

from harness.rules.finding import Finding, plural
from harness.rules.source import Source
from harness.rules.syntax import COMPOUND, blocks, is_elif

NAME = "indentation"
WHY = "Python reads the blocks from the blanks, and so does the next person."


@dataclasses.dataclass(frozen=True)
class Settings:
    """`width` blanks for each block. Continued lines and comments may stand anywhere."""

    width: int = 4


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    found = {}
    for outer, inner in _steps(source):
        problem = _problem(_margin(source, outer), _margin(source, inner), settings.width)
        if problem:
            found[inner] = Finding(NAME, inner, 1, f"This line is indented {problem}.", WHY)
    return tuple(found.values())


def _steps(source: Source) -> Iterator[tuple[int, int]]:
    """For each block the line of the statement that owns it, and the line on which it begins."""
    for node in source.of(*COMPOUND):
        if isinstance(node, ast.Match):
            for case in node.cases:
                yield node.lineno, case.pattern.lineno
                if _starts_line(source, case.body[0]):
                    yield case.pattern.lineno, case.body[0].lineno
            continue
        for block in blocks(node):
            if _starts_line(source, block[0]) and not is_elif(node, block):
                yield node.lineno, block[0].lineno


def _margin(source: Source, line: int) -> str:
    text = source.line(line).replace("\f", "")
    return text[: len(text) - len(text.lstrip(" \t"))]


def _starts_line(source: Source, node: ast.stmt) -> bool:
    """A statement behind a colon is not what gives its line its margin."""
    return not source.line(node.lineno)[: source.column(node) - 1].strip()


def _problem(outside: str, inside: str, width: int) -> str:
    if "\t" in inside:
        return f"with a tab; use {plural(width, 'blank')} for each block"
    step = len(inside) - len(outside)
    return "" if step == width else f"by {plural(step, 'blank')} more than the block around it; use {width}"
