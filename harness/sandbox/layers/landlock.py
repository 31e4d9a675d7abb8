"""Landlock: nothing outside the unit's folder and the interpreter's library can be opened, whoever the process is.

The rule set is built once, when the zygote starts; each child only enters it. Installed packages are left out, because a wheel
puts our references among them.
"""

from __future__ import annotations

import ctypes
import os
import struct
from typing import Any

from . import library, system

NAME = "landlock"
NEEDS = "no_new_privs"
PROMISE = "files outside its own folder cannot be opened"
_CREATE, _ADD, _RESTRICT = 444, 445, 446
_EXECUTE, _WRITE, _READ, _LIST, _REMOVE_DIR, _REMOVE, _MAKE_DIR, _MAKE_REG = 1, 2, 4, 8, 1 << 4, 1 << 5, 1 << 7, 1 << 8
_TRUNCATE = 1 << 14
_OWN = _WRITE | _READ | _LIST | _REMOVE_DIR | _REMOVE | _MAKE_DIR | _MAKE_REG
_ALL_FS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
_NET, _SCOPE = 3, 3


def prepare(settings: dict[str, Any]) -> int:
    """Build the rule set: an open descriptor."""
    abi = system.syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint(1))
    handled = _ALL_FS.get(abi, (1 << 16) - 1)
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    attributes = struct.pack("QQQ", handled, _NET, _SCOPE)[:size]
    rules = system.syscall(_CREATE, ctypes.c_char_p(attributes), ctypes.c_size_t(size), ctypes.c_uint(0))
    own = _OWN | (_TRUNCATE if abi >= 3 else 0)
    for path in _readable():
        _allow(rules, path, _LIST | _READ if os.path.isdir(path) else _READ)  # noqa: PTH112
    _allow(rules, "/dev/null", _READ | _WRITE)
    _allow(rules, settings["scratch"], own)
    return rules


def _readable() -> list[str]:
    """The library entry by entry, so that installed packages inside it stay closed."""
    inside = library.standard_library()
    paths = [*library.shared_libraries(), *library.extras()]
    for folder in inside:
        if not os.path.isdir(folder) or not library.foreign_folders([folder]):  # noqa: PTH112
            paths.append(folder)
        else:
            paths += [entry.path for entry in os.scandir(folder) if not library.is_foreign(entry.path)]
    return paths


def _allow(rules: int, path: str, access: int) -> None:
    try:
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        rule = struct.pack("=Qi", access, folder)
        system.syscall(_ADD, ctypes.c_int(rules), ctypes.c_int(1), ctypes.c_char_p(rule), ctypes.c_uint(0))
    finally:
        os.close(folder)


def enter(state: int, numbers: Any) -> None:
    del numbers
    system.syscall(_RESTRICT, ctypes.c_int(state), ctypes.c_uint(0))


def attempt(state: int) -> str:
    """Empty if the layer holds here, else what got through."""
    del state
    try:
        os.listdir("/")  # noqa: PTH208 - pathlib is not needed inside
    except PermissionError:
        return ""
    return "the root folder could be listed"
