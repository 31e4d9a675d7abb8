"""Each layer is there for something: with nothing but that layer an attack fails which succeeds without it."""

from __future__ import annotations

import os
import re
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.sandbox import Sandbox, attempts, open_sandbox
from harness.sandbox.layers import LAYERS, load
from tests.sandbox.programs import play

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the layers are Linux's")

NO_NEW_PRIVS = """
import ctypes
print("no: the flag is set" if ctypes.CDLL(None).prctl(39, 0, 0, 0, 0) else "GOT the right to gain rights")
"""


@pytest.fixture(scope="module")
def held(best: Sandbox) -> frozenset[str]:
    return frozenset(layer.name for layer in best.layers if layer.held)


@pytest.fixture(scope="module")
def server() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as found:
        yield found


@pytest.fixture
def attacks(tmp_path_factory: pytest.TempPathFactory, server: socket.socket) -> dict[str, tuple[str, str]]:
    """For each layer a program that it must stop, and the line that the program is typed."""
    folder = tmp_path_factory.mktemp("secrets")
    for above in (folder, *folder.parents):
        if above.stat().st_uid == os.getuid() and above.name.startswith(("pytest", "secrets")):
            above.chmod(0o755)
    secret, locked = folder / "secret.txt", folder / "locked.txt"
    for path in (secret, locked):
        path.write_text("expected values")
    if os.getuid() == 0:
        os.chown(locked, 4242, 4242)
        locked.chmod(0o600)
    return {
        "rlimits": (attempts.TAKE_MEMORY, ""),
        "mounts": (attempts.ASK_FOR_FILE, str(secret)),
        "network": (attempts.CONNECT_TCP, str(server.getsockname()[1])),
        "identity": (attempts.READ_FILE, str(locked)),
        "no_new_privs": (NO_NEW_PRIVS, ""),
        "landlock": (attempts.READ_FILE, str(secret)),
        "seccomp": (attempts.FORK, ""),
    }


def test_every_layer_has_an_attack(attacks: dict[str, tuple[str, str]]) -> None:
    assert set(attacks) == set(LAYERS)


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_alone_stops_its_attack(name: str, attacks: dict[str, tuple[str, str]], held: frozenset[str]) -> None:
    if name not in held:
        pytest.skip(f"this machine does not give {name}")
    if name == "identity" and os.getuid() != 0:
        pytest.skip("an ordinary user has no rights to lose")
    program, line = attacks[name]
    alone = {name, getattr(load(name), "NEEDS", name)}
    with open_sandbox(unsandboxed=True, without=LAYERS) as bare:
        assert "GOT" in play(bare, program, line).output
    with open_sandbox(unsandboxed=True, without=set(LAYERS) - alone) as guarded:
        assert "GOT" not in play(guarded, program, line).output


@pytest.mark.parametrize(
    ("without", "attack"),
    [
        (("rlimits",), "rlimits"),
        (("mounts",), "mounts"),
        (("landlock", "mounts"), "landlock"),
        (("seccomp",), "seccomp"),
        (("seccomp", "network", "landlock"), "network"),
        (("no_new_privs",), "no_new_privs"),
        (("identity", "landlock", "mounts"), "identity"),
    ],
)
def test_switching_layers_off_lets_an_attack_through(
    without: tuple[str, ...], attack: str, attacks: dict[str, tuple[str, str]], held: frozenset[str]
) -> None:
    if not held.issuperset(LAYERS) or os.getuid() != 0:
        pytest.skip("not every layer is held here")
    program, line = attacks[attack]
    with open_sandbox(unsandboxed=True) as whole:
        assert "GOT" not in play(whole, program, line).output
    with open_sandbox(unsandboxed=True, without=without) as weaker:
        assert "GOT" in play(weaker, program, line).output


@pytest.mark.parametrize(
    "without", [("mounts",), ("landlock",), ("network",), ("identity",), ("mounts", "network", "identity")]
)
def test_the_rungs_between_are_still_sandboxed(without: tuple[str, ...], held: frozenset[str]) -> None:
    if not held.issuperset(LAYERS):
        pytest.skip("not every layer is held here")
    with open_sandbox(without=without) as sandbox:
        assert sandbox.sandboxed
        assert play(sandbox, "import colorsys, json\nprint(input())", "hello").output == "hello\n"


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_system_call_numbers_are_those_of_the_kernel(machine: str) -> None:
    header = {
        "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
        "aarch64": Path("/usr/include/asm-generic/unistd.h"),
    }[machine]
    if not header.exists():
        pytest.skip("the kernel's headers are not installed")
    known = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text()))
    known.setdefault("newfstatat", known.get("fstatat", ""))
    seccomp = load("seccomp")
    column = seccomp._COLUMN[machine]
    table = {**seccomp._ALLOWED, **seccomp._LOOKED_AT}
    ours = {name: str(pair[column]) for name, pair in table.items() if pair[column] is not None}
    assert {name: number for name, number in ours.items() if known.get(name) != number} == {}
    absent = {name for name, pair in table.items() if pair[column] is None}
    assert not absent & set(known)


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_decides_as_its_table_says(machine: str) -> None:
    """Interpret the filter for every system call number, so that both machines are covered on either."""
    seccomp = load("seccomp")
    program = seccomp._program(machine)
    column = seccomp._COLUMN[machine]
    allowed = {pair[column] for pair in seccomp._ALLOWED.values()}
    looked_at = {pair[column] for pair in seccomp._LOOKED_AT.values()}
    for number in set(range(600)) - looked_at:
        assert (_decide(program, machine, number) == seccomp._ALLOW) == (number in allowed)
    numbers = {name: pair[column] for name, pair in seccomp._LOOKED_AT.items()}
    mark = seccomp._PID_MARK
    assert _decide(program, machine, numbers["clone"], 0x3D0F00) == seccomp._ALLOW
    assert _decide(program, machine, numbers["clone"], 0x1200011) != seccomp._ALLOW
    assert _decide(program, machine, numbers["clone3"]) == 0x00050000 | 38
    assert _decide(program, machine, numbers["kill"], mark) == seccomp._ALLOW
    assert _decide(program, machine, numbers["kill"], 1) != seccomp._ALLOW
    assert _decide(program, machine, numbers["tgkill"], mark) == seccomp._ALLOW
    assert _decide(program, machine, numbers["prctl"], 15) == seccomp._ALLOW
    assert _decide(program, machine, numbers["prctl"], 4) != seccomp._ALLOW
    assert _decide(program, machine, numbers["fcntl"], 0, 1) == seccomp._ALLOW
    assert _decide(program, machine, numbers["fcntl"], 0, 1031) != seccomp._ALLOW
    assert _decide(program, machine, numbers["ioctl"], 0, 0x5401) == seccomp._ALLOW
    assert _decide(program, machine, numbers["ioctl"], 0, 0x5412) != seccomp._ALLOW
    assert _decide(program, machine, numbers["prlimit64"], 0) == seccomp._ALLOW
    assert _decide(program, machine, numbers["prlimit64"], 1) != seccomp._ALLOW
    assert _decide(program, "riscv", 0) == seccomp._KILL
    assert _decide(program, machine, 0x40000000) == seccomp._KILL


def _decide(
    program: list[tuple[int, int, int, int]], machine: str, number: int, first: int = 0, second: int = 0
) -> int:
    seccomp = load("seccomp")
    memory = {0: number, 4: seccomp._ARCHITECTURES.get(machine, 0), 16: first, 24: second}
    at, value = 0, 0
    while True:
        code, yes, no, operand = program[at]
        at += 1
        if code == seccomp._LOAD:
            value = memory[operand]
        elif code == seccomp._RETURN:
            return operand
        else:
            true = {
                seccomp._EQUAL: value == operand,
                seccomp._AT_LEAST: value >= operand,
                seccomp._ABOVE: value > operand,
                seccomp._ANY_BIT: bool(value & operand),
            }[code]
            at += yes if true else no
