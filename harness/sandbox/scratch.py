"""The private folder of a unit: filled before, looked at during, read and emptied after, never trusted.

Everything is done relative to an open folder and follows no links, because a student has chosen every name in it. A tree is
emptied by flattening: folders inside folders are moved to the top until none is left, so depth costs nothing.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import secrets
import shutil
import stat
from pathlib import Path

MAX_FILES = 16
MAX_FILE_BYTES = 64 * 1024
MAX_STEPS = 200_000
RELATIVE = os.scandir in os.supports_fd and os.open in os.supports_dir_fd
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _NO_LINK

Folder = int | Path
"""An open descriptor where the system can work relative to one, else a path."""


def put(folder: Folder, files: tuple[tuple[str, bytes], ...], owner: int | None = None) -> None:
    """Write the files that a session finds."""
    for name, content in files:
        where, at = _at(folder, name)
        descriptor = os.open(where, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o600, dir_fd=at)
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor has no path
            file.write(content)
            if owner is not None:
                os.fchown(descriptor, owner, owner)


def take(folder: Folder) -> tuple[tuple[str, bytes], ...]:
    """The plain files that a program has left, in the order of their names, up to a number and a size."""
    found = []
    for name in sorted(_names(folder))[: 4 * MAX_FILES]:
        content = _content(folder, name)
        if content is not None:
            found.append((name.encode("utf-8", "backslashreplace").decode(), content))
    return tuple(found[:MAX_FILES])


def _content(folder: Folder, name: str) -> bytes | None:
    where, at = _at(folder, name)
    try:
        descriptor = os.open(where, os.O_RDONLY | _NO_LINK | _BINARY, dir_fd=at)
    except OSError:
        return None
    try:
        return os.read(descriptor, MAX_FILE_BYTES) if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
    except OSError:
        return None
    finally:
        os.close(descriptor)


def is_over(folder: Folder, files: int, total_bytes: int) -> bool:
    """Whether the folder holds more entries or bytes than it may, folders inside it included."""
    count = size = 0
    todo = [f"/proc/self/fd/{folder}" if isinstance(folder, int) else str(folder)]
    while todo:
        with contextlib.suppress(OSError), os.scandir(todo.pop()) as entries:
            for entry in entries:
                count += 1
                size += entry.stat(follow_symlinks=False).st_size
                if entry.is_dir(follow_symlinks=False):
                    todo.append(entry.path)
                if count > files or size > total_bytes:
                    return True
    return False


def empty(folder: Folder) -> bool:
    """Remove everything in the folder; False if something would not go."""
    if isinstance(folder, Path):
        for entry in folder.iterdir():
            shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
        return True
    try:
        return _flatten(folder)
    except OSError:
        return False


def _flatten(folder: int) -> bool:
    os.fchmod(folder, 0o700)
    mark, steps = secrets.token_hex(8), itertools.count()
    while names := _names(folder):
        for name in names:
            if next(steps) > MAX_STEPS or not _remove(folder, name, f"{mark}.{next(steps)}"):
                return False
    return True


def _remove(folder: int, name: str, mark: str) -> bool:
    """Remove one entry; of a folder, empty its files and bring its folders up to the top first."""
    try:
        os.unlink(name, dir_fd=folder)
    except OSError:
        if not stat.S_ISDIR(os.lstat(name, dir_fd=folder).st_mode):
            return False
    else:
        return True
    os.chmod(name, 0o700, dir_fd=folder)
    inner = os.open(name, _FOLDER, dir_fd=folder)
    try:
        for index, entry in enumerate(_names(inner)):
            try:
                os.unlink(entry, dir_fd=inner)
            except OSError:
                os.chmod(entry, 0o700, dir_fd=inner)
                os.rename(entry, f"{mark}.{index}", src_dir_fd=inner, dst_dir_fd=folder)
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=folder)
    return True


def discard(path: Path) -> None:
    """Remove a folder of ours and what is in it, whatever a student has built there."""
    if not path.is_dir():
        return
    if not RELATIVE:
        shutil.rmtree(path, ignore_errors=True)
        return
    descriptor = os.open(path, _FOLDER)
    try:
        empty(descriptor)
    finally:
        os.close(descriptor)
    path.rmdir()


def _names(folder: Folder) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for _, entry in zip(range(MAX_STEPS), entries)]  # noqa: B905


def _at(folder: Folder, name: str) -> tuple[str | Path, int | None]:
    return (name, folder) if isinstance(folder, int) else (folder / name, None)
