"""Each block is indented by the same number of blanks, and by no tab."""

from __future__ import annotations

import ast
import dataclasses

from harness.rules.finding import Finding, plural
from harness.rules.source import Source
from harness.rules.syntax import blocks

NAME = "indentation"
WHY = "Python reads the blocks from the blanks, and so does the next person."


@dataclasses.dataclass(frozen=True)
class Settings:
    """`width` blanks for each block."""

    width: int = 4


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    found = {}
    for node in source.of(*ast.stmt.__subclasses__(), ast.match_case):
        owner = source.parent(node) if isinstance(node, ast.match_case) else node
        outside = getattr(owner, "lineno", 0) if not isinstance(node, ast.match_case) else node.pattern.lineno
        for block in blocks(node) if not isinstance(node, ast.Match) else [_cases(node)]:
            line = block[0].lineno
            message = _problem(_margin(source, outside), _margin(source, line), settings.width)
            if message and _starts_line(source, block[0]):
                found[line] = Finding(NAME, line, 1, f"Line {line} is indented {message}.", WHY)
    return tuple(found.values())


def _cases(node: ast.Match) -> list[ast.stmt]:
    """A block of one stand-in statement where the first `case` stands."""
    place = node.cases[0].pattern
    return [ast.Pass(lineno=place.lineno, col_offset=0)]


def _margin(source: Source, line: int) -> str:
    text = source.line(line).replace("\f", "")
    return text[: len(text) - len(text.lstrip(" \t"))]


def _starts_line(source: Source, node: ast.stmt) -> bool:
    """A statement behind a colon or a decorator is not what gives its line its margin."""
    line = source.line(node.lineno).encode("utf-8", "surrogatepass")
    return not line[: node.col_offset].strip(b" \t\f")


def _problem(outside: str, inside: str, width: int) -> str:
    if "\t" in inside:
        return f"with a tab; use {plural(width, 'blank')} for each block"
    step = len(inside) - len(outside)
    return "" if step == width else f"by {plural(step, 'blank')} more than the block around it; use {width}"
