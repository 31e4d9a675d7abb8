"""What to run for one submission: pure, ordered, seeded; nothing is executed here.

A plan is a list of units. A unit is what one sandboxed process does: call one function on many arguments, or play
one session. What the process may know is all in the unit; expected values never are.
"""

from __future__ import annotations

import dataclasses

from harness.bank import Case
from harness.values import Value

__all__ = ["Calls", "Case", "Limits", "Program", "Session", "StandIn", "Unit"]


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
