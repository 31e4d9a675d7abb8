"""No program started from here can have more rights than this one: no set-uid, and the kernel then allows Landlock and seccomp."""

from __future__ import annotations

from typing import Any

from . import system

NAME = "no_new_privs"
PROMISE = "nothing started by the program can gain rights"
_SET, _GET = 38, 39


def prepare(settings: dict[str, Any]) -> None:
    del settings


def enter(state: None, numbers: Any) -> None:
    del state, numbers
    system.prctl(_SET, 1)


def attempt(state: None) -> str:
    """Empty if the layer holds here, else what got through."""
    del state
    return "" if system.prctl(_GET) == 1 else "the flag is not set"
