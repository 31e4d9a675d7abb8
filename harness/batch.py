"""Grading a class: in parallel, resumable, and never stopped by one submission."""

from __future__ import annotations

import concurrent.futures
import contextlib
import os
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path

from harness.assignment import Assignment
from harness.errors import DataError, Fault, HarnessError, StoreError
from harness.evidence import Expected, Run
from harness.outcome import Outcome
from harness.pipeline import circumstances, grade, settle
from harness.record import Json, submission_of, unfold
from harness.score import ManualMark
from harness.store import Store
from harness.submission import Submission
from harness.verdict import internal

FAULTS_IN_A_ROW = 5
Manual = Callable[[Submission], Mapping[str, ManualMark]]


class Batch:
    """One run over a folder. `on_record(record, how)` is told of each: graded, kept or re-scored."""

    def __init__(self, assignment: Assignment, store: Store, run: Run, expected: Expected) -> None:
        self.assignment = assignment
        self.store = store
        self.run = run
        self.expected = expected
        self._faults = 0
        self._lock = threading.Lock()

    def grade(self, submissions: Sequence[Submission], on_record: Callable[[Json, str], None], *, jobs: int) -> None:
        """Grade what is new or changed, keep what is not; stop only if the fault is ours again and again."""
        faults = tuple(_unsound(self.assignment, self.expected))
        if faults:
            raise DataError(faults)
        with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
            waiting = {pool.submit(self._one, submission) for submission in submissions}
            try:
                for done in concurrent.futures.as_completed(waiting):
                    on_record(*done.result())
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _one(self, submission: Submission) -> tuple[Json, str]:
        kept = self._kept(submission)
        if kept is not None:
            return kept
        record = self._graded(submission)
        self.store.write(record)
        return record, "graded"

    def _kept(self, submission: Submission) -> tuple[Json, str] | None:
        """A stored record that still holds, re-scored if only the rubric changed."""
        stored = self.store.read(submission.id)
        now = circumstances(self.assignment, self.run.isolation)
        if stored is None or not _same_evidence(stored, submission, now.inputs, now.versions, now.isolation):
            return None
        if stored["inputs"] == dict(now.inputs):
            return stored, "kept"
        record = rescore(self.assignment, stored)
        self.store.write(record)
        return record, "re-scored"

    def _graded(self, submission: Submission) -> Json:
        """The boundary: a fault of ours with one submission is recorded as such and never costs a point."""
        try:
            record = grade(self.assignment, submission, self.expected, self.run)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - the one boundary between a student and our own faults
            return self._unscored(submission, error)
        with self._lock:
            self._faults = 0
        return record

    def _unscored(self, submission: Submission, error: Exception) -> Json:
        with self._lock:
            self._faults += 1
            too_many = self._faults >= FAULTS_IN_A_ROW
        if too_many:
            raise HarnessError(
                f"{FAULTS_IN_A_ROW} submissions in a row could not be graded, the last with: {error}; stopped, nothing graded so far is lost"
            ) from error
        reason = "".join(traceback.format_exception_only(type(error), error)).strip()
        verdicts = internal(
            self.assignment, f"This line could not be graded because of a fault of the grader: {reason}"
        )
        record = settle(
            self.assignment,
            submission,
            verdicts,
            (*submission.notes, "A fault of the grader; run it again."),
            self.run.isolation,
            {},
        )
        record["fault"] = "".join(traceback.format_exception(error))
        return record


def _unsound(assignment: Assignment, expected: Expected) -> Iterator[Fault]:
    """Why nobody may be graded: a line of the rubric without a case, or a reference that itself comes to no end."""
    tree, slug = assignment.tree, assignment.spec.slug
    parts = [part for item in assignment.rubric.items for part in item.all_parts]
    for name in dict.fromkeys(name for part in parts for name in part.evidence):
        kind, _, function = name.partition("/")
        if kind == "calls" and function and not assignment.cases_of.get(function):
            problem, remedy = f"{name} has no case in the bank", f"make the bank with `patience bank {slug}`"
            yield Fault(tree.rubric(slug), 0, "", problem, remedy)
    reference = tree.reference(slug) / assignment.spec.file
    for function, calls in expected.observed.calls.items():
        ends = [calls.loaded.outcome, *(call.end for call in calls.calls)]
        if any(end not in _ANSWERS for end in ends):
            yield Fault(reference, 0, function, "the reference itself fails here", f"try `patience verify {slug}`")
    for session, seen in expected.observed.sessions.items():
        if seen.end not in _ANSWERS:
            yield Fault(reference, 0, session, "the reference itself fails here", f"try `patience verify {slug}`")


_ANSWERS = (Outcome.PASSED, Outcome.EXCEPTION)
"""How a sound reference ends: it answers, if need be by an exception."""


def _same_evidence(
    stored: Json, submission: Submission, inputs: Mapping[str, str], versions: Mapping[str, str], isolation: str
) -> bool:
    """Whether nothing that was run or compared has changed since; the rubric may have."""
    if "fault" in stored or stored["submission"]["sha256"] != submission.sha256 or stored["versions"] != dict(versions):
        return False
    facts = (submission.id, submission.outcome.value, list(submission.notes), stored["isolation"])
    known = stored["submission"]
    if (known["id"], known["outcome"], known["notes"], isolation) != facts:
        return False
    return all(stored["inputs"].get(name) == digest for name, digest in inputs.items() if name != "rubric")


def rescore(
    assignment: Assignment,
    record: Json,
    manual: Mapping[str, ManualMark] | None = None,
    extension: timedelta = timedelta(0),
) -> Json:
    """The record that today's rubric makes of the evidence stored in an old one; nothing is run."""
    submission = submission_of(record)
    fresh = settle(
        assignment,
        submission,
        unfold(record["verdicts"]),
        record["notes"],
        record["isolation"],
        manual or {},
        extension,
    )
    fresh["submission"] = record["submission"]
    fresh["versions"] = record["versions"]
    fresh["inputs"] = {**record["inputs"], "rubric": assignment.inputs["rubric"]}
    return fresh


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Refuse a second run on the same results folder while one is going on; a lock left by a dead process is taken over."""
    path = folder / ".lock"
    for _ in range(2):
        try:
            descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
            break
        except FileExistsError:
            holder = _holder(path)
            if holder is not None:
                raise StoreError(
                    f"{folder}: another run (process {holder}) is writing here; wait for it or choose another --out"
                ) from None
            path.unlink(missing_ok=True)
    else:
        raise StoreError(f"{folder}: the lock file {path.name} cannot be taken")
    try:
        os.write(descriptor, str(os.getpid()).encode())
        os.close(descriptor)
        yield
    finally:
        path.unlink(missing_ok=True)


def _holder(path: Path) -> int | None:
    """The process that holds a lock, or None if it is gone."""
    try:
        number = int(path.read_text(encoding="ascii"))
        os.kill(number, 0)
    except PermissionError:
        return number
    except (OSError, ValueError):
        return None
    return number
