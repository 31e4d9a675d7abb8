"""Why a file cannot be read as Python, as a sentence a student can act on."""

from __future__ import annotations

import dataclasses
import platform
import re
import unicodedata

_CODE_POINT = re.compile(r"U\+([0-9A-F]{4,6})")

_REMEDIES = {
    "\u201c": 'type a plain quotation mark " instead',
    "\u201d": 'type a plain quotation mark " instead',
    "\u201e": 'type a plain quotation mark " instead',
    "\u2018": "type a plain apostrophe ' instead",
    "\u2019": "type a plain apostrophe ' instead",
    "\u2013": "type a plain minus sign - instead",
    "\u2014": "type a plain minus sign - instead",
    "\u2212": "type a plain minus sign - instead",
    "\u2026": "type three plain periods instead",
    "\u00d7": "type a plain * instead",
    "\u00a0": "type a plain blank instead",
    "\u200b": "delete it, although it cannot be seen",
    "\ufeff": "delete it, although it cannot be seen",
    "\u001a": "delete it, although it cannot be seen",
}


@dataclasses.dataclass(frozen=True)
class Unreadable:
    """The reason, and where it is if that is known (counted from 1, else 0)."""

    reason: str
    line: int = 0
    column: int = 0


def of_bytes(data: bytes, error: Exception) -> Unreadable:
    """Why these bytes are not the text of a program."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:200]:
        return Unreadable(
            "The file is not saved as plain UTF-8 text (it looks like UTF-16). Save it again with the encoding UTF-8."
        )
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as place:
        before = data[: place.start]
        line = before.count(b"\n") + 1
        return Unreadable(
            f"The file is not UTF-8 text: byte {place.start} (on line {line}) is 0x{data[place.start]:02X}. "
            "Save it again with the encoding UTF-8.",
            line,
            len(before) - (before.rfind(b"\n") + 1) + 1,
        )
    return Unreadable(f"The encoding named at the top of the file cannot be used: {_short(str(error))}.")


def of_error(error: BaseException, text: str) -> Unreadable:
    """Why the interpreter refuses this text."""
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        return Unreadable(f"Line {line} holds a NUL character, which is not allowed in a program.", line)
    if isinstance(error, SyntaxError):
        return _of_syntax(error)
    if isinstance(error, (RecursionError, MemoryError)):
        return Unreadable(
            "The file holds an expression or a block that is nested too deeply, or is too large, for Python to read."
        )
    return Unreadable(f"Python {platform.python_version()} cannot read the file: {_short(str(error))}.")


def _of_syntax(error: SyntaxError) -> Unreadable:
    line, column = error.lineno or 0, max(error.offset or 0, 0)
    place = f"Line {line}, column {column}: " if line else ""
    strange = _CODE_POINT.search(str(error.msg))
    if strange:
        return Unreadable(place + _about(chr(int(strange[1], 16))), line, column)
    told = f"{type(error).__name__}: {_short(str(error.msg))}"
    return Unreadable(f"{place}Python {platform.python_version()} cannot read this ({told}).", line, column)


def _about(character: str) -> str:
    shown = f"{character} " if character.isprintable() else ""
    name = unicodedata.name(character, "a character that cannot be seen").lower()
    remedy = f"; {_REMEDIES[character]}" if character in _REMEDIES else ""
    return f"the character {shown}(U+{ord(character):04X}, {name}) cannot stand here{remedy}. It often comes from copying out of a document."


def _short(text: str) -> str:
    """At most two hundred printable characters."""
    return "".join(character if character.isprintable() else " " for character in text[:200]).rstrip(". ")
