"""A correct program in another style loses nothing, whatever cases are drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.assignment import Assignment, Tree, own_tree
from harness.audit.matrix import pooled
from harness.banking import generate, read_space
from harness.outcome import Outcome
from harness.pipeline import examine
from harness.submission import Submission
from harness.workshop import load, opened

SEEDS = (1, 2, 3, 4, 5)


def right_samples(tree: Tree, assignment: Assignment) -> list[Submission]:
    folder = tree.fixtures(assignment.spec.slug) / "submissions" / "right"
    paths: list[Path] = sorted(folder.glob(f"*/{assignment.spec.file}"))
    return [Submission(path.parent.name, path.name, path.read_bytes()) for path in paths]


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("slug", own_tree().slugs)
def test_a_right_program_is_right_for_every_seed(tree: Tree, slug: str, seed: int) -> None:
    assignment = load(tree, slug)
    space = read_space(tree.root / "specs" / f"{slug}.py", assignment.spec.functions)
    pool = [case for function in space.cases for case in generate(space, function, seed)]
    drawn = pooled(assignment, pool)
    samples = right_samples(tree, assignment)
    assert samples
    with opened(drawn, jobs=1, unsandboxed=True) as (run, expected):
        for sample in samples:
            verdicts, _ = examine(drawn, sample, expected, run)
            calls = [verdict for verdict in verdicts if verdict.evidence.startswith("calls/")]
            wrong = [verdict for verdict in calls if verdict.outcome is not Outcome.PASSED and not verdict.followed]
            assert calls
            assert [(sample.id, verdict.case, verdict.sentence) for verdict in wrong[:3]] == []
