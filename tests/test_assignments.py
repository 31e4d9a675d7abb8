"""Whatever assignments there are keep their promises."""

from __future__ import annotations

import pytest

from harness.assignment import Tree, own_tree
from harness.verify import Filing, sample_problems, verify

SLUGS = own_tree().slugs


@pytest.mark.parametrize("slug", SLUGS)
def test_every_promise_holds(tree: Tree, slug: str) -> None:
    broken = [
        f"{promise.name}: {problem}"
        for promise in verify(tree, slug, jobs=1, repetitions=2)
        for problem in promise.problems
    ]
    assert broken == []


def record(points: float, outcome: str) -> dict[str, object]:
    item = {"id": "deal", "points": points, "max": 4, "outcome": outcome, "summary": "", "evidence": []}
    return {"items": [item]}


@pytest.mark.parametrize(
    ("name", "points", "outcome", "filing", "said"),
    [
        ("right/x", 4, "passed", Filing(""), None),
        ("wrong/x", 2, "wrong", Filing("w", ("deal",)), None),
        ("right/x", 2, "wrong", Filing(""), "which it should not"),
        ("wrong/x", 4, "passed", Filing("w", ("deal",)), "but does not"),
        ("timeout/x", 2, "wrong", Filing("w", ("deal",)), "no line has that outcome"),
        ("right/x", 4, "passed", Filing("w", ("deal",)), "filed under right"),
    ],
)
def test_a_sample_that_is_not_as_filed_is_seen(
    name: str, points: float, outcome: str, filing: Filing, said: str | None
) -> None:
    problems = sample_problems(name, record(points, outcome), filing)
    assert (problems == []) if said is None else any(said in problem for problem in problems)
