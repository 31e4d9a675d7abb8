"""Lines are not longer than a reader's window."""

from __future__ import annotations

import dataclasses
import re

from harness.rules.finding import Finding
from harness.rules.source import Source

NAME = "line_length"
WHY = "A line that does not fit the window has to be read in pieces."
_ADDRESS = re.compile(r"\s*#?\s*\S*https?://\S+\s*")


@dataclasses.dataclass(frozen=True)
class Settings:
    """`maximum` characters in a line, a tab counting as `tab_width`; a line that is nothing but a web address is free."""

    maximum: int = 120
    tab_width: int = 4


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    found = []
    for number, line in enumerate(source.lines, start=1):
        length = len(line.expandtabs(settings.tab_width).rstrip())
        if length > settings.maximum and not _ADDRESS.fullmatch(line):
            message = f"This line has {length} characters; at most {settings.maximum} are allowed. Break it into several lines."
            found.append(Finding(NAME, number, settings.maximum + 1, message, WHY))
    return tuple(found)
