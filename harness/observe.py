"""Plan and sandbox in, observations out.

A unit that dies in its seventh case loses its seventh case: the rest goes on in a new process. A program that cannot be loaded
is loaded once more with its driver cut off, and never again for every case.
"""

from __future__ import annotations

import base64
import dataclasses
import functools
import marshal
from collections.abc import Sequence
from typing import Any

from harness.errors import SandboxError
from harness.observation import CallSeen, CallsSeen, Loaded, Observation, SessionSeen
from harness.outcome import Outcome
from harness.plan import Calls, Case, Limits, Program, Session, Unit
from harness.sandbox import Reply, Sandbox, frames

ENDLESS_CALLS = 2
"""Calls of one function that may run out of time before the rest is given up."""

_OUT_OF_TIME = "not run: the submission had used all its time before"


class Budget:
    """The time one submission may use over all its units; it also remembers that the program cannot be loaded as it is.

    A process that only waits uses no processor time, so half the time it waited in vain is charged instead.
    """

    def __init__(self, limits: Limits) -> None:
        self.left = limits.submission_cpu_seconds
        self.unloadable: dict[Program, Loaded] = {}

    def charge(self, reply: Reply, limits: Limits) -> None:
        self.left -= max(reply.cpu_seconds, limits.wall_seconds / 2 if reply.idle else 0.0)

    @property
    def spent(self) -> bool:
        return self.left <= 0


def observe(unit: Unit, sandbox: Sandbox, limits: Limits, budget: Budget | None = None) -> Observation:
    """What happens when the unit is run. Give every unit of one submission the same budget."""
    purse = budget or Budget(limits)
    observer = _Observer(sandbox, limits, purse)
    return observer.session(unit) if isinstance(unit, Session) else observer.calls(unit)


@dataclasses.dataclass
class _Observer:
    sandbox: Sandbox
    limits: Limits
    budget: Budget

    def _run(self, job: dict[str, Any], files: tuple[tuple[str, bytes], ...] = ()) -> Reply:
        left = max(1.0, self.budget.left)
        limits = dataclasses.replace(self.limits, submission_cpu_seconds=min(left, self.limits.submission_cpu_seconds))
        reply = self.sandbox.run(job, limits, files)
        self.budget.charge(reply, limits)
        return reply

    def session(self, unit: Session) -> SessionSeen:
        """Play one session."""
        if self.budget.spent:
            return SessionSeen(unit.id, Outcome.TIMEOUT, "", unread=len(unit.inputs), detail=_OUT_OF_TIME)
        job = {
            **_program(unit.program, unit.seed),
            "kind": "session",
            "inputs": list(unit.inputs),
            "deck": unit.deck,
            "watch": list(unit.watch),
            "forced": [[name, list(values)] for name, values in unit.forced],
        }
        _check_supplied(unit.program, (unit.deck, unit.forced))
        return frames.session_seen(unit, self._run(job, unit.files))

    def calls(self, unit: Calls) -> CallsSeen:
        """Load the program, whole or cut, and make the calls."""
        _check_supplied(unit.program, [(case.args, case.deck) for case in unit.cases])
        if self.budget.spent:
            return _none_called(unit, Loaded(Outcome.TIMEOUT, detail=_OUT_OF_TIME))
        first = self.budget.unloadable.get(unit.program)
        if not unit.salvage and first is None:
            seen = self._loaded(unit, cut=False)
            if seen.loaded.outcome is Outcome.PASSED:
                return seen
            first = self.budget.unloadable[unit.program] = seen.loaded
        again = self._loaded(unit, cut=True)
        if again.loaded.outcome is not Outcome.PASSED and first is not None:
            return _none_called(unit, first)
        return again if first is None else _with_reason(again, first)

    def _loaded(self, unit: Calls, *, cut: bool) -> CallsSeen:
        """Run the cases in as many processes as it takes."""
        reply = self._run(_job(unit, unit.cases, cut=cut))
        loaded, called = frames.loaded(unit.program, reply)
        review = list(reply.review)
        if loaded.outcome is not Outcome.PASSED:
            return _none_called(unit, loaded, review)
        if called is not None:
            return dataclasses.replace(_none_called(unit, loaded, review, called), standins=frames.standins(unit))
        seen = frames.calls_seen(unit.program, unit.cases, reply)
        while len(seen) < len(unit.cases):
            rest = unit.cases[len(seen) :]
            reason = _OUT_OF_TIME if self.budget.spent else _stuck(seen)
            if reason:
                seen += [CallSeen(case.id, Outcome.TIMEOUT, detail=reason) for case in rest]
                break
            reply = self._run(_job(unit, rest, cut=cut))
            review += reply.review
            more = frames.calls_seen(unit.program, rest, reply)
            seen += more or [_not_reloaded(rest[0], reply)]
        notes = tuple(dict.fromkeys([*review, *frames.tampering(reply)]))
        return CallsSeen(unit.id, loaded, tuple(seen), frames.standins(unit), notes)


def _stuck(seen: Sequence[CallSeen]) -> str:
    """Why a function is not called any more: it has shown often enough that it does not come to an end."""
    endless = sum(call.end is Outcome.TIMEOUT for call in seen)
    return "not tried: two calls before this one did not come to an end" if endless >= ENDLESS_CALLS else ""


def _none_called(unit: Calls, loaded: Loaded, review: list[str] | None = None, end: Outcome | None = None) -> CallsSeen:
    """Every case has the same reason: there was nothing to call."""
    outcome = end or loaded.outcome
    calls = tuple(CallSeen(case.id, outcome, raised=loaded.raised, detail=loaded.detail) for case in unit.cases)
    return CallsSeen(unit.id, loaded, calls, review=tuple(review or ()))


def _not_reloaded(case: Case, reply: Reply) -> CallSeen:
    """The program was loaded before but not again: it depends on something that changes by itself."""
    end = Outcome.LOAD_ERROR if reply.end is Outcome.PASSED else reply.end
    return CallSeen(case.id, end, detail=reply.detail or "the program could be loaded once, but not again")


def _with_reason(seen: CallsSeen, first: Loaded) -> CallsSeen:
    """The functions were loaded after all: keep why the program was not loaded whole."""
    detail = first.detail or (f"{first.raised.type}: {first.raised.message}" if first.raised else str(first.outcome))
    loaded = dataclasses.replace(seen.loaded, detail=detail, printed=first.printed)
    return dataclasses.replace(seen, loaded=loaded)


def _program(program: Program, seed: int) -> dict[str, Any]:
    return {
        "file": program.file,
        "module": program.module,
        "source": base64.b64encode(program.source).decode("ascii"),
        "supplied": [[name, source, _compiled(name, source)] for name, source in program.supplied],
        "seed": seed,
        "cut": False,
    }


@functools.lru_cache(maxsize=64)
def _compiled(name: str, source: str) -> str:
    """The code of a supplied module, made once for the whole class; the worker runs on this very Python."""
    return base64.b64encode(marshal.dumps(compile(source, f"{name}.py", "exec", dont_inherit=True))).decode("ascii")


def _job(unit: Calls, cases: tuple[Case, ...], *, cut: bool) -> dict[str, Any]:
    return {
        **_program(unit.program, seed=0),
        "kind": "calls",
        "cut": cut,
        "names": list(unit.names),
        "standins": [[item.name, item.source] for item in unit.standins],
        "cases": [_case(case) for case in cases],
    }


def _case(case: Case) -> dict[str, Any]:
    return {
        "args": case.args,
        "alternatives": case.alternatives,
        "script": case.script,
        "stdin": case.stdin,
        "deck": case.deck,
        "seed": case.seed,
        "repeat": case.repeat,
    }


def _check_supplied(program: Program, values: Any) -> None:
    """A plan that deals cards needs a supplied module that has them; otherwise it is our fault, and told as such."""
    if not program.supplied and any(f"'{tag}': " in repr(values) for tag in ("card", "deck")):
        raise SandboxError(f"{program.file}: the plan uses supplied cards, but no module is supplied")
