"""Moodle, "Download all submissions": `Full Name_123_assignsubmission_file/`, or the same as the start of a file's name.

The number is the participant's. The time is not in the name; it is read from the grading worksheet, if that lies beside.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from datetime import datetime

from harness.errors import DataError
from harness.intake.find import Wanted
from harness.intake.handin import HandIn
from harness.intake.items import Item, UnreadableError, gathered, mostly, visible
from harness.intake.table import Table, parse
from harness.intake.times import day_first, iso_time

SAYS = "a Moodle download"
_WHO, _WHEN = "identifier", "last modified (submission)"
_NAME = re.compile(
    r"(?P<name>.+)_(?P<id>\d{1,20})_assignsubmission_(?P<kind>file|onlinetext)_?(?P<original>.*)", re.ASCII | re.DOTALL
)


def recognise(root: Item, wanted: Wanted) -> bool:  # noqa: ARG001 - the same two functions in each layout
    """At least half of the folders and files are named as Moodle names them."""
    return mostly(visible(root), lambda item: _NAME.fullmatch(item.name) is not None)


def hand_ins(root: Item, wanted: Wanted) -> Iterator[HandIn]:  # noqa: ARG001 - the same two functions in each layout
    names: dict[str, str] = {}
    parts: dict[str, list[tuple[str, Item]]] = {}
    for item in visible(root):
        found = _NAME.fullmatch(item.name)
        if found is not None:
            names.setdefault(found["id"], found["name"])
            part = (
                item if not found["original"] or item.is_folder else dataclasses.replace(item, name=found["original"])
            )
            parts.setdefault(found["id"], []).append((item.name, part))
    worksheets = _worksheets(root)
    times = {number: time for table in worksheets for number, time in _times(table)}
    beside = tuple(str(table.path) for table in worksheets)
    for number, mine in parts.items():
        origins = tuple(origin for origin, _ in mine)
        items = [part for _, part in mine]
        content = items[0] if len(items) == 1 and not items[0].is_file else gathered(origins[0], items)
        name = "" if names[number] == "Participant" else names[number]
        yield HandIn(number, content, origins[0], name=name, time=times.get(number), taken=(*origins, *beside))


def _worksheets(root: Item) -> list[Table]:
    """The grading worksheets in the same folder; a CSV file that is something else is none."""
    found = []
    for item in visible(root):
        if item.suffix != ".csv" or not item.is_file:
            continue
        try:
            table = parse(item.name, item.reads(10_000_000))
        except (UnreadableError, DataError):
            continue
        if {_WHO, _WHEN} <= set(table.columns):
            found.append(table)
    return found


def _times(table: Table) -> Iterator[tuple[str, datetime]]:
    """When each participant handed in."""
    for row in table.rows:
        time = day_first(row.cells[_WHEN]) or iso_time(row.cells[_WHEN])
        if time is not None:
            yield row.cells[_WHO].rpartition(" ")[2], time
