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
    origin: str = ""
    """What it was called at the top of the class's folder, so that feedback can be named for the system it came from."""

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.source).hexdigest()


def read_source(path: Path) -> tuple[bytes, Outcome, str]:
    """Read a file without following links and without waiting on a pipe; say what is wrong with it otherwise."""
    try:
        data = read_plain(path, LARGEST_SOURCE)
    except RefusedFileError as error:
        return b"", Outcome.REJECTED, str(error)
    except FileNotFoundError:
        return b"", Outcome.MISSING, f"There is no file {shown(path.name)}."
    except OSError as error:
        return b"", Outcome.REJECTED, f"{shown(path.name)} cannot be read: {error.strerror}."
    return recognised(path.name, data)


class RefusedFileError(Exception):
    """A file that is not read at all; the message is for the student."""


def read_plain(path: Path, limit: int) -> bytes:
    """The bytes of an ordinary file of at most `limit` bytes; anything else is refused before it can block."""
    _refuse(path.name, os.lstat(path), limit)
    flags = os.O_RDONLY
    for optional in ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_BINARY", "O_CLOEXEC"):
        flags |= getattr(os, optional, 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        _refuse(path.name, os.fstat(file.fileno()), limit)
        data = file.read(limit + 1)
    if len(data) > limit:
        raise RefusedFileError(too_large(path.name, len(data), limit))
    return data


def _refuse(name: str, status: os.stat_result, limit: int) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise RefusedFileError(f"{shown(name)} is a link to another file. Hand in the file itself.")
    if stat.S_ISDIR(status.st_mode):
        raise RefusedFileError(f"{shown(name)} is a folder, not a file.")
    if not stat.S_ISREG(status.st_mode):
        raise RefusedFileError(f"{shown(name)} is not an ordinary file.")
    if status.st_size > limit:
        raise RefusedFileError(too_large(name, status.st_size, limit))


def too_large(name: str, size: int, limit: int) -> str:
    return f"{shown(name)} has {size:,} bytes or more; at most {limit:,} are accepted."


_LONGEST_SHOWN = 120
_UNSAFE_TO_SHOW = frozenset(
    "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
)


def shown(name: str, most: int = _LONGEST_SHOWN) -> str:
    """A name that a student chose, as it may stand in a sentence: nothing that is no text, turns the line around, or is too long."""
    text = "".join(map(_shown_character, name))
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _shown_character(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code <= 0xDFFF or character in _UNSAFE_TO_SHOW:
        return f"\\u{code:04x}"
    return character


_KINDS = (
    (b"PK\x03\x04", "a Word document or a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"%PDF", "a PDF"),
    (b"{\\rtf", "a rich-text document"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh91AY&SY", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x7fELF", "a compiled program"),
    (b"MZ\x90\x00", "a compiled program"),
    (b"\xd0\xcf\x11\xe0", "an old Word document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"bplist", "a web archive"),
)


def recognised(name: str, data: bytes) -> tuple[bytes, Outcome, str]:
    """The bytes if they can be source, else what they are instead."""
    kind = _kind(data)
    if kind == "a Jupyter notebook":
        return b"", Outcome.REJECTED, f"{shown(name)} is {kind}. Export it as a Python file and hand that in."
    if kind:
        return (
            b"",
            Outcome.REJECTED,
            f"{shown(name)} is not Python source but {kind}. Save the program itself as plain text and hand that in.",
        )
    return data, Outcome.PASSED, ""


def _kind(data: bytes) -> str:
    start = data[:1024].lstrip()
    if start.startswith(b'{"cells"') or (start.startswith(b"{") and b'"nbformat"' in data):
        return "a Jupyter notebook"
    if start[:15].lower().startswith((b"<!doctype html", b"<html")):
        return "a web page"
    if data[1:4] == b"\r\r\n" and b"\x00" in data[:16]:
        return "a compiled Python file (.pyc)"
    if data[257:262] == b"ustar":
        return "a tar archive"
    return next((kind for magic, kind in _KINDS if data.startswith(magic)), "")
