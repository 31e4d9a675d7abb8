"""A tiny assignment to audit: two functions, one of them helping the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.assignment import Tree

SPEC = """
slug: tiny
title: "Tiny"
course: "for tests"
file: tiny.py
functions:
  higher:
    doc: "Return True if a is higher than b."
    parameters: [a, b]
    aspects: [returns]
  highest:
    doc: "Return the highest of the numbers."
    parameters: [numbers]
    aspects: [returns]
    helpers: [higher]
"""
RUBRIC = """
assignment: tiny
total: 2
items:
  - {id: higher, title: "higher", points: 1, evidence: [calls/higher]}
  - {id: highest, title: "highest", points: 1, evidence: [calls/highest]}
"""
REFERENCE = '''"""Numbers."""


def higher(a, b):
    """True if a is higher."""
    return a > b


def highest(numbers):
    """The highest number."""
    best = numbers[0]
    for number in numbers:
        if higher(number, best):
            best = number
    return best
'''
SPACE = """
from hypothesis import strategies as st

NUMBERS = st.integers(1, 5)
CASES = {
    "higher": st.tuples(NUMBERS, NUMBERS).map(lambda pair: {"args": list(pair)}),
    "highest": st.lists(NUMBERS, min_size=1, max_size=4).map(lambda numbers: {"args": [numbers]}),
}
POOL = {"higher": 40, "highest": 60}
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Tree:
    files = {
        "specs/tiny.yaml": SPEC,
        "specs/tiny.py": SPACE,
        "rubrics/tiny.yaml": RUBRIC,
        "reference/tiny/tiny.py": REFERENCE,
        "fixtures/tiny/cases.jsonl": "",
    }
    for name, text in files.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Tree(tmp_path / "tree")
