"""Several versions of one student's work: which one is graded, and why."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from harness.intake.handin import HandIn
from harness.intake.times import said
from harness.outcome import Outcome
from harness.submission import Submission, shown

Rule = Literal["last", "first", "last-on-time"]
RULES: tuple[Rule, ...] = ("last-on-time", "last", "first")


@dataclasses.dataclass(frozen=True)
class Version:
    """A version as it was handed in, and what was found in it."""

    hand_in: HandIn
    submission: Submission


def choose(versions: Sequence[Version], rule: Rule, due: datetime | None) -> Submission:
    """The version that counts, with a note that says so. Versions without the file count only if none has it."""
    if len(versions) == 1:
        return versions[0].submission
    with_file = [version for version in versions if version.submission.outcome is not Outcome.MISSING]
    ordered = sorted(with_file or versions, key=_place(versions))
    chosen, why = _CHOICES[rule](ordered, due)
    tied = [version for version in ordered if _place(versions)(version) == _place(versions)(chosen)]
    if len(tied) > 1:
        return _tied(tied)
    note = f"{len(versions)} versions were handed in; {_label(chosen)} was graded: {why}."
    empty = len(versions) - len(with_file)
    if with_file and empty:
        note += f" {empty} of the others {'has' if empty == 1 else 'have'} no {chosen.submission.file}."
    return dataclasses.replace(chosen.submission, notes=(*chosen.submission.notes, note))


class _place:  # noqa: N801 - reads as a function
    """The place of a version among all of them: by time if every one has a time, else by the system's own numbers."""

    def __init__(self, versions: Sequence[Version]) -> None:
        times = [version.hand_in.time for version in versions]
        zoned = [time for time in times if time is not None and time.tzinfo is not None]
        self.timed = None not in times and len(zoned) in (0, len(times))

    def __call__(self, version: Version) -> tuple[datetime, int]:
        time = version.hand_in.time
        return (time if self.timed and time is not None else datetime.min, version.hand_in.order)  # noqa: DTZ901 - only an order


def _last_on_time(ordered: Sequence[Version], due: datetime | None) -> tuple[Version, str]:
    late = [_late(version, due) for version in ordered]
    if None in late or (due is None and True not in late):
        return ordered[-1], "the last one"
    punctual = [version for version, is_late in zip(ordered, late, strict=True) if not is_late]
    limit = f" (due {said(due)})" if due is not None else ""
    if punctual:
        return punctual[-1], f"the last one on time{limit}"
    return ordered[-1], f"the last one, for none was on time{limit}"


def _late(version: Version, due: datetime | None) -> bool | None:
    """Whether a version came late; None if nobody can tell."""
    time = version.submission.submitted_at
    if time is not None and due is not None:
        return time > due
    return version.hand_in.late


def _last(ordered: Sequence[Version], _: datetime | None) -> tuple[Version, str]:
    return ordered[-1], "the last one, as told"


def _first(ordered: Sequence[Version], _: datetime | None) -> tuple[Version, str]:
    return ordered[0], "the first one, as told"


_CHOICES = {"last-on-time": _last_on_time, "last": _last, "first": _first}


def _label(version: Version) -> str:
    moment = version.submission.submitted_at or version.hand_in.time
    return f"that of {said(moment)}" if moment is not None else repr(shown(version.hand_in.origin))


def _tied(tied: Sequence[Version]) -> Submission:
    names = ", ".join(repr(shown(version.hand_in.origin)) for version in tied[:5])
    return dataclasses.replace(
        tied[0].submission,
        source=b"",
        files=(),
        outcome=Outcome.AMBIGUOUS,
        problem=f"There are several submissions, and nothing says which came last: {names}. Leave exactly one.",
    )
