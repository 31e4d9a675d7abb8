"""The bounded child: what a hostile file does to it, and that nobody else notices."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Generator
from pathlib import Path

import pytest

from harness.errors import SandboxError
from harness.outcome import Outcome
from harness.rules import REGISTRY, Rule, child, read_rules
from harness.rules.child import Checker, CheckLimits, check_sources

ROOT = Path(__file__).resolve().parent.parent.parent
CANARY = ("canary.py", b"x = 1; y = 2\n")
PATIENT = {"number": r"(x+x+)+y"}
"""A pattern that takes for ever on a header of many x: a rule that does not end."""
ENDLESS = ("endless.py", b"# " + b"x" * 60 + b"\n")
posix = pytest.mark.skipif(os.name != "posix", reason="limits and signals of POSIX systems")


def rules_of(**settings: object) -> tuple[Rule, ...]:
    rules, faults = read_rules({"one_statement": {}, **settings}, Path("spec.yaml"))
    assert not faults
    return rules


RULES = rules_of()

HOSTILE = {
    "minus": b"-" * 200_000 + b"1",
    "parentheses": b"(" * 1000 + b")" * 1000,
    "attributes": b"a" + b".b" * 200_000,
    "indents": "".join(" " * level + "if x:\n" for level in range(150)).encode(),
    "nul": b"x = 1\0",
    "utf16": "x = 1\n".encode("utf-16"),
    "latin1": b"s = '\xe9'\n",
    "curly": "print(“hi”)\n".encode(),
    "large": b"x = 1\n" * 400_000,
}


def test_hostile_files_cost_only_themselves() -> None:
    files = [CANARY, *((name, data) for name, data in HOSTILE.items()), CANARY]
    inspections = list(check_sources(files, RULES))
    assert [inspection.file for inspection in inspections] == [name for name, _ in files]
    assert all(inspection.outcome is Outcome.LOAD_ERROR and inspection.reason for inspection in inspections[1:-1])
    assert inspections[0] == inspections[-1]
    assert [finding.line for finding in inspections[0].findings] == [1]


def test_one_child_serves_many_files() -> None:
    with Checker(RULES) as checker:
        pids = {checker.check(*CANARY) and checker._running()._process.pid for _ in range(50)}
    assert len(pids) == 1


def test_no_child_is_left_behind() -> None:
    with Checker(RULES) as checker:
        checker.check(*CANARY)
        process = checker._running()._process
    assert process.returncode is not None
    generator = check_sources([CANARY, CANARY], RULES)
    assert isinstance(generator, Generator)
    next(generator)
    before = threading.active_count()
    generator.close()
    assert threading.active_count() == before - 1


@posix
def test_a_child_that_was_killed_between_files_is_replaced() -> None:
    with Checker(RULES) as checker:
        first = checker.check(*CANARY)
        process = checker._running()._process
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert checker.check(*CANARY) == first


CRASHING = """
import os, sys
sys.path.insert(0, sys.argv[1])
from harness.rules import serve
read, inspected = serve.read, serve.inspected
def crash_reading(file, data):
    if b"CRASH READING" in data: os.abort()
    return read(file, data)
def crash_inspecting(source, rules):
    if "CRASH INSPECTING" in source.text: os.abort()
    return inspected(source, rules)
serve.read, serve.inspected = crash_reading, crash_inspecting
serve.main()
"""


@posix
def test_a_crash_while_reading_is_the_files_and_later_it_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "_START", CRASHING)
    files = [CANARY, ("a.py", b"# CRASH READING\n"), CANARY, ("b.py", b"# CRASH INSPECTING\n"), CANARY]
    first, reading, second, inspecting, third = check_sources(files, RULES)
    assert first == second == third
    assert reading.outcome is Outcome.LOAD_ERROR
    assert "breaks down" in reading.reason
    assert inspecting.outcome is Outcome.INTERNAL
    assert "could not be applied" in inspecting.reason


@posix
def test_endless_work_is_ended_by_the_processor_limit() -> None:
    rules = rules_of(personal_information=PATIENT)
    start = time.monotonic()
    first, endless, second = check_sources([CANARY, ENDLESS, CANARY], rules, CheckLimits(cpu_seconds=0))
    assert endless.outcome is Outcome.INTERNAL
    assert str(-signal.SIGXCPU) in endless.reason
    assert first == second
    assert time.monotonic() - start < 30


def test_endless_work_is_ended_by_the_clock_where_there_is_no_limit() -> None:
    rules = rules_of(personal_information=PATIENT)
    limits = CheckLimits(cpu_seconds=600, wall_seconds=1.0)
    endless, canary = check_sources([ENDLESS, CANARY], rules, limits)
    assert endless.outcome is Outcome.INTERNAL
    assert "too long" in endless.reason
    assert canary.outcome is Outcome.PASSED


@pytest.mark.skipif(sys.platform != "linux", reason="only there the limit is kept")
def test_memory_is_bounded() -> None:
    data = b"x = [" + b"1," * 900_000 + b"]\n"
    large, canary = check_sources([("large.py", data), CANARY], RULES, CheckLimits(memory_mb=100))
    assert large.outcome is Outcome.LOAD_ERROR
    assert canary.outcome is Outcome.PASSED


def test_the_processor_limit_is_for_each_file_and_not_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    busy = CRASHING.split("def crash_reading", maxsplit=1)[0] + (
        "import time\n"
        "def busy(file, data):\n"
        "    end = time.process_time() + 0.6\n"
        "    while time.process_time() < end: pass\n"
        "    return read(file, data)\n"
        "serve.read = busy\n"
        "serve.main()\n"
    )
    monkeypatch.setattr(child, "_START", busy)
    inspections = list(check_sources([CANARY] * 4, RULES, CheckLimits(cpu_seconds=1)))
    assert [inspection.outcome for inspection in inspections] == [Outcome.PASSED] * 4


MANY = 10_000
LARGE = {
    "functions that read a global": "x = 1\n" + "".join(f"def f{i}(): return x\n" for i in range(MANY)),
    "functions that change a constant": "".join(f"def f{i}():\n global X\n X = 1\n" for i in range(MANY)),
    "addresses": "# jo@example.edu\n" * MANY,
    "second names": "def f(): pass\n" + "".join(f"g{i} = f\n" for i in range(MANY)),
    "variables like classes": "".join(f"Aa{i} = 1\n" for i in range(MANY)),
}


@posix
@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE.keys())
def test_no_rule_takes_the_square_of_the_size(text: str) -> None:
    rules, _ = read_rules({name: {} for name in REGISTRY}, Path("spec.yaml"))
    (inspection,) = check_sources([("large.py", text.encode())], rules)
    assert inspection.outcome is Outcome.PASSED
    assert inspection.failed == ()


def test_a_child_that_does_not_start_is_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "_START", "raise SystemExit('no such thing')")
    with pytest.raises(SandboxError, match="does not start: no such thing"):
        list(check_sources([CANARY], RULES))


def test_nothing_of_the_environment_reaches_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "planted")
    monkeypatch.setattr(child, "_START", "import os; raise SystemExit(os.environ.get('SECRET_TOKEN', 'absent'))")
    with pytest.raises(SandboxError, match="absent"):
        list(check_sources([CANARY], RULES))


def test_a_file_that_is_too_large_is_not_sent() -> None:
    (inspection,) = check_sources([("large.py", b"#" * 4096)], RULES, CheckLimits(source_kb=2))
    assert inspection.outcome is Outcome.LOAD_ERROR
    assert inspection.reason == "The file is too large to be read as a program: it has 4 kB, and 2 kB is the limit."


def test_it_works_from_a_zip_archive(tmp_path: Path) -> None:
    archive = tmp_path / "check.pyz"
    with zipfile.ZipFile(archive, "w") as pack:
        for path in (ROOT / "harness").rglob("*.py"):
            pack.write(path, path.relative_to(ROOT))
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path\n"
        "from harness.rules import read_rules; from harness.rules.child import check_sources\n"
        "rules, _ = read_rules({'one_statement': {}}, Path('spec'))\n"
        "print([finding.line for seen in check_sources([('a.py', b'x = 1; y = 2')], rules) for finding in seen.findings])\n"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(archive)], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert run.stdout.strip() == "[1]"
