"""A root folder of its own that holds the interpreter's library and an empty, small scratch folder, and nothing else.

Made once, when the zygote starts, in a mount namespace that disappears with it. Then other paths cannot even be asked for, and
what a unit can write is bounded by the size of a file system in memory. It takes the place of Landlock where there is none.
"""

from __future__ import annotations

import os
from typing import Any

from . import library, system

NAME = "mounts"
PROMISE = "other files do not even exist for it, and its disk is small"
SCRATCH = "/scratch"
SCRATCH_MB = 16
SCRATCH_FILES = 1024
_RDONLY, _NOSUID, _NODEV, _REMOUNT, _BIND, _REC, _PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
_KEPT_FLAGS = {
    os.ST_NOSUID: _NOSUID,
    os.ST_NODEV: _NODEV,
    os.ST_NOEXEC: 8,
    os.ST_NOATIME: 1024,
    os.ST_RELATIME: 1 << 21,
}


def prepare(settings: dict[str, Any]) -> None:
    """Build the new root in the room we were given and move into it."""
    room = settings["room"]
    paths = [*library.standard_library(), *library.shared_libraries(), *library.extras()]
    hidden = library.foreign_folders(library.standard_library())
    links = [path for path in ("/lib", "/lib64", "/usr/lib64") if os.path.islink(path)]  # noqa: PTH114
    system.unshare(system.CLONE_NEWNS)
    system.mount("none", "/", "", _REC | _PRIVATE)
    system.mount("tmpfs", room, "tmpfs", _NOSUID | _NODEV, "size=256k,mode=755")
    for path in _outermost(paths):
        _bind(path, room + path)
    for path in hidden:
        system.mount("tmpfs", room + path, "tmpfs", _RDONLY | _NOSUID | _NODEV, "size=4k,mode=555")
    for path in links:
        _link(path, room)
    os.mkdir(room + SCRATCH)  # noqa: PTH102
    options = f"size={SCRATCH_MB}m,nr_inodes={SCRATCH_FILES},mode=700"
    system.mount("tmpfs", room + SCRATCH, "tmpfs", _NOSUID | _NODEV, options)
    os.chdir(room)
    system.pivot_root(".", ".")
    system.unmount_lazily(".")
    os.chdir("/")
    system.mount("none", "/", "", _REMOUNT | _BIND | _RDONLY | _NOSUID | _NODEV)
    settings["scratch"] = SCRATCH
    if settings["uid"] is not None:
        os.chown(SCRATCH, settings["uid"], settings["uid"])


def _outermost(paths: list[str]) -> list[str]:
    """Without those that lie in another one of them."""
    return [path for path in paths if not any(other != path and library.is_within(path, other) for other in paths)]


def _bind(source: str, target: str) -> None:
    """Show a folder or file at its own path, read-only."""
    if os.path.isdir(source):  # noqa: PTH112
        os.makedirs(target, exist_ok=True)  # noqa: PTH103
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)  # noqa: PTH103, PTH120
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    system.mount(source, target, "", _BIND | _REC)
    present = os.statvfs(target).f_flag
    kept = sum(flag for shown, flag in _KEPT_FLAGS.items() if present & shown)
    read_only = 0 if library.is_device(source) else _RDONLY
    system.mount("none", target, "", _REMOUNT | _BIND | read_only | kept | _NOSUID)


def _link(path: str, room: str) -> None:
    os.makedirs(os.path.dirname(room + path), exist_ok=True)  # noqa: PTH103, PTH120
    if not os.path.lexists(room + path):
        os.symlink(os.readlink(path), room + path)  # noqa: PTH115, PTH211


def enter(state: None, numbers: Any) -> None:
    """Nothing to do: a child is born into it."""
    del state, numbers


def attempt(state: None) -> str:
    """Empty if the layer holds here, else what got through."""
    del state
    if os.path.exists("/proc/self") or os.path.exists("/tmp"):  # noqa: PTH110, S108
        return "the old root is still there"
    try:
        os.mkdir("/outside")  # noqa: PTH102
    except OSError:
        return ""
    return "the new root can be written"
