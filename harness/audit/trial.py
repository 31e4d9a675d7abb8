"""Grading mutants through the ordinary pipeline: which lines lose points, and whether they are the right ones."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

from harness.assignment import Assignment
from harness.audit.equivalents import Excused, complaints, outside_complaints, read_excused
from harness.audit.graph import owners
from harness.audit.mutants import Mutant, mutants
from harness.evidence import Expected, Run
from harness.pipeline import grade
from harness.record import Json
from harness.rubric import Rubric
from harness.spec import LimitsSpec
from harness.store import write_whole
from harness.submission import Submission

HURRIED = LimitsSpec(cpu_seconds=Fraction(1, 2), wall_seconds=Fraction(5), submission_cpu_seconds=Fraction(3))
"""A mutant that runs without end is soon given up; the reference needs a hundredth of it."""


@dataclasses.dataclass(frozen=True)
class Result:
    """One mutant and the lines of the rubric on which it lost points.

    `should_lose` are the lines of the functions it belongs to, `right_place` whether it lost there and in no other function.
    """

    mutant: Mutant
    lost: tuple[str, ...]
    should_lose: tuple[str, ...]
    right_place: bool

    @property
    def killed(self) -> bool:
        return bool(self.lost)


@dataclasses.dataclass(frozen=True)
class Audit:
    """How the tests of one assignment did against all mutants of its reference."""

    slug: str
    title: str
    results: tuple[Result, ...]
    listed: Excused
    complaints: tuple[str, ...]

    @property
    def killed(self) -> tuple[Result, ...]:
        return tuple(result for result in self.results if result.killed)

    @property
    def survivors(self) -> tuple[Result, ...]:
        """Mutants that lost nothing although nobody said that they may."""
        excused = {entry.id for entry in self.listed.mutants}
        return tuple(result for result in self.results if not result.killed and result.mutant.id not in excused)

    @property
    def misplaced(self) -> tuple[Result, ...]:
        """Killed mutants whose own function kept its points, or that cost another function points."""
        return tuple(result for result in self.killed if not result.right_place)

    @property
    def localised(self) -> Fraction:
        """The share of killed mutants that lost points in the right place."""
        return 1 - Fraction(len(self.misplaced), len(self.killed)) if self.killed else Fraction(1)

    @property
    def sound(self) -> bool:
        return not self.survivors and not self.complaints


def hurried(assignment: Assignment) -> Assignment:
    """The assignment with limits that a mutant soon runs into."""
    limits = dataclasses.replace(
        HURRIED, memory_mb=assignment.spec.limits.memory_mb, output_kb=assignment.spec.limits.output_kb
    )
    return dataclasses.replace(assignment, spec=dataclasses.replace(assignment.spec, limits=limits))


def audit(
    assignment: Assignment,
    run: Run,
    expected: Expected,
    *,
    jobs: int,
    on_result: Callable[[Result], None],
    cache: Path | None = None,
) -> Audit:
    """Grade every mutant of the reference; results that are still valid are taken from the cache."""
    spec, everything = assignment.spec, mutants(assignment.reference.source, assignment.spec)
    listed = read_excused(assignment.tree.fixtures(spec.slug) / "equivalent.yaml")
    outside = {entry.name for entry in listed.outside}
    found = [mutant for mutant in everything if mutant.definition not in outside]
    kept = _Cache(cache, assignment)

    def one(mutant: Mutant) -> Result:
        lost = kept.read(mutant)
        if lost is None:
            submission = Submission(mutant.id, spec.file, mutant.source)
            lost = lost_lines(grade(assignment, submission, expected, run))
            kept.write(mutant, lost)
        own = own_lines(assignment, mutant)
        return Result(mutant, lost, own, in_the_right_place(assignment, mutant, own, lost))

    results = []
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for result in pool.map(one, found):
                results.append(result)
                on_result(result)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    killed = frozenset(result.mutant.id for result in results if result.killed)
    out_of_date = (*complaints(listed.mutants, found, killed), *outside_complaints(listed.outside, everything))
    return Audit(spec.slug, spec.title, tuple(results), listed, out_of_date)


def lost_lines(record: Json) -> tuple[str, ...]:
    """The lines that lost points; what a rule of style says about a mutant is no test of its behaviour."""
    return tuple(
        name
        for name, line in _lines(record)
        if line["points"] is not None and line["points"] < line["max"] and not _is_style(line)
    )


def _lines(record: Json) -> Iterator[tuple[str, dict[str, Any]]]:
    for item in record["items"]:
        if item.get("parts"):
            yield from ((f"{item['id']}.{part['id']}", part) for part in item["parts"])
        else:
            yield item["id"], item


def _is_style(line: Mapping[str, Any]) -> bool:
    return all(entry["name"].partition("/")[0] == "style" for entry in line["evidence"])


def function_lines(rubric: Rubric) -> dict[str, frozenset[str]]:
    """The lines that rest on calls of functions, and on which."""
    found = {}
    for item in rubric.items:
        for part in item.all_parts:
            name = f"{item.id}.{part.id}" if item.parts else item.id
            functions = frozenset(
                evidence.partition("/")[2] for evidence in part.evidence if evidence.startswith("calls/")
            )
            if functions:
                found[name] = functions
    return found


def own_lines(assignment: Assignment, mutant: Mutant) -> tuple[str, ...]:
    """The lines that rest on calls of the functions that a mutant belongs to."""
    mine = set(owners(assignment.reference.source, assignment.spec, mutant.definition))
    return tuple(name for name, functions in function_lines(assignment.rubric).items() if functions & mine)


def in_the_right_place(assignment: Assignment, mutant: Mutant, own: Sequence[str], lost: Sequence[str]) -> bool:
    """Whether the function that was changed lost points and no other function did.

    A function without a line of its own, or a change in what is printed where prints are not judged call by call,
    can only be noticed in a whole game.
    """
    spec = assignment.spec
    others = [name for name in lost if name in function_lines(assignment.rubric) and name not in own]
    mine = owners(assignment.reference.source, spec, mutant.definition)
    audible = not mutant.says or any("prints" in spec.functions[function].aspects for function in mine)
    return not others and (not own or not audible or any(name in own for name in lost))


class _Cache:
    """What mutants lost, by the hash of everything that could change it."""

    def __init__(self, folder: Path | None, assignment: Assignment) -> None:
        self._folder = folder
        facts = {"engine": engine(), "inputs": dict(assignment.inputs)}
        self._facts = json.dumps(facts, sort_keys=True).encode()
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def _path(self, mutant: Mutant) -> Path | None:
        if self._folder is None:
            return None
        return self._folder / f"{hashlib.sha256(self._facts + mutant.source).hexdigest()[:32]}.json"

    def read(self, mutant: Mutant) -> tuple[str, ...] | None:
        path = self._path(mutant)
        try:
            return None if path is None else tuple(json.loads(path.read_bytes())["lost"])
        except (OSError, ValueError, KeyError):
            return None

    def write(self, mutant: Mutant, lost: Sequence[str]) -> None:
        path = self._path(mutant)
        if path is not None:
            write_whole(path, json.dumps({"mutant": mutant.id, "lost": list(lost)}).encode())


_BESIDE_THE_POINT = ("cli", "report", "export", "audit", "assignments", "intake")


def engine() -> str:
    """A hash of the engine itself, except for the rooms that cannot change a mark."""
    package = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        if path.relative_to(package).parts[0] not in _BESIDE_THE_POINT:
            digest.update(path.read_bytes())
    return digest.hexdigest()
