"""From verdicts to marks: pure and exact. Fractions to the last line of a report."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from harness.outcome import Outcome
from harness.rubric import Credit, Item, Part, Rubric
from harness.verdict import EVERY_ASPECT, Verdict

_ZERO, _ONE = Fraction(0), Fraction(1)
_ALL = Credit()


@dataclasses.dataclass(frozen=True)
class ManualMark:
    """What a person gave for a line that only a person can judge."""

    points: Fraction
    comment: str = ""
    stale: bool = False


@dataclasses.dataclass(frozen=True)
class Mark:
    """What a line, or a part of one, earned. `points` is None while nobody can say: a fault of ours, or a person still to look."""

    id: str
    title: str
    points: Fraction | None
    maximum: Fraction
    outcome: Outcome
    summary: str = ""
    bonus: bool = False
    parts: tuple[Mark, ...] = ()
    evidence: tuple[str, ...] = ()
    visibility: str = "everything"


@dataclasses.dataclass(frozen=True)
class Score:
    """All lines of the rubric, whatever happened."""

    marks: tuple[Mark, ...]
    maximum: Fraction

    @property
    def points(self) -> Fraction:
        return sum((mark.points for mark in self.marks if mark.points is not None), _ZERO)

    @property
    def pending(self) -> Fraction:
        """Points that only a person can still give."""
        return sum((_waiting(mark) for mark in self.marks), _ZERO)

    @property
    def complete(self) -> bool:
        return not any(part.points is None for mark in self.marks for part in (mark.parts or (mark,)))


def _waiting(mark: Mark) -> Fraction:
    if mark.parts:
        return sum((_waiting(part) for part in mark.parts), _ZERO)
    return mark.maximum if mark.outcome is Outcome.PENDING else _ZERO


Manual = Mapping[str, ManualMark]
_NOBODY: Manual = {}


def score(rubric: Rubric, verdicts: Sequence[Verdict], manual: Manual = _NOBODY) -> Score:
    """Give each line of the rubric what its evidence earns."""
    return Score(tuple(_line(item, verdicts, manual) for item in rubric.items), rubric.total)


def _line(item: Item, verdicts: Sequence[Verdict], manual: Manual) -> Mark:
    parts = tuple(_part(item, part, verdicts, manual) for part in item.all_parts)
    gate = _closed_gate(item, verdicts)
    if gate is not None:
        parts = tuple(dataclasses.replace(part, points=_ZERO, outcome=Outcome.SKIPPED, summary=gate) for part in parts)
    if not item.parts:
        return dataclasses.replace(parts[0], bonus=item.bonus, visibility=item.visibility.student)
    known = [part.points for part in parts if part.points is not None]
    return Mark(
        id=item.id,
        title=item.title,
        points=sum(known, _ZERO) if known else None,
        maximum=item.points,
        outcome=_worst(part.outcome for part in parts),
        summary=_joined(parts),
        bonus=item.bonus,
        parts=parts,
        evidence=tuple(name for part in parts for name in part.evidence),
        visibility=item.visibility.student,
    )


def _joined(parts: tuple[Mark, ...]) -> str:
    said = [part.summary for part in parts if part.summary and part.outcome is not Outcome.PENDING]
    return " ".join(dict.fromkeys(said))


def _closed_gate(item: Item, verdicts: Sequence[Verdict]) -> str | None:
    """The reason why a line earns nothing although its own evidence might be right."""
    for name in item.needs:
        failed = [verdict for verdict in verdicts if verdict.evidence == name and verdict.outcome is not Outcome.PASSED]
        if failed:
            return f"Not counted, because {name} did not pass: {failed[0].sentence or failed[0].outcome.words}"
    return None


def _part(item: Item, part: Part, verdicts: Sequence[Verdict], manual: Manual) -> Mark:
    name = item.id if part.id == item.id else f"{item.id}.{part.id}"
    title = part.title or part.id
    if part.evidence == ("manual",):
        return _manual(part, title, manual.get(name))
    mine = [verdict for verdict in verdicts if _rests_on(part, verdict)]
    outcome = _worst(verdict.outcome for verdict in mine if not verdict.followed)
    if any(verdict.outcome is Outcome.INTERNAL for verdict in mine) or not mine:
        reason = next(
            (verdict.sentence for verdict in mine if verdict.outcome is Outcome.INTERNAL),
            "There is no evidence for this line.",
        )
        return Mark(part.id, title, None, part.points, Outcome.INTERNAL, reason, evidence=part.evidence)
    points = part.points * earned(part, mine)
    if points == part.points:
        outcome = Outcome.PASSED
    return Mark(part.id, title, points, part.points, outcome, _summary(mine, outcome), evidence=part.evidence)


def _manual(part: Part, title: str, given: ManualMark | None) -> Mark:
    if given is None:
        return Mark(
            part.id, title, None, part.points, Outcome.PENDING, "A person will look at this.", evidence=part.evidence
        )
    outcome = Outcome.PASSED if given.points >= part.points else Outcome.WRONG
    note = " The file has changed since this mark was given." if given.stale else ""
    return Mark(part.id, title, given.points, part.points, outcome, given.comment + note, evidence=part.evidence)


def _rests_on(part: Part, verdict: Verdict) -> bool:
    if verdict.aspect != EVERY_ASPECT:
        if part.cases is not None and not verdict.case.startswith(part.cases):
            return False
        if verdict.evidence.startswith("calls/") and part.aspects and verdict.aspect not in part.aspects:
            return False
    return any(
        verdict.evidence == name or (name in ("style", "structure") and verdict.evidence.startswith(f"{name}/"))
        for name in part.evidence
    )


def earned(part: Part, verdicts: Sequence[Verdict]) -> Fraction:
    """The share of a part's points that its verdicts earn, between zero and one."""
    credit = part.credit or _ALL
    plain = _credited(credit, part.points, verdicts, follow=False)
    with_help = _credited(credit, part.points, verdicts, follow=True)
    share = plain + part.follow_through * max(with_help - plain, _ZERO)
    return max(share, _forgiven(part, verdicts))


def _credited(credit: Credit, points: Fraction, verdicts: Sequence[Verdict], *, follow: bool) -> Fraction:
    if credit.how == "deduct":
        if any(verdict.outcome not in (Outcome.PASSED, Outcome.WRONG) for verdict in verdicts):
            return _ZERO
        failing = sum(1 for verdict in verdicts if not _right(verdict, follow=follow))
        return max(_ONE - failing * credit.cost / points, _ZERO) if points else _ZERO
    share = _share(verdicts, follow=follow)
    if credit.how == "each":
        return share
    if credit.how == "tiers":
        return max(
            (tier.earns for tier in (*credit.tiers,) if share >= tier.share), default=_ONE if share == _ONE else _ZERO
        )
    return _ONE if share == _ONE else _ZERO


def _right(verdict: Verdict, *, follow: bool) -> bool:
    return verdict.outcome is Outcome.PASSED or (follow and verdict.followed)


def _share(verdicts: Sequence[Verdict], *, follow: bool) -> Fraction:
    """The share of right cases in the group that did worst: a constant answer is right in one group only."""
    cases: dict[tuple[str, str, str], Fraction] = {}
    for verdict in verdicts:
        name = (verdict.evidence, verdict.group, verdict.case)
        value = _ONE if _right(verdict, follow=follow) else verdict.share
        cases[name] = min(cases.get(name, _ONE), value)
    groups: dict[tuple[str, str], list[Fraction]] = {}
    for (evidence, group, _), value in cases.items():
        groups.setdefault((evidence, group), []).append(value)
    by_evidence: dict[str, Fraction] = {}
    for (evidence, _), values in groups.items():
        share = sum(values, _ZERO) / len(values)
        by_evidence[evidence] = min(by_evidence.get(evidence, _ONE), share)
    return sum(by_evidence.values(), _ZERO) / len(by_evidence)


def _forgiven(part: Part, verdicts: Sequence[Verdict]) -> Fraction:
    """What is earned although something differs, because it differs only in what the rubric names under `only`."""
    failing = [verdict for verdict in verdicts if verdict.outcome is not Outcome.PASSED]
    if not part.only or not failing:
        return _ZERO
    shares = [
        part.only.get(kind, _ZERO) if verdict.kinds else _ZERO
        for verdict in failing
        for kind in (verdict.kinds or ("",))
    ]
    return min(shares, default=_ZERO)


_SEVERITY = (
    Outcome.INTERNAL,
    Outcome.REJECTED,
    Outcome.AMBIGUOUS,
    Outcome.LOAD_ERROR,
    Outcome.MISSING,
    Outcome.TIMEOUT,
    Outcome.MEMORY,
    Outcome.CRASHED,
    Outcome.OUTPUT_LIMIT,
    Outcome.EXITED,
    Outcome.EXCEPTION,
    Outcome.BAD_VALUE,
    Outcome.WRONG,
    Outcome.SKIPPED,
    Outcome.PENDING,
    Outcome.PASSED,
)


def _worst(outcomes: Iterable[Outcome]) -> Outcome:
    found = set(outcomes)
    return next((outcome for outcome in _SEVERITY if outcome in found), Outcome.PASSED)


def _summary(verdicts: Sequence[Verdict], outcome: Outcome) -> str:
    followed = next((verdict.sentence for verdict in verdicts if verdict.followed and verdict.sentence), "")
    if outcome is Outcome.PASSED:
        return followed
    failing = [verdict for verdict in verdicts if verdict.outcome is outcome and not verdict.followed]
    return next((verdict.sentence for verdict in failing if verdict.sentence), followed)
