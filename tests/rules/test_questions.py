from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.rules.questions import answers

PROGRAM = "# Project 10\n# Q1: not an answer\nx = 1\n"
EXPECTED = {"Q1": "5", "Q2": "3"}

BLOCKS = {
    "as asked for": "# Questions\n# Q1: 5\n# Q2: 3\n",
    "without blanks": "#Questions\n#Q1:5\n#Q2:3",
    "with more blanks": "#   questions  \n\n  #  q1 :  5 \n\n#q 2:3\n",
    "with other signs": "# QUESTIONS:\n# Q1. 5\n# Q2) 3\n",
    "without a sign": "# Questions\n# Q1 5\n# Q2 = 3\n",
    "on one line": "# Questions# Q1: 5# Q2: 3",
    "carriage returns": "# Questions\r\n# Q1: 5\r\n# Q2: 3\r\n",
    "without a heading": "# Q1: 5\n# Q2: 3\n",
    "answered twice": "# Questions\n# Q1: 1\n# Q1: 5\n# Q2: 3\n",
    "framed": "########\n## Questions ##\n# Q1: 5\n# Q2: 3\n########\n",
    "leading zero": "# Questions\n# Q01: 5\n# Q02: 3\n",
}


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS.keys())
def test_answers_are_found(block: str) -> None:
    assert answers(PROGRAM + block) == EXPECTED


NO_BLOCK = {
    "nothing": "",
    "a program": PROGRAM,
    "in a text": 'x = """\n# Questions\n"""\ny = "# Q1: 5"\n',
    "in the middle": "# Q1: 5\nx = 1\n",
    "another word": "# Questions\n# Quit: 5\n# Q1a: 3\n",
}


@pytest.mark.parametrize("text", NO_BLOCK.values(), ids=NO_BLOCK.keys())
def test_there_may_be_none(text: str) -> None:
    assert answers(text) == {}


def test_the_last_block_counts_even_if_code_follows() -> None:
    text = "# Questions\n# Q1: 1\nx = 1\n# Questions\n# Q1: 5\n# Q2: 3\nmain()\n"
    assert answers(text) == EXPECTED


def test_words_and_missing_answers_are_kept_as_they_are() -> None:
    assert answers("# Questions\n# Q1: quite a lot\n# Q2:\n") == {"Q1": "quite a lot", "Q2": ""}


@given(st.text(max_size=300))
def test_any_text_can_be_asked(text: str) -> None:
    assert all(name[0] == "Q" and len(answer) <= 200 for name, answer in answers(text).items())
