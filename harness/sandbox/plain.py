"""The lowest rung: a plain subprocess with a clean environment, its own folder and a time limit. It runs anywhere and isolates little."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import queue
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

from harness.plan import Limits
from harness.sandbox import scratch
from harness.sandbox.reply import Exit, Running
from harness.sandbox.scratch import Folder

_CHUNK = 1 << 16
_LAST_WORDS = 0.2
_SWEEPS = 50
_IS_LINUX = sys.platform.startswith("linux")
_TOKEN = "PATIENCE_UNIT"  # noqa: S105 - the name of a mark, not a secret


def command(role: str, *arguments: str) -> list[str]:
    """The command line that starts a process for student code; the harness may lie in a zip file."""
    spec = importlib.util.find_spec("harness.sandbox")
    assert spec is not None
    loader = spec.loader
    folder = Path(__file__).parent
    text = loader.get_data(str(folder / "start.py")).decode()  # type: ignore[union-attr]
    python = getattr(sys, "_base_executable", None) or sys.executable
    return [python, "-s", "-S", "-X", "utf8", "-c", text, str(folder.absolute()), role, *arguments]


def environment() -> dict[str, str]:
    """The same in every process that holds student code, whatever the machine."""
    fixed = {
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "LANG": "C.UTF-8",
        "MALLOC_ARENA_MAX": "1",
    }
    if os.name == "nt":
        fixed["SYSTEMROOT"] = os.environ.get("SYSTEMROOT", "")
    return fixed


def numbers(limits: Limits) -> tuple[int, int, int, int]:
    """The limits as the kernel takes them: processor seconds, bytes of memory and of a file, descriptors."""
    file_bytes = max(limits.file_kb, limits.output_kb) * 1024 + (1 << 16)
    return int(limits.submission_cpu_seconds) + 2, limits.memory_mb << 20, file_bytes, limits.files + 16


class Plain:
    """A slot that starts a new subprocess for each unit."""

    def __init__(self) -> None:
        self._root = Path(tempfile.mkdtemp(prefix="patience-"))

    @contextlib.contextmanager
    def start(self, job: bytes, limits: Limits, files: tuple[tuple[str, bytes], ...]) -> Iterator[PlainRun]:
        """Start a unit; when the block ends, it and its folder are gone."""
        home = Path(tempfile.mkdtemp(dir=self._root))
        folder, out, err, job_file = home / "folder", home / "out", home / "err", home / "job"
        folder.mkdir(mode=0o700)
        scratch.put(folder, files)
        job_file.write_bytes(job)
        out.touch()
        mark = secrets.token_hex(8)
        limit_words = [str(number) for number in numbers(limits)] if os.name == "posix" else []
        with job_file.open("rb") as source, err.open("wb") as errors:
            process = subprocess.Popen(
                command("worker", str(out), *limit_words),
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=folder,
                env={**environment(), _TOKEN: mark},
                start_new_session=True,
            )
        run = PlainRun(process, home, mark, limits)
        try:
            yield run
        finally:
            run.kill()
            run.finish()
            with contextlib.suppress(OSError):
                scratch.discard(home)

    def restart(self) -> None:
        """Nothing is kept between two units, so nothing can be broken."""

    def close(self) -> None:
        with contextlib.suppress(OSError):
            scratch.discard(self._root)


class PlainRun(Running):
    """A subprocess and the thread that listens to it."""

    def __init__(self, process: subprocess.Popen[bytes], home: Path, mark: str, limits: Limits) -> None:
        self.pid = process.pid
        self._process = process
        self._home = home
        self._mark = mark
        self._limits = limits
        self._chunks: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        pipe = self._process.stdout
        while chunk := os.read(pipe.fileno(), _CHUNK):
            self._chunks.put(chunk)
        self._chunks.put(None)

    def more(self, seconds: float) -> bytes | None:
        with contextlib.suppress(queue.Empty):
            return self._chunks.get(timeout=seconds)
        if self._process.poll() is None:
            return b""
        # A descendant may hold the pipe open after the program itself has ended: wait for what is under way, no longer.
        self._listener.join(timeout=_LAST_WORDS)
        with contextlib.suppress(queue.Empty):
            return self._chunks.get_nowait()
        return None

    def kill(self) -> None:
        if os.name == "posix" and (self._process.returncode is None or not _IS_LINUX):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        self._process.kill()
        self._sweep()

    def _sweep(self) -> None:
        """End what was started and slipped away into a session of its own; it still carries our mark."""
        for _ in range(_SWEEPS if _IS_LINUX else 0):
            found = list(_marked(f"{_TOKEN}={self._mark}".encode()))
            for pid in found:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            if not found:
                return

    def finish(self) -> Exit:
        code = self._process.wait()
        self._listener.join(timeout=1)
        if self._process.stdout is not None and not self._listener.is_alive():
            self._process.stdout.close()
        return Exit(code=code) if code >= 0 else Exit(signal=-code)

    def output_size(self) -> int:
        sizes = [(self._home / name).stat().st_size for name in ("out", "err")]
        return max(sizes)

    def disk_is_full(self) -> bool:
        return scratch.is_over(self._home / "folder", self._limits.files, 4 * self._limits.file_kb * 1024)

    def printed(self, limit: int) -> tuple[bytes, bytes]:
        """What is in the files behind stdout and stderr, up to a number of bytes each."""
        out, err = (_head(self._home / name, limit) for name in ("out", "err"))
        return out, err

    @property
    def folder(self) -> Folder:
        return self._home / "folder"


def _marked(needle: bytes) -> Iterator[int]:
    """The processes that carry a mark in their environment, the dead ones not counted."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                if needle in (entry / "environ").read_bytes():
                    yield int(entry.name)


def _head(path: Path, limit: int) -> bytes:
    with path.open("rb") as file:
        return file.read(limit)
