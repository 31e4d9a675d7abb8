"""The file does not say whose it is: no e-mail address, no student number, no name in the header.

The findings never repeat what was found, because reports are passed on.
"""

from __future__ import annotations

import ast
import bisect
import dataclasses
import re
import tokenize

from harness.rules.finding import Finding
from harness.rules.header import header_lines
from harness.rules.settings import pattern
from harness.rules.source import Source

NAME = "personal_information"
WHY = "Programs are graded without looking at whose they are, and are passed on; your name stands in the course's list."
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.[A-Za-z]{2,24}")
_PROSE = (tokenize.COMMENT, tokenize.STRING)
_DUNDERS = {"__author__", "__email__", "__maintainer__"}


@dataclasses.dataclass(frozen=True)
class Settings:
    """What to look for, and where.

    E-mail addresses are looked for in all comments and texts; numbers that match `number`, and lines that begin with
    one of the `labels` and a colon, only in the header, before any code. One of the words in `not_names` behind the
    colon says that it is the name of a project; `allowed` texts (the course's own address) are free.
    """

    emails: bool = True
    numbers: bool = True
    names: bool = True
    number: str = pattern(r"\b(?:[AaPp]\d{8}|\d{7,9})\b")
    labels: tuple[str, ...] = (
        "name",
        "author",
        "authors",
        "student",
        "student name",
        "student id",
        "student number",
        "pid",
        "netid",
    )
    not_names: tuple[str, ...] = (
        "project",
        "proj",
        "assignment",
        "program",
        "lab",
        "game",
        "solitaire",
        "anonymous",
        "removed",
        "none",
    )
    allowed: tuple[str, ...] = ()


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    emails = _emails(source, settings) if settings.emails else []
    numbers = _numbers(source, settings) if settings.numbers else []
    names = [*_header_names(source, settings), *_author_variables(source)] if settings.names else []
    return (*emails, *numbers, *names)


def _finding(line: int, column: int, what: str) -> Finding:
    return Finding(
        NAME, line, column, f"This line holds {what}. Take it out; nothing in the file may tell who you are.", WHY
    )


def _emails(source: Source, settings: Settings) -> list[Finding]:
    if "@" not in source.text:
        return []
    starts = [token.start for token in source.tokens]
    found = []
    for number, line in enumerate(source.lines, start=1):
        matches = _EMAIL.finditer(line) if "@" in line else iter(())
        places = [match.start() for match in matches if match[0] not in settings.allowed]
        found += [
            _finding(number, at + 1, "an e-mail address") for at in places if _is_prose(source, starts, (number, at))
        ]
    return found


def _is_prose(source: Source, starts: list[tuple[int, int]], place: tuple[int, int]) -> bool:
    """Inside a comment or a text, so that `row@grid.cells`, a product of matrices, is no address."""
    token = source.tokens[bisect.bisect_right(starts, place) - 1]
    return token.type in _PROSE or "FSTRING" in tokenize.tok_name[token.type]


def _numbers(source: Source, settings: Settings) -> list[Finding]:
    number = re.compile(settings.number)
    places = ((line, number.search(text)) for line, text in header_lines(source))
    return [
        _finding(line, 1, "what looks like a student number")
        for line, match in places
        if match is not None and match[0] not in settings.allowed
    ]


def _header_names(source: Source, settings: Settings) -> list[Finding]:
    found = []
    for line, text in header_lines(source):
        label, colon, value = text.partition(":")
        words = re.findall(r"[^\W_]+", value.lower())
        says_who = any(len(word) > 1 and word.isalpha() for word in words) and not set(words) & set(settings.not_names)
        is_label = " ".join(re.findall(r"\w+", label.lower())) in settings.labels
        if colon and is_label and says_who and ".py" not in value and value.strip() not in settings.allowed:
            found.append(_finding(line, 1, "what looks like your name"))
    return found


def _author_variables(source: Source) -> list[Finding]:
    """`__author__ = "…"`."""
    found = []
    for node in source.tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        names = {target.id for target in targets if isinstance(target, ast.Name)}
        value = getattr(getattr(node, "value", None), "value", None)
        if names & _DUNDERS and isinstance(value, str) and value.strip():
            found.append(_finding(node.lineno, 1, "what looks like your name"))
    return found
