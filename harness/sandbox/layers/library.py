"""Which files a Python program may read: the interpreter's own library, the system libraries it has loaded, and little else."""

from __future__ import annotations

import functools
import os
import sys

_FOREIGN = ("site-packages", "dist-packages")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
_DATA = ("/etc/ld.so.cache", "/usr/share/zoneinfo")


def standard_library() -> list[str]:
    """The folders and archives of the standard library, which come with the interpreter."""
    found = [os.path.dirname(os.__file__), *sys.path]  # noqa: PTH120 - pathlib is not needed inside
    real = [os.path.realpath(entry) for entry in found if entry]
    return [entry for entry in dict.fromkeys(real) if os.path.exists(entry) and not is_foreign(entry)]  # noqa: PTH110


def is_foreign(path: str) -> bool:
    """Installed packages are not the interpreter's: our own references may lie there."""
    return any(f"/{name}/" in f"{path}/" for name in _FOREIGN)


def foreign_folders(library: list[str]) -> list[str]:
    """Folders inside the standard library that hold installed packages."""
    candidates = [os.path.join(entry, name) for entry in library for name in _FOREIGN]  # noqa: PTH118
    return [path for path in candidates if os.path.isdir(path)]  # noqa: PTH112


@functools.lru_cache(maxsize=1)
def shared_libraries() -> list[str]:
    """The folders of the libraries that are mapped into this process; remembered, since /proc may be gone later."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
        paths = {line.split(maxsplit=5)[5].strip() for line in file if line.count("/")}
    folders = {os.path.dirname(os.path.realpath(path)) for path in paths if ".so" in path}  # noqa: PTH120
    inside = standard_library()
    return sorted(folder for folder in folders if not any(is_within(folder, entry) for entry in inside))


def is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def extras() -> list[str]:
    return [path for path in (*_DEVICES, *_DATA) if os.path.exists(path)]  # noqa: PTH110


def is_device(path: str) -> bool:
    return path in _DEVICES
