"""One folder per student: the folder's name is the id. Folders inside that are named like versions are versions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from harness.intake.find import Wanted
from harness.intake.handin import HandIn
from harness.intake.items import Item, UnreadableError, folders_in, ignored
from harness.intake.times import iso_time

SAYS = "one folder per student"
_NUMBERED = re.compile(r"(?:attempt|version|submission|upload|try|v)?[ _-]?(\d{1,9})", re.ASCII | re.IGNORECASE)


def recognise(root: Item, wanted: Wanted) -> bool:  # noqa: ARG001 - the same two functions in each layout
    """Any folder with folders in it."""
    return bool(folders_in(root))


def hand_ins(root: Item, wanted: Wanted) -> Iterator[HandIn]:  # noqa: ARG001 - the same two functions in each layout
    for student in folders_in(root):
        versions = _versions(student)
        if not versions:
            yield HandIn(student.name, student, student.name)
        for folder in versions:
            number = _NUMBERED.fullmatch(folder.name)
            yield HandIn(
                student.name,
                folder,
                f"{student.name}/{folder.name}",
                time=iso_time(folder.name),
                order=int(number[1]) if number else 0,
                taken=(student.name,),
            )


def _versions(student: Item) -> tuple[Item, ...]:
    """The folders of a student who has nothing but folders, all of them named after numbers or all after times."""
    try:
        items = [item for item in student.lists(1_000) if not ignored(item.name)] if student.is_folder else []
    except UnreadableError:
        return ()
    if len(items) < 2 or not all(item.is_folder for item in items):
        return ()
    timed = all(iso_time(item.name) is not None for item in items)
    numbered = all(_NUMBERED.fullmatch(item.name) for item in items)
    return tuple(items) if timed or numbered else ()
