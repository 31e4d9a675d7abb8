"""Classes graded once for many tests, and the line that counts the catalogue."""

from __future__ import annotations

import functools
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from harness.sandbox import open_sandbox
from harness.sandbox.catalogue import tiers
from tests.hostile.builders import BUILDERS, Room, odd_ids
from tests.hostile.entries import CATALOGUE, SLOW, Entry, entries, student
from tests.hostile.oracle import CANARY, Graded, Place, grade, make_place

MakePlace = Callable[[], Place]
GROUPS = ("quick", "slow")
_KEY = pytest.StashKey[dict[str, str]]()


@pytest.fixture(scope="session")
def sandboxed() -> bool:
    """Whether this machine keeps student code from the machine."""
    with open_sandbox(unsandboxed=True) as sandbox:
        return sandbox.sandboxed


@pytest.fixture(scope="session")
def options(sandboxed: bool) -> tuple[str, ...]:
    return () if sandboxed else ("--unsandboxed",)


@pytest.fixture(scope="session")
def new_place() -> Iterator[MakePlace]:
    """Makes worlds that every user can look into, for an attack that cannot even reach its target shows nothing."""
    made: list[Path] = []

    def make() -> Place:
        made.append(Path(tempfile.mkdtemp(prefix="hostile-")))
        return make_place(made[-1])

    yield make
    for root in made:
        shutil.rmtree(root, ignore_errors=True)


def group_of(entry: Entry) -> str:
    return "slow" if entry.id in SLOW else "quick"


@pytest.fixture(scope="session")
def graded(new_place: MakePlace, options: tuple[str, ...], sandboxed: bool) -> Callable[[str], Graded]:
    """The whole of a group as one class, with canaries among them; graded when it is first asked for."""

    @functools.cache
    def run(group: str) -> Graded:
        place = new_place()
        for entry in entries():
            if group_of(entry) == group and (sandboxed or entry.tier == "T0"):
                _hand_in(entry, place)
        for name in (CANARY, "C99-canary", "H18-canary", "I00-canary", "R99-canary", "zz-canary"):
            place.hand_in(name)
        return grade(place, *options)

    return run


def _hand_in(entry: Entry, place: Place) -> None:
    for fixture in entry.fixtures:
        place.hand_in(student(fixture), fixture.source)
        if fixture.path.name == "solution.py":
            for other in fixture.path.parent.iterdir():
                place.hand_in(student(fixture), other.read_bytes(), other.name)
    if entry.id in BUILDERS:
        BUILDERS[entry.id](Room(entry.id, place.students))


@pytest.fixture(scope="session")
def odd(new_place: MakePlace, options: tuple[str, ...]) -> Graded:
    """A class in which the names are the attack."""
    place = new_place()
    for entry in ("D07", "I02", "I04", "I07"):
        odd_ids(entry, place.students)
    place.hand_in(CANARY)
    return grade(place, *options)


@pytest.fixture(scope="session")
def shown(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Notes that an entry has held, or which tier it needs, for the line at the end."""
    return request.config.stash.setdefault(_KEY, {}).__setitem__


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    found = config.stash.get(_KEY, {})
    if found:
        total, held = len(tiers(CATALOGUE)), sum(how == "held" for how in found.values())
        needs = sorted(entry for entry, how in found.items() if how != "held")
        more = f"; not run here, for want of a sandbox (T1): {', '.join(needs)}" if needs else ""
        terminalreporter.write_line(f"hostile catalogue: {held} of {total} entries held in this run{more}")
