r"""Text that a student controls, made harmless for each place where people or machines read it.

`visible` comes first everywhere: what cannot be seen or moves the cursor is drawn, as a control picture (`␛`) or as its
number (`<U+202E>`). After it a text holds no control character but the newline and the tab, no lone surrogate and
nothing that XML forbids. Each sink then adds what it needs: `cell`, `markdown`, `fence`, `log_line`, ...
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

CLIPPED_LINES = 200
CLIPPED_CHARACTERS = 20_000

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u070f\u115f\u1160\u17b4\u17b5\u180b-\u180e"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
_MARKDOWN = re.compile(r"[\\`*_{}\[\]#|~$^]|:(?=//)|(?<=www)\.", re.IGNORECASE)
_LIST = re.compile(r"\s*(?:\d+(?=[.)])|(?=[-+=]))")
_CODE = re.compile(r"`([^`\n]{1,200})`")
_COMMAND = re.compile(r"##(?=\[|vso\[)")


def visible(text: str) -> str:
    """The text with a mark for everything that cannot be seen; line ends and tabs stay."""
    return _UNSEEN.sub(lambda found: _drawn(found.group()), text)


def _drawn(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"<U+{code:04X}>"


def one_line(text: str, most: int = 0) -> str:
    """The text on one line, line ends and tabs drawn too, and cut after `most` characters if that is given."""
    drawn = visible(text).replace("\n", "␊").replace("\t", "␉")
    return drawn if not most or len(drawn) <= most else drawn[: most - 1] + "…"


def clipped(text: str) -> str:
    """A block that is short enough to read; what was left out is said."""
    lines = text.split("\n")
    if len(lines) > CLIPPED_LINES:
        text = "\n".join([*lines[:CLIPPED_LINES], f"… {len(lines) - CLIPPED_LINES:,} more lines"])
    if len(text) > CLIPPED_CHARACTERS:
        text = f"{text[:CLIPPED_CHARACTERS]}\n… {len(text) - CLIPPED_CHARACTERS:,} more characters"
    return text


def plain_ascii(text: str) -> str:
    """The text for a terminal that has nothing but ASCII: accents dropped, card suits as letters, the rest by number."""
    return "".join(_ascii(char) for char in text)


_ASCII = {
    "♣": "C", "♦": "D", "♥": "H", "♠": "S", "…": "...", "\u2013": "-", "\u2212": "-", "·": "-",
    "│": "|", "─": "-", "≠": "!", "✓": "+", "✗": "x", "◐": "~", "\u2019": "'", "→": ">", "⏎": "\\n",
}  # fmt: skip


def _ascii(char: str) -> str:
    if char.isascii():
        return char
    if char in _ASCII:
        return _ASCII[char]
    base = unicodedata.normalize("NFKD", char).encode("ascii", "ignore").decode("ascii")
    return base or f"<U+{ord(char):04X}>"


def cell(value: str | float | None) -> str | float:
    """A value for a spreadsheet: numbers stay numbers, and no text is taken for a formula."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return value
    guarded = f"'{value}" if _FORMULA.match(value) else value
    return one_line(guarded)


def markdown(text: str) -> str:
    """Text that Markdown shows as it is: no link, image, heading, list, table or HTML comes of it."""
    drawn = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    escaped = _MARKDOWN.sub(r"\\\g<0>", drawn).replace("@", "&#64;").replace("\n", " ").replace("\t", " ")
    return _LIST.sub(r"\g<0>\\", escaped, count=1) if _LIST.match(escaped) else escaped


def markdown_sentence(text: str) -> str:
    """A sentence of ours with names in backquotes: those become code, the rest stays as it is."""
    return "".join(code_span(piece) if is_code else markdown(piece) for piece, is_code in pieces(text))


def pieces(sentence: str) -> Iterator[tuple[str, bool]]:
    """The stretches of a sentence, each with whether it stands between backquotes."""
    end = 0
    for found in _CODE.finditer(sentence):
        yield sentence[end : found.start()], False
        yield found.group(1), True
        end = found.end()
    yield sentence[end:], False


def code_span(text: str) -> str:
    """Markdown code on one line, with more backquotes around it than inside; safe in a table."""
    drawn = one_line(text).replace("|", "¦")
    ticks = "`" * (_longest_run(drawn) + 1)
    blank = " " if drawn.startswith("`") or drawn.endswith("`") or not drawn.strip() else ""
    return f"{ticks}{blank}{drawn}{blank}{ticks}"


def fence(text: str, kind: str = "text") -> str:
    """A block of Markdown code whose fence is longer than any in the text."""
    drawn = visible(text)
    ticks = "`" * max(3, _longest_run(drawn) + 1)
    return f"{ticks}{kind}\n{drawn}\n{ticks}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def command_data(text: str) -> str:
    """The message of a GitHub workflow command."""
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command_property(text: str) -> str:
    """A property of a GitHub workflow command."""
    return command_data(text).replace(":", "%3A").replace(",", "%2C")


def log_line(text: str) -> str:
    """Text for the log of a CI job, in which no line is taken for a command of the runner's.

    The runner trims a line before it looks for `::`, so indenting is not enough; `##[` counts anywhere.
    """
    lines = visible(text).split("\n")
    return "\n".join(_COMMAND.sub("# #", _unarmed(line)) for line in lines)


def _unarmed(line: str) -> str:
    body = line.lstrip()
    return line[: len(line) - len(body)] + "\\" + body if body.startswith("::") else line
