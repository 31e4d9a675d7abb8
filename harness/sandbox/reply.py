"""What one run in the sandbox came to, measured from outside, and the watch that ends it when it goes on too long."""

from __future__ import annotations

import dataclasses
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from harness.outcome import Outcome
from harness.plan import Limits
from harness.sandbox.protocol import Inbox

LOAD_SECONDS = 1.0
GRACE_SECONDS = 1.0
PATIENT_SECONDS = 0.05
MAX_GAP = 1.0
_MARKS = (b'{"load"', b'{"call"')
_END = b'{"end"'


@dataclasses.dataclass(frozen=True)
class Reply:
    """Frames as bytes, the way the process ended, and what it left behind.

    `end` is PASSED if the worker said it was done; `ours` is set if it died before it could look at student code.
    """

    frames: tuple[bytes, ...]
    end: Outcome
    detail: str
    output: bytes
    errors: bytes
    files: tuple[tuple[str, bytes], ...] = ()
    cpu_seconds: float = 0.0
    idle: bool = False
    review: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Exit:
    """How a process ended, as the kernel told its parent."""

    code: int = 0
    signal: int = 0
    cpu_seconds: float = 0.0


class Running(Protocol):
    """One process that runs a unit."""

    pid: int

    def more(self, seconds: float) -> bytes | None:
        """What it sent within that time; None once it has ended and nothing more can come."""

    def kill(self) -> None:
        """End it and everything it started."""

    def finish(self) -> Exit:
        """Wait for its end, which has come or is about to."""

    def output_size(self) -> int:
        """How many bytes it has printed so far."""

    def disk_is_full(self) -> bool:
        """Whether it has written more than it may into its folder."""


@dataclasses.dataclass(frozen=True)
class Watched:
    """What the watch saw: the frames, the end, and the reason if it was the watch that ended it."""

    inbox: Inbox
    exit: Exit
    killed: str
    cpu_seconds: float = 0.0


def cpu_seconds(pid: int) -> float | None:
    """The processor time a living process has used, seen from outside; None where that cannot be seen."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return None


@dataclasses.dataclass
class _Clock:
    """Time used since the last sign of progress, and since the start."""

    pid: int
    limits: Limits
    cpu_at_mark: float = 0.0
    quiet: float = 0.0
    total: float = 0.0
    stale: bool = False
    used: float = 0.0
    last: float = dataclasses.field(default_factory=time.monotonic)

    def tick(self) -> None:
        """Count the time gone by; a long gap means that we were stopped, not the student."""
        now = time.monotonic()
        gap = min(now - self.last, MAX_GAP)
        self.last, self.quiet, self.total = now, self.quiet + gap, self.total + gap

    def mark(self) -> None:
        """The program has come a step further."""
        self.quiet, self.stale = 0.0, True

    def over(self, allowed: float) -> str:
        """Which limit is exceeded, if any."""
        used = cpu_seconds(self.pid)
        self.used = used or self.used
        if used is not None and self.stale:
            self.cpu_at_mark, self.stale = max(self.cpu_at_mark, used - self.quiet), False
        if used is not None and used - self.cpu_at_mark > allowed:
            return "cpu"
        idle = self.limits.wall_seconds if used is not None else min(self.limits.wall_seconds, 5 * allowed)
        # A busy machine may stretch a unit; ten times its processor time and some waiting is more than any honest one takes.
        if self.quiet > idle or self.total > 10 * self.limits.submission_cpu_seconds + 3 * self.limits.wall_seconds:
            return "wall"
        return ""


def watch(running: Running, limits: Limits, steps: int) -> Watched:
    """Collect frames until the process ends, or end it. `steps` is how often it may report progress (load and calls)."""
    inbox, clock, killed = Inbox(), _Clock(running.pid, limits), ""
    marks, seen, grace = 0, 0, False
    while True:
        chunk = running.more(PATIENT_SECONDS)
        clock.tick()
        if chunk is None:
            break
        if chunk:
            inbox.add(chunk)
            fresh = inbox.frames[seen:]
            seen = len(inbox.frames)
            progress = sum(frame.startswith(_MARKS) for frame in fresh)
            if any(frame.startswith(_END) for frame in fresh):
                grace, clock.quiet = True, 0.0
            if progress and marks <= steps:
                marks += progress
                clock.mark()
        if clock.quiet > PATIENT_SECONDS / 2 or inbox.garbled:
            killed = _reason(running, clock, limits, inbox, started=marks > 0 or not steps, grace=grace)
            if killed:
                running.kill()
                break
    found = running.finish()
    while chunk := running.more(0):
        inbox.add(chunk)
    return Watched(inbox, found, killed, max(found.cpu_seconds, clock.used))


def _reason(running: Running, clock: _Clock, limits: Limits, inbox: Inbox, *, started: bool, grace: bool) -> str:
    """Why the process must be ended now, or nothing."""
    if inbox.garbled:
        return "garbled"
    if running.output_size() > limits.output_kb * 1024:
        return "output"
    if running.disk_is_full():
        return "disk"
    if grace and clock.quiet > GRACE_SECONDS:
        return "grace"
    return clock.over(limits.cpu_seconds if started else min(LOAD_SECONDS, limits.cpu_seconds))


Ending = tuple[Outcome, str]


def ending(seen: Watched, limits: Limits, *, done: bool) -> Ending:
    """The outcome of the run as a whole and one clause that says why."""
    if done and seen.killed in ("", "cpu", "wall"):
        return Outcome.PASSED, ""
    if seen.killed:
        outcome, words = _KILLED[seen.killed]
        return outcome, words(limits)
    if seen.exit.signal:
        return _signalled(seen.exit, limits)
    return Outcome.EXITED, f"the program left with exit code {seen.exit.code} before it was finished"


def _signalled(exit_: Exit, limits: Limits) -> Ending:
    number = exit_.signal
    if number == getattr(signal, "SIGXCPU", None):
        return Outcome.TIMEOUT, _cpu_words(limits)
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    return Outcome.CRASHED, f"the interpreter itself was stopped by {name}"


def _cpu_words(limits: Limits) -> str:
    return f"it used more than {limits.cpu_seconds:g} seconds of processor time"


_KILLED: dict[str, tuple[Outcome, Callable[[Limits], str]]] = {
    "cpu": (Outcome.TIMEOUT, _cpu_words),
    "wall": (Outcome.TIMEOUT, lambda limits: f"it waited for {limits.wall_seconds:g} seconds without doing anything"),
    "output": (Outcome.OUTPUT_LIMIT, lambda limits: f"it printed more than {limits.output_kb} kB"),
    "disk": (
        Outcome.OUTPUT_LIMIT,
        lambda limits: f"it wrote more files than the {limits.files} it may, or larger ones",
    ),
    "garbled": (Outcome.BAD_VALUE, lambda limits: "it disturbed the report of its own results"),  # noqa: ARG005
    "grace": (Outcome.PASSED, lambda limits: "it did not end by itself after its last line"),  # noqa: ARG005
}
