"""The trusted side: hands units to slots, watches them, and reads what they leave."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import queue
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from harness.errors import SandboxError
from harness.outcome import Outcome
from harness.plan import Limits
from harness.sandbox import scratch
from harness.sandbox.reply import Reply, Running, Watched, ending, watch
from harness.sandbox.scratch import Folder

_READY, _FAULT, _END, _DONE = b'{"ready"', b'{"fault"', b'{"end"', b'{"done"'

Files = tuple[tuple[str, bytes], ...]


@dataclasses.dataclass(frozen=True)
class Layer:
    """One layer of the sandbox: whether it holds here, and how or why not."""

    name: str
    held: bool
    why: str


class SlotRun(Running, Protocol):
    """A run whose output and folder can be read after its end."""

    @property
    def folder(self) -> Folder: ...

    def printed(self, limit: int) -> tuple[bytes, bytes]:
        """What went to stdout and stderr, up to a number of bytes each."""


class Slot(Protocol):
    """A place where one unit at a time can run."""

    def start(self, job: bytes, limits: Limits, files: Files) -> AbstractContextManager[SlotRun]: ...

    def restart(self) -> None: ...

    def close(self) -> None: ...


class LostError(Exception):
    """The process was lost before it had looked at student code; the fault is ours."""


class Sandbox:
    """Slots for units, all of one kind. `run` may be called from many threads."""

    def __init__(self, slots: Sequence[Slot], rung: str, layers: tuple[Layer, ...], root: Path | None = None) -> None:
        self.rung = rung
        self.layers = layers
        self._slots = tuple(slots)
        self._root = root
        self._free: queue.SimpleQueue[Slot] = queue.SimpleQueue()
        for slot in slots:
            self._free.put(slot)

    @property
    def sandboxed(self) -> bool:
        """Whether student code is kept from the machine."""
        return self.rung != UNSANDBOXED

    def run(self, job: Mapping[str, Any], limits: Limits, files: Files = ()) -> Reply:
        """Run one unit and tell what happened. A fault of ours is tried once more and then raised."""
        body = json.dumps(job, separators=(",", ":")).encode()
        steps = len(job.get("cases", ())) + 1 if job["kind"] == "calls" else 0
        slot = self._free.get()
        try:
            return _with_retry(slot, body, limits, files, steps)
        finally:
            self._free.put(slot)

    def close(self) -> None:
        """End every process of ours and remove every folder."""
        for slot in self._slots:
            slot.close()
        if self._root is not None:
            with contextlib.suppress(OSError):
                scratch.discard(self._root)


UNSANDBOXED = "unsandboxed"


def _with_retry(slot: Slot, body: bytes, limits: Limits, files: Files, steps: int) -> Reply:
    reason = ""
    for _ in range(2):
        try:
            return _run(slot, body, limits, files, steps)
        except (LostError, OSError) as error:
            reason = str(error)
            slot.restart()
    raise SandboxError(f"the sandbox could not run a unit, twice: {reason}")


def _run(slot: Slot, body: bytes, limits: Limits, files: Files, steps: int) -> Reply:
    with slot.start(body, limits, files) as run:
        seen = watch(run, limits, steps)
        frames = seen.inbox.frames
        if not frames or not frames[0].startswith(_READY):
            raise LostError(_loss(seen, run))
        cap = limits.output_kb * 1024
        output, errors = run.printed(cap + 1)
        done = next((index for index, frame in enumerate(frames) if frame.startswith(_DONE)), None)
        end, detail = ending(seen, limits, done=done is not None)
        if max(len(output), len(errors)) > cap and end in (Outcome.PASSED, Outcome.EXITED):
            end, detail = Outcome.OUTPUT_LIMIT, f"it printed more than {limits.output_kb} kB"
        return Reply(
            frames=tuple(frames[1:]),
            end=end,
            detail=detail,
            output=output[:cap],
            errors=errors[:cap],
            files=scratch.take(run.folder),
            cpu_seconds=seen.cpu_seconds,
            idle=seen.killed == "wall",
            review=_review(seen, done),
        )


def _loss(seen: Watched, run: SlotRun) -> str:
    """Why there is no result, for the instructor."""
    frames = seen.inbox.frames
    if frames and frames[0].startswith(_FAULT):
        return frames[0].decode("ascii", "replace")[:500]
    errors = run.printed(2000)[1].decode("utf-8", "replace").strip()
    return f"ended by signal {seen.exit.signal}, code {seen.exit.code}, {seen.killed or 'not by us'}: {errors[-500:]}"


def _review(seen: Watched, done: int | None) -> tuple[str, ...]:
    notes = []
    if seen.killed and any(frame.startswith(_END) for frame in seen.inbox.frames):
        notes.append("it did not end by itself after its last line")
    if seen.inbox.garbled or seen.inbox.rest or (done is not None and done != len(seen.inbox.frames) - 1):
        notes.append("something other than results came from it")
    return tuple(notes)
