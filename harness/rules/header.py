"""The file begins with a comment, or a docstring, about the program."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from harness.rules.finding import Finding, plural
from harness.rules.source import Source
from harness.rules.syntax import docstring, last_line

NAME = "header"
WHY = "The first lines tell a reader what the program is and how it goes about it."
_NOT_PROSE = re.compile(r"#!|#.*?coding[:=]")
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclasses.dataclass(frozen=True)
class Settings:
    """At least `minimum_lines` lines with words in them; if `mentions` are given, one of these words is among them."""

    minimum_lines: int = 1
    mentions: tuple[str, ...] = ()


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    lines = [text for _, text in header_lines(source) if _WORD.search(text)]
    message = _problem(lines, settings)
    return (Finding(NAME, 1, 1, message, WHY),) if message else ()


def header_lines(source: Source) -> Iterator[tuple[int, str]]:
    """The lines of comment and docstring before the first code, with their numbers."""
    text = docstring(source.tree)
    inside = range(text.lineno, last_line(text) + 1) if text is not None else range(0)
    for number, line in enumerate(source.lines, start=1):
        stripped = line.replace("\f", "").strip()
        if number in inside:
            yield number, stripped
        elif stripped.startswith("#"):
            if number > 2 or not _NOT_PROSE.match(stripped):
                yield number, stripped
        elif stripped:
            return


def _problem(lines: list[str], settings: Settings) -> str:
    if not lines:
        return "The file does not begin with a header. Start with a comment that names the project and outlines how the program works."
    if len(lines) < settings.minimum_lines:
        return f"The header has only {plural(len(lines), 'line')} of text; at least {settings.minimum_lines} are asked for."
    text = " ".join(lines).lower()
    if settings.mentions and not any(word.lower() in text for word in settings.mentions):
        return f"The header should mention {' or '.join(settings.mentions)}."
    return ""
