"""Short ways to say: load this program, call this function, play this session."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from harness.observation import CallSeen, CallsSeen, SessionSeen
from harness.observe import Budget, observe
from harness.plan import Calls, Case, Limits, Program, Session, StandIn
from harness.sandbox import Sandbox

LIMITS = Limits(
    cpu_seconds=0.5, wall_seconds=1.5, memory_mb=128, output_kb=256, file_kb=256, submission_cpu_seconds=8.0
)
CARDS = Path(__file__).parents[2] / "reference" / "supplied" / "cards_2020.py"


def program(source: str | bytes, *, cards: bool = False) -> Program:
    text = source if isinstance(source, bytes) else textwrap.dedent(source).encode()
    supplied = (("cards", CARDS.read_text(encoding="utf-8")),) if cards else ()
    return Program("proj.py", text, supplied)


def calls(
    sandbox: Sandbox,
    source: str | bytes,
    *cases: Case,
    names: tuple[str, ...] = ("f",),
    cards: bool = False,
    salvage: bool = False,
    standins: tuple[StandIn, ...] = (),
    budget: Budget | None = None,
) -> CallsSeen:
    """All the calls of one function."""
    unit = Calls("u", program(source, cards=cards), names[0], names, cases, standins, salvage)
    seen = observe(unit, sandbox, LIMITS, budget)
    assert isinstance(seen, CallsSeen)
    return seen


def call(sandbox: Sandbox, source: str | bytes, *args: Any, cards: bool = False, **case: Any) -> CallSeen:
    """One call of `f`."""
    seen = calls(sandbox, source, Case("c", "f", args, **case), cards=cards)
    return seen.calls[0]


def play(sandbox: Sandbox, source: str | bytes, *lines: str, cards: bool = False, **session: Any) -> SessionSeen:
    """One session."""
    seen = observe(Session("s", program(source, cards=cards), lines, **session), sandbox, LIMITS)
    assert isinstance(seen, SessionSeen)
    return seen


def case(*args: Any, id: str = "c", **fields: Any) -> Case:  # noqa: A002
    return Case(id, "f", args, **fields)
