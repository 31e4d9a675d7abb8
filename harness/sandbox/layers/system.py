"""The few system calls that Python has no name for. Linux only; standard library only."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import platform
from typing import Any

CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000

_libc: Any = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
MACHINE = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine())
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(number: int, *arguments: Any) -> int:
    """A system call by its number; raises OSError."""
    return _checked(_libc.syscall(ctypes.c_long(number), *arguments), f"system call {number}")


def prctl(option: int, *arguments: Any) -> int:
    padded = [
        *(ctypes.c_ulong(item) if isinstance(item, int) else item for item in arguments),
        *[ctypes.c_ulong(0)] * 4,
    ][:4]
    return _checked(_libc.prctl(ctypes.c_int(option), *padded), f"prctl {option}")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    result = _libc.mount(source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), options.encode())
    _checked(result, f"mount {target}")


def unmount_lazily(target: str) -> None:
    _checked(_libc.umount2(target.encode(), 2), f"unmount {target}")


def pivot_root(new: str, old: str) -> None:
    if MACHINE not in _PIVOT_ROOT:
        raise OSError(errno.ENOSYS, f"no number for pivot_root on {MACHINE}")
    syscall(_PIVOT_ROOT[MACHINE], ctypes.c_char_p(new.encode()), ctypes.c_char_p(old.encode()))


def unshare(flags: int) -> None:
    """Leave the namespaces; an ordinary user gets a user namespace with it, in which it stays the same user."""
    uid, gid = os.geteuid(), os.getegid()
    try:
        _checked(_libc.unshare(ctypes.c_int(flags)), "unshare")
    except PermissionError:
        _checked(_libc.unshare(ctypes.c_int(flags | CLONE_NEWUSER)), "unshare with a user namespace")
        with contextlib.suppress(FileNotFoundError):
            _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{uid} {uid} 1")
        _write("/proc/self/gid_map", f"{gid} {gid} 1")


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:  # noqa: PTH123 - pathlib is not needed inside
        file.write(text)
