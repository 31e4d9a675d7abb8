"""GitHub repositories: `assignment-username/`, one clone per student; the time is that of the last commit.

The time is the one that the student's computer wrote into the commit. When it was pushed is not in a clone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, timezone

from harness.intake.find import Wanted
from harness.intake.handin import HandIn
from harness.intake.items import Item, UnreadableError, child, folders_in
from harness.intake.packs import Objects, read_object

SAYS = "GitHub repositories"
_MOST_REFERENCES = 5
_COMMITTER = re.compile(rb"^committer [^\n]*> (\d{1,12}) ([+-]\d{4})$", re.MULTILINE)


def recognise(root: Item, wanted: Wanted) -> bool:  # noqa: ARG001 - the same two functions in each layout
    """At least half of the folders are repositories."""
    folders = folders_in(root)
    return bool(folders) and 2 * sum(_repository(folder) is not None for folder in folders) >= len(folders)


def hand_ins(root: Item, wanted: Wanted) -> Iterator[HandIn]:  # noqa: ARG001 - the same two functions in each layout
    folders = folders_in(root)
    prefix = common_prefix([folder.name for folder in folders])
    for folder in folders:
        parts = folder.name.split("-")
        time = last_commit(folder)
        yield HandIn(
            folder.name[len(prefix) :],
            folder,
            folder.name,
            time=time,
            also=tuple("-".join(parts[start:]) for start in range(len(parts))),
            notes=() if time else ("The time of the last commit could not be read.",),
        )


def common_prefix(names: Sequence[str]) -> str:
    """What all names begin with, up to a hyphen: the assignment. Nothing if there is only one name."""
    if len(names) < 2:
        return ""
    first, last = min(names), max(names)
    shared = next((at for at, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first))
    prefix = first[: first.rfind("-", 0, shared) + 1]
    return prefix if all(len(name) > len(prefix) for name in names) else ""


def _repository(folder: Item) -> Item | None:
    found = child(folder, ".git")
    return found if found is not None and found.is_folder else None


def last_commit(folder: Item) -> datetime | None:
    """When the commit that is checked out was made, or None if that cannot be read."""
    repository = _repository(folder)
    name = _head(repository) if repository is not None else None
    if repository is None or name is None:
        return None
    found = read_object(Objects(repository), name)
    if found is None or found[0] != "commit":
        return None
    written = _COMMITTER.search(found[1].partition(b"\n\n")[0])
    return _moment(int(written[1]), written[2].decode()) if written else None


def _head(repository: Item) -> str | None:
    """The name of the commit that HEAD stands for."""
    text = _text(repository, "HEAD", 4_096)
    for _ in range(_MOST_REFERENCES):
        if re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", text):
            return text
        if not text.startswith("ref: "):
            return None
        reference = text[5:].strip()
        text = _text(repository, reference, 4_096) or _packed_reference(repository, reference)
    return None


def _text(repository: Item, path: str, limit: int) -> str:
    item = child(repository, path)
    if item is None or not item.is_file:
        return ""
    try:
        return item.reads(limit).decode("utf-8", "replace").strip()
    except UnreadableError:
        return ""


def _packed_reference(repository: Item, reference: str) -> str:
    for line in _text(repository, "packed-refs", 4_000_000).splitlines():
        name, _, path = line.partition(" ")
        if path.strip() == reference:
            return name
    return ""


def _moment(seconds: int, offset: str) -> datetime | None:
    away = timedelta(hours=int(offset[1:3]), minutes=int(offset[3:]))
    away = -away if offset[0] == "-" else away
    try:
        zone = timezone(away)
    except ValueError:
        zone = timezone.utc
    try:
        return datetime.fromtimestamp(seconds, zone)
    except (ValueError, OverflowError, OSError):
        return None
