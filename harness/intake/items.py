"""What lies in a folder or in an archive, seen the same way: names and kinds first, bytes only when asked for.

A layout never opens a path. It looks at items, and an item knows how to list or read itself with a limit, so that a
class in a zip archive needs no unpacking and nothing in it can land anywhere.
"""

from __future__ import annotations

import dataclasses
import os
import re
import unicodedata
from collections.abc import Callable, Iterable
from enum import Enum
from pathlib import Path

from harness.submission import RefusedFileError, read_plain, shown

MOST_IN_CLASS = 100_000
"""Entries of a class's folder that are looked at."""


class Kind(str, Enum):
    """What an item is before it is opened."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    OTHER = "other"
    REFUSED = "refused"


class UnreadableError(Exception):
    """Something that cannot or must not be read; the message is a sentence for the student."""


class TooManyError(UnreadableError):
    """A folder with more in it than is looked at."""

    def __init__(self, name: str, most: int) -> None:
        super().__init__(f"The folder {shown(name)} holds more than {most:,} files.")


def _no_bytes(limit: int) -> bytes:  # noqa: ARG001 - the signature of a reader
    return b""


def _no_items(most: int) -> tuple[Item, ...]:  # noqa: ARG001 - the signature of a lister
    return ()


@dataclasses.dataclass(frozen=True)
class Item:
    """A file, a folder or something odd. `problem` says why a refused one is refused."""

    name: str
    kind: Kind
    reads: Callable[[int], bytes] = _no_bytes
    lists: Callable[[int], tuple[Item, ...]] = _no_items
    hard_linked: Callable[[], bool] = bool
    problem: str = ""

    @property
    def is_folder(self) -> bool:
        return self.kind is Kind.FOLDER

    @property
    def is_file(self) -> bool:
        return self.kind is Kind.FILE

    @property
    def suffix(self) -> str:
        """The extension in small letters, or nothing."""
        return os.path.splitext(self.name.strip())[1].lower()  # noqa: PTH122 - a name, which need not be a path of this machine


def gathered(name: str, items: Iterable[Item]) -> Item:
    """A folder that exists only here."""
    kept = tuple(items)
    return Item(name, Kind.FOLDER, lists=lambda _: kept)


def on_disk(path: Path) -> Item:
    """A folder of this machine that the user named; links below it are never followed."""
    return Item(path.name, Kind.FOLDER, lists=lambda most: _listed(path, most))


def _listed(folder: Path, most: int) -> tuple[Item, ...]:
    found: list[Item] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if len(found) >= most:
                    raise TooManyError(folder.name, most)
                found.append(_entry(entry))
    except OSError as error:
        raise UnreadableError(f"The folder {shown(folder.name)} cannot be opened: {error.strerror}.") from None
    return tuple(sorted(found, key=lambda item: item.name))


def _entry(entry: os.DirEntry[str]) -> Item:
    path = Path(entry.path)
    kind = _kind(entry)
    if kind is Kind.FOLDER:
        return Item(entry.name, kind, lists=lambda most: _listed(path, most))
    return Item(entry.name, kind, reads=lambda limit: _read(path, limit), hard_linked=lambda: _hard_linked(path))


def _kind(entry: os.DirEntry[str]) -> Kind:
    try:
        if entry.is_symlink() or getattr(entry, "is_junction", bool)():
            return Kind.LINK
        if entry.is_dir(follow_symlinks=False):
            return Kind.FOLDER
        return Kind.FILE if entry.is_file(follow_symlinks=False) else Kind.OTHER
    except OSError:
        return Kind.OTHER


def _read(path: Path, limit: int) -> bytes:
    try:
        return read_plain(path, limit)
    except RefusedFileError as error:
        raise UnreadableError(str(error)) from None
    except OSError as error:
        raise UnreadableError(f"{shown(path.name)} cannot be read: {error.strerror}.") from None


def _hard_linked(path: Path) -> bool:
    try:
        return os.lstat(path).st_nlink > 1
    except OSError:
        return False


_IGNORED = frozenset(
    {"__macosx", "__pycache__", "venv", "env", "virtualenv", "node_modules", "site-packages", "lost+found"}
)


def ignored(name: str) -> bool:
    """Whether something inside a student's folder is never looked at: hidden things, caches, environments, what macOS adds."""
    return name.startswith(".") or name.lower() in _IGNORED


_NEVER_A_STUDENT = frozenset({"__macosx", "__pycache__", "lost+found", "thumbs.db", "desktop.ini"})


def visible(folder: Item) -> tuple[Item, ...]:
    """What a class's folder holds, without hidden things and what macOS and Windows add."""
    return tuple(
        item
        for item in folder.lists(MOST_IN_CLASS)
        if not re.match(r"\.(?!\.)", item.name) and item.name.lower() not in _NEVER_A_STUDENT
    )


def folders_in(folder: Item) -> tuple[Item, ...]:
    """The folders of a class, and the links that may stand for one: a link is refused, not overlooked."""
    return tuple(
        item
        for item in visible(folder)
        if item.is_folder or (item.kind in (Kind.LINK, Kind.REFUSED) and not item.suffix)
    )


def child(folder: Item, path: str) -> Item | None:
    """What lies at `a/b/c` below a folder, by exact names, or None."""
    current = folder
    for part in path.split("/"):
        if not current.is_folder:
            return None
        try:
            found = next((item for item in current.lists(MOST_IN_CLASS) if item.name == part), None)
        except UnreadableError:
            return None
        if found is None:
            return None
        current = found
    return current


def mostly(items: Iterable[Item], belongs: Callable[[Item], bool]) -> bool:
    """Whether at least half of what can be a submission looks as expected, and at least one does."""
    possible = [item for item in items if item.is_folder or item.suffix in (".py", ".zip") or belongs(item)]
    good = sum(map(belongs, possible))
    return good > 0 and 2 * good >= len(possible)


def folded(name: str) -> str:
    """The form in which two names are one to a person: case, accents' form and blanks do not count."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
