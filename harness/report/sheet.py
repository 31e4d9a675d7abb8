"""A record as a person reads it: lines with their reasons, drawn so that every character can be seen.

All renderers for people read this and not the record, so text that a student controls is drawn in one place only.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.compare.drawing import Pen, draw_rows
from harness.compare.screen import looks_like
from harness.outcome import Outcome
from harness.record import Json
from harness.report.escape import clipped, one_line, visible

MOST_FINDINGS = 25
MINUS = "\u2212"
_WHOLE_FILE = frozenset(
    outcome.value for outcome in (Outcome.LOAD_ERROR, Outcome.MISSING, Outcome.AMBIGUOUS, Outcome.REJECTED)
)
"""What is said of the file or the function as a whole: it is no different from case to case."""
_SOURCE = ("style", "structure")
Entries = Sequence[Mapping[str, Any]]


@dataclasses.dataclass(frozen=True)
class Failure:
    """One thing that went wrong, with what a person needs to see it.

    `shown` is a drawing of its own, under the heading `showing`: a game beside the example, or the findings of a rule.
    `others` counts further cases that fail.
    """

    evidence: str
    outcome: str
    sentence: str
    tried: str = ""
    before: str = ""
    expected: str = ""
    actual: str = ""
    line: int | None = None
    text: str = ""
    shown: str = ""
    notes: tuple[str, ...] = ()
    others: int = 0
    session: bool = False

    @property
    def typed(self) -> str:
        """The line that was typed, unless the sentence has said it already."""
        return self.tried if self.session and f"`{self.tried}`" not in self.sentence else ""

    @property
    def showing(self) -> str:
        return "What is printed then" if self.session else "Where"

    @property
    def call(self) -> str:
        """The call to paste."""
        return "" if self.session else self.tried

    @property
    def place(self) -> str:
        """The line of the student's file as it reads, unless the sentence has said it already."""
        return "" if self.text and self.text in self.sentence else self.text


@dataclasses.dataclass(frozen=True)
class Line:
    """A line of the rubric, or a part of one."""

    id: str
    title: str
    points: float | None
    max: float
    outcome: str
    summary: str
    bonus: bool = False
    parts: tuple[Line, ...] = ()
    failures: tuple[Failure, ...] = ()
    cases: int = 0
    right: int = 0
    told: tuple[str, ...] = ()

    @property
    def leaves(self) -> tuple[Line, ...]:
        return self.parts or (self,)

    @property
    def state(self) -> str:
        """One of passed, partly, failed, pending, internal, skipped."""
        if self.outcome == Outcome.INTERNAL.value:
            return "internal"
        if self.outcome == Outcome.PENDING.value or self.points is None:
            return "pending"
        if self.points >= self.max:
            return "passed"
        if self.outcome == Outcome.SKIPPED.value or self.bonus:
            return "skipped"
        return "partly" if self.points > 0 else "failed"

    @property
    def lost(self) -> float:
        """Points that are gone for certain; a bonus that was not earned is no loss."""
        if self.bonus:
            return 0
        return sum(leaf.max - leaf.points for leaf in self.leaves if leaf.points is not None)


@dataclasses.dataclass(frozen=True)
class Change:
    """Points added or taken, and why."""

    kind: str
    points: float
    sentence: str


@dataclasses.dataclass(frozen=True)
class Sheet:
    """One submission. `total` is None while it cannot be told: a fault of ours, or lines that are not shown."""

    id: str
    label: str
    name: str
    file: str
    sha256: str
    submitted_at: str
    outcome: str
    problem: str
    lines: tuple[Line, ...]
    points: float
    max: float
    total: float | None
    pending: float
    changes: tuple[Change, ...]
    notes: tuple[str, ...]
    isolation: str
    versions: tuple[tuple[str, str], ...]
    inputs: tuple[tuple[str, str], ...]
    hidden_lines: int = 0
    hidden_max: float = 0

    @property
    def leaves(self) -> tuple[Line, ...]:
        return tuple(leaf for line in self.lines for leaf in line.leaves)

    @property
    def state(self) -> str:
        """One of graded, pending (a person has still to look), unscored (a fault of ours)."""
        states = {leaf.state for leaf in self.leaves}
        return "unscored" if "internal" in states else "pending" if "pending" in states else "graded"


def _remarks(record: Mapping[str, Any]) -> Iterator[str]:
    """The notes, and what is told although it counts in no line."""
    yield from record["notes"]
    yield from (
        f"Not counted in any line ({entry['name']}): {entry['sentence']}"
        for entry in record.get("told", ())
        if entry["sentence"]
    )


def read_sheet(record: Mapping[str, Any]) -> Sheet:
    """Read a record."""
    submission = record["submission"]
    spoken = [entry for entry in record["verdicts"] if "outcome" in entry]
    hidden = record.get("hidden", {"lines": 0, "max": 0})
    return Sheet(
        id=submission["id"],
        label=one_line(submission["id"], 80),
        name=one_line(submission["name"], 80),
        file=one_line(submission["files"][0].rpartition("/")[2], 80) if submission["files"] else "",
        sha256=submission["sha256"],
        submitted_at=one_line(submission["submitted_at"] or ""),
        outcome=submission["outcome"],
        problem=one_line(submission["problem"]),
        lines=tuple(_line(item, spoken) for item in record["items"]),
        points=record["points"],
        max=record["max"],
        total=total_of(record),
        pending=record["pending"],
        changes=tuple(
            Change(change["kind"], change["points"], one_line(change["sentence"])) for change in record["adjustments"]
        ),
        notes=tuple(dict.fromkeys(one_line(note) for note in _remarks(record))),
        isolation=one_line(record["isolation"]),
        versions=tuple((one_line(name), one_line(value)) for name, value in sorted(record["versions"].items())),
        inputs=tuple((one_line(name), one_line(value)) for name, value in sorted(record["inputs"].items())),
        hidden_lines=hidden["lines"],
        hidden_max=hidden["max"],
    )


def total_of(record: Mapping[str, Any]) -> float | None:
    """The total, or None while a fault of ours leaves it open: that is never a zero."""
    total: float | None = record["total"]
    return None if "fault" in record or Outcome.INTERNAL.value in outcomes(record) else total


def outcomes(record: Mapping[str, Any]) -> set[str]:
    """How the lines and parts of a record turned out."""
    return {part["outcome"] for item in record["items"] for part in item.get("parts", [item])}


def _line(item: Mapping[str, Any], spoken: Entries) -> Line:
    parts = tuple(_line(part, spoken) for part in item.get("parts", ()))
    return Line(
        id=one_line(item["id"], 60),
        title=one_line(item["title"], 120),
        points=item["points"],
        max=item["max"],
        outcome=item["outcome"],
        summary=one_line(item["summary"]),
        bonus=item["bonus"],
        parts=parts,
        failures=() if parts else tuple(_failures(item, spoken)),
        cases=sum(entry["cases"] for entry in item["evidence"]),
        right=sum(entry["passed"] for entry in item["evidence"]),
        told=() if parts else tuple(dict.fromkeys(_told(item, spoken))),
    )


def _of(name: str, entries: Entries, *, passed: bool) -> list[Mapping[str, Any]]:
    """The entries about one piece of evidence, those that passed or those that did not."""
    return [
        entry
        for entry in entries
        if (entry["evidence"] == name or entry["evidence"].startswith(f"{name}/"))
        and (entry["outcome"] == Outcome.PASSED.value) is passed
    ]


def _told(item: Mapping[str, Any], spoken: Entries) -> Iterator[str]:
    """What is said about a line that is right: follow-through, and differences that cost nothing."""
    if item["points"] is not None and item["points"] >= item["max"]:
        yield from [one_line(item["summary"])] if item["summary"] else []
        for evidence in item["evidence"]:
            for entry in _of(evidence["name"], spoken, passed=True):
                yield from (one_line(note) for note in entry.get("notes", ()))


def _failures(item: Mapping[str, Any], spoken: Entries) -> Iterator[Failure]:
    """Why a line lost points: the case that its summary is about, or each finding of a rule."""
    if item["points"] is None or item["points"] >= item["max"]:
        return
    for evidence in item["evidence"]:
        name = evidence["name"]
        mine = _of(name, spoken, passed=False)
        mine = [entry for entry in mine if not entry.get("followed")] or mine
        if not mine and evidence["first_failure"]:
            mine = [evidence["first_failure"]]
        if name.startswith("calls/"):
            yield from _one_case(item, mine)
        else:
            yield from dict.fromkeys(_failure(entry) for entry in mine[:MOST_FINDINGS])


def _one_case(item: Mapping[str, Any], failing: Entries) -> Iterator[Failure]:
    same = [entry for entry in failing if entry.get("sentence", "") == item["summary"]]
    for chosen in (same or list(failing))[:1]:
        cases = {entry["case"] for entry in failing if entry["aspect"] == chosen["aspect"]}
        yield _failure(chosen, others=max(len(cases) - 1, 0))


def _failure(entry: Mapping[str, Any], others: int = 0) -> Failure:
    detail: Json = entry.get("detail", {})
    kind = entry["evidence"].partition("/")[0]
    whole = entry["outcome"] in _WHOLE_FILE
    tried = "" if whole or kind in _SOURCE else _block(detail.get("tried", ""))
    drawn = (kind == "session" or kind in _SOURCE) and not detail.get("expected")
    expected, actual = detail.get("expected", ""), detail.get("actual", "")
    said = not expected and actual in entry.get("sentence", "")
    expected, actual = ("", "") if drawn or said else _told_apart(expected, actual)
    return Failure(
        evidence="" if whole else one_line(entry["evidence"]),
        outcome=entry["outcome"],
        sentence=one_line(entry.get("sentence", "")),
        tried=tried,
        before=_block(detail.get("before", "")),
        expected=expected,
        actual=actual,
        line=detail.get("line") or None,
        text=one_line(detail.get("text", "").strip(), 200),
        shown=_drawing(kind, detail.get("actual", "")) if drawn and not whole else "",
        notes=() if whole else tuple(one_line(note) for note in entry.get("notes", ())),
        others=0 if whole else others,
        session=not whole and kind == "session",
    )


def _drawing(kind: str, text: str) -> str:
    """What was drawn by whoever judged it; a single finding is in the sentence already."""
    return "" if kind in _SOURCE and "\n" not in text.strip() else _block(text)


def _block(text: str) -> str:
    return clipped(visible(text.rstrip("\n")))


def _told_apart(expected: str, actual: str) -> tuple[str, str]:
    """Both texts drawn; with their blanks marked if they look alike, and not at all if they are the same."""
    if expected == actual:
        return "", ""
    one, other = _block(expected), _block(actual)
    if one != other and looks_like(expected) != looks_like(actual):
        return one, other
    pen = Pen(blanks=True)
    return _block("\n".join(draw_rows(expected, pen))), _block("\n".join(draw_rows(actual, pen)))


@dataclasses.dataclass(frozen=True)
class Explained:
    """The lines that failed for one and the same reason, explained once."""

    lines: tuple[Line, ...]
    titles: tuple[str, ...]
    summary: str
    failures: tuple[Failure, ...]


def explained(sheet: Sheet) -> tuple[Explained, ...]:
    """What is to be explained on a sheet, in the order of the rubric; one broken file is one reason, not twelve."""
    reasons: dict[Any, list[tuple[Line, str]]] = {}
    for line in sheet.lines:
        for leaf in line.leaves:
            if leaf.state in ("failed", "partly", "skipped", "internal"):
                title = f"{line.title}: {leaf.title}" if line.parts else line.title
                reasons.setdefault(_reason(leaf, title), []).append((leaf, title))
    return tuple(_explained(members) for members in reasons.values())


def _reason(leaf: Line, title: str) -> object:
    """What two lines share if they failed for one reason; a file that cannot be loaded is one, however it is said."""
    if leaf.outcome == Outcome.LOAD_ERROR.value:
        return leaf.outcome
    if not leaf.summary and not leaf.failures:
        return title
    return leaf.summary, tuple(dataclasses.replace(failure, others=0) for failure in leaf.failures)


def _explained(members: Sequence[tuple[Line, str]]) -> Explained:
    """One explanation for all: that which shows the place in the file, if one does."""
    leaves = [leaf for leaf, _ in members]
    teller = next((leaf for leaf in leaves if any(failure.text for failure in leaf.failures)), leaves[0])
    return Explained(tuple(leaves), tuple(title for _, title in members), teller.summary, teller.failures)


def number(points: float) -> str:
    """Points as they are printed: at most two places, none that say nothing."""
    text = f"{points:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("-", MINUS)


def signed(points: float) -> str:
    """A change of points with its sign."""
    return f"+{number(points)}" if points > 0 else number(points)
