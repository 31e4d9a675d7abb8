"""Two texts drawn so that a person sees where they differ: side by side, a caret, and marks for what cannot be seen."""

from __future__ import annotations

import dataclasses
import unicodedata
from itertools import zip_longest
from typing import TYPE_CHECKING

from harness.compare.align import hunks
from harness.compare.screen import is_invisible
from harness.values import PIPS

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_ROWS = 24
ROWS_BEFORE = 8
LONG_ROW = 400
INDENT = "  "

_LETTERS = {pip: suit for suit, pip in PIPS.items()}
_ASCII_CONTROLS = {"\t": "\\t", "\r": "\\r", "\n": "\\n"}


@dataclasses.dataclass(frozen=True)
class Pen:
    """How to draw: the widest line allowed, whether blanks and line ends are marked, whether only ASCII may be used."""

    width: int = 100
    blanks: bool = False
    ascii_only: bool = False

    @property
    def more(self) -> str:
        return "..." if self.ascii_only else "…"


def draw(text: str, pen: Pen) -> str:
    """One line with a mark for everything that cannot be seen."""
    return "".join(_char(char, pen) for char in text)


def draw_rows(text: str, pen: Pen) -> list[str]:
    """The lines of a text, drawn; with line ends if blanks are marked."""
    rows = text.split("\n")
    end = ("\\n" if pen.ascii_only else "⏎") if pen.blanks else ""
    drawn = [draw(row, pen) + end for row in rows[:-1]]
    return [*drawn, draw(rows[-1], pen)] if rows[-1] else drawn


def _char(char: str, pen: Pen) -> str:
    if char == " ":
        return ("~" if pen.ascii_only else "·") if pen.blanks else char
    if char < " " or char == "\x7f":
        return _control(char, pen)
    if char == "\xa0" or is_invisible(char) or unicodedata.category(char) in {"Zs", "Zl", "Zp", "Cc", "Cs", "Co", "Cn"}:
        return f"<U+{ord(char):04X}>"
    if pen.ascii_only and not char.isascii():
        return _LETTERS.get(char, f"<U+{ord(char):04X}>")
    return char


def _control(char: str, pen: Pen) -> str:
    if pen.ascii_only:
        return _ASCII_CONTROLS.get(char, f"\\x{ord(char):02x}")
    return "→" if char == "\t" else "␡" if char == "\x7f" else chr(0x2400 + ord(char))


def width_of(text: str) -> int:
    """How many columns a drawn text takes."""
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def compared(expected: str, actual: str, place: tuple[int, int], pen: Pen) -> str:
    """Both texts around the first difference, side by side, or one above the other where that is too wide."""
    line, column = place
    start = max(0, line - ROWS_BEFORE)
    from_column = max(0, column - LONG_ROW // 2)
    part, other_part = (_part(text, start, line, from_column) for text in (expected, actual))
    caret = width_of(draw(_row(part, other_part, line - start)[: column - from_column], pen))
    pairs = _paired(draw_rows(part, pen), draw_rows(other_part, pen))
    window = pairs[:MAX_ROWS]
    below = max(text.removesuffix("\n").count("\n") for text in (expected, actual)) + 1 - start - len(window)
    left = max([len("expected"), caret + 1, *(width_of(one or "") for one, _other in window)])
    right = max([len("your program"), caret + 1, *(width_of(other or "") for _one, other in window)])
    if left + right + 3 <= pen.width:
        drawn = _side_by_side(window, line - start, caret, left, pen)
    else:
        drawn = _stacked(window, line - start, caret, pen)
    return "\n".join([*_more(start, pen, "above"), *drawn, *_more(below, pen, "below")])


def _part(text: str, start: int, line: int, from_column: int) -> str:
    """The rows around the difference, and of each row no more than can be shown: the rest need not be drawn."""
    rows = text.split("\n")[start : start + 2 * MAX_ROWS]
    firsts = [from_column if number == line - start else 0 for number in range(len(rows))]
    return "\n".join(row[first : first + LONG_ROW] for row, first in zip(rows, firsts, strict=True))


def _row(expected: str, actual: str, line: int) -> str:
    """The row of the difference, from the side that has it; both are the same up to there."""
    rows = expected.split("\n")
    return rows[line] if line < len(rows) and rows[line] else (actual.split("\n") + [""] * (line + 1))[line]


def _paired(rows: Sequence[str], others: Sequence[str]) -> list[tuple[str | None, str | None]]:
    pairs: list[tuple[str | None, str | None]] = []
    place = 0
    for hunk in hunks(rows, others):
        pairs += [(row, row) for row in rows[place : hunk.start]]
        pairs += zip_longest(rows[hunk.start : hunk.stop], others[hunk.other_start : hunk.other_stop])
        place = hunk.stop
    return pairs + [(row, row) for row in rows[place:]]


def _more(count: int, pen: Pen, where: str) -> list[str]:
    return [f"{pen.more} {count} more line{'s' if count != 1 else ''} {where}"] if count > 0 else []


def _padded(text: str, width: int) -> str:
    return text + " " * (width - width_of(text))


def _side_by_side(
    window: Sequence[tuple[str | None, str | None]], line: int, caret: int, left: int, pen: Pen
) -> list[str]:
    bar, unequal = ("|", "!") if pen.ascii_only else ("│", "≠")
    lines = [f"{_padded('expected', left)} {bar} your program"]
    for number, (one, other) in enumerate(window):
        mark = bar if one == other else unequal
        lines.append(f"{_padded(one or '', left)} {mark} {other or ''}".rstrip())
        if number == line:
            lines.append(f"{_padded(' ' * caret + '^', left)} {bar} {' ' * caret}^")
    return lines


def _stacked(window: Sequence[tuple[str | None, str | None]], line: int, caret: int, pen: Pen) -> list[str]:
    lines = []
    for side, title in enumerate(("expected:", "your program:")):
        lines.append(title)
        for number, pair in enumerate(window):
            row = pair[side]
            if row is not None:
                text, at = _clipped(row, caret if number == line else 0, pen)
                lines.append(INDENT + text)
                lines += [INDENT + " " * at + "^"] if number == line else []
    return lines


def _clipped(row: str, caret: int, pen: Pen) -> tuple[str, int]:
    """As much of a long row as fits, with the caret in it, and where the caret is then."""
    room = pen.width - len(INDENT)
    if width_of(row) <= room:
        return row, caret
    room -= 2 * len(pen.more)
    start = 0 if caret < room else caret - room // 2
    head = pen.more if start else ""
    kept = ""
    for char in row[start:]:
        if width_of(kept) + _columns(char) > room:
            return head + kept + pen.more, caret - start + len(head)
        kept += char
    return head + kept, caret - start + len(head)
