"""A stand-in works by itself and carries nothing of what is judged beside it."""

from __future__ import annotations

import ast

import pytest

from harness.assignment import own_tree, reference_submission
from harness.errors import HarnessError
from harness.spec import Spec, reach
from harness.standin import reached_names, stand_in
from harness.yamlfile import read

SOURCE = b'''
"""Secret."""
import random
LIMIT = 3
OTHER = "secret"

def is_low(x):
    """The answer."""
    return x < LIMIT

def check(x):
    """Checks."""
    return is_low(x)

def act(x):
    return check(x) and OTHER
'''


def test_it_has_what_it_needs_and_no_more() -> None:
    text = stand_in(SOURCE, "check").source
    space: dict[str, object] = {}
    exec(compile(text, "standin", "exec"), space)
    assert space["check"](2) is True  # type: ignore[operator]
    assert space["check"](3) is False  # type: ignore[operator]
    assert "act" not in text
    assert "secret" not in text.lower()
    assert '"""' not in text
    assert reached_names(SOURCE, "check") == {"check", "is_low"}


def test_a_missing_helper_is_our_fault() -> None:
    with pytest.raises(HarnessError, match="no 'nothing'"):
        stand_in(SOURCE, "nothing")


@pytest.mark.parametrize("slug", own_tree().slugs)
def test_no_stand_in_of_an_assignment_carries_the_judged_function(slug: str) -> None:
    tree = own_tree()
    spec = read(tree.spec(slug), Spec).record
    source = reference_submission(tree, spec).source
    for name in spec.functions:
        for helper in reach(spec, name):
            assert name not in reached_names(source, helper)
            ast.parse(stand_in(source, helper).source)
