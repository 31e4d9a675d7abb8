"""From units to observations: what goes on after a death, what is loaded how, and when enough is enough."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.errors import SandboxError
from harness.observation import CallsSeen
from harness.observe import Budget, observe
from harness.outcome import Outcome
from harness.plan import Calls, Case, Limits, Program, Session
from harness.sandbox import Reply, Sandbox, open_sandbox
from harness.values import card
from tests.sandbox.programs import LIMITS, call, calls, case, play, program

DRIVER = """
    import random
    '''A docstring is kept.'''
    random.seed(100)
    SUITS = [s for s in "CDHS"]
    TABLE = {}
    for suit in SUITS:
        TABLE[suit] = len(TABLE)
    def f(x):
        return [x, SUITS, TABLE]
    class Game:
        def play(self): return input()
    print("Welcome")
    game = Game()
    score = f(1)
    total = score + [1]
    if __name__ == "__main__":
        print("never")
    while True:
        line = input("prompt :> ")
        if line == "q":
            break
    print("Bye")
    exit()
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with open_sandbox(unsandboxed=True) as found:
        yield found


class Counting:
    """A sandbox that counts the processes it starts."""

    def __init__(self, real: Sandbox) -> None:
        self._real = real
        self.count = 0

    def run(self, job: dict[str, object], limits: Limits, files: tuple[tuple[str, bytes], ...] = ()) -> Reply:
        self.count += 1
        return self._real.run(job, limits, files)


def counted(sandbox: Sandbox, unit: Calls, budget: Budget | None = None) -> tuple[CallsSeen, int]:
    counting = Counting(sandbox)
    seen = observe(unit, counting, LIMITS, budget)  # type: ignore[arg-type]
    assert isinstance(seen, CallsSeen)
    return seen, counting.count


def unit(source: str | bytes, *cases: Case) -> Calls:
    return Calls("u", program(source), "f", ("f",), cases)


def test_a_death_costs_one_case_and_one_more_process(sandbox: Sandbox) -> None:
    source = "import os\ndef f(x):\n    if x == 3: os._exit(0)\n    return x"
    seen, processes = counted(sandbox, unit(source, *(case(n, id=str(n)) for n in range(6))))
    assert [str(one.end) for one in seen.calls] == ["passed"] * 3 + ["exited"] + ["passed"] * 2
    assert [one.case for one in seen.calls] == list("012345")
    assert processes == 2


def test_an_exit_that_can_be_caught_costs_no_process(sandbox: Sandbox) -> None:
    seen, processes = counted(sandbox, unit("def f(x):\n    if x: exit()\n    return x", case(0), case(1), case(0)))
    assert [str(one.end) for one in seen.calls] == ["passed", "exited", "passed"]
    assert processes == 1


@pytest.mark.parametrize(
    ("source", "outcome", "words"),
    [
        ("def f(:", Outcome.LOAD_ERROR, "cannot read"),
        ("def f():\n  x\n y", Outcome.LOAD_ERROR, "cannot read"),
        ("def f():\n\tx\n        y", Outcome.LOAD_ERROR, "cannot read"),
        (b"s = '\xe9'", Outcome.LOAD_ERROR, "cannot read"),
        (b"x = 1\x00", Outcome.LOAD_ERROR, "cannot read"),
        ("x = 1".encode("utf-16"), Outcome.LOAD_ERROR, "cannot read"),
        ("x = \u201c1\u201d", Outcome.LOAD_ERROR, "cannot read"),
        (b"x = " + b"-" * 200_000 + b"1", Outcome.LOAD_ERROR, ""),
        (b"x = " + b"(" * 1000 + b")" * 1000, Outcome.LOAD_ERROR, ""),
        ("import numpy_is_not_here\ndef f(): pass", Outcome.LOAD_ERROR, "raises"),
        ("import os\nf = [1 for _ in iter(lambda: os._exit(0), 1)]", Outcome.LOAD_ERROR, ""),
        ("x = sum(iter(int, 1))", Outcome.TIMEOUT, "while it was imported"),
    ],
)
def test_a_program_that_cannot_be_loaded_is_told_once(
    sandbox: Sandbox, source: str | bytes, outcome: Outcome, words: str
) -> None:
    seen, processes = counted(sandbox, unit(source, *(case() for _ in range(20))))
    assert (
        seen.loaded.outcome in (outcome, Outcome.MEMORY, Outcome.CRASHED)
        if not words
        else seen.loaded.outcome is outcome
    )
    assert words in seen.loaded.detail
    assert {one.end for one in seen.calls} == {seen.loaded.outcome}
    assert processes == 2


def test_a_syntax_error_has_its_place(sandbox: Sandbox) -> None:
    raised = calls(sandbox, "x = 1\ndef f(:\n    pass", case()).loaded.raised
    assert raised is not None
    assert (raised.type, raised.line, raised.column, raised.text) == ("SyntaxError", 2, 7, "def f(:")


def test_the_driver_is_cut_off_and_the_functions_are_called(sandbox: Sandbox) -> None:
    seen = calls(sandbox, DRIVER, case(5))
    assert seen.loaded.outcome is Outcome.PASSED
    assert "asks for input" in seen.loaded.detail
    assert "Welcome" in seen.loaded.printed
    assert seen.calls[0].returned == [5, list("CDHS"), {"dict": [[s, n] for n, s in enumerate("CDHS")]}]
    assert [(cut.text, cut.why) for cut in seen.loaded.cuts] == [
        ('print("Welcome")', "it prints"),
        ("game = Game()", "it calls Game"),
        ("score = f(1)", "it calls f"),
        ("total = score + [1]", "it needs score, which was left out before"),
        ("while True:", "it is a loop that may never end"),
        ('print("Bye")', "it prints"),
        ("exit()", "it ends the program"),
    ]


@pytest.mark.parametrize(
    "driver",
    [
        "exit()",
        "import sys\nsys.exit(0)",
        "raise SystemExit",
        "1 / 0",
        "main()",
        "import os\nos._exit(0)",
        "while True: pass",
    ],
)
def test_functions_before_a_bad_driver_are_graded(sandbox: Sandbox, driver: str) -> None:
    source = f"def f(x):\n    return x\ndef main():\n    f(undefined)\n{driver}"
    seen = calls(sandbox, source, case(1))
    assert seen.loaded.outcome is Outcome.PASSED
    assert seen.loaded.cuts
    assert seen.loaded.detail
    assert seen.calls[0].returned == 1


def test_that_a_program_does_not_load_is_remembered(sandbox: Sandbox) -> None:
    budget = Budget(LIMITS)
    assert counted(sandbox, unit(DRIVER, case(1)), budget)[1] == 2
    assert counted(sandbox, unit(DRIVER, case(2)), budget)[1] == 1


def test_salvage_can_be_asked_for(sandbox: Sandbox) -> None:
    seen = calls(sandbox, "print('hi')\ndef f(): return 1", case(), salvage=True)
    assert [cut.line for cut in seen.loaded.cuts] == [1]
    assert seen.loaded.printed == ""


def test_a_guarded_program_is_loaded_whole(sandbox: Sandbox) -> None:
    seen, processes = counted(sandbox, unit("def f(): return 1\nif __name__ == '__main__':\n    input()", case()))
    assert (seen.loaded.cuts, processes) == ((), 1)


@pytest.mark.parametrize(
    ("source", "end"),
    [
        ("", Outcome.MISSING),
        ("# only a comment", Outcome.MISSING),
        ("def F(): pass", Outcome.MISSING),
        ("f = 5", Outcome.BAD_VALUE),
        ("def f(a): pass", Outcome.EXCEPTION),
        ("class f: pass", Outcome.PASSED),
    ],
)
def test_what_the_name_stands_for(sandbox: Sandbox, source: str, end: Outcome) -> None:
    seen = calls(sandbox, source, case(), case())
    assert seen.loaded.outcome is Outcome.PASSED
    assert [one.end for one in seen.calls] == [end, end]


def test_another_accepted_name(sandbox: Sandbox) -> None:
    assert calls(sandbox, "def g(): return 1", case(), names=("f", "g")).calls[0].returned == 1


def test_the_names_of_a_program(sandbox: Sandbox) -> None:
    source = """
    import math
    from random import shuffle, Random
    LIMIT = 3
    def f(a, b=1, *rest): pass
    class Card:
        def __init__(self, rank, suit=1): pass
        def value(self): pass
        @staticmethod
        def make(text): pass
    """
    names = {name.name: name for name in calls(sandbox, source, case(1)).loaded.names}
    assert {name: entry.kind for name, entry in names.items()} == {
        "math": "module", "shuffle": "value", "Random": "imported", "LIMIT": "value", "f": "function",
        "Card": "class", "Card.__init__": "method", "Card.value": "method", "Card.make": "method",
    }  # fmt: skip
    assert (names["f"].parameters, names["f"].required, names["f"].variadic, names["f"].line) == (
        ("a", "b"),
        1,
        True,
        5,
    )
    assert (names["Card"].parameters, names["Card"].required) == (("rank", "suit"), 1)
    assert names["Card.value"].parameters == ()
    assert names["Card.make"].parameters == ("text",)
    assert names["LIMIT"].parameters is None


def test_an_exception_names_the_students_own_line(sandbox: Sandbox) -> None:
    seen = call(sandbox, "import json\ndef f(x):\n    return json.loads(x)", "{")
    assert seen.raised is not None
    assert (seen.raised.type, seen.raised.line, seen.raised.text) == ("JSONDecodeError", 3, "return json.loads(x)")
    assert seen.raised.function == "f"


def test_wrong_arity_has_no_line_of_ours(sandbox: Sandbox) -> None:
    seen = call(sandbox, "def f(): pass", 1)
    assert seen.raised is not None
    assert (seen.raised.type, seen.raised.line, seen.raised.text) == ("TypeError", None, "")


def test_a_submission_has_a_budget(sandbox: Sandbox) -> None:
    limits = Limits(cpu_seconds=0.3, wall_seconds=1.0, submission_cpu_seconds=0.5)
    budget = Budget(limits)
    loop = Calls(
        "u", Program("p.py", b"def f(): \n    while True: pass"), "f", ("f",), tuple(case(id=str(n)) for n in range(30))
    )
    seen = observe(loop, sandbox, limits, budget)
    assert isinstance(seen, CallsSeen)
    assert {str(one.end) for one in seen.calls} == {"timeout"}
    assert sum("not run" in one.detail for one in seen.calls) >= 26
    assert budget.spent
    after = observe(Session("s", program("print(1)"), ("a",)), sandbox, limits, budget)
    assert (after.end if not isinstance(after, CallsSeen) else None) is Outcome.TIMEOUT


def test_waiting_is_charged_too(sandbox: Sandbox) -> None:
    limits = Limits(cpu_seconds=0.3, wall_seconds=0.6, submission_cpu_seconds=0.5)
    sleep = Calls(
        "u", Program("p.py", b"import time\ndef f(): time.sleep(99)"), "f", ("f",), tuple(case() for _ in range(9))
    )
    seen = observe(sleep, sandbox, limits)
    assert isinstance(seen, CallsSeen)
    assert sum("without doing anything" in one.detail for one in seen.calls) == 2
    assert sum("not run" in one.detail for one in seen.calls) == 7


def test_slow_calls_are_not_added_up(sandbox: Sandbox) -> None:
    """The limit is for each call: many calls below it may together take longer."""
    source = "import time\ndef f(x):\n    end = time.process_time() + 0.2\n    while time.process_time() < end: pass\n    return x"
    seen = calls(sandbox, source, *(case(n) for n in range(6)))
    assert [str(one.end) for one in seen.calls] == ["passed"] * 6


def test_a_plan_with_cards_needs_a_module_with_cards(sandbox: Sandbox) -> None:
    with pytest.raises(SandboxError, match="no module is supplied"):
        call(sandbox, "def f(x): return x", card("5S"))


def test_offsets_are_in_characters(sandbox: Sandbox) -> None:
    seen = play(sandbox, "print('♠♥')\ninput('é? ')\nprint('ok')", "x")
    (read,) = seen.reads
    assert seen.output[: read.start] == "♠♥\n"
    assert seen.output[read.start : read.end] == "é? "


def test_bytes_that_are_no_text_are_replaced(sandbox: Sandbox) -> None:
    seen = play(sandbox, "import os\nos.write(1, b'\\xff\\xfe ok\\n')\ninput('> ')", "x")
    assert seen.output == "\ufffd\ufffd ok\n> "
    assert seen.output[seen.reads[0].start : seen.reads[0].end] == "> "


def test_a_session_that_cannot_be_read(sandbox: Sandbox) -> None:
    seen = play(sandbox, "print('hi'\n", "x")
    assert (seen.end, seen.unread) == (Outcome.LOAD_ERROR, 1)
    assert seen.raised is not None
    assert seen.raised.type == "SyntaxError"


def test_a_session_that_hangs_keeps_what_was_seen(sandbox: Sandbox) -> None:
    seen = play(sandbox, "input('go? ')\nprint('working')\nwhile True: pass", "y", "z")
    assert (seen.end, seen.output, seen.unread) == (Outcome.TIMEOUT, "go? working\n", 1)


def test_a_session_that_only_waits(sandbox: Sandbox) -> None:
    seen = play(sandbox, "import time\nprint('zzz')\ntime.sleep(99)")
    assert (seen.end, seen.output) == (Outcome.TIMEOUT, "zzz\n")
    assert "without doing anything" in seen.detail
