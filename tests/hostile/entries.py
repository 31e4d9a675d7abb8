"""The catalogue as the tests see it: every entry, the submissions that belong to it, and which of them take their time."""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path

from harness.sandbox.catalogue import Expectation, Fixture, expectation, read_catalogue, tiers

CATALOGUE = Path(__file__).parents[2] / "fixtures" / "hostile"
ASSIGNMENT = CATALOGUE / "assignment"
HONEST = (ASSIGNMENT / "reference" / "add" / "solution.py").read_bytes()
POINTS = {"add": 4, "hidden": 1, "sq": 3, "talk": 2}
SLOW = frozenset(
    [
        "C10",
        "C15",
        "C17",
        "C19",
        "C23",
        "C24",
        "R01",
        "R02",
        "R03",
        "R04",
        "R05",
        "R06",
        "R07",
        "R08",
        "R09",
        "R10",
        "R11",
        "R12",
        "R13",
        "R14",
        "R15",
        "R16",
        "H14",
        "H16",
    ]
)
"""Entries that use up a limit, or need long; the default run leaves them to CI."""


@dataclasses.dataclass(frozen=True)
class Entry:
    """One line of the catalogue: its programs, and what is expected of a folder that the test has to build."""

    id: str
    tier: str
    fixtures: tuple[Fixture, ...]
    built: Expectation | None


@functools.cache
def entries() -> tuple[Entry, ...]:
    """Every id of the committed list with what the folder holds of it."""
    fixtures = read_catalogue(CATALOGUE)
    return tuple(
        Entry(entry, tier, tuple(one for one in fixtures if one.entry == entry), _built(entry))
        for entry, tier in tiers(CATALOGUE).items()
    )


def entry(number: str) -> Entry:
    return next(one for one in entries() if one.id == number)


def _built(number: str) -> Expectation | None:
    found = list(CATALOGUE.glob(f"{number}-*/entry.yaml"))
    if not found:
        return None
    first = found[0].read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith("# EXPECT: "), found[0]
    return expectation(first.removeprefix("# EXPECT: "))


def student(fixture: Fixture) -> str:
    """The id under which a program is handed in."""
    return f"{fixture.entry}+{fixture.variant}"
