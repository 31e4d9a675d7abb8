"""The answers a student writes below the program, as comments.

    # Questions
    # Q1: 5
    # Q2: 3

They are collected and never scored. Blanks, letter case and the sign after the number do not matter, and answers
that ended up on one line are taken apart.
"""

from __future__ import annotations

import re

_HEADING = re.compile(r"\s*#+\W*questions?\b", re.IGNORECASE)
_ANSWER = re.compile(r"#+[^\S\n]*Q[^\S\n]*(\d{1,3})(?!\w)[^\S\n]*[:.)=-]?[^\S\n]*([^#\n]*)", re.IGNORECASE)
_LONGEST = 200


def answers(text: str) -> dict[str, str]:
    """The answers by question, `{"Q1": "5"}`, from the last block of the file; empty if there is none."""
    lines = [line for line in text.splitlines() if line.strip()]
    headings = [number for number, line in enumerate(lines) if _HEADING.match(line)]
    for start in reversed(headings):
        found = _answers_in(_comments_from(lines[start:]))
        if found:
            return found
    return _answers_in(_comments_at_end(lines))


def _comments_from(lines: list[str]) -> list[str]:
    """The comment lines before the next line of code."""
    end = next((number for number, line in enumerate(lines) if not _is_comment(line)), len(lines))
    return lines[:end]


def _comments_at_end(lines: list[str]) -> list[str]:
    """The comment lines after the last line of code."""
    return list(reversed(_comments_from(lines[::-1])))


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def _answers_in(lines: list[str]) -> dict[str, str]:
    found = {}
    for line in lines:
        for number, answer in _ANSWER.findall(line):
            found[f"Q{int(number)}"] = answer.strip()[:_LONGEST]
    return found
