"""What one student handed in: a hashed snapshot, taken once and never read again."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import stat
from datetime import datetime
from pathlib import Path

from harness.outcome import Outcome

LARGEST_SOURCE = 1_000_000
"""Bytes of source that are read; a larger file is refused before it is opened."""


@dataclasses.dataclass(frozen=True)
class Submission:
    """The bytes that will be graded. `problem` says why there are none, in words for the student."""

    id: str
    file: str
    source: bytes = b""
    submitted_at: datetime | None = None
    name: str = ""
    outcome: Outcome = Outcome.PASSED
    problem: str = ""
    notes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.source).hexdigest()


def read_source(path: Path) -> tuple[bytes, Outcome, str]:
    """Read a file without following links and without waiting on a pipe; say what is wrong with it otherwise."""
    try:
        status = os.lstat(path)
        problem = _refusal(path, status)
        if problem:
            return b"", Outcome.REJECTED, problem
        descriptor = os.open(
            path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        )
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(LARGEST_SOURCE + 1)
    except FileNotFoundError:
        return b"", Outcome.MISSING, f"There is no file {path.name}."
    except OSError as error:
        return b"", Outcome.REJECTED, f"{path.name} cannot be read: {error.strerror}."
    return _recognised(path.name, data)


def _refusal(path: Path, status: os.stat_result) -> str:
    if stat.S_ISLNK(status.st_mode):
        return f"{path.name} is a link to another file. Hand in the file itself."
    if stat.S_ISDIR(status.st_mode):
        return f"{path.name} is a folder, not a file."
    if not stat.S_ISREG(status.st_mode):
        return f"{path.name} is not an ordinary file."
    if status.st_size > LARGEST_SOURCE:
        return f"{path.name} has {status.st_size:,} bytes; at most {LARGEST_SOURCE:,} are accepted."
    return ""


_KINDS = (
    (b"PK\x03\x04", "a Word document or a zip archive"),
    (b"%PDF", "a PDF"),
    (b"{\\rtf", "a rich-text document"),
    (b"Rar!", "a RAR archive"),
    (b"\x7fELF", "a compiled program"),
    (b"\xd0\xcf\x11\xe0", "an old Word document"),
)


def _recognised(name: str, data: bytes) -> tuple[bytes, Outcome, str]:
    for start, kind in _KINDS:
        if data.startswith(start):
            return (
                b"",
                Outcome.REJECTED,
                f"{name} is not Python source but {kind}. Save the program itself as plain text and hand that in.",
            )
    if data.lstrip().startswith(b'{"cells"') or (data.lstrip().startswith(b"{") and b'"nbformat"' in data):
        return b"", Outcome.REJECTED, f"{name} is a Jupyter notebook. Export it as a Python file and hand that in."
    return data, Outcome.PASSED, ""
