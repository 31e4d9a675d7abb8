"""A run as turns: what was typed, what came back, and what was asked next.

Both programs were typed the same lines, so turn by turn is the natural order. A program that asks a question of its
own swallows a typed line, though, and answers each command one turn late: `align_turns` sees that and shifts.
"""

from __future__ import annotations

import dataclasses
from bisect import bisect_right
from itertools import zip_longest
from typing import TYPE_CHECKING

from harness.compare.align import Hunk, hunks
from harness.session import typed_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from harness.observation import SessionSeen, Shown

Pair = tuple["Turn | None", "Turn | None"]


@dataclasses.dataclass(frozen=True)
class Turn:
    """What happened after one typed line. Number 0 is the opening, before anything was typed.

    `asked` is false if the program read nothing after it; `prompt` is then empty.
    """

    number: int
    typed: str | None
    output: str
    prompt: str = ""
    asked: bool = False
    shown: tuple[Shown, ...] = ()

    @property
    def text(self) -> str:
        """All that appeared on the screen."""
        return self.output + self.prompt

    @property
    def question(self) -> str:
        """The last line before the program waited: its prompt, however it was printed."""
        return self.text.rstrip().rpartition("\n")[2].strip() if self.asked else ""


def split_turns(seen: SessionSeen) -> tuple[Turn, ...]:
    """The turns of a run, the opening first; what comes after the end of the input belongs to none."""
    bounds = [0]
    turns: list[Turn] = []
    typed: str | None = None
    position, ended = 0, False
    for read in seen.reads:
        turns.append(
            Turn(len(turns), typed, seen.output[position : read.start], seen.output[read.start : read.end], asked=True)
        )
        position = read.end
        bounds.append(position)
        lines = typed_lines(read)
        if not lines:
            ended = True
            break
        for line in lines[:-1]:
            turns.append(Turn(len(turns), line, "", asked=True))
            bounds.append(position)
        typed = lines[-1]
    if not ended:
        turns.append(Turn(len(turns), typed, seen.output[position:]))
        bounds.append(len(seen.output) + 1)
    return _with_shown(turns, bounds, seen.shown)


def _with_shown(turns: list[Turn], bounds: list[int], shown: tuple[Shown, ...]) -> tuple[Turn, ...]:
    """Give each turn the calls that were made in it; one exactly at a read was made after it."""
    calls: list[list[Shown]] = [[] for _ in turns]
    for call in shown:
        place = bisect_right(bounds, call.at) - 1
        if place < len(turns):
            calls[place].append(call)
    return tuple(
        dataclasses.replace(turn, shown=tuple(mine)) if mine else turn for turn, mine in zip(turns, calls, strict=True)
    )


def align_turns(expected: Sequence[Turn], actual: Sequence[Turn], key: Callable[[Turn], Hashable]) -> tuple[Pair, ...]:
    """Pair the turns that belong together; every turn of both sides is in exactly one pair, in order.

    They are shifted only if that makes more of them equal and if each turn left over asks something that no
    other turn asks: a program that shows every board one turn late is wrong in every turn.
    """
    by_number = tuple(zip_longest(expected, actual))
    if all(one and other and one.text == other.text and one.shown == other.shown for one, other in by_number):
        return by_number
    keys, others = [key(turn) for turn in expected], [key(turn) for turn in actual]
    same_place = sum(one == other for one, other in zip(keys, others, strict=False))
    if same_place == max(len(keys), len(others)):
        return by_number
    gaps = hunks(keys, others)
    if len(keys) - sum(gap.stop - gap.start for gap in gaps) <= same_place:
        return by_number
    return _shifted(expected, actual, gaps) or by_number


def _shifted(expected: Sequence[Turn], actual: Sequence[Turn], gaps: Sequence[Hunk]) -> tuple[Pair, ...] | None:
    usual = {turn.question for turn in _outside(expected, [(gap.start, gap.stop) for gap in gaps])}
    usual_other = {turn.question for turn in _outside(actual, [(gap.other_start, gap.other_stop) for gap in gaps])}
    pairs: list[Pair] = []
    place = where = 0
    for gap in gaps:
        pairs += zip(expected[place : gap.start], actual[where : gap.other_start], strict=True)
        mine, theirs = expected[gap.start : gap.stop], actual[gap.other_start : gap.other_stop]
        place, where = gap.stop, gap.other_stop
        if place == len(expected) and where == len(actual):
            return (*pairs, *zip_longest(mine, theirs))
        missing = _odd_ones(mine, len(mine) - len(theirs), usual)
        extra = _odd_ones(theirs, len(theirs) - len(mine), usual_other)
        if missing is None or extra is None:
            return None
        pairs += _pairs_within(mine, theirs, missing, extra)
    return (*pairs, *zip(expected[place:], actual[where:], strict=True))


def _outside(turns: Sequence[Turn], stretches: list[tuple[int, int]]) -> list[Turn]:
    inside = {place for start, stop in stretches for place in range(start, stop)}
    return [turn for place, turn in enumerate(turns) if place not in inside]


def _odd_ones(turns: Sequence[Turn], surplus: int, usual: set[str]) -> set[int] | None:
    """The numbers of the turns to leave over, all with an unusual question; None if there are too few such."""
    odd = [turn.number for turn in turns if turn.question not in usual]
    return set(odd[: max(surplus, 0)]) if len(odd) >= surplus else None


def _pairs_within(mine: Sequence[Turn], theirs: Sequence[Turn], missing: set[int], extra: set[int]) -> Iterator[Pair]:
    waiting = list(theirs)
    for turn in mine:
        if turn.number in missing:
            yield turn, None
            continue
        while waiting[0].number in extra:
            yield None, waiting.pop(0)
        yield turn, waiting.pop(0)
    for turn in waiting:
        yield None, turn
