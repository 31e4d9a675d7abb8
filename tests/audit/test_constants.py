"""A program that gives one and the same answer to everything must earn (nearly) nothing for its functions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from harness.assignment import Tree, own_tree
from harness.audit.matrix import pooled
from harness.audit.trial import function_lines, hurried
from harness.pipeline import examine
from harness.score import score
from harness.stub import bare_stub
from harness.submission import Submission
from harness.workshop import load, opened

CONSTANTS = ("True", "False", "None", "0", "[]", "''")
NEARLY_NOTHING = Fraction(1, 10)


@pytest.mark.parametrize("slug", own_tree().slugs)
def test_one_constant_for_every_answer_earns_nothing(tree: Tree, slug: str) -> None:
    assignment = load(tree, slug)
    assert assignment.cases, f"{slug} has no bank; run `patience bank {slug}`"
    assignment = hurried(pooled(assignment, assignment.cases))
    lines = function_lines(assignment.rubric)
    earned = {}
    with opened(assignment, jobs=1, unsandboxed=True) as (run, expected):
        for constant in CONSTANTS:
            source = bare_stub(assignment.spec).replace("    pass", f"    return {constant}").encode()
            verdicts, _ = examine(assignment, Submission("stub", assignment.spec.file, source), expected, run)
            for item in score(assignment.rubric, verdicts).marks:
                for mark in item.parts or (item,):
                    name = f"{item.id}.{mark.id}" if item.parts else item.id
                    if name in lines and mark.points is not None:
                        earned[name, constant] = mark.points / mark.maximum
    assert len(earned) == len(lines) * len(CONSTANTS) > 0
    assert {key: share for key, share in earned.items() if share > NEARLY_NOTHING} == {}
