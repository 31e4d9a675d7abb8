"""The published record of one graded submission: what it holds, and how it is written and read back.

Evidence is kept apart from points: `verdicts` is all that happened, `items` what the rubric made of it. Reading a record
back and scoring it with the same rubric gives the same marks. `docs/report-format.md` describes every field.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from harness.outcome import Outcome
from harness.policy import Adjustment
from harness.score import Mark, Score
from harness.submission import Submission
from harness.verdict import Detail, Verdict

FORMAT = 1
Json = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Circumstances:
    """Under which conditions a submission was graded; the same for a whole class."""

    isolation: str
    seed: int
    versions: Mapping[str, str]
    inputs: Mapping[str, str]


def make_record(
    slug: str,
    submission: Submission,
    score: Score,
    verdicts: Sequence[Verdict],
    adjustments: Sequence[Adjustment],
    circumstances: Circumstances,
    notes: Sequence[str] = (),
    told: Sequence[str] = (),
) -> Json:
    """Everything about one submission as plain data, with numbers as numbers."""
    total = score.points + sum((adjustment.points for adjustment in adjustments), Fraction(0))
    return {
        "format": FORMAT,
        "assignment": slug,
        "submission": _submission(submission),
        "items": [_item(mark, verdicts) for mark in score.marks],
        "points": number(score.points),
        "max": number(score.maximum),
        "pending": number(score.pending),
        "complete": score.complete,
        "adjustments": [
            {"kind": adjustment.kind, "points": number(adjustment.points), "sentence": adjustment.sentence}
            for adjustment in adjustments
        ],
        "total": number(max(total, Fraction(0))),
        "notes": list(notes),
        "told": [_told(name, verdicts) for name in told],
        "isolation": circumstances.isolation,
        "seed": circumstances.seed,
        "versions": dict(circumstances.versions),
        "inputs": dict(circumstances.inputs),
        "verdicts": fold(verdicts),
    }


def _submission(submission: Submission) -> Json:
    return {
        "id": submission.id,
        "name": submission.name,
        "files": list(submission.files),
        "sha256": submission.sha256,
        "submitted_at": submission.submitted_at.isoformat() if submission.submitted_at else None,
        "outcome": submission.outcome.value,
        "problem": submission.problem,
        "notes": list(submission.notes),
    }


def number(points: Fraction) -> int | float:
    """A whole number as such, anything else rounded to six places."""
    return points.numerator if points.denominator == 1 else round(float(points), 6)


def _item(mark: Mark, verdicts: Sequence[Verdict]) -> Json:
    item: Json = {
        "id": mark.id,
        "title": mark.title,
        "points": None if mark.points is None else number(mark.points),
        "max": number(mark.maximum),
        "outcome": mark.outcome.value,
        "summary": mark.summary,
        "bonus": mark.bonus,
        "visibility": mark.visibility,
        "evidence": [_evidence(name, verdicts) for name in dict.fromkeys(mark.evidence)],
    }
    if mark.parts:
        item["parts"] = [_item(part, verdicts) for part in mark.parts]
    return item


def _evidence(name: str, verdicts: Sequence[Verdict]) -> Json:
    mine = [verdict for verdict in verdicts if verdict.evidence == name or verdict.evidence.startswith(f"{name}/")]
    cases = {(verdict.evidence, verdict.case) for verdict in mine}
    failed = [verdict for verdict in mine if verdict.outcome is not Outcome.PASSED]
    failing = {(verdict.evidence, verdict.case) for verdict in failed}
    return {
        "name": name,
        "cases": len(cases),
        "passed": len(cases) - len(failing),
        "first_failure": _verdict(failed[0]) if failed else None,
    }


def _told(name: str, verdicts: Sequence[Verdict]) -> Json:
    """Evidence that counts in no line: what became of it and, if it failed, the first thing to say about it."""
    failed = [verdict for verdict in verdicts if verdict.evidence == name and verdict.outcome is not Outcome.PASSED]
    outcome = failed[0].outcome if failed else Outcome.PASSED
    return {"name": name, "outcome": outcome.value, "sentence": failed[0].sentence if failed else ""}


def _verdict(verdict: Verdict) -> Json:
    data: Json = {
        "evidence": verdict.evidence,
        "case": verdict.case,
        "aspect": verdict.aspect,
        "outcome": verdict.outcome.value,
    }
    optional: Json = {
        "group": verdict.group,
        "share": str(verdict.share) if verdict.share else "",
        "kinds": list(verdict.kinds),
        "followed": verdict.followed,
        "sentence": verdict.sentence,
        "detail": {name: value for name, value in dataclasses.asdict(verdict.detail).items() if value}
        if verdict.detail
        else {},
        "notes": list(verdict.notes),
    }
    data.update({name: value for name, value in optional.items() if value})
    return data


def fold(verdicts: Iterable[Verdict]) -> list[Json]:
    """All verdicts; those that passed with nothing to say are folded by evidence, aspect and group into one entry."""
    folded: dict[tuple[str, str, str], Json] = {}
    others: list[Json] = []
    for verdict in verdicts:
        if verdict.outcome is Outcome.PASSED and not (
            verdict.sentence or verdict.notes or verdict.kinds or verdict.detail
        ):
            entry = folded.setdefault(
                (verdict.evidence, verdict.aspect, verdict.group),
                {"evidence": verdict.evidence, "aspect": verdict.aspect, "group": verdict.group, "passed": []},
            )
            entry["passed"].append(verdict.case)
        else:
            others.append(_verdict(verdict))
    return [*folded.values(), *others]


def unfold(entries: Iterable[Mapping[str, Any]]) -> tuple[Verdict, ...]:
    """The verdicts of a record, as they were judged."""
    verdicts: list[Verdict] = []
    for entry in entries:
        if "passed" in entry:
            verdicts.extend(
                Verdict(entry["evidence"], case, entry["aspect"], Outcome.PASSED, entry["group"], share=Fraction(1))
                for case in entry["passed"]
            )
        else:
            verdicts.append(_unfolded(entry))
    return tuple(verdicts)


def _unfolded(entry: Mapping[str, Any]) -> Verdict:
    detail = entry.get("detail")
    return Verdict(
        evidence=entry["evidence"],
        case=entry["case"],
        aspect=entry["aspect"],
        outcome=Outcome(entry["outcome"]),
        group=entry.get("group", ""),
        share=Fraction(entry.get("share", 0)),
        kinds=tuple(entry.get("kinds", ())),
        followed=bool(entry.get("followed", False)),
        sentence=entry.get("sentence", ""),
        detail=Detail(**detail) if detail else None,
        notes=tuple(entry.get("notes", ())),
    )


def submission_of(record: Mapping[str, Any]) -> Submission:
    """The submission a record is about, without its source."""
    data = record["submission"]
    submitted_at = data.get("submitted_at")
    return Submission(
        id=data["id"],
        file=data["files"][0] if data["files"] else "",
        submitted_at=datetime.fromisoformat(submitted_at) if submitted_at else None,
        name=data.get("name", ""),
        outcome=Outcome(data["outcome"]),
        problem=data.get("problem", ""),
        notes=tuple(data.get("notes", ())),
        files=tuple(data["files"]),
    )
