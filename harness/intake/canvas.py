"""Canvas, "Download Submissions": `lastfirst_LATE_123_456_proj10.py`, all files of all students in one folder.

The first number is the student's, the second the file's, and a later file has a higher one. Canvas says that a file came late
but not when. A second upload of the same name is called `proj10-1.py` by Canvas itself.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence

from harness.intake.find import Wanted, is_candidate
from harness.intake.handin import HandIn
from harness.intake.items import Item, gathered, mostly, visible

SAYS = "a Canvas download"
_NAME = re.compile(
    r"(?P<name>.+?)_(?:(?P<late>LATE)_)?(?P<user>\d{1,20})_(?P<file>\d{1,20})_(?P<original>.+)", re.ASCII | re.DOTALL
)


@dataclasses.dataclass(frozen=True)
class _Upload:
    """One file of a student, with the name it had on the student's machine."""

    item: Item
    number: int
    late: bool
    origin: str


def recognise(root: Item, wanted: Wanted) -> bool:  # noqa: ARG001 - the same two functions in each layout
    """At least half of the files are named as Canvas names them."""
    return mostly(visible(root), lambda item: not item.is_folder and _NAME.fullmatch(item.name) is not None)


def hand_ins(root: Item, wanted: Wanted) -> Iterator[HandIn]:
    names: dict[str, str] = {}
    uploads: dict[str, list[_Upload]] = {}
    for item in visible(root):
        found = _NAME.fullmatch(item.name)
        if found is None or item.is_folder:
            continue
        names.setdefault(found["user"], found["name"])
        renamed = dataclasses.replace(item, name=found["original"])
        upload = _Upload(renamed, int(found["file"]), found["late"] is not None, item.name)
        uploads.setdefault(found["user"], []).append(upload)
    for user, mine in uploads.items():
        yield from _versions(user, names[user], sorted(mine, key=lambda upload: upload.number), wanted)


def _versions(user: str, name: str, uploads: Sequence[_Upload], wanted: Wanted) -> Iterator[HandIn]:
    """Each file that can be the wanted one is a version, or else each archive; the other files come with every version."""
    versions = [upload for upload in uploads if is_candidate(upload.item.name, wanted.file)]
    versions = versions or [upload for upload in uploads if upload.item.suffix == ".zip"]
    others = [upload for upload in uploads if upload not in versions]
    for upload in versions or uploads[-1:]:
        content = [upload.item, *(other.item for other in others if other is not upload)]
        yield HandIn(
            user,
            gathered(upload.origin, content),
            upload.origin,
            name=name,
            order=upload.number,
            late=upload.late,
            notes=("Canvas marks it as handed in late and does not say by how much.",) if upload.late else (),
            taken=tuple(other.origin for other in uploads),
        )
