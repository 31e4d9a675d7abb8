"""Resource limits of the kernel: a backstop for processor time, and the limit for memory, file size and descriptors."""

from __future__ import annotations

import dataclasses
from typing import Any

NAME = "rlimits"
PROMISE = "memory, file size and descriptors are limited"


@dataclasses.dataclass(frozen=True)
class Numbers:
    """What one unit may use."""

    cpu_seconds: int
    memory_bytes: int
    file_bytes: int
    descriptors: int
    threads: int = 0


def prepare(settings: dict[str, Any]) -> int:
    """How much address space the interpreter has before any student code."""
    del settings
    return _address_space()


def enter(state: int | None, numbers: Numbers) -> None:
    """Limit this process; where the system has no such limit, as macOS for memory, go without it."""
    import resource  # noqa: PLC0415 - Windows has no such module

    used = _address_space() if state is None else state
    wanted = {
        resource.RLIMIT_AS: (used + numbers.memory_bytes,) * 2,
        resource.RLIMIT_FSIZE: (numbers.file_bytes,) * 2,
        resource.RLIMIT_NOFILE: (numbers.descriptors,) * 2,
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_CPU: (numbers.cpu_seconds, numbers.cpu_seconds + 1),
    }
    if numbers.threads:
        wanted[resource.RLIMIT_NPROC] = (numbers.threads,) * 2
    for limit, pair in wanted.items():
        try:
            resource.setrlimit(limit, pair)
        except (ValueError, OSError):
            if state is not None:
                raise


def _address_space() -> int:
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - pathlib is not needed inside
            return int(file.read().split()[0]) * 4096
    except OSError:
        return 64 * 1024 * 1024


def attempt(state: int) -> str:
    """Empty if the layer holds here, else what got through."""
    del state
    try:
        bytearray(1 << 32)
    except MemoryError:
        return ""
    return "four gigabytes could be had"
