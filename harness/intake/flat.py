"""One file per student, all in one folder: the file's name without `.py` is the id. A zip archive per student will do."""

from __future__ import annotations

from collections.abc import Iterator

from harness.intake.find import Wanted
from harness.intake.handin import HandIn
from harness.intake.items import Item, folders_in, visible

SAYS = "one file per student"


def recognise(root: Item, wanted: Wanted) -> bool:
    """Python files or archives, and no folders."""
    return any(_is_submission(item, wanted) for item in visible(root)) and not folders_in(root)


def hand_ins(root: Item, wanted: Wanted) -> Iterator[HandIn]:
    """A file of the wanted name itself belongs to whom the folder is named after."""
    for item in visible(root):
        if _is_submission(item, wanted):
            stem = item.name.strip()[: -len(item.suffix)]
            own = item.name == wanted.file and bool(root.name)
            yield HandIn(root.name if own else stem or item.name, item, item.name)


def _is_submission(item: Item, wanted: Wanted) -> bool:
    return item.suffix in (".py", ".zip") and item.name not in wanted.supplied
