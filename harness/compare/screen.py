"""Text as a terminal shows it: what cannot be seen does not count."""

from __future__ import annotations

import re
import unicodedata

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_ODD = re.compile(r"[^\t\n\r\x1b\x20-\x7e♣♦♥♠]")
_SILENT = "\x00\x07\ufe0e\ufe0f"
"""Characters outside category Cf that leave no mark: NUL, the bell, the selectors of a text or emoji form."""


def is_invisible(char: str) -> bool:
    """Takes no place on the screen: zero-width characters, the byte order mark, the bell."""
    return char in _SILENT or unicodedata.category(char) == "Cf"


def visible(line: str) -> str:
    """One line as it looks: tabs expanded, colours and zero-width characters gone, no blanks at its end."""
    if _ODD.search(line):
        line = unicodedata.normalize("NFC", "".join(_plain(char) for char in line))
    if "\x1b" in line:
        line = _COLOURS.sub("", line)
    return line.expandtabs(8).rstrip()


def _plain(char: str) -> str:
    if is_invisible(char):
        return ""
    return " " if unicodedata.category(char) == "Zs" else char


def squeezed(text: str) -> str:
    """The text with runs of blanks made one and none at its ends."""
    return " ".join(text.split())


def without_blanks(text: str) -> str:
    return "".join(text.split())


def looks_like(text: str) -> str:
    """A form that is the same for texts that cannot be told apart by eye, blanks aside."""
    return unicodedata.normalize("NFKC", without_blanks("".join(visible(line) for line in text.split("\n"))))
