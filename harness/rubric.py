"""What each line is worth and which evidence it rests on: the record behind `rubrics/<slug>.yaml`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Literal

from harness.errors import DataError, Fault, UsageError
from harness.spec import Spec
from harness.yamlfile import EMPTY, Document, Where, examine, key, nearest

_ONE = Fraction(1)


@dataclasses.dataclass(frozen=True)
class Tier:
    """A step of credit: this share of the cases right earns this share of the points."""

    share: Fraction = key("At least this share of the cases is right.", example="3/4", least=0)
    earns: Fraction = key("This share of the points is earned.", example="1/2", least=0)


@dataclasses.dataclass(frozen=True)
class Credit:
    """How right answers turn into points. A plain word, `all` or `each`, stands for the two simple ways."""

    how: Literal["all", "each", "tiers", "deduct"] = key(
        "all: everything right or nothing; each: the share that is right; tiers: steps; deduct: each failing check costs.",
        default="all",
        example="each",
    )
    tiers: tuple[Tier, ...] = key("The steps, for `how: tiers`.", default=())
    cost: Fraction = key(
        "What each failing check costs, for `how: deduct`.", default=Fraction(0), example="1/2", least=0
    )

    @classmethod
    def from_scalar(cls, text: str) -> Credit:
        if text not in ("all", "each"):
            raise ValueError(f"{text!r} is not a way of giving credit; write all, each, or `how: tiers` with its steps")
        return cls(how="each" if text == "each" else "all")


@dataclasses.dataclass(frozen=True)
class Visibility:
    """Who sees what of a line. A plain word stands for all three audiences."""

    student: Literal["nothing", "outcome", "message", "everything"] = key(
        "What a student sees now.", default="everything", example="outcome"
    )
    after_due: Literal["nothing", "outcome", "message", "everything"] = key(
        "What a student sees after the due date.", default="everything"
    )

    @classmethod
    def from_scalar(cls, text: str) -> Visibility:
        if text not in ("nothing", "outcome", "message", "everything"):
            raise ValueError(f"{text!r} is not a level; write nothing, outcome, message or everything")
        return cls(student=text, after_due=text)  # type: ignore[arg-type]


@dataclasses.dataclass(frozen=True)
class Part:
    """One piece of evidence-backed credit inside a line."""

    id: str = key("The part's name within its line.", example="boolean")
    points: Fraction = key("What it is worth.", example="3", least=0)
    evidence: tuple[str, ...] = key(
        "What it rests on: calls/NAME, session/NAME, style, style/RULE, structure/NAME, growth/NAME, load, manual.",
        example="[calls/move]",
    )
    title: str = key("One line for people.", default="", example='"Boolean return"')
    aspects: tuple[str, ...] = key(
        "Which aspects of the calls count; all of the spec's if absent.", default=(), example="[returns]"
    )
    cases: str | None = key("Only the cases whose id starts with this.", default=None, example="flip")
    credit: Credit | None = key("How right answers turn into points; by default `all`.", default=None)
    only: Mapping[str, Fraction] = key(
        "What a session earns (a share) if nothing but this kind of difference was found: blanks, case, prompt.",
        default=EMPTY,
        example="{blanks: 1/2}",
    )
    follow_through: Fraction = key(
        "The share earned by a function that is right once its helpers are.", default=_ONE, example="1", least=0
    )


@dataclasses.dataclass(frozen=True)
class Item:
    """A line of the rubric. It rests on evidence itself or has parts that do."""

    id: str = key("The line's name.", example="validate_move")
    title: str = key("The line as the handout prints it.", example='"validate_move"')
    points: Fraction = key("What the line is worth.", example="8", least=0)
    evidence: tuple[str, ...] = key(
        "What it rests on, if it has no parts.", default=(), example="[calls/validate_move]"
    )
    parts: tuple[Part, ...] = key("The parts of the line; their points add up to the line's.", default=())
    aspects: tuple[str, ...] = key("Which aspects of the calls count.", default=(), example="[returns]")
    cases: str | None = key("Only the cases whose id starts with this.", default=None)
    credit: Credit | None = key("How right answers turn into points; by default `all`.", default=None)
    only: Mapping[str, Fraction] = key(
        "What a session earns if nothing but this kind of difference was found.", default=EMPTY
    )
    follow_through: Fraction = key(
        "The share earned by a function that is right once its helpers are.", default=_ONE, least=0
    )
    needs: tuple[str, ...] = key(
        "Evidence that must pass before this line earns anything.", default=(), example="[load]"
    )
    bonus: bool = key("The line adds to the total instead of being part of it.", default=False)
    visibility: Visibility = key("Who sees what of this line.", default=Visibility())
    note: str = key("A remark for people who read the rubric.", default="")

    @property
    def all_parts(self) -> tuple[Part, ...]:
        """The parts, or the line itself as its only part."""
        if self.parts:
            return self.parts
        return (
            Part(
                id=self.id,
                points=self.points,
                evidence=self.evidence,
                title=self.title,
                aspects=self.aspects,
                cases=self.cases,
                credit=self.credit,
                only=self.only,
                follow_through=self.follow_through,
            ),
        )


@dataclasses.dataclass(frozen=True)
class Rubric:
    """The points of one assignment."""

    assignment: str = key("The slug of the assignment.", example="war")
    total: Fraction = key("What the lines add up to, bonus lines left out.", example="55", least=0)
    items: tuple[Item, ...] = key("The lines, in the order of the handout.")
    told: tuple[str, ...] = key(
        "Evidence that is reported to the student and counts in no line.", default=(), example="[calls/get_option]"
    )
    note: str = key("A remark for people who read the rubric.", default="")

    @classmethod
    def faults(cls, rubric: Rubric, where: Where) -> Iterator[Fault]:
        """Points that add up, ids that differ, credit that makes sense."""
        if rubric.assignment != where.path.stem and where.path.parent.name == "rubrics":
            yield where.fault(
                "assignment",
                f"{rubric.assignment!r} differs from the file's name {where.path.stem!r}",
                "make them the same",
            )
        if not rubric.items:
            yield where.fault("items", "there is no line", "a rubric needs at least one")
        lines = where.lines
        complete = sum(1 for line in lines if line.startswith("items.") and line.count(".") == 1) == len(rubric.items)
        added = sum((item.points for item in rubric.items if not item.bonus), Fraction(0))
        if complete and added != rubric.total:
            yield where.fault(
                "total",
                f"the lines add up to {_plain(added)}, not {_plain(rubric.total)}",
                "correct the total or a line",
            )
        seen: set[str] = set()
        for index, item in enumerate(rubric.items):
            if item.id in seen:
                yield where.fault(
                    f"items.{index}.id", f"{item.id!r} stands here for the second time", "give each line its own id"
                )
            seen.add(item.id)
            yield from _item_faults(item, where, f"items.{index}")


def _plain(points: Fraction) -> str:
    return str(points)


def _item_faults(item: Item, where: Where, at: str) -> Iterator[Fault]:
    if item.parts and (item.evidence or item.credit or item.aspects or item.only):
        yield where.fault(
            at, "a line with parts has no evidence, credit, aspects or only of its own", "move them into the parts"
        )
    if not item.parts and not item.evidence:
        yield where.fault(
            f"{at}.evidence",
            "the line rests on nothing",
            "evidence: [calls/NAME], [session/NAME], [manual] ... or parts",
        )
    if item.parts and sum((part.points for part in item.parts), Fraction(0)) != item.points:
        yield where.fault(
            f"{at}.points",
            f"the parts add up to {_plain(sum((part.points for part in item.parts), Fraction(0)))}, not {_plain(item.points)}",
            "correct the line or a part",
        )
    if len({part.id for part in item.parts}) < len(item.parts):
        yield where.fault(f"{at}.parts", "two parts have the same id", "give each part its own id")
    for index, part in enumerate(item.all_parts):
        inside = f"{at}.parts.{index}" if item.parts else at
        yield from _credit_faults(part.credit, where, f"{inside}.credit")
        for kind, share in part.only.items():
            if kind not in ("blanks", "case", "prompt"):
                yield where.fault(
                    f"{inside}.only.{kind}",
                    "not a kind of difference that can earn credit",
                    nearest(kind, ("blanks", "case", "prompt")) + "one of: blanks, case, prompt",
                )
            if not 0 <= share <= 1:
                yield where.fault(f"{inside}.only.{kind}", f"{share} is not a share", "between 0 and 1")
        if not 0 <= part.follow_through <= 1:
            yield where.fault(f"{inside}.follow-through", f"{part.follow_through} is not a share", "between 0 and 1")


def _credit_faults(credit: Credit | None, where: Where, at: str) -> Iterator[Fault]:
    if credit is None:
        return
    if (credit.how == "tiers") != bool(credit.tiers):
        yield where.fault(at, "`how: tiers` and the list of tiers go together", "give both or neither")
    if (credit.how == "deduct") != bool(credit.cost):
        yield where.fault(at, "`how: deduct` and its cost go together", "give both or neither")
    shares = [(tier.share, tier.earns) for tier in credit.tiers]
    if any(not (0 <= share <= 1 and 0 <= earns <= 1) for share, earns in shares):
        yield where.fault(f"{at}.tiers", "a share lies outside 0 and 1", "between 0 and 1")
    if any(one[1] > other[1] for one, other in zip(sorted(shares), sorted(shares)[1:], strict=False)):
        yield where.fault(
            f"{at}.tiers", "a larger share earns less than a smaller one", "more right answers must not earn less"
        )


def read_rubric(path: Path, spec: Spec) -> Document[Rubric]:
    """Read a rubric and hold it against the spec it is for; every fault of both kinds is reported at once."""
    document, faults = examine(path, Rubric)
    if document is not None:
        if document.record.assignment != spec.slug:
            raise UsageError(f"{path}: this rubric is for {document.record.assignment!r}, not for {spec.slug!r}")
        faults = faults + list(_evidence_faults(document.record, document.where, spec))
    if faults or document is None:
        raise DataError(faults)
    return document


def evidence_names(spec: Spec) -> tuple[str, ...]:
    """Everything that a line of a rubric can rest on."""
    judged = [name for name, function in spec.functions.items() if function.judged]
    return (
        *(f"calls/{name}" for name in judged),
        *(f"session/{name}" for name in spec.sessions),
        *(f"structure/{name}" for name in spec.functions),
        *(f"style/{name}" for name in spec.rules),
        "style",
        "structure",
        "load",
        "manual",
    )


def _evidence_faults(rubric: Rubric, where: Where, spec: Spec) -> Iterator[Fault]:
    known = evidence_names(spec)
    yield from (_unknown(name, where, "told", known) for name in rubric.told if name not in known)
    for index, item in enumerate(rubric.items):
        for number, part in enumerate(item.all_parts):
            at = f"items.{index}.parts.{number}.evidence" if item.parts else f"items.{index}.evidence"
            yield from (_unknown(name, where, at, known) for name in part.evidence if name not in known)
            yield from _aspect_faults(part, where, at, spec)
        yield from (_unknown(name, where, f"items.{index}.needs", known) for name in item.needs if name not in known)


def _unknown(name: str, where: Where, at: str, known: tuple[str, ...]) -> Fault:
    kind = name.partition("/")[0]
    same_kind = [other for other in known if other.partition("/")[0] == kind] or list(known)
    return where.fault(at, f"there is no evidence {name!r}", f"{nearest(name, known)}known: {', '.join(same_kind)}")


def _aspect_faults(part: Part, where: Where, at: str, spec: Spec) -> Iterator[Fault]:
    for name in part.evidence:
        kind, _, function = name.partition("/")
        if kind == "calls" and function in spec.functions:
            known = spec.functions[function].aspects
            for aspect in part.aspects:
                if aspect not in known:
                    yield where.fault(
                        at.replace("evidence", "aspects"),
                        f"{function} is not judged by {aspect!r}",
                        f"its aspects: {', '.join(known)}",
                    )
