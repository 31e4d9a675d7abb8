"""Brightspace (D2L): `123-456 - First Last - Nov 30, 2022 1159 PM/`, one folder for each time something was handed in.

One number is the student's and the other the assignment's; which is which differs, so the one is taken that tells the names apart.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from harness.intake.find import Wanted
from harness.intake.handin import HandIn
from harness.intake.items import Item, gathered, mostly, visible
from harness.intake.times import iso_time, month_first

SAYS = "a Brightspace (D2L) download"
_START = r"(?P<one>\d{1,20})-(?P<two>\d{1,20}) - "
_TIME = r"[A-Za-z]{3,9}\.? \d{1,2}, \d{4} \d{1,2}:?\d\d ?[AP]M"
_FOLDER = re.compile(
    rf"{_START}(?P<name>.+) - (?P<time>{_TIME}|[^-]*\d{{4}}[^-]*|\d{{4}}-.+)", re.ASCII | re.DOTALL | re.IGNORECASE
)
_FILE = re.compile(
    rf"{_START}(?P<name>.+?) - (?P<time>{_TIME}) - (?P<original>.+)", re.ASCII | re.DOTALL | re.IGNORECASE
)


@dataclasses.dataclass(frozen=True)
class _Read:
    """The parts of one name."""

    item: Item
    numbers: tuple[str, str]
    name: str
    time_text: str
    original: str


def recognise(root: Item, wanted: Wanted) -> bool:  # noqa: ARG001 - the same two functions in each layout
    """At least half of the folders and files are named as Brightspace names them."""
    return mostly(visible(root), lambda item: _read(item) is not None)


def hand_ins(root: Item, wanted: Wanted) -> Iterator[HandIn]:  # noqa: ARG001 - the same two functions in each layout
    read = [found for found in map(_read, visible(root)) if found is not None]
    which = _telling(read)
    together: dict[tuple[str, str], list[_Read]] = {}
    for one in read:
        together.setdefault((_id(one, which), one.time_text), []).append(one)
    for (student, text), mine in together.items():
        time = _time(text)
        yield HandIn(
            student,
            _content(mine),
            mine[0].item.name,
            name=mine[0].name,
            time=time,
            notes=() if time else (f"The time {text!r} could not be read.",),
            taken=tuple(one.item.name for one in mine),
        )


def _read(item: Item) -> _Read | None:
    found = (_FOLDER if not item.is_file else _FILE).fullmatch(item.name)
    if found is None:
        return None
    original = found.groupdict().get("original") or ""
    return _Read(item, (found["one"], found["two"]), found["name"], found["time"], original)


def _telling(read: Sequence[_Read]) -> int | None:
    """Which of the two numbers belongs to one name only: 0, 1, or None if neither does."""
    for which in (0, 1):
        names: dict[str, set[str]] = {}
        for one in read:
            names.setdefault(one.numbers[which], set()).add(one.name)
        if all(len(mine) == 1 for mine in names.values()):
            return which
    return None


def _id(one: _Read, which: int | None) -> str:
    return "-".join(one.numbers) if which is None else one.numbers[which]


def _content(mine: Sequence[_Read]) -> Item:
    if len(mine) == 1 and not mine[0].original:
        return mine[0].item
    parts = [dataclasses.replace(one.item, name=one.original) if one.original else one.item for one in mine]
    return gathered(mine[0].item.name, parts)


def _time(text: str) -> datetime | None:
    return month_first(text) or iso_time(text)
