"""A blind zygote: one warm, single-threaded process that forks a sandboxed child for each unit.

It passes descriptors and never reads what is behind them: no job, no result, no output. A fork hands its memory to the next
student, so it must not hold anything of the one before. Standard library only; it is started by `start.py`.
The first thing it says is hello: which layers hold, as JSON, with the open scratch folder. After that see `messages.py`.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
from typing import Any

from . import layers, worker
from .inside.codec import Frames
from .layers.rlimits import Numbers
from .messages import ANSWER, BORN, DESCRIPTORS, GONE, KILL, REQUEST

THREADS = 64
_FRAMES = 3
_PRELOAD = (
    "collections", "copy", "csv", "dataclasses", "datetime", "enum", "functools", "inspect", "itertools", "math",
    "operator", "os", "pathlib", "random", "re", "string", "textwrap", "time", "typing",
)  # fmt: skip

Held = list[tuple[Any, Any]]
"""The layers that hold here, each with what its `prepare` returned."""


def main(arguments: list[str]) -> None:
    """Prepare the layers, say which hold, and serve until the controller is gone."""
    settings: dict[str, Any] = json.loads(arguments[0])
    channel = socket.socket(fileno=settings["socket"])
    for name in _PRELOAD:
        importlib.import_module(name)
    from .layers import system  # noqa: PLC0415 - after the warm-up; Linux only

    children = _children_list()
    held, reasons = _prepare(settings)
    system.prctl(4, 0)
    system.prctl(36, 1)
    scratch = os.open(settings["scratch"], os.O_RDONLY | os.O_DIRECTORY)
    uid = next((state.uid for layer, state in held if layer.NAME == "identity"), None)
    hello = json.dumps({"layers": reasons, "uid": uid}).encode()
    socket.send_fds(channel, [hello], [scratch])
    gc.collect()
    gc.freeze()
    _serve(channel, held, scratch, children, Numbers(0, 0, 0, 0, THREADS if uid is not None else 0))


def _prepare(settings: dict[str, Any]) -> tuple[Held, dict[str, str]]:
    """The layers that can be had, and for each layer why it does not hold, or nothing."""
    held: Held = []
    reasons: dict[str, str] = {}
    for layer in [layers.load(name) for name in settings["layers"]]:
        try:
            reasons[layer.NAME] = _lacking(layer, reasons)
            if not reasons[layer.NAME]:
                held.append((layer, layer.prepare(settings)))
        except OSError as error:
            reasons[layer.NAME] = f"{type(error).__name__}: {error}"
    if settings["probe"]:
        for layer, state in held:
            reasons[layer.NAME] = _probe(layer, state)
    return held, reasons


def _lacking(layer: Any, before: dict[str, str]) -> str:
    needed = getattr(layer, "NEEDS", "")
    return f"it needs {needed}" if needed and before.get(needed, "absent") else ""


def _probe(layer: Any, state: Any) -> str:
    """Try in a child what the layer must stop."""
    listen, tell = os.pipe()
    child = os.fork()
    if child == 0:
        answer = "the attempt itself failed"
        try:
            if hasattr(layer, "NEEDS"):
                layers.load(layer.NEEDS).enter(None, None)
            layer.enter(state, Numbers(60, 1 << 28, 1 << 20, 64))
            answer = layer.attempt(state)
        except BaseException as error:  # noqa: BLE001 - whatever went wrong, the layer is not proved
            answer = f"{type(error).__name__}: {error}"
        finally:
            os.write(tell, answer.encode()[:400])
            os._exit(0)
    os.close(tell)
    answer = os.read(listen, 500).decode("utf-8", "replace")
    os.close(listen)
    _, status = os.waitpid(child, 0)
    return answer if status == 0 else "the attempt was killed"


def _children_list() -> int | None:
    """An open list of our children, for the time after the old root is gone."""
    try:
        return os.open(f"/proc/self/task/{os.getpid()}/children", os.O_RDONLY)
    except OSError:
        return None


def _serve(channel: socket.socket, held: Held, scratch: int, children: int | None, extra: Numbers) -> None:
    listen, wake = os.pipe()
    os.set_blocking(listen, False)
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    poll = select.poll()
    poll.register(channel, select.POLLIN)
    poll.register(listen, select.POLLIN)
    child = 0
    while True:
        for descriptor, _ in poll.poll():
            if descriptor == listen:
                with contextlib.suppress(BlockingIOError):
                    os.read(listen, 64)
                child = _reap(channel, child, children)
            else:
                child = _receive(channel, child, held, scratch, children, extra)


def _receive(channel: socket.socket, child: int, held: Held, scratch: int, children: int | None, extra: Numbers) -> int:
    """Do what the controller asks; returns the pid of the child that runs afterwards."""
    message, descriptors, _, _ = socket.recv_fds(channel, REQUEST.size, DESCRIPTORS)
    if not message:
        _leave(child, children)
    kind, cpu, memory, file, files = REQUEST.unpack(message)
    if kind == KILL:
        if child:
            os.kill(child, signal.SIGKILL)
        return child
    numbers = Numbers(cpu, memory, file, files, extra.threads)
    born = os.fork()
    if born == 0:
        _be_a_child(descriptors, held, scratch, numbers)
    for descriptor in descriptors:
        os.close(descriptor)
    channel.send(ANSWER.pack(BORN, born, 0, 0.0))
    return born


def _reap(channel: socket.socket, child: int, children: int | None) -> int:
    """If the child is dead, end what it left behind and tell the controller."""
    if not child:
        return 0
    pid, status, usage = os.wait4(child, os.WNOHANG)
    if pid != child:
        return child
    _sweep(children)
    channel.send(ANSWER.pack(GONE, child, status, usage.ru_utime + usage.ru_stime))
    return 0


def _sweep(children: int | None) -> None:
    """Orphans of the child have become ours: end them, and theirs, until none is left."""
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            if children is None:
                return
            for orphan in os.pread(children, 4096, 0).split():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(orphan), signal.SIGKILL)


def _leave(child: int, children: int | None) -> None:
    if child:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    _sweep(children)
    os._exit(0)


def _be_a_child(descriptors: list[int], held: Held, scratch: int, numbers: Numbers) -> None:
    """Enter every layer and do the job; never returns."""
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        for number, descriptor in enumerate(descriptors):
            os.dup2(descriptor, number)
        os.fchdir(scratch)
        name = ""
        try:
            for layer, state in held:
                name = layer.NAME
                if name == "seccomp":
                    _die_with_parent()
                layer.enter(state, numbers)
        except OSError as error:
            Frames(_FRAMES).send({"fault": f"{name}: {error}"})
            os._exit(1)
        os.closerange(DESCRIPTORS, 1 << 20)
        worker.work(0, _FRAMES)
    finally:
        os._exit(70)


def _die_with_parent() -> None:
    """If the zygote is killed, its child goes too; taking another uid has reset this, so it comes late."""
    sys.modules[f"{__package__}.layers.system"].prctl(1, signal.SIGKILL)
