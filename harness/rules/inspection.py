"""Everything that is learnt about one source without running it, and its form as plain data."""

from __future__ import annotations

import dataclasses
from typing import Any

from harness.outcome import Outcome
from harness.rules import Rule, check
from harness.rules.finding import Finding
from harness.rules.outline import Definition, outline
from harness.rules.questions import answers
from harness.rules.source import Source, decoded
from harness.rules.unreadable import Unreadable

MOST_FINDINGS = 100
"""Findings that are kept of one rule; `counts` says how many there were."""


@dataclasses.dataclass(frozen=True)
class Inspection:
    """One file, and what was found in it.

    `outcome` is PASSED if it could be read, LOAD_ERROR if not (`reason` is a sentence for the student), and INTERNAL
    if our own checking broke down, which is never charged to anybody.
    `counts` has an entry for every rule that ran; `failed` names the rules that broke down, with the reason.
    """

    file: str
    outcome: Outcome
    reason: str = ""
    line: int = 0
    column: int = 0
    findings: tuple[Finding, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    failed: tuple[tuple[str, str], ...] = ()
    outline: tuple[Definition, ...] = ()
    questions: tuple[tuple[str, str], ...] = ()


def inspected(source: Source, rules: tuple[Rule, ...]) -> Inspection:
    """Apply every rule; one that breaks down leaves the others alone."""
    findings: list[Finding] = []
    counts: list[tuple[str, int]] = []
    failed: list[tuple[str, str]] = []
    for rule in rules:
        try:
            found = check(source, rule)
        except Exception as error:  # noqa: BLE001  a fault of ours in one rule must cost neither student nor class
            failed.append((rule.name, f"{type(error).__name__}: {error}"[:300]))
            continue
        findings += found[:MOST_FINDINGS]
        counts.append((rule.name, len(found)))
    return Inspection(
        source.file,
        Outcome.PASSED,
        findings=tuple(findings),
        counts=tuple(counts),
        failed=tuple(failed),
        outline=outline(source),
        questions=tuple(answers(source.text).items()),
    )


def refused(file: str, data: bytes, why: Unreadable) -> Inspection:
    """A file that cannot be read as Python; its answers may still be there."""
    text = decoded(data)
    questions = () if isinstance(text, Unreadable) else tuple(answers(text).items())
    return Inspection(file, Outcome.LOAD_ERROR, why.reason, why.line, why.column, questions=questions)


def as_data(inspection: Inspection) -> dict[str, Any]:
    """The inspection as JSON carries it."""
    return {**dataclasses.asdict(inspection), "outcome": str(inspection.outcome)}


def from_data(data: dict[str, Any]) -> Inspection:
    """Read back what `as_data` wrote."""
    return Inspection(
        **{
            **data,
            "outcome": Outcome(data["outcome"]),
            "findings": tuple(Finding(**item) for item in data["findings"]),
            "outline": tuple(_definition(item) for item in data["outline"]),
            "counts": tuple((name, count) for name, count in data["counts"]),
            "failed": tuple((name, reason) for name, reason in data["failed"]),
            "questions": tuple((name, answer) for name, answer in data["questions"]),
        }
    )


def _definition(item: dict[str, Any]) -> Definition:
    return Definition(**{**item, "parameters": tuple(item["parameters"]), "bases": tuple(item["bases"])})
