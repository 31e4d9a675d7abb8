"""`break` and `continue` are not used."""

from __future__ import annotations

import ast
import dataclasses

from harness.rules.finding import Finding
from harness.rules.source import Source

NAME = "jumps"
WHY = "The condition of a loop should say when it ends, without a second way out hidden in its body."


@dataclasses.dataclass(frozen=True)
class Settings:
    """Which of the two are forbidden."""

    forbid_break: bool = True
    forbid_continue: bool = True


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    breaks = [_finding(source, node, "break") for node in source.of(ast.Break)]
    continues = [_finding(source, node, "continue") for node in source.of(ast.Continue)]
    return (*(breaks if settings.forbid_break else ()), *(continues if settings.forbid_continue else ()))


def _finding(source: Source, node: ast.stmt, word: str) -> Finding:
    message = f"`{word}` is used here, which this assignment does not allow. Put the condition into the loop itself."
    return Finding(NAME, node.lineno, source.column(node), message, WHY)
