"""An empty network: no interface, no address, no neighbour. One namespace for all children of a zygote, entered when it starts."""

from __future__ import annotations

import socket
from typing import Any

from . import system

NAME = "network"
PROMISE = "there is no network to reach"


def prepare(settings: dict[str, Any]) -> None:
    del settings
    system.unshare(system.CLONE_NEWNET | system.CLONE_NEWIPC)


def enter(state: None, numbers: Any) -> None:
    """Nothing to do: a child is born into it."""
    del state, numbers


def attempt(state: None) -> str:
    """Empty if the layer holds here, else what got through."""
    del state
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("127.0.0.1", 9))
        except OSError:
            return ""
    return "an address can be reached"
