"""The controller's end of a zygote: starts it, hands it units, and reads what they leave behind."""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.errors import SandboxError
from harness.plan import Limits
from harness.sandbox import scratch
from harness.sandbox.messages import ANSWER, BORN, GONE, KILL, REQUEST, START
from harness.sandbox.plain import command, environment, numbers
from harness.sandbox.reply import Exit, Running

HELLO_BYTES = 1 << 16
HELLO_SECONDS = 20.0
FIRST_UID = 60100
_CHUNK = 1 << 16


class ZygoteLostError(OSError):
    """The zygote is gone, or does not answer."""


class ZygoteSlot:
    """One zygote, which runs one unit at a time in its own scratch folder."""

    def __init__(self, room: Path, index: int, layers: tuple[str, ...], *, probe: bool) -> None:
        self._room = room
        self._restarts = 0
        self._uid = FIRST_UID + os.getpid() % 64 * 16 + index % 16 if os.geteuid() == 0 else None
        self._layers = layers
        self._process, self._channel = self._launch(probe=probe)
        self._folder = -1
        self.reasons: dict[str, str] = {}
        self.child_uid: int | None = None

    def _launch(self, *, probe: bool) -> tuple[subprocess.Popen[bytes], socket.socket]:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._room.mkdir(mode=0o755, parents=True, exist_ok=True)
        folder = self._room / "scratch"
        folder.mkdir(mode=0o700, exist_ok=True)
        if self._uid is not None:
            os.chown(folder, self._uid, self._uid)
        settings = {
            "socket": theirs.fileno(),
            "layers": self._layers,
            "probe": probe,
            "uid": self._uid,
            "room": str(self._room),
            "scratch": str(folder),
        }
        with theirs:
            process = subprocess.Popen(
                command("zygote", json.dumps(settings)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env=environment(),
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        ours.settimeout(HELLO_SECONDS)
        return process, ours

    def greet(self) -> None:
        """Wait until the zygote is ready, and take in what it says about its layers."""
        try:
            hello, descriptors, _, _ = socket.recv_fds(self._channel, HELLO_BYTES, 1)
        except OSError as error:
            raise ZygoteLostError(f"a zygote did not start: {error}") from error
        if not hello or not descriptors:
            raise ZygoteLostError("a zygote ended while it started")
        said: dict[str, Any] = json.loads(hello)
        self._folder = descriptors[0]
        self.reasons, self.child_uid = said["layers"], said["uid"]

    @contextlib.contextmanager
    def start(self, job: bytes, limits: Limits, files: tuple[tuple[str, bytes], ...]) -> Iterator[ZygoteRun]:
        """Start a unit; when the block ends, it is dead and its folder is empty."""
        if files:
            scratch.put(self._folder, files, self.child_uid)
        run = ZygoteRun(self._channel, self._folder, job, limits, bounded="mounts" in self._layers)
        try:
            yield run
        finally:
            run.close()
            if not scratch.empty(self._folder):
                self.restart()

    def restart(self) -> None:
        """Begin again with a new process and a new folder."""
        self.close()
        self._restarts += 1
        self._room = self._room.with_name(f"{self._room.name.partition('-')[0]}-{self._restarts}")
        self._process, self._channel = self._launch(probe=False)
        try:
            self.greet()
        except ZygoteLostError as error:
            raise SandboxError(str(error)) from error

    def close(self) -> None:
        """End the zygote and everything it has started."""
        self._channel.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._folder >= 0:
            os.close(self._folder)
            self._folder = -1
        with contextlib.suppress(OSError):
            scratch.discard(self._room)


class ZygoteRun(Running):
    """A child of the zygote, seen through its descriptors."""

    def __init__(self, channel: socket.socket, folder: int, job: bytes, limits: Limits, *, bounded: bool) -> None:
        self.folder = folder
        self.pid = 0
        self._channel = channel
        self._limits = limits
        self._bounded = bounded
        self._exit: Exit | None = None
        self._out = os.memfd_create("out")
        self._err = os.memfd_create("err")
        self._frames, theirs = os.pipe()
        os.set_blocking(self._frames, False)
        task = os.memfd_create("job")
        try:
            _fill(task, job)
            request = REQUEST.pack(START, *numbers(limits))
            socket.send_fds(channel, [request], [task, self._out, self._err, theirs])
            self.pid = self._answer(BORN)[0]
        except OSError:
            self._give_back()
            raise
        finally:
            os.close(task)
            os.close(theirs)
        self._poll = select.poll()
        self._poll.register(self._frames, select.POLLIN)
        self._poll.register(channel, select.POLLIN)

    def _answer(self, kind: int) -> tuple[int, int, float]:
        """The next message, which must be of that kind."""
        try:
            message = self._channel.recv(ANSWER.size)
        except OSError as error:
            raise ZygoteLostError(f"a zygote does not answer: {error}") from error
        if len(message) != ANSWER.size:
            raise ZygoteLostError("a zygote was lost")
        found, pid, status, cpu = ANSWER.unpack(message)
        if found != kind:
            raise ZygoteLostError("a zygote answered out of turn")
        return pid, status, cpu

    def more(self, seconds: float) -> bytes | None:
        if self._exit is not None:
            return self._rest()
        ready = dict(self._poll.poll(seconds * 1000))
        if ready.get(self._frames, 0) & select.POLLIN:
            return os.read(self._frames, _CHUNK)
        if not ready:
            return b""
        if self._frames in ready:
            self._poll.unregister(self._frames)
        if self._channel.fileno() in ready:
            self.finish()
            return self._rest()
        return b""

    def _rest(self) -> bytes | None:
        """What is still in the pipe after the child's end."""
        try:
            return os.read(self._frames, _CHUNK) or None
        except BlockingIOError:
            return None

    def kill(self) -> None:
        if self._exit is None:
            with contextlib.suppress(OSError):
                self._channel.send(REQUEST.pack(KILL, 0, 0, 0, 0))

    def finish(self) -> Exit:
        if self._exit is None:
            _, status, cpu = self._answer(GONE)
            if os.WIFSIGNALED(status):
                self._exit = Exit(signal=os.WTERMSIG(status), cpu_seconds=cpu)
            else:
                self._exit = Exit(code=os.WEXITSTATUS(status), cpu_seconds=cpu)
        return self._exit

    def close(self) -> None:
        """See to it that the child is dead, and give back the descriptors."""
        try:
            self.kill()
            self.finish()
        finally:
            self._give_back()

    def _give_back(self) -> None:
        for descriptor in (self._out, self._err, self._frames):
            os.close(descriptor)

    def output_size(self) -> int:
        return max(os.fstat(descriptor).st_size for descriptor in (self._out, self._err))

    def disk_is_full(self) -> bool:
        """A small file system fills up by itself; an ordinary folder has to be watched."""
        if self._bounded:
            return False
        return scratch.is_over(self.folder, self._limits.files, 4 * self._limits.file_kb * 1024)

    def printed(self, limit: int) -> tuple[bytes, bytes]:
        return os.pread(self._out, limit, 0), os.pread(self._err, limit, 0)


def _fill(descriptor: int, content: bytes) -> None:
    """Write all of it and go back to the start."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
