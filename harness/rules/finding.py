"""One thing a rule has to say about a source."""

from __future__ import annotations

import dataclasses

NAME_LENGTH = 40
"""How much of a student's identifier a message repeats: an identifier may be as long as the file."""


@dataclasses.dataclass(frozen=True)
class Finding:
    """Where it is, a sentence for the student, and why the course asks for it.

    Lines and columns count from 1, columns in characters; line 0 stands for the file as a whole.
    The message does not name its own line: whoever shows it does.
    """

    rule: str
    line: int
    column: int
    message: str
    why: str


def quoted(name: str) -> str:
    """A name of the student's as a message shows it."""
    return f"`{name}`" if len(name) <= NAME_LENGTH else f"`{name[:NAME_LENGTH]}…`"


def plural(count: int, word: str) -> str:
    """`1 line`, `2 lines`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
