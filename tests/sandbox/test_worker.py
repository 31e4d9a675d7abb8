"""What the worker observes of honest programs: values, aliases, scripts, decks, sessions."""

from __future__ import annotations

from typing import Any

import pytest

from harness import values
from harness.outcome import Outcome
from harness.plan import Case, StandIn
from harness.sandbox import Sandbox
from tests.sandbox.programs import call, calls, case, play

GAME = """
    import cards
    def show(board):
        print(board)
    def mix(board):
        board.reverse()
    def main():
        deck = cards.Deck()
        deck.shuffle()
        board = [deck.deal(), deck.deal()]
        show(board)
        while True:
            line = input("next: ")
            if line == "q":
                break
            mix(board)
            show(board)
    main()
"""


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        1,
        -(10**300),
        "",
        "é♠",
        {"float": "1.5"},
        {"float": "nan"},
        {"float": "-0.0"},
        {"bytes": "00ff"},
        [],
        [1, [2]],
        {"tuple": []},
        {"tuple": [1, {"tuple": [2]}]},
        {"set": [1, 2]},
        {"frozenset": [1]},
        {"dict": [[1, 2], ["a", [None]]]},
        {"card": "5S"},
        {"card": "TH-"},
        {"card": "00"},
        {"deck": ["AC", "5S-"]},
        values.cards("5S 6H- TD"),
        {"dict": [["left", {"card": "5S"}], ["right", values.cards("2C 3C")]]},
    ],
)
def test_a_value_goes_in_and_comes_back(sandbox: Sandbox, value: Any) -> None:
    seen = call(sandbox, "def f(x):\n    return x", value, cards=True)
    assert seen.end is Outcome.PASSED
    assert seen.returned == value
    assert seen.args == (value,)


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("10**5000", "thousand digits"),
        ("deep()", "nested"),
        ("loop()", "cyclic"),
        ("'x' * 500_000", "characters"),
        ("b'x' * 500_000", "bytes"),
        ("'\\ud800'", "Unicode"),
        ("list(range(50_000))", "items"),
        ("Liar(1)", "subclass of int"),
        ("Yes([1])", "subclass of list"),
        ("changed()", "inside was changed"),
        ("wrong_deck()", "other than cards"),
    ],
)
def test_what_cannot_be_carried_is_bad(best: Sandbox, expression: str, reason: str) -> None:
    source = f"""
    import cards
    class Liar(int):
        def __eq__(self, other): return True
        __hash__ = int.__hash__
    class Yes(list):
        def __len__(self): return 0
    def deep():
        tree = []
        for _ in range(100_000): tree = [tree]
        return tree
    def loop():
        tree = [1]
        tree.append(tree)
        return tree
    def changed():
        card = cards.Card(1, 1)
        card._Card__rank = "everything"
        return card
    def wrong_deck():
        deck = cards.Deck()
        deck._Deck__deck[0] = 7
        return deck
    def f():
        return {expression}
    """
    seen = call(best, source, cards=True)
    assert seen.end is Outcome.PASSED
    assert reason in seen.returned["bad"]


@pytest.mark.parametrize("value", ["object()", "Ace()", "lambda: 1", "cards", "Fake(1, 1)"])
def test_anything_else_is_opaque(best: Sandbox, value: str) -> None:
    source = f"""
    import cards
    class Ace:
        __class__ = int
        def __eq__(self, other): return True
        __hash__ = None
    class Fake(cards.Card): pass
    def f():
        return {value}
    """
    assert list(call(best, source, cards=True).returned) == ["object"]


def test_shared_objects_are_seen_as_such(best: Sandbox) -> None:
    seen = call(best, "def f(rows):\n    rows[1] = rows[0]\n    return rows", [[1], [2]])
    assert ("returned", "args[0]") in seen.aliases
    assert ("returned[0]", "returned[1]") in seen.aliases


def test_what_is_printed_is_kept_with_its_call(sandbox: Sandbox) -> None:
    source = """
    import os, sys
    print("at import")
    def f(n):
        print("print", n)
        sys.stdout.write("write ")
        sys.stdout.flush()
        os.write(1, b"os.write\\n")
        sys.stderr.write("not this\\n")
    """
    seen = calls(sandbox, source, case(1), case(2))
    assert seen.loaded.printed == "at import\n"
    assert [one.printed for one in seen.calls] == [f"print {n}\nwrite os.write\n" for n in (1, 2)]


def test_lines_are_typed_and_counted(sandbox: Sandbox) -> None:
    source = """
    import sys
    def f():
        first = input("name? ")
        return [first, sys.stdin.readline(), next(sys.stdin), sys.stdin.read(3), input()]
    """
    seen = call(sandbox, source, stdin=("a", "b", "c", "defg", "unread"))
    assert seen.returned == ["a", "b\n", "c\n", "def", "g"]
    assert seen.printed == "name? "
    assert seen.unread == 1


def test_the_end_of_the_input_is_an_exception(sandbox: Sandbox) -> None:
    seen = call(sandbox, "def f():\n    return input()")
    assert seen.end is Outcome.EXCEPTION
    assert seen.raised is not None
    assert (seen.raised.type, seen.raised.line, seen.raised.text) == ("EOFError", 2, "return input()")


def test_a_deck_in_a_given_order(best: Sandbox) -> None:
    source = """
    import random
    from cards import Deck
    def f():
        before = random.random()
        deck = Deck()
        deck.shuffle()
        random.seed(1)
        return [deck.deal(), deck.deal(), deck.deal()], len(deck), str(Deck())
    """
    seen = call(best, source, cards=True, deck=("5S", "6H"))
    assert seen.returned == {"tuple": [[{"card": "5S"}, {"card": "6H"}, None], 0, "6♥, 5♠"]}
    assert seen.shuffles == 1


def test_without_a_given_order_the_shuffle_is_real_and_counted(best: Sandbox) -> None:
    source = "from cards import Deck\ndef f():\n    d = Deck()\n    d.shuffle()\n    return d"
    first, second, other = calls(best, source, case(seed=3), case(seed=3), case(seed=4), cards=True).calls
    assert first.returned == second.returned != other.returned
    assert (first.shuffles, other.shuffles) == (1, 1)


def test_repeated_calls_draw_on(best: Sandbox) -> None:
    seen = call(best, "import random\ndef f(x):\n    x.append(random.random())\n    return len(x)", [], repeat=3)
    assert seen.returned == 1
    assert [returned for returned, _ in seen.again] == [1, 1]
    assert len({str(args) for args in (seen.args, *(args for _, args in seen.again))}) == 3


@pytest.mark.parametrize(("parameters", "expected"), [("a, b", 3), ("a", 7), ("*a", 2)])
def test_the_arguments_that_fit_are_chosen(best: Sandbox, parameters: str, expected: int) -> None:
    source = f"def f({parameters}):\n    return sum(v if type(v) is int else len(v) for v in locals().values())"
    assert call(best, source, 1, 2, alternatives=((7,),)).returned == expected


def test_if_no_arguments_fit_the_official_ones_are_passed(best: Sandbox) -> None:
    seen = call(best, "def f():\n    pass", 1, alternatives=((1, 2),))
    assert seen.end is Outcome.EXCEPTION
    assert seen.raised is not None
    assert seen.raised.type == "TypeError"


PILE = """
    class Pile:
        def __init__(self, top):
            self.cards = [top]
        def push(self, card):
            self.cards.append(card)
            return self
        def peek(self):
            return self.cards[-1]
        def broken(self):
            raise ValueError("empty")
        def __str__(self):
            return "|".join(self.cards)
"""


def test_a_script_of_method_calls(best: Sandbox) -> None:
    script: tuple[dict[str, Any], ...] = (
        {"new": "Pile", "args": ["A"], "as": "p"},
        {"on": "p", "call": ["pushCard", "push"], "args": ["K"]},
        {"on": "p", "call": "broken"},
        {"on": "p", "call": ["pop", "remove"]},
        {"on": "nobody", "call": "peek"},
        {"on": "p", "call": "push", "args": [{"same": "nobody"}]},
        {"on": "p", "call": "peek"},
        {"str": "p"},
        {"new": ["Stack", "Pile"], "args": ["Q"], "as": "q"},
        {"repr": "q"},
    )
    seen = calls(best, PILE, Case("c", "Pile", script=script), names=("Pile",)).calls[0]
    assert seen.end is Outcome.PASSED
    steps = list(seen.steps)
    raised = steps.pop(2)["raised"]
    assert (raised.type, raised.message, raised.function) == ("ValueError", "empty", "broken")
    assert "Pile object" in steps.pop(-1)["value"]
    assert steps == [
        {"value": {"object": "Pile"}},
        {"value": {"same": "p"}},
        {"missing": ["pop", "remove"]},
        {"missing": ["nobody"]},
        {"missing": ["nobody"]},
        {"value": "K"},
        {"value": "A|K"},
        {"value": {"object": "Pile"}},
    ]


def test_a_class_under_another_accepted_name(best: Sandbox) -> None:
    script = ({"new": "Pile", "args": ["A"], "as": "p"}, {"on": "p", "call": "peek"})
    source = PILE.replace("class Pile", "class pile")
    seen = calls(best, source, Case("c", "Pile", script=script), names=("Pile", "pile")).calls[0]
    assert seen.steps[1] == {"value": "A"}


def test_a_stand_in_takes_the_place_of_a_helper(best: Sandbox) -> None:
    source = "def helper(x):\n    return 0\ndef f(x):\n    return helper(x)"
    right = StandIn("helper", "import math\ndef helper(x):\n    return math.floor(x) + 1\n")
    assert calls(best, source, case(4)).calls[0].returned == 0
    seen = calls(best, source, case(4), standins=(right,))
    assert seen.calls[0].returned == 5
    assert seen.standins == ("helper",)


def test_a_session_is_a_script_with_a_keyboard(sandbox: Sandbox) -> None:
    seen = play(sandbox, GAME, "x", "q", "unread", cards=True, deck=("5S", "TH"))
    assert seen.end is Outcome.PASSED
    assert seen.output == "[5♠, 10♥]\nnext: [10♥, 5♠]\nnext: "
    assert [(seen.output[read.start : read.end], read.line) for read in seen.reads] == [
        ("next: ", "x"),
        ("next: ", "q"),
    ]
    assert seen.unread == 1


def test_watched_functions_show_their_arguments(best: Sandbox) -> None:
    seen = play(best, GAME, "x", "q", cards=True, deck=("5S", "TH"), watch=("show",))
    assert [(shown.at, shown.function, shown.args) for shown in seen.shown] == [
        (0, "show", (values.cards("5S TH"),)),
        (16, "show", (values.cards("TH 5S"),)),
    ]


def test_a_forced_function_sets_its_argument(best: Sandbox) -> None:
    forced = (("mix", (values.cards("AC 2C"),)),)
    seen = play(best, GAME, "x", "x", "q", cards=True, deck=("5S", "TH"), forced=forced)
    assert [line.removeprefix("next: ") for line in seen.output.splitlines()] == [
        "[5♠, 10♥]",
        "[A♣, 2♣]",
        "[2♣, A♣]",
        "",
    ]


def test_a_session_finds_and_leaves_files(sandbox: Sandbox) -> None:
    source = """
    import os
    text = open("game.txt").read()
    open("saved.txt", "w").write(text.upper())
    os.mkdir("folder")
    """
    seen = play(sandbox, source, files=(("game.txt", "é".encode()),))
    assert seen.files == (("game.txt", "é"), ("saved.txt", "É"))


def test_a_session_is_main(sandbox: Sandbox) -> None:
    source = """
    import sys, __main__
    answer = 42
    print(__name__, __file__, sys.argv, __main__.answer, sorted(n for n in sys.modules if "patience" in n or "harness" in n))
    """
    assert play(sandbox, source).output == "__main__ proj.py ['proj.py'] 42 []\n"


@pytest.mark.parametrize("ending", ["sys.exit()", "sys.exit(3)", "exit()", "quit()", "raise SystemExit"])
def test_a_session_may_end_by_leaving(sandbox: Sandbox, ending: str) -> None:
    seen = play(sandbox, f"import sys\nprint('bye')\n{ending}\nprint('never')")
    assert (seen.end, seen.output) == (Outcome.PASSED, "bye\n")


def test_a_session_ends_in_an_exception_with_its_place(sandbox: Sandbox) -> None:
    seen = play(sandbox, "def g():\n    return 1 / 0\nprint('so far')\ng()")
    assert (seen.end, seen.output) == (Outcome.EXCEPTION, "so far\n")
    assert seen.raised is not None
    assert (seen.raised.type, seen.raised.line, seen.raised.function) == ("ZeroDivisionError", 2, "g")


def test_threads_and_exit_functions_still_print(sandbox: Sandbox) -> None:
    source = """
    import atexit, threading, time
    atexit.register(print, "at exit")
    def later():
        time.sleep(0.1)
        print("in a thread")
    threading.Thread(target=later).start()
    """
    seen = play(sandbox, source)
    assert seen.end is Outcome.PASSED
    assert sorted(seen.output.splitlines()) == ["at exit", "in a thread"]


def test_every_process_sees_the_same_world(best: Sandbox, plain: Sandbox) -> None:
    source = """
    import locale, os, random, sys, time
    def f():
        return [list({"b", "a", "c", "d"}), random.random(), time.tzname[0], locale.getpreferredencoding(False),
                sys.flags.utf8_mode, sys.getrecursionlimit(), sorted(k for k in os.environ if k != "PATIENCE_UNIT"),
                [p for p in sys.path if "site-packages" in p or not p]]
    """
    seen = [call(sandbox, source).returned for sandbox in (best, best, plain)]
    assert seen[0] == seen[1] == seen[2]


def test_strange_but_valid_sources_load(best: Sandbox) -> None:
    bodies = [
        b"\xef\xbb\xbfdef f():\n    return 1",
        b"# -*- coding: latin-1 -*-\ndef f():\n    return len('\xe9')",
        b"def f():\r\n    return 1\r\n",
        b"def f():\r    return 1\r",
        b"\x0cdef f():\n    return 1",
        "def \uff46():\n    return 1".encode(),
        b"# coding: utf-7\ndef f():\n    return len('+AOk-')",
        b"def f():\n    return " + b"(" * 90 + b"1" + b")" * 90,
        b"def f():\n    x = '" + b"x" * 200_000 + b"'\n    return 1",
    ]
    assert [call(best, body).returned for body in bodies] == [1] * len(bodies)
