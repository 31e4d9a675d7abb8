"""The catalogue of hostile programs, run on the user's own machine: which entries hold here, and which need a sandbox.

A fixture says in its first line what must come of it, line of the rubric by line; lines that are not named must pass:

    # EXPECT: add=timeout talk=wrong|exception review
"""

from __future__ import annotations

import base64
import dataclasses
import enum
import types
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.bank import Case, read_bank
from harness.errors import SandboxError, UsageError
from harness.observation import CallSeen
from harness.outcome import Outcome
from harness.plan import Limits, Program, Session
from harness.sandbox import frames
from harness.sandbox.controller import Sandbox
from harness.sandbox.ladder import open_sandbox
from harness.sandbox.reply import Reply
from harness.session import SessionScript, read_session
from harness.values import Value, is_plain, same

LINES = ("add", "hidden", "sq", "talk")
LIMITS = Limits(cpu_seconds=0.5, wall_seconds=2.0, memory_mb=160, output_kb=64, submission_cpu_seconds=5.0)
_MARK = "# EXPECT:"
_PASSED = frozenset({Outcome.PASSED.value})


@dataclasses.dataclass(frozen=True)
class Expectation:
    """What must come of a fixture: the outcomes that are right for each name, and whether a person must be told to look."""

    outcomes: Mapping[str, frozenset[str]]
    review: bool = False

    def of(self, name: str) -> frozenset[str]:
        """The outcomes that are right for one line or one student."""
        return self.outcomes.get(name) or self.outcomes.get("all") or _PASSED


@dataclasses.dataclass(frozen=True)
class Fixture:
    """One hostile program. `entry` is its number in the catalogue, `variant` tells several of one entry apart."""

    entry: str
    title: str
    tier: str
    variant: str
    path: Path
    expected: Expectation

    @property
    def source(self) -> bytes:
        return self.path.read_bytes()


class Standing(enum.Enum):
    """What the run of an entry has shown."""

    HELD = "held"
    NOT_HELD = "not held"
    NEEDS_SANDBOX = "needs a sandbox (tier T1)"


@dataclasses.dataclass(frozen=True)
class Result:
    """One entry on this machine, and one sentence that says what was seen."""

    id: str
    title: str
    standing: Standing
    why: str


@dataclasses.dataclass(frozen=True)
class _Honest:
    """What is run beside every fixture, and what the honest program does with it."""

    supplied: tuple[tuple[str, str], ...]
    cases: tuple[Case, ...]
    script: SessionScript
    source: bytes = b""
    values: tuple[Value, ...] = ()
    output: str = ""


def expectation(line: str) -> Expectation:
    """Read what stands behind `# EXPECT:`; a word without `=` is a flag."""
    words = line.split()
    pairs = (word.split("=", 1) for word in words if "=" in word)
    outcomes = {name: frozenset(allowed.split("|")) for name, allowed in pairs}
    return Expectation(types.MappingProxyType(outcomes), "review" in words)


def tiers(folder: Path) -> dict[str, str]:
    """Every id of the catalogue with the lowest tier at which it must hold."""
    lines = (folder / "ids.txt").read_text(encoding="ascii").splitlines()
    return dict(line.split() for line in lines if line and not line.startswith("#"))


def read_catalogue(folder: Path) -> tuple[Fixture, ...]:
    """Every program of the catalogue, in the order of the ids."""
    if not (folder / "ids.txt").is_file():
        raise UsageError(f"{folder}: the catalogue of hostile programs is not here")
    return tuple(_fixtures(folder))


def _fixtures(folder: Path) -> Iterator[Fixture]:
    for entry, tier in tiers(folder).items():
        for place in sorted(folder.glob(f"{entry}-*")):
            title = place.name.partition("-")[2].replace("-", " ")
            for path in sorted([*place.glob("*.py"), *place.glob("*/solution.py")]):
                variant = path.stem if path.parent == place else path.parent.name
                yield Fixture(entry, title, tier, variant, path, _expected(path))


def _expected(path: Path) -> Expectation:
    """The first line of the file, or the line of `EXPECT` beside it for a file that cannot hold one."""
    first = path.read_bytes()[:500].removeprefix(b"\xef\xbb\xbf").splitlines()[:1]
    line = first[0].decode("ascii", "replace") if first else ""
    if line.startswith(_MARK):
        return expectation(line.removeprefix(_MARK))
    for other in (path.parent / "EXPECT").read_text(encoding="ascii").splitlines():
        name, _, said = other.partition(": ")
        if name == path.name:
            return expectation(said)
    raise UsageError(f"{path}: it does not say what must come of it")


def selftest(folder: Path, *, plain: bool = False, without: Collection[str] = ()) -> tuple[Result, ...]:
    """Run the programs of the catalogue here. `plain` and `without` show what would be lost without the layers."""
    fixtures = read_catalogue(folder)
    with open_sandbox(jobs=1, unsandboxed=True, plain=plain, without=without) as sandbox:
        honest = _honest(folder / "assignment", sandbox)
        return tuple(_entry(mine, sandbox, honest) for mine in _by_entry(fixtures))


def _by_entry(fixtures: Sequence[Fixture]) -> Iterator[list[Fixture]]:
    for entry in dict.fromkeys(fixture.entry for fixture in fixtures):
        yield [fixture for fixture in fixtures if fixture.entry == entry]


def _entry(fixtures: Sequence[Fixture], sandbox: Sandbox, honest: _Honest) -> Result:
    """An entry holds if every program of it came to what it must, and the honest program after it was not touched."""
    first = fixtures[0]
    if first.tier != "T0" and not sandbox.sandboxed:
        return Result(first.entry, first.title, Standing.NEEDS_SANDBOX, "it was not run without one")
    seen = []
    for fixture in fixtures:
        problem, ended = run_fixture(fixture, sandbox, honest)
        if problem:
            return Result(first.entry, first.title, Standing.NOT_HELD, f"{fixture.variant}: {problem}")
        seen.append(ended)
    words = ", ".join(dict.fromkeys(seen))
    return Result(
        first.entry, first.title, Standing.HELD, f"ended as it must ({words}), and the next program was untouched"
    )


def run_fixture(fixture: Fixture, sandbox: Sandbox, honest: _Honest) -> tuple[str, str]:
    """What is wrong with how one program ended, or nothing; and how it ended."""
    try:
        ends = {"add": _called(fixture.source, sandbox, honest), "talk": _talked(fixture.source, sandbox, honest)}
        after = _called(honest.source, sandbox, honest)
    except SandboxError as error:
        return f"the sandbox itself failed: {error}", ""
    for name, end in ends.items():
        allowed = fixture.expected.of(name)
        if end.value not in allowed:
            return f"{name} ended as {end.words}, not as {' or '.join(sorted(allowed))}", end.words
    if after is not Outcome.PASSED:
        return f"the honest program after it ended as {after.words}", after.words
    return "", next((end.words for end in ends.values() if end is not Outcome.PASSED), Outcome.PASSED.words)


def _honest(assignment: Path, sandbox: Sandbox) -> _Honest:
    """Run the honest program, which says what is right."""
    fixtures, modules = assignment / "fixtures" / "add", assignment / "reference"
    start = _Honest(
        supplied=(("cards", (modules / "supplied" / "cards_2020.py").read_text(encoding="utf-8")),),
        cases=tuple(case for case in read_bank(fixtures / "cases.jsonl") if case.function == "add"),
        script=read_session(fixtures / "sessions" / "talk.txt"),
        source=(modules / "add" / "solution.py").read_bytes(),
    )
    calls = _calls(start.source, sandbox, start, cut=False)[1]
    seen = frames.session_seen(_session(start.source, start), _play(start.source, sandbox, start))
    return dataclasses.replace(start, values=tuple(call.returned for call in calls), output=seen.output)


def _job(source: bytes, honest: _Honest) -> dict[str, Any]:
    return {
        "file": "solution.py",
        "module": "solution",
        "source": base64.b64encode(source).decode("ascii"),
        "supplied": [[name, text, ""] for name, text in honest.supplied],
        "seed": 0,
        "cut": False,
    }


def _calls(source: bytes, sandbox: Sandbox, honest: _Honest, *, cut: bool) -> tuple[Outcome, list[CallSeen]]:
    """How loading went, and the calls that were made."""
    given: dict[str, Any] = {"alternatives": [], "script": [], "stdin": [], "deck": None, "seed": 0, "repeat": 1}
    cases = [{**given, "args": case.args} for case in honest.cases]
    job = {**_job(source, honest), "kind": "calls", "cut": cut, "names": ["add"], "standins": [], "cases": cases}
    reply = sandbox.run(job, LIMITS)
    program = Program("solution.py", source, honest.supplied)
    loaded, nothing = frames.loaded(program, reply)
    if loaded.outcome is not Outcome.PASSED or nothing is not None:
        return nothing or loaded.outcome, []
    return Outcome.PASSED, frames.calls_seen(program, honest.cases, reply)


def _called(source: bytes, sandbox: Sandbox, honest: _Honest) -> Outcome:
    """How `add` ended: as its first call that is not right, or as the program's loading."""
    loaded, calls = _calls(source, sandbox, honest, cut=False)
    if loaded is not Outcome.PASSED:
        again, calls = _calls(source, sandbox, honest, cut=True)
        if again is not Outcome.PASSED:
            return loaded
    published = [case.id.startswith("public") for case in honest.cases]
    judged = zip(calls, honest.values, honest.cases, published)  # noqa: B905 - what was not called is not judged
    ends = (_end(call, value, case) for call, value, case, public in judged if public)
    return next((end for end in ends if end is not Outcome.PASSED), Outcome.PASSED)


def _end(call: CallSeen, value: Value, case: Case) -> Outcome:
    if call.end is not Outcome.PASSED:
        return call.end
    if not is_plain(call.returned):
        return Outcome.BAD_VALUE
    return Outcome.PASSED if same([value, *case.args], [call.returned, *call.args]) else Outcome.WRONG


def _session(source: bytes, honest: _Honest) -> Session:
    return Session(
        "session/talk", Program("solution.py", source, honest.supplied), honest.script.inputs, honest.script.deck
    )


def _play(source: bytes, sandbox: Sandbox, honest: _Honest) -> Reply:
    given: dict[str, Any] = {"inputs": honest.script.inputs, "deck": honest.script.deck, "watch": [], "forced": []}
    return sandbox.run({**_job(source, honest), "kind": "session", **given}, LIMITS)


def _talked(source: bytes, sandbox: Sandbox, honest: _Honest) -> Outcome:
    """How the talk ended, and wrong if it ended well but said something else."""
    seen = frames.session_seen(_session(source, honest), _play(source, sandbox, honest))
    if seen.end is not Outcome.PASSED:
        return seen.end
    return Outcome.PASSED if seen.output.rstrip() == honest.output.rstrip() else Outcome.WRONG
