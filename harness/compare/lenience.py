"""What a turn may differ in without losing anything: told where it helps, never charged.

`settle` takes such things out of both sides. What is left must be the same.
"""

from __future__ import annotations

import dataclasses
import re
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from harness.compare.align import hunks
from harness.compare.cards import cards_in
from harness.compare.difference import Difference
from harness.compare.screen import squeezed
from harness.compare.views import Unit, is_opaque

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Prompts = Literal["judged", "told"]
MAX_LINES = 200
"""How many lines of one hunk are looked at for reworded text of the course; a hunk longer than that is no menu."""


@dataclasses.dataclass(frozen=True)
class Lenience:
    """What the handout supplies or leaves open.

    supplied_text   blocks of text the course supplies: a changed word, a block left out or printed twice is told
    prompts         whether the wording of prompts is judged
    free            patterns of lines that may say anything, be left out, or come on top
    equivalents     sets of patterns: lines that match (as a whole) patterns of one set are the same line, if what
                    their groups catch is the same
    boards          patterns of the lines that make a board: it may be left out where it repeats the last one, and
                    one more than expected is only told
    """

    supplied_text: tuple[str, ...] = ()
    prompts: Prompts = "judged"
    free: tuple[str, ...] = ()
    equivalents: tuple[tuple[str, ...], ...] = ()
    boards: tuple[str, ...] = ()

    @cached_property
    def supplied_lines(self) -> frozenset[str]:
        lines = (squeezed(line) for block in self.supplied_text for line in block.split("\n"))
        return frozenset(line for line in lines if line)

    @cached_property
    def supplied_words(self) -> str:
        """The words of all blocks in one line, to find a piece that was only broken elsewhere."""
        return " | ".join(f" {squeezed(block)} " for block in self.supplied_text)

    @cached_property
    def words_of_lines(self) -> dict[str, frozenset[str]]:
        return {line: _words(line) for line in self.supplied_lines}

    def is_free(self, unit: Unit) -> bool:
        return any(re.search(pattern, unit.line) for pattern in self.free)

    def is_board(self, unit: Unit) -> bool:
        return any(re.search(pattern, unit.line) for pattern in self.boards)

    def is_supplied(self, unit: Unit) -> bool:
        line = squeezed(unit.line)
        return line in self.supplied_lines or (line.count(" ") > 1 and f" {line} " in self.supplied_words)

    def known(self, unit: Unit) -> Unit:
        """The unit with one key for all spellings of an accepted line."""
        for number, spellings in enumerate(self.equivalents):
            for pattern in spellings:
                if found := re.fullmatch(pattern, unit.text.strip()):
                    caught = " ".join(group or "" for group in found.groups())
                    return dataclasses.replace(unit, key=f"\0{number} {caught}")
        return unit


@dataclasses.dataclass(frozen=True)
class Settled:
    """What is left to be judged, and what is only told."""

    expected: tuple[Unit, ...]
    actual: tuple[Unit, ...]
    told: frozenset[Difference] = frozenset()

    @property
    def same(self) -> bool:
        return same_units(self.expected, self.actual)


def same_units(expected: Sequence[Unit], actual: Sequence[Unit]) -> bool:
    """Equal one by one; a value that could not be carried equals nothing."""
    return len(expected) == len(actual) and all(
        one.key == other.key and not is_opaque(one) for one, other in zip(expected, actual, strict=True)
    )


def settle(
    expected: Sequence[Unit],
    actual: Sequence[Unit],
    lenience: Lenience,
    last_board: Sequence[str] = (),
    habits: frozenset[str] = frozenset(),
) -> Settled:
    """Take out what is not judged.

    `last_board` holds the keys of the board the expected side showed last, `habits` of the lines the actual side
    always prints before it asks.
    """
    mine = [lenience.known(unit) for unit in expected if not lenience.is_free(unit)]
    theirs = [lenience.known(unit) for unit in actual if not lenience.is_free(unit)]
    mine, theirs = _same_prompts(mine, theirs), _same_prompts(theirs, mine)
    told: set[Difference] = set()
    if lenience.prompts == "told":
        mine, theirs = _without_prompts(mine, theirs, habits, told)
    if lenience.supplied_lines:
        mine, theirs = _without_supplied(mine, theirs, lenience, told)
    if lenience.boards:
        mine, theirs = _without_repeats(mine, theirs, lenience, last_board, told)
    return Settled(tuple(mine), tuple(theirs), frozenset(told))


def board_keys(units: Iterable[Unit], lenience: Lenience) -> tuple[str, ...]:
    """The keys of the units that belong to a board."""
    return tuple(unit.key for unit in units if lenience.is_board(unit))


def _same_prompts(units: list[Unit], others: list[Unit]) -> list[Unit]:
    """Count lines before the prompt as part of it if the other side asks with them: `print` looks like `input`."""
    asked = {unit.key for unit in others if unit.prompt}
    place = len(units)
    while place and (units[place - 1].prompt or units[place - 1].key in asked):
        place -= 1
    return units[:place] + [dataclasses.replace(unit, prompt=True) for unit in units[place:]]


def habits_of(turns: Iterable[Sequence[Unit]]) -> frozenset[str]:
    """The lines that stand before one and the same prompt every time, cards aside: part of how the program asks."""
    groups: dict[str, list[frozenset[str]]] = {}
    for units in turns:
        asked = " ".join(unit.key for unit in units if unit.prompt)
        body = [unit.key for unit in units if not unit.prompt and not cards_in(unit.line)]
        groups.setdefault(asked, []).append(frozenset(body[-3:]))
    found = (frozenset.intersection(*group) for group in groups.values() if len(group) > 1)
    return frozenset[str]().union(*found)


def _without_prompts(
    mine: list[Unit], theirs: list[Unit], habits: frozenset[str], told: set[Difference]
) -> tuple[list[Unit], list[Unit]]:
    if [unit.key for unit in mine if unit.prompt] != [unit.key for unit in theirs if unit.prompt]:
        told.add(Difference.PROMPT)
    body, other_body = ([unit for unit in units if not unit.prompt] for units in (mine, theirs))
    asks_by_print = len(other_body) == len(theirs) and len(body) < len(mine)
    if asks_by_print and len(other_body) == len(body) + 1 and not cards_in(other_body[-1].line):
        # The program prints its question and then reads without a prompt.
        return body, other_body[:-1]
    while len(other_body) > len(body) and other_body[-1].key in habits:
        other_body.pop()
    return body, other_body


def _without_supplied(
    mine: list[Unit], theirs: list[Unit], lenience: Lenience, told: set[Difference]
) -> tuple[list[Unit], list[Unit]]:
    kept = [unit for unit in mine if not lenience.is_supplied(unit)]
    reworded = _reworded(mine, theirs, lenience)
    other_kept = [unit for place, unit in enumerate(theirs) if place not in reworded and not lenience.is_supplied(unit)]
    supplied = [unit.key for unit in mine if lenience.is_supplied(unit)]
    if reworded or supplied != [unit.key for unit in theirs if lenience.is_supplied(unit)]:
        told.add(Difference.SUPPLIED_TEXT)
    return kept, other_kept


def _reworded(mine: list[Unit], theirs: list[Unit], lenience: Lenience) -> set[int]:
    """Places of lines that stand where a line of the course is missing, and say much the same."""
    found: set[int] = set()
    for hunk in hunks([unit.key for unit in mine], [unit.key for unit in theirs]):
        lines = (squeezed(unit.line) for unit in mine[hunk.start : hunk.stop][:MAX_LINES])
        missing = [words for line in lines if (words := lenience.words_of_lines.get(line))]
        for place in range(hunk.other_start, min(hunk.other_stop, hunk.other_start + MAX_LINES)):
            line = theirs[place].line
            close = [words for words in missing if _alike(words, _words(line))]
            if close and not cards_in(line):
                missing.remove(close[0])
                found.add(place)
    return found


def _words(line: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", line.casefold()))


def _alike(words: frozenset[str], others: frozenset[str]) -> bool:
    """At least half of the words are common to both."""
    return bool(words) and 4 * len(words & others) >= len(words) + len(others)


def _without_repeats(
    mine: list[Unit], theirs: list[Unit], lenience: Lenience, last_board: Sequence[str], told: set[Difference]
) -> tuple[list[Unit], list[Unit]]:
    board, other_board = list(board_keys(mine, lenience)), list(board_keys(theirs, lenience))
    if board == other_board:
        return mine, theirs
    if not other_board and board == list(last_board):
        told.add(Difference.REPEATED_BOARD)
        return [unit for unit in mine if not lenience.is_board(unit)], theirs
    if not board:
        told.add(Difference.REPEATED_BOARD)
        return mine, [unit for unit in theirs if not lenience.is_board(unit)]
    times = len(other_board) // len(board)
    if times > 1 and other_board == board * times:
        told.add(Difference.REPEATED_BOARD)
        surplus = len(other_board) - len(board)
        return mine, _without_last(theirs, surplus, lenience)
    return mine, theirs


def _without_last(units: list[Unit], surplus: int, lenience: Lenience) -> list[Unit]:
    boards = [place for place, unit in enumerate(units) if lenience.is_board(unit)]
    dropped = set(boards[len(boards) - surplus :])
    return [unit for place, unit in enumerate(units) if place not in dropped]
