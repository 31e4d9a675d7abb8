"""Two results compared."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings

from harness.policy import Adjustment
from harness.record import Json
from harness.report.changes import LineMove, changes_text, compare
from tests.report import samples
from tests.report.strategies import classes


def run(*changes: samples.Change, inputs: str = "", python: str = "3.11.9", **more: object) -> Json:
    """One student's record under circumstances that may differ."""
    circumstances = samples.CIRCUMSTANCES
    if inputs:
        circumstances = dataclasses.replace(circumstances, inputs={**circumstances.inputs, inputs: "0" * 64})
    circumstances = dataclasses.replace(circumstances, versions={**circumstances.versions, "python": python})
    return samples.record("eve", *changes, circumstances=circumstances, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("new", "causes"),
    [
        (run(samples.ACE, source=b"other"), ("submission",)),
        (run(samples.ACE, inputs="rubric"), ("rubric",)),
        (run(samples.ACE, inputs="bank"), ("tests",)),
        (run(samples.ACE, inputs="reference"), ("tests",)),
        (run(samples.ACE, python="3.12.1"), ("environment",)),
        (run(samples.ACE, source=b"other", inputs="sessions"), ("submission", "tests")),
        (run(samples.ACE), ("unknown",)),
        (run(manual=2), ("person",)),
        (run(adjustments=[Adjustment("late", Fraction(-8), "Late.")]), ("time",)),
    ],
)
def test_why_somebody_moved(new: Json, causes: tuple[str, ...]) -> None:
    (move,) = compare([run()], [new]).moved
    assert move.causes == causes


def test_who_moved_by_how_much_and_on_which_line() -> None:
    (move,) = compare([run()], [run(samples.ACE, samples.TEST_1, source=b"x")]).moved
    assert (move.id, move.old, move.new, move.by) == ("eve", 43, 30, -13)
    assert move.lines == (LineMove("is_legal", 8, 0), LineMove("test-1", 5, 0))


def test_a_fault_of_ours_is_no_number() -> None:
    (move,) = compare([run()], [run(samples.INTERNAL)]).moved
    assert (move.old, move.new, move.by) == (43, None, None)


def test_a_new_line_of_the_rubric_is_a_move() -> None:
    new = run(inputs="rubric")
    new["items"].append({**new["items"][0], "id": "extra", "points": None})
    (move,) = compare([run()], [new]).moved
    assert move.lines == (LineMove("extra", None, None),)


def test_text(golden: Callable[[str, str], None]) -> None:
    old = [run(), samples.record("gone"), samples.record("same"), samples.record("ada", samples.ACE)]
    new = [
        run(samples.ACE, inputs="bank"),
        samples.record("::error::new"),
        samples.record("same"),
        samples.record("ada", source=b"better"),
    ]
    golden("changes.txt", changes_text(compare(old, new)))


@settings(max_examples=40)
@given(classes, classes)
def test_everybody_is_counted_once(old: list[Json], new: list[Json]) -> None:
    changes = compare(old, new)
    assert len(changes.moved) + changes.same + len(changes.removed) == len(old)
    assert len(changes.moved) + changes.same + len(changes.added) == len(new)
    assert compare(old, old).moved == ()
    assert {move.id for move in compare(new, old).moved} == {move.id for move in changes.moved}
