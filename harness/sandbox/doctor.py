"""What isolation holds on this machine: every promise, each proved by a real attempt through the real sandbox."""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import enum
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from harness.outcome import Outcome
from harness.plan import Limits
from harness.sandbox import attempts
from harness.sandbox.controller import Sandbox
from harness.sandbox.ladder import open_sandbox
from harness.sandbox.plain import environment
from harness.sandbox.reply import Reply

LIMITS = Limits(cpu_seconds=0.6, wall_seconds=2.0, memory_mb=256, submission_cpu_seconds=5.0)
_GRACE = 2.0


class Standing(enum.Enum):
    """What the attempt has shown."""

    HELD = "held"
    NOT_HELD = "not held"
    UNKNOWN = "unknown"


@dataclasses.dataclass(frozen=True)
class Promise:
    """One promise, whether it holds here, and one sentence that says how that was seen."""

    name: str
    promise: str
    standing: Standing
    why: str


@dataclasses.dataclass(frozen=True)
class _Place:
    """What the attempts aim at: a secret outside, a folder, a port, a process of ours."""

    sandbox: Sandbox
    folder: Path
    home: Path
    victim: subprocess.Popen[bytes]


_Check = Callable[[_Place], tuple[Standing, str]]


def examine(*, plain: bool = False, without: Collection[str] = ()) -> tuple[Promise, ...]:
    """Try every promise. `plain` and `without` show what would be lost without the layers."""
    with open_sandbox(jobs=2, unsandboxed=True, plain=plain, without=without) as sandbox, _place(sandbox) as place:
        return tuple(_promise(name, promise, check, place) for name, promise, check in _CHECKS)


def _promise(name: str, promise: str, check: _Check, place: _Place) -> Promise:
    try:
        standing, why = check(place)
    except OSError as error:
        standing, why = Standing.UNKNOWN, f"the attempt could not be made: {error}"
    return Promise(name, promise, standing, why)


@contextlib.contextmanager
def _place(sandbox: Sandbox) -> Iterator[_Place]:
    """A folder with a secret that everybody may read, and a process that must stay alive."""
    folder = Path(tempfile.mkdtemp(prefix="doctor-"))
    folder.chmod(0o777)
    (folder / "secret.txt").write_text("expected values")
    (folder / "secret.txt").chmod(0o644)
    victim = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE)
    try:
        yield _Place(sandbox, folder, Path.home(), victim)
    finally:
        victim.kill()
        victim.communicate()
        shutil.rmtree(folder, ignore_errors=True)


def _run(place: _Place, program: str, *lines: str) -> Reply:
    job = {
        "kind": "session",
        "file": "attempt.py",
        "module": "attempt",
        "source": base64.b64encode(program.encode()).decode(),
        "supplied": [],
        "seed": 0,
        "cut": False,
        "inputs": list(lines),
        "deck": None,
        "watch": [],
        "forced": [],
    }
    return place.sandbox.run(job, LIMITS)


def _judged(reply: Reply) -> tuple[Standing, str]:
    """Held if the program got nothing; what it printed is the reason."""
    said = reply.output.decode("utf-8", "replace").strip()
    if "GOT" in said:
        return Standing.NOT_HELD, _line(said)
    if reply.end is not Outcome.PASSED:
        return Standing.HELD, f"it was stopped: {reply.detail}"
    return (Standing.HELD, _line(said)) if said else (Standing.UNKNOWN, "the attempt said nothing")


def _line(text: str) -> str:
    line = next((line for line in text.splitlines() if "GOT" in line), text.splitlines()[-1])
    return f"the attempt said: {line[:120]}"


def _simple(program: str, *lines: Callable[[_Place], str]) -> _Check:
    return lambda place: _judged(_run(place, program, *(line(place) for line in lines)))


def _secret(place: _Place) -> str:
    return str(place.folder / "secret.txt")


def _write_outside(place: _Place) -> tuple[Standing, str]:
    target = place.folder / "written.txt"
    standing, why = _judged(_run(place, attempts.WRITE_FILE, str(target)))
    return (Standing.NOT_HELD, "a file appeared outside its folder") if target.exists() else (standing, why)


def _home(place: _Place) -> tuple[Standing, str]:
    """The way to an interpreter that is installed there may be seen; the rest may not."""
    count = len(list(place.home.iterdir()))
    if count < 2:
        return Standing.UNKNOWN, "the home folder is empty"
    return _judged(_run(place, attempts.LIST_FOLDER, str(place.home), str(count)))


def _tcp(place: _Place) -> tuple[Standing, str]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return _judged(_run(place, attempts.CONNECT_TCP, str(server.getsockname()[1])))


def _udp(place: _Place) -> tuple[Standing, str]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        server.settimeout(0.2)
        standing, why = _judged(_run(place, attempts.SEND_UDP, str(server.getsockname()[1])))
        with contextlib.suppress(TimeoutError):
            server.recv(64)
            return Standing.NOT_HELD, "a datagram arrived"
    return standing, why


def _unix(place: _Place) -> tuple[Standing, str]:
    name = f"patience-doctor-{secrets.token_hex(8)}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0{name}")
        server.listen()
        return _judged(_run(place, attempts.CONNECT_UNIX, name))


def _signal(place: _Place) -> tuple[Standing, str]:
    standing, why = _judged(_run(place, attempts.SIGNAL, str(place.victim.pid)))
    time.sleep(0.05)
    return (Standing.NOT_HELD, "another process was killed") if place.victim.poll() is not None else (standing, why)


def _descendants(place: _Place) -> tuple[Standing, str]:
    reply = _run(place, attempts.LEAVE_CHILD)
    words = reply.output.decode("ascii", "replace").split()
    if words[:1] != ["pid"] or not words[1:] or not words[1].isdigit():
        return _judged(reply)
    time.sleep(0.1)
    if _is_alive(int(words[1])):
        return Standing.NOT_HELD, "a process that it had started lived on"
    return Standing.HELD, "a process that it had started was found and ended"


def _is_alive(pid: int) -> bool:
    """Whether the process still runs; one that is dead but not yet collected does not."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] != b"Z"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return not Path("/proc/self").exists()


def _stopped(program: str, expected: Outcome, seconds: float) -> _Check:
    """Held if the run ended with that outcome in time."""

    def check(place: _Place) -> tuple[Standing, str]:
        start = time.monotonic()
        reply = _run(place, program)
        took = time.monotonic() - start
        held = reply.end is expected and took < seconds + _GRACE
        return (Standing.HELD if held else Standing.NOT_HELD), f"it ended as {reply.end.words} after {took:.1f} seconds"

    return check


def _neighbours(place: _Place) -> tuple[Standing, str]:
    """One program keeps a file while another looks for it everywhere it can think of."""
    name = f"neighbour-{secrets.token_hex(8)}.txt"
    keeper = threading.Thread(target=_run, args=(place, attempts.KEEP_FILE, name, "1.2"))
    keeper.start()
    time.sleep(0.3)
    places = [".", "..", "../..", "/scratch", str(Path(tempfile.gettempdir()) / "patience-*")]
    try:
        reply = _run(place, attempts.FIND_FILE, name, ";".join(places))
    finally:
        keeper.join()
    return (
        _judged(reply) if reply.end is Outcome.PASSED else (Standing.UNKNOWN, f"the search was stopped: {reply.detail}")
    )


def _own_file(place: _Place) -> str:
    """A file of the harness itself, beside which references and rubrics lie once it is installed."""
    del place
    return str(Path(__file__))


def _interpreter(place: _Place) -> str:
    del place
    return sys.executable


def _our_pid(place: _Place) -> str:
    del place
    return str(os.getpid())


def _known_variables(place: _Place) -> str:
    del place
    return " ".join([*environment(), "PATIENCE_UNIT", "LC_CTYPE", "__CF_USER_TEXT_ENCODING"])


_CHECKS: tuple[tuple[str, str, _Check], ...] = (
    ("files", "files outside its own folder cannot be read", _simple(attempts.READ_FILE, _secret)),
    ("home", "the home folder cannot be looked into", _home),
    ("reference", "rubrics, references and the harness cannot be read", _simple(attempts.READ_FILE, _own_file)),
    ("existence", "it cannot even be asked whether a file exists", _simple(attempts.ASK_FOR_FILE, _secret)),
    ("writing", "nothing outside its own folder can be written", _write_outside),
    ("tcp", "no connection can be made", _tcp),
    ("udp", "no datagram can be sent", _udp),
    ("unix sockets", "no service of this machine can be reached", _unix),
    ("fork", "no process can be started", _simple(attempts.FORK)),
    ("exec", "no other program can be run", _simple(attempts.EXECUTE, _interpreter)),
    ("signals", "no other process can be signalled", _signal),
    ("descendants", "nothing that it starts outlives it", _descendants),
    ("memory", "memory is limited", _simple(attempts.TAKE_MEMORY)),
    ("processor time", "processor time is limited", _stopped(attempts.USE_TIME, Outcome.TIMEOUT, LIMITS.cpu_seconds)),
    ("waiting", "a program that only waits is ended", _stopped(attempts.WAIT, Outcome.TIMEOUT, LIMITS.wall_seconds)),
    ("output", "a flood of output is cut off", _stopped(attempts.FLOOD, Outcome.OUTPUT_LIMIT, LIMITS.wall_seconds)),
    ("disk", "the disk cannot be filled", _simple(attempts.FILL_DISK)),
    ("many files", "the disk cannot be filled with many small files", _simple(attempts.MANY_FILES)),
    ("neighbours", "the folder of another program cannot be read", _neighbours),
    ("our memory", "the harness cannot be looked into", _simple(attempts.READ_PROCESS, _our_pid)),
    ("environment", "no variable of ours is passed on", _simple(attempts.READ_ENVIRONMENT, _known_variables)),
)
