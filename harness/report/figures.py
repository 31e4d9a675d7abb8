"""What a class looks like as a whole: how totals lie, where points are lost, and which mistakes are common."""

from __future__ import annotations

import dataclasses
import math
import re
import statistics
from collections.abc import Iterator, Sequence

from harness.report.escape import pieces
from harness.report.sheet import Failure, Sheet, explained

MOST_BARS = 12
_NUMBER = re.compile(r"\d+")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


@dataclasses.dataclass(frozen=True)
class Bar:
    """How many totals lie from `low` up to `high`; the last bar holds its upper end too."""

    low: float
    high: float
    count: int


@dataclasses.dataclass(frozen=True)
class Loss:
    """What a line of the rubric cost the class."""

    id: str
    title: str
    max: float
    mean: float
    students: int


@dataclasses.dataclass(frozen=True)
class Common:
    """One mistake and all who made it."""

    titles: tuple[str, ...]
    sentence: str
    lost: float
    sheets: tuple[Sheet, ...]
    example: Failure | None


@dataclasses.dataclass(frozen=True)
class Middle:
    """Mean, median and both ends of the totals that are known."""

    mean: float
    median: float
    lowest: float
    highest: float


def middle(sheets: Sequence[Sheet]) -> Middle | None:
    """The middle of the class, or None if there is no total yet."""
    totals = known_totals(sheets)
    if not totals:
        return None
    return Middle(statistics.fmean(totals), statistics.median(totals), min(totals), max(totals))


def known_totals(sheets: Sequence[Sheet]) -> list[float]:
    return [sheet.total for sheet in sheets if sheet.total is not None]


def distribution(sheets: Sequence[Sheet]) -> tuple[Bar, ...]:
    """The totals in bars of a round width, from zero to full marks or the best total."""
    totals = known_totals(sheets)
    if not totals:
        return ()
    top = max([*totals, *(sheet.max for sheet in sheets), 1])
    step = _round_step(top / MOST_BARS)
    count = max(math.ceil(top / step), 1)
    inside = [min(max(int(total // step), 0), count - 1) for total in totals]
    return tuple(Bar(step * place, step * (place + 1), inside.count(place)) for place in range(count))


def _round_step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, 20, 50, ... that is large enough."""
    size = 1.0
    while True:
        for factor in (1, 2, 5):
            if factor * size >= least:
                return factor * size
        size *= 10


def losses(sheets: Sequence[Sheet]) -> tuple[Loss, ...]:
    """For each line what it cost on average, the dearest first; submissions that we could not grade are left out."""
    known = [sheet for sheet in sheets if sheet.state != "unscored"]
    lines = {line.id: line for sheet in known for line in sheet.lines if not line.bonus}
    found = []
    for line in lines.values():
        lost = [other.lost for sheet in known for other in sheet.lines if other.id == line.id]
        students = sum(1 for points in lost if points)
        found.append(Loss(line.id, line.title, line.max, sum(lost) / len(lost), students))
    return tuple(sorted(found, key=lambda loss: -loss.mean))


def common_failures(sheets: Sequence[Sheet]) -> tuple[Common, ...]:
    """The mistakes of the class, the most common first; twenty students with one bug are one entry."""
    groups: dict[tuple[object, ...], list[tuple[Sheet, _Mistake]]] = {}
    for sheet in sheets:
        for mistake in dict.fromkeys(_mistakes(sheet)):
            groups.setdefault(mistake.key, []).append((sheet, mistake))
    found = [_common(members) for members in groups.values()]
    return tuple(sorted(found, key=lambda one: (-len(one.sheets), -one.lost, one.sentence)))


@dataclasses.dataclass(frozen=True)
class _Mistake:
    titles: tuple[str, ...]
    sentence: str
    lost: float
    example: Failure | None

    @property
    def key(self) -> tuple[object, ...]:
        rule = self.example.evidence if self.example else ""
        return (self.titles, rule if rule.startswith("style/") else normalised(self.sentence))


def _mistakes(sheet: Sheet) -> Iterator[_Mistake]:
    for reason in explained(sheet):
        lost = sum(line.lost for line in reason.lines if not line.bonus)
        if reason.lines[0].state == "internal" or all(line.bonus for line in reason.lines):
            continue
        titles = tuple(
            dict.fromkeys(title for title, line in zip(reason.titles, reason.lines, strict=True) if not line.bonus)
        )
        for failure in reason.failures:
            yield _Mistake(titles, failure.sentence or reason.summary, lost, failure)
        if not reason.failures and reason.summary:
            yield _Mistake(titles, reason.summary, lost, None)


def _common(members: Sequence[tuple[Sheet, _Mistake]]) -> Common:
    first = members[0][1]
    sheets = tuple(dict.fromkeys(sheet for sheet, _ in members))
    lost = {sheet.id: mistake.lost for sheet, mistake in members}
    return Common(first.titles, first.sentence, sum(lost.values()), sheets, first.example)


def normalised(sentence: str) -> str:
    """A sentence without what differs from student to student: line numbers, counts, quoted text."""
    return "".join(
        f"`{piece}`" if is_code else _NUMBER.sub("#", _QUOTED.sub("'…'", piece)) for piece, is_code in pieces(sentence)
    )
