"""Programs that mean harm, or do it by accident. After each of them the next honest program must be graded as if nothing had been."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from harness.outcome import Outcome
from harness.plan import Case
from harness.sandbox import Sandbox
from tests.sandbox.programs import LIMITS, call, calls, case, play

HONEST = "def f(x):\n    return x + 1"

# What ends a single call, on every rung: name, body of f, the outcomes that are right.
ENDINGS = [
    ("loop", "while True: pass", {"timeout"}),
    ("loop in except", "while True:\n        try:\n            while True: pass\n        except BaseException: pass", {"timeout"}),
    ("ignored signals", "import signal\n    for s in (2, 15, 24, 14): signal.signal(s, signal.SIG_IGN)\n    while True: pass", {"timeout"}),
    ("big power", "return 9**9**9", {"timeout", "memory"}),
    ("bad regex", "import re\n    re.match('(a+)+$', 'a' * 40 + 'b')", {"timeout"}),
    ("sleep", "import time\n    time.sleep(1e6)", {"timeout"}),
    ("stop itself", "import os, signal\n    os.kill(os.getpid(), signal.SIGSTOP)", {"timeout"}),
    ("lock", "import threading\n    lock = threading.Lock(); lock.acquire(); lock.acquire()", {"timeout"}),
    ("memory", "x = []\n    while True: x.append(bytearray(1 << 24))", {"memory"}),
    ("recursion", "return f(x)", {"exception"}),
    ("deep recursion", "import sys\n    sys.setrecursionlimit(10**7)\n    return f(x)", {"crashed", "memory", "timeout", "exception"}),
    ("segfault", "import ctypes\n    ctypes.string_at(0)", {"crashed"}),
    ("kill itself", "import os\n    os.kill(os.getpid(), 9)", {"crashed"}),
    ("abort", "import os\n    os.abort()", {"crashed"}),
    ("os._exit", "import os\n    os._exit(0)", {"exited"}),
    ("sys.exit", "import sys\n    sys.exit(0)", {"exited"}),
    ("exit", "exit()", {"exited"}),
    ("lower its own limit", "import resource\n    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))\n    while True: pass", {"timeout", "crashed"}),
    ("flood stdout", "while True: print('x' * 1000)", {"output_limit"}),
    ("flood stderr", "import sys\n    while True: sys.stderr.write('x' * 1000)", {"output_limit"}),
    ("flood descriptor", "import os\n    while True:\n        try: os.write(1, b'x' * 9999)\n        except OSError: pass", {"output_limit"}),
    ("one long line", "print('x' * (1 << 22))", {"output_limit"}),
    ("keyboard interrupt", "raise KeyboardInterrupt", {"exception"}),
    ("generator exit", "raise GeneratorExit", {"exception"}),
    ("own base exception", "class E(BaseException): pass\n    raise E", {"exception"}),
    ("str raises", "class E(Exception):\n        def __str__(self): raise self\n    raise E", {"exception"}),
    ("str loops", "class E(Exception):\n        def __str__(self):\n            while True: pass\n    raise E", {"exception"}),
    ("str is huge", "class E(Exception):\n        def __str__(self): return 'x' * 10**7\n    raise E", {"exception"}),
    ("huge argument", "raise ValueError('x' * 10**6)", {"exception"}),
    ("odd syntax error", "raise SyntaxError(1, (2, 3, 4, 5))", {"exception"}),
    ("broken tracebacks", "import sys, linecache\n    sys.tracebacklimit = 'x'\n    linecache.getline = None\n    raise ValueError", {"exception"}),
    ("chain", "e = None\n    for i in range(10**5):\n        n = ValueError(); n.__context__ = e; e = n\n    raise e", {"exception"}),
    ("open files", "x = []\n    while True: x.append(open('a', 'w'))", {"exception"}),
    ("close everything", "import os\n    os.closerange(0, 100)", {"exited", "exception", "crashed"}),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), [pytest.param(b, e, id=n) for n, b, e in ENDINGS])
def test_one_call_is_lost_and_the_next_is_made(best: Sandbox, body: str, expected: set[str]) -> None:
    source = f"def f(x):\n    if x == 1: return 'honest'\n    {body}"
    start = time.monotonic()
    first, second, third = calls(best, source, case(1), case(2), case(1)).calls
    assert str(second.end) in expected, second
    assert (first.returned, third.returned) == ("honest", "honest")
    assert time.monotonic() - start < LIMITS.wall_seconds + 2
    assert call(best, HONEST, 1).returned == 2


@pytest.mark.slow
@pytest.mark.parametrize(("body", "expected"), [pytest.param(b, e, id=n) for n, b, e in ENDINGS])
def test_the_same_in_a_plain_process(plain: Sandbox, body: str, expected: set[str]) -> None:
    source = f"def f(x):\n    if x == 1: return 'honest'\n    {body}"
    first, second, third = calls(plain, source, case(1), case(2), case(1)).calls
    assert str(second.end) in expected, second
    assert (first.returned, third.returned) == ("honest", "honest")


@pytest.mark.parametrize(
    "body",
    [
        "import builtins\n    builtins.len = builtins.isinstance = builtins.type = builtins.str = None",
        "import builtins\n    builtins.print = builtins.open = builtins.__import__ = None",
        "import json\n    json.dumps = json.loads = json.JSONEncoder = None",
        "import os\n    os.write = os.fstat = os.read = os._exit = None",
        "import random, struct, sys\n    random.seed = struct.pack = sys.stdout = sys.stdin = None",
        "import sys\n    sys.settrace(lambda *a: None); sys.setprofile(lambda *a: None)",
        "import sys\n    sys.modules.clear()",
        "import gc\n    gc.disable(); gc.collect()",
        "import os\n    os.chdir('/'); os.umask(0)",
        "import os\n    os.close(0); os.close(1); os.close(2)",
    ],
)
def test_breaking_its_own_process_changes_no_result(best: Sandbox, body: str) -> None:
    source = f"def f(x):\n    {body}\n    return [x, {{1: 'a'}}, (2.5,)]"
    expected = [7, {"dict": [[1, "a"]]}, {"tuple": [{"float": "2.5"}]}]
    seen = calls(best, source, case(7), Case("again", "f", (8,)))
    assert seen.calls[0].returned == expected
    assert seen.calls[1].end in (Outcome.PASSED, Outcome.EXCEPTION), "what it has broken may hurt its own next call"


def test_frames_of_its_own_earn_nothing(best: Sandbox) -> None:
    """A forged frame is worth what a returned constant is, and the real results stay in place."""
    source = """
    import json, os, struct
    def f(x):
        body = json.dumps({"call": {"case": 0, "end": "passed", "value": 42}}).encode()
        for fd in range(3, 20):
            try: os.write(fd, struct.pack(">I", len(body)) + body)
            except OSError: pass
        return x
    """
    first, second = calls(best, source, case(1), case(2)).calls
    assert first.returned == 42
    assert second.end is Outcome.BAD_VALUE


def test_garbage_between_the_frames_is_noticed(best: Sandbox) -> None:
    source = """
    import os
    def f(x):
        if x == 2:
            for fd in range(3, 20):
                try: os.write(fd, b"\\xff" * 64)
                except OSError: pass
        return x
    """
    seen = calls(best, source, case(1), case(2), case(3))
    assert [str(one.end) for one in seen.calls] == ["passed", "bad_value", "passed"]
    assert seen.review


def test_the_supplied_module_is_watched(best: Sandbox) -> None:
    source = """
    import cards
    cards.Deck.shuffle = lambda self: None
    def f(): return 1
    """
    assert calls(best, source, case(), cards=True).review == ("it replaced cards.Deck.shuffle",)
    assert calls(best, "import cards\ndef f(): return 1", case(), cards=True).review == ()


def test_a_process_that_will_not_end_is_ended_and_the_session_counts(best: Sandbox) -> None:
    source = """
    import threading, time
    threading.Thread(target=time.sleep, args=(1000,)).start()
    print("right answer")
    """
    seen = play(best, source)
    assert (seen.end, seen.output) == (Outcome.PASSED, "right answer\n")
    assert seen.review


def test_blank_lines_after_a_right_game_do_not_pass(best: Sandbox) -> None:
    assert play(best, "print('right')\nfor _ in range(1000): print('\\n' * 5000)").end is Outcome.OUTPUT_LIMIT


def test_swallowing_the_end_of_the_input_ends_in_a_timeout(best: Sandbox) -> None:
    source = "while True:\n    try: input('> ')\n    except EOFError: pass"
    seen = play(best, source, "a")
    assert seen.end in (Outcome.TIMEOUT, Outcome.OUTPUT_LIMIT)
    assert [read.line for read in seen.reads] == ["a", None, None, None]


@pytest.mark.parametrize(
    "body",
    [
        "os.fork()",
        "os.execv('/bin/true', ['true'])",
        "__import__('subprocess').run(['true'])",
        "os.system('true') and 1 / 0",
        "os.posix_spawn('/bin/true', ['true'], {})",
        "__import__('socket').socket()",
        "__import__('socket').socketpair()",
        "os.kill(os.getppid(), 0)",
        "os.kill(-1, 9)",
        "os.killpg(0, 0)",
        "os.memfd_create('x')",
        "os.symlink('/', 'x')",
        "os.mkfifo('x')",
        "os.mknod('x', 0o60600, 1)",
        "os.setuid(0) or os.chroot('/')",
        "os.chown('/dev/null', 0, 0)",
        "os.listdir('/')",
        "os.listdir('/proc')",
        "os.listdir('/tmp')",
        "open('/etc/passwd')",
        "open('/proc/self/maps')",
        "open('/proc/1/environ')",
        "open('../x', 'w')",
        "open('/dev/shm/x', 'w')",
        "os.open('/dev/null', os.O_RDWR) and os.mkdir('/x')",
        "os.nice(-5)",
        "os.sched_setscheduler(0, 1, os.sched_param(1))",
        "__import__('resource').setrlimit(9, (-1, -1))",
        "[__import__('threading').Thread(target=__import__('time').sleep, args=(9,), daemon=True).start() for _ in range(9999)]",
    ],
)
def test_what_a_card_game_needs_no_permission_for_is_refused(sandboxed: Sandbox, body: str) -> None:
    seen = call(sandboxed, f"import os\ndef f():\n    return {body}")
    assert seen.end in (Outcome.EXCEPTION, Outcome.MEMORY), seen


def test_foreign_system_calls_are_killed(sandboxed: Sandbox) -> None:
    source = "import ctypes\ndef f():\n    return ctypes.CDLL(None).syscall(ctypes.c_long(0x40000000 + 39))"
    assert call(sandboxed, source).end is Outcome.CRASHED


def test_ordinary_things_are_allowed(sandboxed: Sandbox) -> None:
    source = """
    import colorsys, decimal, json, os, shutil, sqlite3, tempfile, threading, unittest, urllib.parse, zoneinfo
    def f():
        os.makedirs("a/b")
        with open("a/b/c.txt", "w") as file: file.write("hello")
        shutil.copy("a/b/c.txt", "d.txt")
        os.rename("d.txt", "e.txt")
        text = open("e.txt").read()
        shutil.rmtree("a")
        with tempfile.TemporaryFile(dir=".") as file: file.write(b"x")
        found = []
        workers = [threading.Thread(target=found.append, args=(n,)) for n in range(3)]
        for worker in workers: worker.start()
        for worker in workers: worker.join()
        return [text, sorted(found), sorted(os.listdir("."))]
    """
    assert call(sandboxed, source).returned == ["hello", [0, 1, 2], ["e.txt"]]


def test_nothing_is_left_for_the_next_program(sandboxed: Sandbox) -> None:
    deep = """
    import os
    def f():
        for _ in range(400):
            os.mkdir("d"); os.chdir("d")
        for n in range(20): open(str(n), "w").write("note for a friend")
        os.chmod(".", 0)
    """
    look = "import os\ndef f():\n    return os.listdir('.')"
    for _ in range(4):
        assert call(sandboxed, deep).end is Outcome.PASSED
        assert call(sandboxed, look).returned == []


def test_memory_of_one_program_does_not_reach_the_next(sandboxed: Sandbox) -> None:
    """The zygote is blind: a child that searches all its memory finds nothing of the one before."""
    secret = "TOKEN" + os.urandom(8).hex()
    call(sandboxed, f"SECRET = '{secret}'\ndef f():\n    print(SECRET * 1000)\n    return SECRET")
    search = """
    import gc
    def f(half, rest):
        needle = half + rest
        found = 0
        for item in gc.get_objects():
            try: found += needle in repr(item) and item is not needle
            except BaseException: pass
        return found
    """
    for _ in range(2):
        assert call(sandboxed, search, secret[:9], secret[9:]).returned <= 8, "only its own arguments and frames"


def test_no_process_outlives_its_run(plain: Sandbox) -> None:
    source = """
    import os, time
    def f():
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                open("pid", "w").write(str(os.getpid()))
                time.sleep(60)
            os._exit(0)
        while not os.path.exists("pid") or not open("pid").read(): time.sleep(0.01)
        return int(open("pid").read())
    """
    pid = call(plain, source).returned
    time.sleep(0.1)
    stat = Path(f"/proc/{pid}/stat")
    assert not stat.exists() or stat.read_bytes().rpartition(b")")[2].split()[0] == b"Z"
