"""seccomp: a list of the system calls that a Python program needs; all others fail as "not permitted".

No sockets, no new processes, no exec, no memfd, no ptrace, no signals to anybody else. Threads are allowed. `clone3` answers
"no such call", so that the C library falls back to `clone`, whose flags can be looked at. A foreign architecture and the x32 calls are killed.
"""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import struct
from typing import Any

from . import system

NAME = "seccomp"
NEEDS = "no_new_privs"
PROMISE = "no sockets, no processes, no signals to others"

# name: (x86_64, aarch64); None where the machine has no such call.
_ALLOWED = {
    "read": (0, 63), "write": (1, 64), "open": (2, None), "close": (3, 57), "stat": (4, None), "fstat": (5, 80),
    "lstat": (6, None), "poll": (7, None), "lseek": (8, 62), "mmap": (9, 222), "mprotect": (10, 226),
    "munmap": (11, 215), "brk": (12, 214), "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139), "pread64": (17, 67), "pwrite64": (18, 68), "readv": (19, 65), "writev": (20, 66),
    "access": (21, None), "pipe": (22, None), "select": (23, None), "sched_yield": (24, 124), "mremap": (25, 216),
    "msync": (26, 227), "mincore": (27, 232), "madvise": (28, 233), "dup": (32, 23), "dup2": (33, None),
    "pause": (34, None), "nanosleep": (35, 101), "getitimer": (36, 102), "alarm": (37, None), "setitimer": (38, 103),
    "getpid": (39, 172), "sendfile": (40, 71), "exit": (60, 93), "wait4": (61, 260), "uname": (63, 160),
    "flock": (73, 32), "fsync": (74, 82), "fdatasync": (75, 83), "truncate": (76, 45), "ftruncate": (77, 46),
    "getdents": (78, None), "getcwd": (79, 17), "chdir": (80, 49), "fchdir": (81, 50), "rename": (82, None),
    "mkdir": (83, None), "rmdir": (84, None), "creat": (85, None), "unlink": (87, None), "readlink": (89, None),
    "chmod": (90, None), "fchmod": (91, 52), "umask": (95, 166), "gettimeofday": (96, 169), "getrlimit": (97, 163),
    "getrusage": (98, 165), "sysinfo": (99, 179), "times": (100, 153), "getuid": (102, 174), "getgid": (104, 176),
    "geteuid": (107, 175), "getegid": (108, 177), "getppid": (110, 173), "getpgrp": (111, None), "getgroups": (115, 158),
    "getresuid": (118, 148), "getresgid": (120, 150), "getpgid": (121, 155), "getsid": (124, 156),
    "rt_sigpending": (127, 136), "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133), "sigaltstack": (131, 132),
    "utime": (132, None), "statfs": (137, 43), "fstatfs": (138, 44), "getpriority": (140, 141),
    "sched_getparam": (143, 121), "sched_getscheduler": (145, 120), "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126), "gettid": (186, 178), "time": (201, None), "futex": (202, 98),
    "sched_getaffinity": (204, 123), "epoll_create": (213, None), "getdents64": (217, 61), "set_tid_address": (218, 96),
    "restart_syscall": (219, 128), "fadvise64": (221, 223), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115), "exit_group": (231, 94), "epoll_wait": (232, None), "epoll_ctl": (233, 21),
    "utimes": (235, None), "waitid": (247, 95), "openat": (257, 56), "mkdirat": (258, 34), "newfstatat": (262, 79),
    "unlinkat": (263, 35), "renameat": (264, 38), "readlinkat": (267, 78), "fchmodat": (268, 53), "faccessat": (269, 48),
    "pselect6": (270, 72), "ppoll": (271, 73), "set_robust_list": (273, 99), "get_robust_list": (274, 100),
    "utimensat": (280, 88), "epoll_pwait": (281, 22), "eventfd": (284, None), "fallocate": (285, 47), "eventfd2": (290, 19),
    "epoll_create1": (291, 20), "dup3": (292, 24), "pipe2": (293, 59), "preadv": (295, 69), "pwritev": (296, 70),
    "renameat2": (316, 276), "getrandom": (318, 278), "membarrier": (324, 283), "copy_file_range": (326, 285),
    "preadv2": (327, 286), "pwritev2": (328, 287), "statx": (332, 291), "rseq": (334, 293), "close_range": (436, 436),
    "faccessat2": (439, 439), "epoll_pwait2": (441, 441), "futex_waitv": (449, 449),
}  # fmt: skip
_LOOKED_AT = {
    "ioctl": (16, 29), "clone": (56, 220), "kill": (62, 129), "fcntl": (72, 25), "prctl": (157, 167),
    "tgkill": (234, 131), "prlimit64": (302, 261), "clone3": (435, 435),
}  # fmt: skip
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_COLUMN = {"x86_64": 0, "aarch64": 1}
_X32 = 0x40000000
_CLONE_THREAD = 0x10000
_TERMINAL_QUESTIONS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
_FORBIDDEN_FCNTL = (8, 10, 15, 1024, 1026, 1031, 1033)
_PRCTL_NAMES = (15, 16, 0x53564D41)

_LOAD, _EQUAL, _AT_LEAST, _ABOVE, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x25, 0x45, 0x06
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_AT, _SECOND_AT = 0, 4, 16, 24
_PID_MARK = 0x7A7A7A7A

Step = tuple[int, int, int, int]


def _refuse(number: int = errno.EPERM) -> Step:
    return (_RETURN, 0, 0, 0x00050000 | number)


def prepare(settings: dict[str, Any]) -> bytes:
    """The filter as the kernel takes it, with a mark where the child's own pid will stand."""
    del settings
    if system.MACHINE not in _COLUMN:
        raise OSError(errno.ENOSYS, f"no system call numbers for {system.MACHINE}")
    return b"".join(struct.pack("=HBBI", *step) for step in _program(system.MACHINE))


def _program(machine: str) -> list[Step]:
    column = _COLUMN[machine]
    steps: list[Step] = [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_EQUAL, 1, 0, _ARCHITECTURES[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, _KILL),
    ]
    for name, numbers in _LOOKED_AT.items():
        block = _BLOCKS[name]
        steps += [(_EQUAL, 0, len(block), numbers[column]), *block]
    for low, high in _runs(sorted(number for pair in _ALLOWED.values() if (number := pair[column]) is not None)):
        steps += [(_AT_LEAST, 0, 2, low), (_ABOVE, 1, 0, high), (_RETURN, 0, 0, _ALLOW)]
    return [*steps, _refuse()]


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Neighbouring numbers as ranges."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def _only(at: int, values: tuple[int, ...], otherwise: Step) -> list[Step]:
    """Allow if the argument is one of these."""
    tests = [(_EQUAL, len(values) - index, 0, value) for index, value in enumerate(values)]
    return [(_LOAD, 0, 0, at), *tests, otherwise, (_RETURN, 0, 0, _ALLOW)]


def _not(at: int, values: tuple[int, ...]) -> list[Step]:
    """Allow unless the argument is one of these."""
    tests = [(_EQUAL, len(values) - index, 0, value) for index, value in enumerate(values)]
    return [(_LOAD, 0, 0, at), *tests, (_RETURN, 0, 0, _ALLOW), _refuse()]


_BLOCKS: dict[str, list[Step]] = {
    "ioctl": _only(_SECOND_AT, _TERMINAL_QUESTIONS, _refuse(errno.ENOTTY)),
    "clone": [(_LOAD, 0, 0, _FIRST_AT), (_ANY_BIT, 1, 0, _CLONE_THREAD), _refuse(), (_RETURN, 0, 0, _ALLOW)],
    "kill": _only(_FIRST_AT, (_PID_MARK,), _refuse()),
    "fcntl": _not(_SECOND_AT, _FORBIDDEN_FCNTL),
    "prctl": _only(_FIRST_AT, _PRCTL_NAMES, _refuse()),
    "tgkill": _only(_FIRST_AT, (_PID_MARK,), _refuse()),
    "prlimit64": _only(_FIRST_AT, (0,), _refuse()),
    "clone3": [_refuse(errno.ENOSYS)],
}


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def enter(state: bytes, numbers: Any) -> None:
    """Load the filter, with this process as the only one that it may signal."""
    del numbers
    code = state.replace(struct.pack("=I", _PID_MARK), struct.pack("=I", os.getpid()))
    system.prctl(22, 2, ctypes.byref(_Filter(len(code) // 8, code)))


def attempt(state: bytes) -> str:
    """Empty if the layer holds here, else what got through."""
    del state
    try:
        socket.socket(socket.AF_UNIX).close()
    except PermissionError:
        return ""
    return "a socket could be made"
