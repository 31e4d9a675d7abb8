"""The keyboard and the screen of the student's program.

What is typed comes from a list of lines. What is printed goes to a regular file, whose size says how far the output had come
when a line was read; so it does not matter by which way a program prints.
"""

from __future__ import annotations

import builtins
import io
import os
import sys
from collections.abc import Callable
from typing import Any

globals()["__builtins__"] = dict(vars(builtins))

_fstat = os.fstat
MAX_LAST_READS = 3

OnRead = Callable[[int, int, "str | None"], None]


class Screen:
    """File descriptors 1 and 2 as `sys.stdout` and `sys.stderr`, and the position in the first."""

    def __init__(self) -> None:
        self._private = os.dup(1), os.dup(2)
        self._last = [0, 0]
        self.out = _stream(1, "strict")
        self.err = _stream(2, "backslashreplace")

    def attach(self) -> None:
        """Make them the program's, even if it has put something else there."""
        sys.stdout = sys.__stdout__ = self.out  # type: ignore[misc]
        sys.stderr = sys.__stderr__ = self.err  # type: ignore[misc]

    def position(self) -> int:
        """How many bytes have been printed, those still on their way included."""
        for stream in (sys.stdout, self.out):
            try:
                stream.flush()
            except BaseException:  # noqa: S112, BLE001 - whatever a student's stream does, the file itself has a size
                continue
        return self._size(0)

    def complaints(self) -> int:
        """The same for what went to stderr."""
        return self._size(1)

    def _size(self, index: int) -> int:
        try:
            self._last[index] = _fstat(self._private[index]).st_size
        except OSError:
            return self._last[index]
        return self._last[index]


def _stream(descriptor: int, errors: str) -> io.TextIOWrapper:
    raw = io.FileIO(descriptor, "wb", closefd=False)
    return io.TextIOWrapper(io.BufferedWriter(raw), "utf-8", errors, newline="\n", line_buffering=True)


class Keyboard(io.TextIOBase):
    """`sys.stdin` and `input()` over prepared lines; each line that is read is reported, and the first reads past the end."""

    encoding = "utf-8"
    name = "<stdin>"
    mode = "r"

    def __init__(self, screen: Screen) -> None:
        super().__init__()
        self._screen = screen
        self._lines: list[str] = []
        self._next = 0
        self._part = ""
        self._past_end = 0
        self._shut = False
        self._on_read: OnRead = _ignore

    def feed(self, lines: list[str], on_read: OnRead | None = None) -> None:
        """Have these lines typed from now on."""
        self._lines, self._next, self._part, self._past_end, self._shut = lines, 0, "", 0, False
        self._on_read = on_read or _ignore

    def attach(self) -> None:
        """Make it the program's keyboard."""
        sys.stdin = sys.__stdin__ = self  # type: ignore[assignment, misc]
        builtins.input = self._make_input()

    @property
    def unread(self) -> int:
        return len(self._lines) - self._next

    def _make_input(self) -> Callable[..., str]:
        def input(prompt: object = "", /) -> str:  # noqa: A001
            """Read a line, without the newline, after printing the prompt."""
            start = self._screen.position()
            if prompt != "":
                print(prompt, end="")  # noqa: T201 - this is what input() does
            line = self._take(start)
            if line is None:
                raise EOFError("EOF when reading a line")
            return line.rstrip("\n")

        return input

    def _take(self, start: int | None = None) -> str | None:
        end = self._screen.position()
        if self._part:
            line, self._part = self._part, ""
            return line
        line_or_end = self._lines[self._next] if self.unread and not self._shut else None
        if line_or_end is None:
            self._past_end += 1
        else:
            self._next += 1
        if self._past_end <= MAX_LAST_READS:
            self._on_read(end if start is None else start, end, line_or_end)
        return line_or_end

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        line = self._take()
        if line is None:
            return ""
        text = line if line.endswith("\n") else line + "\n"
        if size is None or size < 0 or size >= len(text):
            return text
        self._part = text[size:]
        return text[:size]

    def read(self, size: int | None = -1, /) -> str:
        text = ""
        while size is None or size < 0 or len(text) < size:
            more = self.readline(-1 if size is None or size < 0 else size - len(text))
            if not more:
                break
            text += more
        return text

    def __iter__(self) -> Any:
        return iter(self.readline, "")

    def __next__(self) -> str:  # type: ignore[override]
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def readable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        return 0

    def close(self) -> None:
        """Closing the keyboard, as `quit()` does, means nothing more is typed."""
        self._shut, self._part = True, ""


def _ignore(start: int, end: int, line: str | None) -> None:
    """Take no notice."""
