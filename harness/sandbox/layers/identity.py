"""Another user, and no capabilities.

As root each slot gets a uid of its own, if that uid can read the interpreter's library; otherwise the uid stays and every
capability goes, because root that keeps its rights can raise limits, mount and make devices.
"""

from __future__ import annotations

import ctypes
import dataclasses
import os
import struct
from typing import Any

from . import system

NAME = "identity"
PROMISE = "it runs as another user, or without any of root's rights"
_CAPBSET_READ, _CAPBSET_DROP, _AMBIENT, _AMBIENT_CLEAR = 23, 24, 47, 4
_CAPSET = {"x86_64": 126, "aarch64": 91}
_VERSION_3 = 0x20080522
_LAST_CAPABILITY = 63


@dataclasses.dataclass(frozen=True)
class Identity:
    """The uid to take, or None to keep the present one."""

    uid: int | None


def prepare(settings: dict[str, Any]) -> Identity:
    """Choose the identity, and take the capabilities out of everything that may ever be started from here."""
    uid = settings["uid"]
    chosen = Identity(uid if uid is not None and _can_read_library(uid) else None)
    if system.MACHINE not in _CAPSET:
        raise OSError(f"no system call numbers for {system.MACHINE}")
    for capability in range(_LAST_CAPABILITY + 1):
        try:
            if system.prctl(_CAPBSET_READ, capability) == 1:
                system.prctl(_CAPBSET_DROP, capability)
        except OSError:
            break
    return chosen


def _can_read_library(uid: int) -> bool:
    """Try it: a child takes the uid and opens a module that nothing has imported yet."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            _become(uid)
            with open(os.path.join(os.path.dirname(os.__file__), "colorsys.py"), "rb") as file:  # noqa: PTH118, PTH120, PTH123
                code = 0 if file.read(1) else 1
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


def _become(uid: int) -> None:
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def enter(state: Identity, numbers: Any) -> None:
    del numbers
    if state.uid is not None:
        _become(state.uid)
    header = struct.pack("Ii", _VERSION_3, 0)
    system.syscall(_CAPSET[system.MACHINE], ctypes.c_char_p(header), ctypes.c_char_p(bytes(24)))


def attempt(state: Identity) -> str:
    """Empty if the layer holds here, else what got through."""
    if state.uid is not None and set(os.getresuid()) != {state.uid}:
        return "the uid did not change"
    try:
        os.chroot("/")
    except PermissionError:
        return ""
    return "it still has capabilities"
