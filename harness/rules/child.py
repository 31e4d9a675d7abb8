"""The rules applied to many files by one bounded child process, which is replaced when a file ends it.

Reading a source can crash an interpreter or take all memory, so it is never done in the controller. A file that
does it costs its own inspection and a new child (some 50 ms); all the others share one.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import harness
from harness.errors import SandboxError
from harness.outcome import Outcome
from harness.rules import Rule, as_data, frames
from harness.rules.inspection import Inspection, from_data

_START = "import sys; sys.path.insert(0, sys.argv[1]); from harness.rules.serve import main; main()"
_START_SECONDS = 60.0
_NEEDED = ("SYSTEMROOT",)
"""Python does not start on Windows without this; nothing else of the environment is passed on."""

_TOO_DEEP = "Python itself breaks down while reading the file: something in it is too deep, too large or too long."
_TOO_LARGE = "The file is too large to be read as a program: it has {size} kB, and {limit} kB is the limit."


@dataclasses.dataclass(frozen=True)
class CheckLimits:
    """What one file may cost. The processor time is the limit; the clock is for machines that cannot count it."""

    cpu_seconds: int = 5
    wall_seconds: float = 60.0
    memory_mb: int = 512
    source_kb: int = 2048


class _Ended(Exception):  # noqa: N818  it is an event, not an error
    """The child is gone; `parsed` tells whether it had read the file by then."""

    def __init__(self, reason: str, *, parsed: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.parsed = parsed


class Checker:
    """One child that inspects files, for one thread, used in a `with` statement."""

    def __init__(self, rules: tuple[Rule, ...], limits: CheckLimits | None = None) -> None:
        self._rules = rules
        self._limits = limits or CheckLimits()
        self._child: _Child | None = None

    def __enter__(self) -> Checker:  # noqa: PYI034  `Self` is not in Python 3.10
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._drop()

    def check(self, file: str, data: bytes) -> Inspection:
        """Inspect one file. Raises SandboxError only if no child can be started."""
        size = len(data) // 1024
        if size >= self._limits.source_kb:
            reason = _TOO_LARGE.format(size=size, limit=self._limits.source_kb)
            return Inspection(file, Outcome.LOAD_ERROR, reason)
        try:
            return self._running().ask(file, data)
        except _Ended as end:
            self._drop()
            if end.parsed:
                return Inspection(file, Outcome.INTERNAL, f"The rules could not be applied: {end.reason}.")
            return Inspection(file, Outcome.LOAD_ERROR, _TOO_DEEP)

    def _running(self) -> _Child:
        """The child, or a new one if there is none or it has died since the last file."""
        if self._child is not None and not self._child.alive():
            self._drop()
        if self._child is None:
            self._child = _Child(self._rules, self._limits)
        return self._child

    def _drop(self) -> None:
        if self._child is not None:
            self._child.end()
        self._child = None


def check_sources(
    files: Iterable[tuple[str, bytes]], rules: tuple[Rule, ...], limits: CheckLimits | None = None
) -> Iterator[Inspection]:
    """Inspect many files with one child, in order, as they come."""
    with Checker(rules, limits) as checker:
        for file, data in files:
            yield checker.check(file, data)


class _Child:
    """A started process, and a thread that takes its messages so that waiting for one can end."""

    def __init__(self, rules: tuple[Rule, ...], limits: CheckLimits) -> None:
        self._limits = limits
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  it lives as long as the process
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-B", "-X", "utf8", "-c", _START, _root()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={name: os.environ[name] for name in _NEEDED if name in os.environ},
        )
        self._messages: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=_forward, args=(self._process.stdout, self._messages), daemon=True)
        self._reader.start()
        setup = {"rules": as_data(rules), "memory_mb": limits.memory_mb, "cpu_seconds": limits.cpu_seconds}
        if not self._send(setup) or not (self._receive(_START_SECONDS) or {}).get("ready"):
            self._process.kill()
            self._process.wait()
            said = self._said()
            self.end()
            raise SandboxError(f"the process that reads sources does not start: {said or 'it said nothing'}")

    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, file: str, data: bytes) -> Inspection:
        """Have one file inspected, or raise _Ended."""
        parsed = False
        if not self._send({"file": file, "data": base64.b64encode(data).decode("ascii")}):
            raise _Ended(self._how_it_ended(), parsed=parsed)
        while True:
            message = self._receive(self._limits.wall_seconds)
            if message is None or message.get("last"):
                raise _Ended(self._how_it_ended(), parsed=parsed)
            if "inspection" in message:
                return from_data(message["inspection"])
            parsed = True

    def end(self) -> None:
        """Kill the process, wait for it and close what belongs to it."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()

    def _send(self, message: dict[str, Any]) -> bool:
        try:
            assert self._process.stdin is not None
            frames.write(self._process.stdin, message)  # type: ignore[arg-type]
        except OSError:
            return False
        return True

    def _receive(self, seconds: float) -> dict[str, Any] | None:
        """The next message; None at the end of the process or of the time."""
        try:
            return self._messages.get(timeout=seconds)
        except queue.Empty:
            return None

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            return "it took too long or too much memory"
        return f"the process ended with code {code}"

    def _said(self) -> str:
        """The end of what the process wrote to its standard error."""
        self._errors.seek(0)
        return self._errors.read()[-2000:].decode("utf-8", "replace").strip()


def _forward(stream: BinaryIO, messages: queue.SimpleQueue[dict[str, Any] | None]) -> None:
    """Pass messages on until the stream ends, then pass on None."""
    try:
        message = frames.read(stream)
        while message is not None:
            messages.put(message)
            message = frames.read(stream)
    except (OSError, ValueError):
        pass
    messages.put(None)


def _root() -> str:
    """The folder, or the zip archive, that holds this package."""
    return str(Path(harness.__file__).parent.parent)
