"""What counts of a turn: a view turns it into units, and two turns are alike if their units are.

    screen         every line as it looks on the screen; blank lines and blanks at line ends do not count
    exact          every line, to the last character
    lines REGEX    the lines of the screen in which the pattern is found
    tokens REGEX   every match of the pattern, wherever it stands
    state          the arguments that the program hands its own display function

If a pattern has groups, only what they catch counts.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from harness.compare.cards import cards_in
from harness.compare.screen import visible
from harness.session import View, parse_view
from harness.values import canonical, is_plain, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from harness.compare.turns import Turn
    from harness.values import Value

__all__ = ["SCREEN", "Row", "Unit", "View", "is_opaque", "parse_view", "rows_of", "text_of", "units_of"]

SCREEN = View("screen")
OPAQUE = "\0opaque "


@dataclasses.dataclass(frozen=True)
class Unit:
    """One thing that counts: two are the same if their keys are; `text` is shown, `line` is the line it stands in."""

    key: str
    text: str
    line: str
    row: int
    prompt: bool = False


@dataclasses.dataclass(frozen=True)
class Row:
    """The units of one line of the screen, as they are shown to people."""

    key: str
    text: str
    prompt: bool


def units_of(turn: Turn, view: View) -> tuple[Unit, ...]:
    """What counts of the turn under the view."""
    return tuple(_VIEWS[view.kind](turn, view.pattern))


def is_opaque(unit: Unit) -> bool:
    """Holds a value that could not be carried as data, and so equals nothing."""
    return unit.key.startswith(OPAQUE)


def rows_of(units: Iterable[Unit]) -> tuple[Row, ...]:
    """The units put together again line by line."""
    rows: dict[int, list[Unit]] = {}
    for unit in units:
        rows.setdefault(unit.row, []).append(unit)
    return tuple(
        Row(" ".join(unit.key for unit in row), " ".join(unit.text for unit in row), row[0].prompt)
        for row in rows.values()
    )


def text_of(units: Iterable[Unit], view: View) -> str:
    """What counts, as a person reads it."""
    between = "" if view.kind == "exact" else "\n"
    return between.join(row.text for row in rows_of(units))


def _lines(turn: Turn) -> Iterator[tuple[int, str, bool]]:
    """Number, text with its line end, and whether it belongs to the prompt.

    A last line without an end is part of the prompt too, because that is where the program waits. A line that
    shows cards is a board even if it was handed to `input`.
    """
    position = 0
    for number, line in enumerate(_split(turn.text)):
        before = turn.output[position : position + len(line)]
        position += len(line)
        waits = turn.asked and position == len(turn.text) and not line.endswith("\n")
        asks = (not before.strip() and position > len(turn.output)) or (waits and not turn.prompt.strip())
        yield number, line, asks and not cards_in(line)


def _split(text: str) -> list[str]:
    """Lines with their ends; only a newline ends a line, whatever Unicode says of others."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1].removesuffix("\n")
    return lines if lines[-1] else lines[:-1]


def _screen(turn: Turn, _pattern: str) -> Iterator[Unit]:
    for number, line, prompt in _lines(turn):
        if text := visible(line):
            yield Unit(text, text, text, number, prompt)


def _exact(turn: Turn, _pattern: str) -> Iterator[Unit]:
    for number, line, prompt in _lines(turn):
        yield Unit(line, line, visible(line), number, prompt)


def _matching_lines(turn: Turn, pattern: str) -> Iterator[Unit]:
    wanted = re.compile(pattern)
    for unit in _screen(turn, ""):
        if found := wanted.search(unit.line):
            text = _caught(found) if wanted.groups else unit.line
            yield dataclasses.replace(unit, key=text, text=text)


def _tokens(turn: Turn, pattern: str) -> Iterator[Unit]:
    wanted = re.compile(pattern)
    for unit in _screen(turn, ""):
        for found in wanted.finditer(unit.line):
            text = _caught(found)
            yield dataclasses.replace(unit, key=text, text=text)


def _caught(found: re.Match[str]) -> str:
    return " ".join(group for group in found.groups() if group is not None) if found.re.groups else found[0]


def _state(turn: Turn, _pattern: str) -> Iterator[Unit]:
    for number, call in enumerate(turn.shown):
        text = ", ".join(shown(value) for value in call.args)
        key = canonical([_sorted(value) for value in call.args])
        yield Unit(key if is_plain(list(call.args)) else OPAQUE + key, text, text, number)


def _sorted(value: Value) -> Value:
    """The value with its dicts in one order, because the order of a dict does not count."""
    if isinstance(value, list):
        return [_sorted(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "dict" in value:
        return {"dict": sorted(([_sorted(key), _sorted(item)] for key, item in value["dict"]), key=canonical)}
    return {tag: _sorted(content) for tag, content in value.items()}


_VIEWS: dict[str, Callable[[Turn, str], Iterable[Unit]]] = {
    "screen": _screen,
    "exact": _exact,
    "lines": _matching_lines,
    "tokens": _tokens,
    "state": _state,
}
