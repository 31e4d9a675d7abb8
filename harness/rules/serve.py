"""The child that reads students' sources: one file after the other, under limits, standard library only.

It is told the rules and limits once, says `ready`, and then answers each file with `parsed` (Python can read it;
whatever goes wrong from here on is not the student's fault) and `inspection`. `last` tells the parent to start
another child: this one has been at the edge of its memory.
"""

from __future__ import annotations

import base64
import os
import sys
from pathlib import Path
from typing import Any, BinaryIO

from harness.rules import Rule, read_rules
from harness.rules.frames import read as read_frame
from harness.rules.frames import write as write_frame
from harness.rules.inspection import as_data, inspected, refused
from harness.rules.source import read
from harness.rules.unreadable import Unreadable

try:
    import resource
except ImportError:  # Windows has no such limits; there the parent's clock is the only one
    resource = None  # type: ignore[assignment]


def main() -> None:
    """Answer requests until the parent closes its end."""
    incoming, outgoing = sys.stdin.buffer, sys.stdout.buffer
    setup = read_frame(incoming)
    if setup is None:
        return
    rules, faults = read_rules(setup["rules"], Path("rules"))
    if faults:
        raise SystemExit("\n".join(str(fault) for fault in faults))
    _limit_memory(setup["memory_mb"])
    write_frame(outgoing, {"ready": os.getpid()})
    request = read_frame(incoming)
    while request is not None:
        _limit_cpu(setup["cpu_seconds"])
        _answer(outgoing, request, rules)
        request = read_frame(incoming)


def _answer(outgoing: BinaryIO, request: dict[str, Any], rules: tuple[Rule, ...]) -> None:
    file, data = request["file"], base64.b64decode(request["data"])
    try:
        source = read(file, data)
        if isinstance(source, Unreadable):
            write_frame(outgoing, {"inspection": as_data(refused(file, data, source))})
            return
        write_frame(outgoing, {"parsed": True})
        write_frame(outgoing, {"inspection": as_data(inspected(source, rules))})
    except MemoryError:
        write_frame(outgoing, {"last": True, "reason": "memory"})


def _limit_memory(megabytes: int) -> None:
    """A bound on the address space where the system has one; some accept the call and some do not."""
    if resource is None:
        return
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        size = megabytes * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    except (OSError, ValueError):
        return


def _limit_cpu(seconds: int) -> None:
    """So many more seconds of processor time from now on; then the system ends this process."""
    if resource is None:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(used.ru_utime + used.ru_stime) + 1 + seconds
    if hard == resource.RLIM_INFINITY or soft <= hard:
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


if __name__ == "__main__":
    main()
