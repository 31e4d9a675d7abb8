"""What was seen when a unit ran: facts about the program, no judgement.

Everything here was measured outside the student's process or decoded strictly from what it sent.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from harness.outcome import Outcome
from harness.values import Value


@dataclasses.dataclass(frozen=True)
class Raised:
    """An exception that left the student's code: where in the student's own file, never a line of ours."""

    type: str
    message: str
    line: int | None = None
    column: int | None = None
    text: str = ""
    function: str = ""


@dataclasses.dataclass(frozen=True)
class Name:
    """A name the program defines at its top level. `parameters` is None for what cannot be called."""

    name: str
    kind: str
    parameters: tuple[str, ...] | None = None
    line: int | None = None
    required: int = 0
    variadic: bool = False


@dataclasses.dataclass(frozen=True)
class Cut:
    """A top-level statement that was left out so that the functions could be loaded."""

    line: int
    text: str
    why: str


@dataclasses.dataclass(frozen=True)
class Loaded:
    """How loading went. `outcome` is PASSED, or why there is nothing to call."""

    outcome: Outcome
    raised: Raised | None = None
    names: tuple[Name, ...] = ()
    cuts: tuple[Cut, ...] = ()
    printed: str = ""
    detail: str = ""


@dataclasses.dataclass(frozen=True)
class CallSeen:
    """One call. `end` is PASSED if it returned, EXCEPTION if it raised, else how it ended (TIMEOUT, EXITED, ...).

    `steps` holds the value of each step of a script. `aliases` are pairs of paths such as ("returned[0]", "args[1]")
    that are one and the same list or deck. `again` holds the results of repeated calls: (returned, args) each.
    """

    case: str
    end: Outcome
    returned: Value = None
    raised: Raised | None = None
    printed: str = ""
    args: tuple[Value, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    steps: tuple[Any, ...] = ()
    again: tuple[tuple[Value, tuple[Value, ...]], ...] = ()
    shuffles: int = 0
    unread: int = 0
    detail: str = ""


@dataclasses.dataclass(frozen=True)
class CallsSeen:
    """All the calls of one unit."""

    unit: str
    loaded: Loaded
    calls: tuple[CallSeen, ...] = ()
    standins: tuple[str, ...] = ()
    review: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Read:
    """The program asked for a line: the output before the prompt ends at `start`, the prompt at `end` (both in characters).

    `line` is what it got, None at the end of the input.
    """

    start: int
    end: int
    line: str | None


@dataclasses.dataclass(frozen=True)
class Shown:
    """A watched function was called with these arguments when `at` characters had been printed."""

    at: int
    function: str
    args: tuple[Value, ...]


@dataclasses.dataclass(frozen=True)
class SessionSeen:
    """A whole run. `end` is PASSED if the program ended by itself (returned or `sys.exit`), else why it stopped."""

    unit: str
    end: Outcome
    output: str
    reads: tuple[Read, ...] = ()
    shown: tuple[Shown, ...] = ()
    raised: Raised | None = None
    unread: int = 0
    errors: str = ""
    files: tuple[tuple[str, str], ...] = ()
    detail: str = ""
    review: tuple[str, ...] = ()


Observation = CallsSeen | SessionSeen
