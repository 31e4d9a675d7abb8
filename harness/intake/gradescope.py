"""Gradescope, "Export Submissions": `submission_metadata.yml` and a folder `submission_123/` for each submission.

Members of a group each get a submission of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from harness.errors import DataError, Fault
from harness.intake.find import Wanted
from harness.intake.handin import HandIn
from harness.intake.items import Item, UnreadableError, folders_in, gathered, visible
from harness.intake.metadata import Entry, Submitter, read_metadata
from harness.intake.times import iso_time
from harness.submission import shown

SAYS = "a Gradescope export"
METADATA = "submission_metadata.yml"
_LARGEST = 200_000_000


def recognise(root: Item, wanted: Wanted) -> bool:  # noqa: ARG001 - the same two functions in each layout
    """The metadata lies beside the folders."""
    return any(item.name == METADATA for item in visible(root))


def hand_ins(root: Item, wanted: Wanted) -> Iterator[HandIn]:  # noqa: ARG001 - the same two functions in each layout
    entries = _entries(root)
    folders = {folder.name: folder for folder in folders_in(root)}
    for key, entry in entries.items():
        folder = folders.get(key)
        for submitter in entry.submitters or (Submitter(),):
            yield _hand_in(key, folder or gathered(key, ()), entry, submitter)
    for name, folder in folders.items():
        if name not in entries:
            yield HandIn(name, folder, name, notes=(f"{METADATA} says nothing about {shown(name)!r}.",))


def _entries(root: Item) -> dict[str, Entry]:
    item = next((item for item in visible(root) if item.name == METADATA), None)
    if item is None:
        raise DataError([Fault(Path(METADATA), 0, "", "there is no such file in the folder")])
    try:
        entries = read_metadata(item.reads(_LARGEST))
    except UnreadableError as error:
        raise DataError([Fault(Path(METADATA), 0, "", str(error))]) from None
    if not entries:
        raise DataError([Fault(Path(METADATA), 1, "", "it names no submissions", "export the submissions again")])
    return entries


def _hand_in(key: str, folder: Item, entry: Entry, submitter: Submitter) -> HandIn:
    others = [other for other in entry.submitters if other is not submitter]
    names = ", ".join(shown(other.name or other.email or other.sid) for other in others)
    time = iso_time(entry.created_at)
    notes = [f"Handed in together with {names}."] if others else []
    notes += [] if time else ["The time of the submission could not be read."]
    known = [one for one in (submitter.sid, submitter.email, key) if one]
    return HandIn(
        known[0],
        folder,
        key,
        name=submitter.name,
        time=time,
        also=tuple(known[1:]),
        notes=tuple(notes),
        taken=(key, METADATA),
    )
