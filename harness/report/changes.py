"""Two results of one class compared: who moved, by how much, on which line, and because of what."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.report.escape import log_line, one_line
from harness.report.sheet import number, signed, total_of

TESTS = ("spec", "reference", "supplied", "sessions", "bank")
_WORDS = {
    "submission": "another file was handed in",
    "rubric": "the rubric changed",
    "tests": "the tests changed",
    "environment": "another environment",
    "person": "a person's mark",
    "time": "what lateness or earliness counts",
    "unknown": "nothing that is recorded changed: the program behaves differently from run to run",
}
Record = Mapping[str, Any]


@dataclasses.dataclass(frozen=True)
class LineMove:
    """A line of the rubric whose points differ; None stands for a line that is not there or not graded."""

    id: str
    old: float | None
    new: float | None


@dataclasses.dataclass(frozen=True)
class Move:
    """One student whose total or lines differ."""

    id: str
    old: float | None
    new: float | None
    lines: tuple[LineMove, ...]
    causes: tuple[str, ...]

    @property
    def by(self) -> float | None:
        return None if self.old is None or self.new is None else self.new - self.old


@dataclasses.dataclass(frozen=True)
class Changes:
    """What differs between two results. `inputs` names the parts of the tests that changed for anybody."""

    moved: tuple[Move, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    same: int
    inputs: tuple[str, ...] = ()


def compare(old_records: Sequence[Record], new_records: Sequence[Record]) -> Changes:
    """Compare two results, student by student."""
    old = {record["submission"]["id"]: record for record in old_records}
    new = {record["submission"]["id"]: record for record in new_records}
    both = [name for name in old if name in new]
    moved = [move for name in both if (move := _move(name, old[name], new[name])) is not None]
    inputs = {part for name in both for part in _changed_inputs(old[name], new[name])}
    return Changes(
        moved=tuple(sorted(moved, key=lambda move: (-abs(move.by or 0), move.id))),
        added=tuple(name for name in new if name not in old),
        removed=tuple(name for name in old if name not in new),
        same=len(both) - len(moved),
        inputs=tuple(sorted(inputs)),
    )


def _move(name: str, old: Record, new: Record) -> Move | None:
    before = {item["id"]: item["points"] for item in old["items"]}
    after = {item["id"]: item["points"] for item in new["items"]}
    lines = tuple(
        LineMove(line, before.get(line), after.get(line))
        for line in dict.fromkeys([*after, *before])
        if before.get(line) != after.get(line) or (line in before) != (line in after)
    )
    if not lines and total_of(old) == total_of(new):
        return None
    return Move(name, total_of(old), total_of(new), lines, tuple(_causes(old, new, lines)))


def _changed_inputs(old: Record, new: Record) -> list[str]:
    names = dict.fromkeys([*old["inputs"], *new["inputs"]])
    return [name for name in names if old["inputs"].get(name) != new["inputs"].get(name)]


def _causes(old: Record, new: Record, lines: Sequence[LineMove]) -> Iterator[str]:
    """Everything that differs and can have moved this student; all of it, since what weighed more cannot be told."""
    found = False
    inputs = _changed_inputs(old, new)
    possible = {
        "submission": old["submission"]["sha256"] != new["submission"]["sha256"],
        "rubric": "rubric" in inputs,
        "tests": any(name in TESTS for name in inputs),
        "environment": any(old.get(name) != new.get(name) for name in ("versions", "isolation", "seed")),
        "person": any(_by_hand(line.id, old) or _by_hand(line.id, new) for line in lines),
        "time": _adjusted(old) != _adjusted(new),
    }
    for cause, differs in possible.items():
        if differs:
            found = True
            yield cause
    if not found:
        yield "unknown"


def _by_hand(line: str, record: Record) -> bool:
    return any(
        entry["name"] == "manual" for item in record["items"] if item["id"] == line for entry in item["evidence"]
    )


def _adjusted(record: Record) -> list[tuple[str, float]]:
    return [(change["kind"], change["points"]) for change in record["adjustments"]]


def changes_text(changes: Changes) -> str:
    """The comparison for a terminal, the largest moves first."""
    return log_line("\n".join(_lines(changes))) + "\n"


def _lines(changes: Changes) -> Iterator[str]:
    for move in changes.moved:
        by = "" if move.by is None else f" ({signed(move.by)})"
        yield f"{one_line(move.id, 60)}: {_said(move.old)} → {_said(move.new)}{by}"
        for line in move.lines:
            yield f"    {one_line(line.id, 60)}: {_said(line.old)} → {_said(line.new)}"
        yield f"    because: {'; '.join(_WORDS[cause] for cause in move.causes)}"
    for title, names in (("new", changes.added), ("gone", changes.removed)):
        for name in names:
            yield f"{one_line(name, 60)}: {title}"
    if changes.moved or changes.added or changes.removed:
        yield ""
    yield (
        f"{len(changes.moved)} moved, {changes.same} unchanged, {len(changes.added)} new, {len(changes.removed)} gone."
    )
    if changes.inputs:
        yield f"Changed between the two runs: {', '.join(changes.inputs)}."


def _said(points: float | None) -> str:
    return "?" if points is None else number(points)
