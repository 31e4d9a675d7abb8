"""What to run for one submission: pure, ordered, seeded; nothing is executed here.

A plan is a list of units. A unit is what one sandboxed process does: call one function on many arguments, or play
one session. What the process may know is all in the unit; expected values never are.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from harness.assignment import Assignment
from harness.bank import Case
from harness.spec import Spec
from harness.submission import Submission
from harness.values import Value

__all__ = [
    "Calls",
    "Case",
    "Limits",
    "Plan",
    "Program",
    "Session",
    "StandIn",
    "Unit",
    "follow_plan",
    "limits_of",
    "make_plan",
]


@dataclasses.dataclass(frozen=True)
class Program:
    """What is loaded: the file as handed in, and the modules the course supplies (name, source)."""

    file: str
    source: bytes
    supplied: tuple[tuple[str, str], ...] = ()

    @property
    def module(self) -> str:
        return self.file.removesuffix(".py")


@dataclasses.dataclass(frozen=True)
class StandIn:
    """A function or class of the reference's that takes the place of the student's, with the source it needs and no more."""

    name: str
    source: str


@dataclasses.dataclass(frozen=True)
class Calls:
    """Load the program as a module and make each call; with `salvage`, cut off its top-level driver first."""

    id: str
    program: Program
    function: str
    names: tuple[str, ...]
    cases: tuple[Case, ...]
    standins: tuple[StandIn, ...] = ()
    salvage: bool = False


@dataclasses.dataclass(frozen=True)
class Session:
    """Run the program as a script (`__main__`) and type these lines.

    `files` are put into its folder first; `watch` names functions whose arguments are recorded when they are called;
    `forced` gives, per function, what its first argument is set to at the first, second, ... call, instead of calling it.
    """

    id: str
    program: Program
    inputs: tuple[str, ...]
    deck: tuple[str, ...] | None = None
    seed: int = 0
    files: tuple[tuple[str, bytes], ...] = ()
    watch: tuple[str, ...] = ()
    forced: tuple[tuple[str, tuple[Value, ...]], ...] = ()


Unit = Calls | Session


@dataclasses.dataclass(frozen=True)
class Limits:
    """What one unit may use. CPU time is the limit, wall time only an idle guard."""

    cpu_seconds: float = 2.0
    wall_seconds: float = 20.0
    memory_mb: int = 256
    output_kb: int = 1024
    file_kb: int = 1024
    files: int = 64
    submission_cpu_seconds: float = 20.0


@dataclasses.dataclass(frozen=True)
class Plan:
    """The units of one submission: calls first, then sessions."""

    calls: tuple[Calls, ...]
    sessions: tuple[Session, ...]


def make_plan(assignment: Assignment, submission: Submission) -> Plan:
    """Lay out a submission: a unit for each judged function that has cases, and one for each session."""
    program = Program(assignment.spec.file, submission.source, assignment.supplied)
    calls = tuple(
        _calls(assignment, program, name)
        for name, function in assignment.spec.functions.items()
        if function.judged and assignment.cases_of.get(name)
    )
    return Plan(calls, tuple(_session(assignment, program, name) for name in assignment.spec.sessions))


def _calls(assignment: Assignment, program: Program, name: str) -> Calls:
    return Calls(
        id=f"calls/{name}",
        program=program,
        function=name,
        names=(name, *assignment.spec.functions[name].names),
        cases=assignment.cases_of[name],
    )


def _session(assignment: Assignment, program: Program, name: str) -> Session:
    script, spec = assignment.scripts[name], assignment.spec
    return Session(
        id=f"session/{name}",
        program=program,
        inputs=script.inputs,
        deck=script.deck,
        seed=script.seed,
        files=tuple((file, assignment.files[file]) for file in script.files),
        watch=(spec.display,) if spec.display else (),
    )


def follow_plan(unit: Calls, standins: Sequence[StandIn], cases: Sequence[str]) -> Calls:
    """The same calls once more, only those that failed, beside the reference's helpers."""
    return dataclasses.replace(
        unit, standins=tuple(standins), cases=tuple(case for case in unit.cases if case.id in set(cases))
    )


def limits_of(spec: Spec) -> Limits:
    """The limits of an assignment as the sandbox takes them."""
    limits = spec.limits
    return Limits(
        cpu_seconds=float(limits.cpu_seconds),
        wall_seconds=float(limits.wall_seconds),
        memory_mb=limits.memory_mb,
        output_kb=limits.output_kb,
        submission_cpu_seconds=float(limits.submission_cpu_seconds),
    )
