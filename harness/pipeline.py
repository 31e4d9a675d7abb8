"""The sentence.

A submission is laid out as a plan; the sandbox runs it; what happened becomes observations; set beside the reference's
observations they become verdicts; the rubric turns verdicts into a score; the score is kept as a record.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from datetime import timedelta

from harness import __version__
from harness.assignment import Assignment
from harness.evidence import Expected, Run, judge, observe_plan
from harness.outcome import Outcome
from harness.plan import make_plan
from harness.policy import adjustments
from harness.record import Circumstances, Json, make_record
from harness.score import ManualMark, score
from harness.submission import Submission
from harness.verdict import Verdict, refused


def grade(
    assignment: Assignment,
    submission: Submission,
    expected: Expected,
    run: Run,
    manual: Mapping[str, ManualMark] | None = None,
    extension: timedelta = timedelta(0),
) -> Json:
    """Grade one submission from end to end."""
    verdicts, notes = examine(assignment, submission, expected, run)
    return settle(assignment, submission, verdicts, notes, run.isolation, manual or {}, extension)


def examine(
    assignment: Assignment, submission: Submission, expected: Expected, run: Run
) -> tuple[Sequence[Verdict], Sequence[str]]:
    """Run a submission and judge what happened; what could not be read is judged without running anything."""
    if submission.outcome is not Outcome.PASSED:
        return refused(assignment, submission), submission.notes
    plan = make_plan(assignment, submission)
    observations = observe_plan(plan, run)
    verdicts, notes = judge(assignment, submission, expected, observations, run)
    return verdicts, (*submission.notes, *notes)


def settle(
    assignment: Assignment,
    submission: Submission,
    verdicts: Sequence[Verdict],
    notes: Sequence[str],
    isolation: str,
    manual: Mapping[str, ManualMark],
    extension: timedelta = timedelta(0),
) -> Json:
    """From verdicts to a record: the marks, what the time of the submission changes, and what all of it rests on."""
    marks = score(assignment.rubric, verdicts, manual)
    changes = adjustments(
        assignment.spec.policy, submission.submitted_at, earned=marks.points, maximum=marks.maximum, extension=extension
    )
    return make_record(
        assignment.spec.slug,
        submission,
        marks,
        verdicts,
        changes,
        circumstances(assignment, isolation),
        notes,
        assignment.rubric.told,
    )


def circumstances(assignment: Assignment, isolation: str) -> Circumstances:
    """What a class is graded with."""
    versions = {"patience": __version__, "python": platform.python_version()}
    return Circumstances(isolation, 0, versions, assignment.inputs)


def expect(assignment: Assignment, run: Run) -> Expected:
    """What the reference does, seen through the same plan and the same sandbox as any submission."""
    return Expected(observe_plan(make_plan(assignment, assignment.reference), run))
