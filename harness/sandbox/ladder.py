"""Which rung of isolation this machine gives, found by trying, and the slots that stand on it.

sandboxed      resource limits, no new rights, a closed file system (Landlock, or a root folder of its own) and seccomp;
on top of them, where they can be had, another uid or no capabilities, and an empty network
unsandboxed    anything less: on Linux still with whatever holds, elsewhere a plain subprocess
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import SandboxError
from harness.sandbox import scratch
from harness.sandbox.controller import UNSANDBOXED, Layer, Sandbox, Slot
from harness.sandbox.layers import LAYERS
from harness.sandbox.plain import Plain

if TYPE_CHECKING:
    from harness.sandbox.slots import ZygoteSlot

_NEEDED = ("rlimits", "no_new_privs", "seccomp")
_CLOSED = ("landlock", "mounts")
_PREFIX = "patience-"


@contextlib.contextmanager
def open_sandbox(
    *, jobs: int = 1, unsandboxed: bool = False, plain: bool = False, without: Collection[str] = ()
) -> Iterator[Sandbox]:
    """Slots for as many units at a time. Below "sandboxed" it refuses, unless `unsandboxed` says that this is accepted.

    `plain` asks for plain subprocesses even where more can be had; `without` leaves out layers by name, to show what each is for.
    """
    guard_memory()
    sandbox = _plain(jobs, "plain subprocesses were asked for") if plain else _best(jobs, without)
    try:
        if not sandbox.sandboxed and not unsandboxed:
            raise SandboxError(_refusal(sandbox.layers))
        yield sandbox
    finally:
        sandbox.close()


def _best(jobs: int, without: Collection[str]) -> Sandbox:
    if not sys.platform.startswith("linux"):
        return _plain(jobs, "this system has no such layer")
    sweep_leftovers()
    root = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
    root.chmod(0o711)
    wanted = tuple(name for name in LAYERS if name not in without)
    try:
        slots, layers = _zygotes(root, jobs, wanted)
    except OSError as error:
        scratch.discard(root)
        return _plain(jobs, f"no zygote can be started: {error}")
    found = tuple(layers.get(name) or Layer(name, held=False, why="left out on request") for name in LAYERS)
    return Sandbox(slots, _rung(found, slots[0].child_uid), found, root)


def _zygotes(root: Path, jobs: int, wanted: tuple[str, ...]) -> tuple[list[ZygoteSlot], dict[str, Layer]]:
    """Start one zygote that tries every layer, and then all of them with those that hold."""
    from harness.sandbox.slots import ZygoteSlot  # noqa: PLC0415 - Linux only

    first = ZygoteSlot(root / "0", 0, wanted, probe=True)
    try:
        first.greet()
    except OSError:
        first.close()
        raise
    layers = {name: Layer(name, held=not why, why=why or "tried") for name, why in first.reasons.items()}
    good = tuple(name for name in wanted if layers[name].held)
    if good != wanted:
        first.close()
        first = ZygoteSlot(root / "0", 0, good, probe=False)
        first.greet()
    others = [ZygoteSlot(root / str(index), index, good, probe=False) for index in range(1, jobs)]
    for slot in others:
        slot.greet()
    return [first, *others], layers


def _plain(jobs: int, why: str) -> Sandbox:
    layers = tuple(Layer(name, held=False, why=why) for name in LAYERS)
    slots: list[Slot] = [Plain() for _ in range(jobs)]
    return Sandbox(slots, UNSANDBOXED, layers)


def _rung(layers: tuple[Layer, ...], uid: int | None) -> str:
    """The rung in a few words, such as `landlock+seccomp+uid+mounts+network`."""
    held = {layer.name for layer in layers if layer.held}
    if not held.issuperset(_NEEDED) or not held.intersection(_CLOSED):
        return UNSANDBOXED
    identity = ("uid" if uid is not None else "no capabilities") if "identity" in held else ""
    words = [
        "landlock" in held and "landlock",
        "seccomp",
        identity,
        *(name for name in ("mounts", "network") if name in held),
    ]
    return "+".join(word for word in words if word)


def _refusal(layers: tuple[Layer, ...]) -> str:
    missing = "; ".join(f"{layer.name}: {layer.why}" for layer in layers if not layer.held)
    return (
        f"this machine gives no sandbox ({missing}). Programs of other people should not run here without one: "
        "use a Linux machine or container with Landlock, or accept the risk by name with --unsandboxed"
    )


def guard_memory() -> None:
    """Nobody but root may look into this process, which holds what students must not see."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)


def sweep_leftovers() -> None:
    """Remove the folders of a harness that was killed before it could tidy up."""
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        owner = path.name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdigit() and not Path(f"/proc/{owner}").exists():
            with contextlib.suppress(OSError):
                scratch.discard(path)
