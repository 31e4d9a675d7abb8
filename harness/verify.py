"""Is an assignment sound? One promise after the other, each tried for real, each with what to do if it does not hold."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

from harness.assignment import Assignment, Tree
from harness.errors import HarnessError
from harness.evidence import Expected, Run
from harness.intake import take_in
from harness.intake.find import Wanted
from harness.observation import SessionSeen
from harness.outcome import Outcome
from harness.pipeline import examine, grade
from harness.plan import make_plan
from harness.record import Json
from harness.rubric import evidence_names
from harness.session import transcript_of
from harness.stub import bare_stub
from harness.submission import Submission
from harness.workshop import load, opened
from harness.yamlfile import EMPTY, key, read

REPETITIONS = 20
CONSTANTS = ("None", "True", "False", "0", "1", "''", "[]", "()")
NEARLY_NOTHING = Fraction(1, 10)


@dataclasses.dataclass(frozen=True)
class Filing:
    """What a sample submission must get: the record behind `expected.yaml`."""

    why: str = key("One sentence: what this student got wrong.")
    lost: tuple[str, ...] = key(
        "The lines, or line.part, that lose points; every other one keeps full marks.", default=()
    )
    points: Mapping[str, Fraction] = key("The points of lines that lose some, exactly.", default=EMPTY)


@dataclasses.dataclass(frozen=True)
class Promise:
    """One thing that must hold of an assignment, and what is wrong if it does not."""

    slug: str
    name: str
    problems: tuple[str, ...] = ()
    counted: str = ""

    @property
    def kept(self) -> bool:
        return not self.problems


def verify(
    tree: Tree, slug: str, *, jobs: int, unsandboxed: bool = False, repetitions: int = REPETITIONS
) -> Iterator[Promise]:
    """Try each promise; without a spec and rubric that load there is nothing more to try."""
    try:
        assignment = load(tree, slug)
    except HarnessError as error:
        yield Promise(slug, "spec, rubric, sessions and bank load", tuple(str(error).splitlines()))
        return
    yield Promise(
        slug,
        "spec, rubric, sessions and bank load",
        counted=f"{len(assignment.cases)} cases, {len(assignment.scripts)} sessions",
    )
    with opened(assignment, jobs=jobs, unsandboxed=unsandboxed) as (run, expected):
        inspector = _Inspector(assignment, run, expected, jobs)
        for name, check in _CHECKS.items():
            try:
                problems, counted = check(inspector)
            except HarnessError as error:
                problems, counted = [f"it could not be tried: {error}"], ""
            yield Promise(slug, name, tuple(problems), counted)
        problems, counted = inspector.steady(repetitions)
        yield Promise(slug, f"{repetitions} repetitions without a flip", tuple(problems), counted)


Checked = tuple[Sequence[str], str]


@dataclasses.dataclass(frozen=True)
class _Inspector:
    assignment: Assignment
    run: Run
    expected: Expected
    jobs: int

    def graded(self, source: bytes, name: str) -> Json:
        return grade(self.assignment, Submission(name, self.assignment.spec.file, source), self.expected, self.run)

    def signatures(self) -> Checked:
        verdicts, _ = examine(self.assignment, self.assignment.reference, self.expected, self.run)
        about = [verdict for verdict in verdicts if verdict.evidence.startswith("structure/")]
        return [
            verdict.sentence for verdict in about if verdict.outcome is not Outcome.PASSED
        ], f"{len(about)} signatures"

    def evidence_used(self) -> Checked:
        spec, rubric = self.assignment.spec, self.assignment.rubric
        used = {name for item in rubric.items for part in item.all_parts for name in part.evidence} | set(rubric.told)
        wanted = [name for name in evidence_names(spec) if name.partition("/")[0] in ("calls", "session", "growth")]
        problems = [
            f"{name} is in no line of the rubric; use it, or list it under `told`"
            for name in wanted
            if name not in used
        ]
        without = [
            name
            for name, function in spec.functions.items()
            if function.judged and not self.assignment.cases_of.get(name)
        ]
        problems += [
            f"{name} is judged but has no case in the bank; run `patience bank {spec.slug}` or set `judged: false`"
            for name in without
        ]
        unknown = sorted({case.function for case in self.assignment.cases} - set(spec.functions))
        return problems + [
            f"the bank has cases for {name}, which the spec does not know" for name in unknown
        ], f"{len(wanted)} pieces"

    def reference(self) -> Checked:
        record = self.graded(self.assignment.reference.source, "reference")
        return [
            f"the reference loses points on {name}: {summary}" for name, summary in _lost(record).items()
        ], f"{len(record['items'])} lines"

    def nothing(self) -> Checked:
        problems = []
        for name, source in (("an empty file", b""), ("the stub", bare_stub(self.assignment.spec).encode())):
            record = self.graded(source, name)
            earning = [line for line, points in _earned(record) if points and not _is_style(record, line)]
            problems += [f"{name} earns points on {line}" for line in earning]
        return problems, "empty file and stub"

    def constants(self) -> Checked:
        problems = []
        for constant in CONSTANTS:
            record = self.graded(
                bare_stub(self.assignment.spec).replace("    pass", f"    return {constant}").encode(),
                f"all {constant}",
            )
            for item in record["items"]:
                resting = any(entry["name"].startswith("calls/") for entry in item["evidence"])
                if resting and Fraction(item["points"] or 0) > NEARLY_NOTHING * Fraction(item["max"]):
                    problems.append(
                        f"returning {constant} from every function earns {item['points']} of {item['max']} on {item['id']}"
                    )
        return problems, f"{len(CONSTANTS)} constants"

    def sessions(self) -> Checked:
        problems = []
        for unit in make_plan(self.assignment, self.assignment.reference).sessions:
            name = unit.id.partition("/")[2]
            seen = self.expected.observed.sessions[name]
            assert isinstance(seen, SessionSeen)
            if transcript_of(seen) != self.assignment.scripts[name].transcript:
                problems.append(
                    f"session {name}: the reference prints something else than the file says; write it again with `patience session`"
                )
        return problems, f"{len(self.assignment.scripts)} sessions"

    def samples(self) -> Checked:
        found = self._samples()
        with ThreadPoolExecutor(self.jobs) as pool:
            problems = [problem for some in pool.map(self._sample, found) for problem in some]
        return problems, f"{len(found)} samples"

    def _samples(self) -> tuple[Submission, ...]:
        folder = self.assignment.tree.fixtures(self.assignment.spec.slug) / "submissions"
        return take_in(folder, Wanted(self.assignment.spec.file), "samples").submissions if folder.is_dir() else ()

    def _sample(self, sample: Submission) -> list[str]:
        record = grade(self.assignment, sample, self.expected, self.run)
        return sample_problems(sample.id, record, self._filing(sample))

    def _filing(self, sample: Submission) -> Filing:
        path = self.assignment.tree.fixtures(self.assignment.spec.slug) / "submissions" / sample.id / "expected.yaml"
        return read(path, Filing).record if path.exists() else Filing("")

    def steady(self, repetitions: int) -> Checked:
        """The same marks again and again, for the reference and for the samples in turn."""
        samples = [self.assignment.reference, *self._samples()]
        problems = []
        chosen = [samples[index % len(samples)] for index in range(repetitions)]
        with ThreadPoolExecutor(self.jobs) as pool:
            pairs = zip(chosen, pool.map(self._marks, chosen), pool.map(self._marks, chosen), strict=True)
            problems = [
                f"{sample.id}: {one} the first time, {other} the second" for sample, one, other in pairs if one != other
            ]
        return problems, f"{repetitions} repetitions"

    def _marks(self, sample: Submission) -> str:
        record = grade(self.assignment, sample, self.expected, self.run)
        return ", ".join(f"{item['id']} {item['points']} {item['outcome']}" for item in record["items"])


_CHECKS: Mapping[str, Callable[[_Inspector], Checked]] = {
    "signatures equal the reference's": _Inspector.signatures,
    "every evidence is used, every line has evidence": _Inspector.evidence_used,
    "the reference gets full marks on every automatic line": _Inspector.reference,
    "an empty file and the stub get nothing": _Inspector.nothing,
    "one constant for every answer gets nothing": _Inspector.constants,
    "every session replays": _Inspector.sessions,
    "every sample gets what it is filed under": _Inspector.samples,
}


def sample_problems(name: str, record: Json, filing: Filing) -> list[str]:
    """How a sample's marks differ from what it is filed under, line by line."""
    lost = _lost(record)
    problems = [
        f"{name}: loses points on {line}, which it should not: {summary}"
        for line, summary in lost.items()
        if line not in filing.lost
    ]
    problems += [f"{name}: should lose points on {line}, but does not" for line in filing.lost if line not in lost]
    earned = dict(_earned(record))
    problems += [
        f"{name}: gets {earned.get(line)} on {line}, filed under {points}"
        for line, points in filing.points.items()
        if earned.get(line) is None or Fraction(str(earned[line])) != Fraction(points).limit_denominator(10**6)
    ]
    kind = name.partition("/")[0]
    outcomes = {part["outcome"] for item in record["items"] for part in item.get("parts", [item])}
    if kind == "right" and filing.lost:
        problems.append(f"{name}: is filed under right, but its expected.yaml lists lost lines")
    if kind != "right" and kind not in outcomes:
        problems.append(f"{name}: is filed under {kind}, but no line has that outcome")
    return problems


def _lines(record: Json) -> Iterator[tuple[str, dict[str, Any]]]:
    for item in record["items"]:
        if item.get("parts"):
            yield from ((f"{item['id']}.{part['id']}", part) for part in item["parts"])
        else:
            yield item["id"], item


def _lost(record: Json) -> dict[str, str]:
    return {
        name: line["summary"]
        for name, line in _lines(record)
        if line["outcome"] not in ("passed", "pending") and (line["points"] is None or line["points"] < line["max"])
    }


def _earned(record: Json) -> Iterator[tuple[str, float]]:
    return ((name, line["points"]) for name, line in _lines(record) if line["points"] is not None)


def _is_style(record: Json, name: str) -> bool:
    """A file without code breaks no rule of style; what it earns there is not earned by work."""
    line = dict(_lines(record))[name]
    return all(entry["name"].partition("/")[0] == "style" for entry in line["evidence"])
