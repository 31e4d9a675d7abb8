"""The layers of the sandbox, outermost first, one file each. Standard library only: they run in the zygote and its children.

Every layer has the same four parts:

    NAME, PROMISE               what it is called, and what it promises in words; NEEDS, where it rests on another layer
    prepare(settings) -> state  once, in the zygote; an OSError means it cannot be had here
    enter(state, numbers)       in each child, before any student code
    attempt(state) -> str       in a child that has entered it alone: tries what it must stop; empty if it was stopped
"""

from __future__ import annotations

import importlib
from typing import Any

LAYERS = ("rlimits", "mounts", "network", "identity", "no_new_privs", "landlock", "seccomp")
"""In the order in which they are prepared and entered."""


def load(name: str) -> Any:
    """The module of a layer; only when asked, because most of them exist on Linux alone."""
    return importlib.import_module(f".{name}", __package__)
