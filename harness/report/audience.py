"""What a student may see: `for_student` takes everything else out of a record.

A line of the rubric shows a student nothing, its outcome, its message or everything. Evidence that several lines rest
on is as secret as the most secret of them. What is hidden is not in the result at all, so no report can show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from harness.bank import HIDDEN
from harness.outcome import Outcome
from harness.record import Json

LEVELS = ("nothing", "outcome", "message", "everything")
NOTHING, OUTCOME, MESSAGE, EVERYTHING = range(4)

OUR_FAULT = (
    "This could not be graded because of a fault of the grader. It costs you nothing; your instructor sees it too."
)
_GATE = "Not counted, because "
_CLOSED = "Not counted, because something else that this line needs did not pass."
_FOR_STAFF = "For a person to look at:"
_STAFF_ONLY = ("fault", "seed")


def for_student(record: Mapping[str, Any]) -> Json:
    """The record as its student may read it; doing it twice changes nothing."""
    told = record.get("told", ())
    secrecy = _Secrecy(record["items"], told)
    items = [secrecy.item(item) for item in record["items"] if _level(item) > NOTHING]
    hidden = [item for item in record["items"] if _level(item) == NOTHING]
    spoken = secrecy.forbidden(record["verdicts"])
    shown = {name: value for name, value in record.items() if name not in _STAFF_ONLY}
    shown["items"] = items
    shown["verdicts"] = [_public(entry) for entry in record["verdicts"] if secrecy.shows(entry)]
    shown["told"] = [secrecy.told(entry) for entry in told if secrecy.of(entry["name"]) > NOTHING]
    shown["notes"] = [note for note in record["notes"] if not _secret(note, spoken)]
    if hidden:
        shown.update(_without_totals(items, hidden))
    return shown


def _public(entry: Mapping[str, Any]) -> Json:
    """A verdict without the ids of hidden cases that passed."""
    if "passed" not in entry:
        return dict(entry)
    return {**entry, "passed": [case for case in entry["passed"] if not case.startswith(HIDDEN)]}


def _secret(note: str, spoken: set[str]) -> bool:
    """A note that is meant for staff, or that repeats what is hidden."""
    return note.startswith(_FOR_STAFF) or any(text in note for text in spoken)


def _level(item: Mapping[str, Any]) -> int:
    return LEVELS.index(item["visibility"]) if item["visibility"] in LEVELS else NOTHING


def _without_totals(items: list[Json], hidden: list[Mapping[str, Any]]) -> Json:
    """The sums over the lines that are shown: the real ones would tell what the hidden lines earned."""
    leaves = [part for item in items for part in item.get("parts", [item])]
    return {
        "points": sum(item["points"] or 0 for item in items),
        "pending": sum(leaf["max"] for leaf in leaves if leaf["outcome"] == Outcome.PENDING.value),
        "complete": all(leaf["points"] is not None for leaf in leaves),
        "total": None,
        "hidden": {"lines": len(hidden), "max": sum(item["max"] for item in hidden if not item["bonus"])},
    }


class _Secrecy:
    """How secret each piece of evidence is."""

    def __init__(self, items: Iterable[Mapping[str, Any]], told: Iterable[Mapping[str, Any]]) -> None:
        self._levels = [(entry["name"], _level(item)) for item in items for entry in item["evidence"]]
        self._levels += [(entry["name"], EVERYTHING) for entry in told]

    def of(self, evidence: str) -> int:
        """The level of the most secret line that rests on it; without any line only loading is told."""
        levels = [level for name, level in self._levels if evidence == name or evidence.startswith(f"{name}/")]
        return min(levels, default=EVERYTHING if evidence == "load" else NOTHING)

    def shows(self, entry: Mapping[str, Any]) -> bool:
        """Whether a verdict is shown as it is; our own faults are told without their reason."""
        hidden = all(case.startswith(HIDDEN) for case in entry.get("passed", [entry.get("case", "")]))
        return (
            self.of(entry["evidence"]) == EVERYTHING and entry.get("outcome") != Outcome.INTERNAL.value and not hidden
        )

    def told(self, entry: Mapping[str, Any]) -> Json:
        """Evidence that counts in no line, in words only if no line keeps it secret and the fault is not ours."""
        silent = self.of(entry["name"]) < MESSAGE or entry["outcome"] == Outcome.INTERNAL.value
        return {**entry, "sentence": "" if silent else entry["sentence"]}

    def forbidden(self, verdicts: Iterable[Mapping[str, Any]]) -> set[str]:
        """Sentences and notes of evidence about which a student is told nothing in words."""
        secret = [entry for entry in verdicts if self.of(entry["evidence"]) < MESSAGE]
        return {text for entry in secret for text in (entry.get("sentence", ""), *entry.get("notes", ())) if text}

    def item(self, item: Mapping[str, Any]) -> Json:
        level = _level(item)
        shown = self._line(item, level)
        if "parts" in item:
            shown["parts"] = [self._line(part, level) for part in item["parts"]]
        return shown

    def _line(self, item: Mapping[str, Any], level: int) -> Json:
        ours = item["outcome"] == Outcome.INTERNAL.value
        shown = {**item, "evidence": [], "summary": ""}
        if level >= MESSAGE:
            shown["summary"] = OUR_FAULT if ours else self._summary(item["summary"])
            shown["evidence"] = [self._evidence(entry, NOTHING if ours else level) for entry in item["evidence"]]
        return shown

    def _summary(self, summary: str) -> str:
        """A closed gate speaks of other evidence, which may be more secret than the line itself."""
        if summary.startswith(_GATE) and summary != _CLOSED:
            named = summary.removeprefix(_GATE).partition(" did not pass")[0]
            return summary if self.of(named) >= MESSAGE else _CLOSED
        return summary

    def _evidence(self, entry: Mapping[str, Any], level: int) -> Json:
        first = entry["first_failure"]
        allowed = min(level, self.of(first["evidence"])) if first else EVERYTHING
        return {**entry, "first_failure": _verdict(first, allowed) if first else None}


def _verdict(verdict: Mapping[str, Any], level: int) -> Json | None:
    if level == EVERYTHING and not verdict["case"].startswith(HIDDEN):
        return dict(verdict)
    if level < MESSAGE:
        return None
    return {"evidence": verdict["evidence"], "case": "", "aspect": "", "outcome": verdict["outcome"],
            "sentence": verdict.get("sentence", "")}  # fmt: skip
