"""Faults of ours: a lost zygote, a killed harness, a folder that will not go."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from harness.errors import SandboxError
from harness.outcome import Outcome
from harness.sandbox import Sandbox, open_sandbox, scratch
from harness.sandbox.layers import LAYERS
from harness.sandbox.slots import ZygoteSlot
from tests.sandbox.programs import call

HONEST = "def f(x):\n    return x + 1"


def _zygote(sandbox: Sandbox) -> int:
    slot = sandbox._slots[0]
    assert isinstance(slot, ZygoteSlot)
    return slot._process.pid


def test_a_machine_without_layers_is_refused_unless_it_is_accepted_by_name() -> None:
    with pytest.raises(SandboxError, match="--unsandboxed"), open_sandbox(without=LAYERS):
        pass
    with open_sandbox(without=LAYERS, unsandboxed=True) as sandbox:
        assert sandbox.rung == "unsandboxed"
        assert call(sandbox, HONEST, 1).returned == 2


def test_the_rung_is_told_in_words(sandboxed: Sandbox) -> None:
    assert "seccomp" in sandboxed.rung.split("+")
    assert all(layer.why for layer in sandboxed.layers)


def test_a_killed_zygote_is_replaced() -> None:
    with open_sandbox(unsandboxed=True) as sandbox:
        before = _zygote(sandbox)
        os.kill(before, signal.SIGKILL)
        assert call(sandbox, HONEST, 1).returned == 2
        assert _zygote(sandbox) != before


def test_a_zygote_killed_while_it_works_is_replaced_and_the_unit_tried_again() -> None:
    source = "import time\ndef f(x):\n    time.sleep(0.5)\n    return x"
    with open_sandbox(unsandboxed=True) as sandbox:
        threading.Timer(0.25, os.kill, (_zygote(sandbox), signal.SIGKILL)).start()
        assert call(sandbox, source, 1).returned == 1


def test_a_fault_that_comes_again_is_told_as_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_sandbox(unsandboxed=True) as sandbox:
        with pytest.raises(SandboxError, match="KeyError"):
            sandbox.run({"kind": "session", "file": "x.py"}, __import__("harness.plan").plan.Limits())
        assert call(sandbox, HONEST, 1).returned == 2


def test_many_threads_share_the_slots(best: Sandbox) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: call(best, HONEST, n).returned, range(60)))
    assert found == list(range(1, 61))


def test_nothing_is_left_when_the_sandbox_closes() -> None:
    with open_sandbox(jobs=2, unsandboxed=True) as sandbox:
        pids = [slot._process.pid for slot in sandbox._slots if isinstance(slot, ZygoteSlot)]
        root = sandbox._root
        call(sandbox, "def f():\n    open('x', 'w').write('x')")
    assert root is not None
    assert not root.exists()
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]


def test_a_killed_harness_leaves_no_process_and_its_folder_goes_next_time() -> None:
    script = """
    import os, signal, sys, threading
    from harness.sandbox import open_sandbox
    from tests.sandbox.programs import call
    with open_sandbox(unsandboxed=True) as sandbox:
        print(sandbox._slots[0]._process.pid, sandbox._root, flush=True)
        threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGKILL)).start()
        call(sandbox, "import time\\ndef f():\\n    time.sleep(60)")
    """
    root = Path(__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert run.returncode == -signal.SIGKILL, run.stderr
    pid, folder = run.stdout.split()
    for _ in range(100):
        if not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text().split(")")[1]:
            break
        time.sleep(0.05)
    else:
        pytest.fail("the zygote lives on")
    with open_sandbox(unsandboxed=True):
        assert not Path(folder).exists()


def test_a_memory_limit_is_not_a_crash_of_ours(best: Sandbox) -> None:
    assert call(best, "def f():\n    return bytes(1 << 33)").end is Outcome.MEMORY


def test_a_folder_of_any_depth_can_be_emptied(tmp_path: Path) -> None:
    home = os.open(tmp_path, os.O_RDONLY)
    here = home
    for level in range(1300):
        os.mkdir("d" * 100, dir_fd=here)
        inner = os.open("d" * 100, os.O_RDONLY, dir_fd=here)
        if level % 100 == 0:
            os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=inner))
            os.symlink("/etc", "link", dir_fd=inner)
        if here != home:
            os.close(here)
        here = inner
    os.close(here)
    assert scratch.empty(home)
    os.close(home)
    assert list(tmp_path.iterdir()) == []
    assert Path("/etc/passwd").exists()


@pytest.mark.parametrize(
    "trick", ["os.chmod('.', 0)", "os.mkdir('d'); os.chmod('d', 0)", "os.makedirs('d/e'); os.chmod('d/e', 0)"]
)
def test_no_folder_can_be_kept_from_us(best: Sandbox, trick: str) -> None:
    for _ in range(3):
        assert call(best, f"import os\ndef f():\n    {trick}").end is Outcome.PASSED
        assert call(best, "import os\ndef f():\n    return os.listdir('.')").returned == []


def test_a_folder_that_cannot_be_emptied_is_given_up_and_the_result_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_sandbox(unsandboxed=True) as sandbox:
        before = _zygote(sandbox)
        monkeypatch.setattr(scratch, "_flatten", lambda folder: False)
        assert call(sandbox, HONEST, 1).returned == 2
        monkeypatch.undo()
        assert _zygote(sandbox) != before
        assert call(sandbox, HONEST, 1).returned == 2


def test_only_plain_files_are_taken(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / "big.txt").write_bytes(b"x" * (scratch.MAX_FILE_BYTES + 5))
    (tmp_path / "link.txt").symlink_to("/etc/passwd")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    taken = dict(scratch.take(tmp_path))
    assert taken == {"a.txt": b"a", "big.txt": b"x" * scratch.MAX_FILE_BYTES}


def test_a_folder_that_grows_too_large_is_seen(tmp_path: Path) -> None:
    assert not scratch.is_over(tmp_path, 3, 100)
    (tmp_path / "a").mkdir()
    for number in range(3):
        (tmp_path / "a" / str(number)).touch()
    assert scratch.is_over(tmp_path, 3, 100_000)
    assert not scratch.is_over(tmp_path, 4, 100_000)
    (tmp_path / "b").write_bytes(b"x" * 200_000)
    assert scratch.is_over(tmp_path, 9, 100_000)
