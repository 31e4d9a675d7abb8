from __future__ import annotations

import json
import sysconfig
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import harness.rules
from harness.outcome import Outcome
from harness.rules import REGISTRY, Rule, Source, read_rules
from harness.rules.inspection import MOST_FINDINGS, Inspection, as_data, from_data, inspected, refused
from harness.rules.source import read
from harness.rules.unreadable import Unreadable

ROOT = Path(__file__).resolve().parent.parent.parent
LIBRARY = Path(sysconfig.get_paths()["stdlib"])


def every_rule() -> tuple[Rule, ...]:
    settings = {
        "forbidden": {"names": ["eval", "os.system"], "methods": ["sort"]},
        "public_interface": {"classes": {"Deck": ["push"], "A": []}},
        "required": {"asserts": 1, "raised": ["RuntimeError"]},
        "linear_work": {"functions": ["f", "Deck.push"]},
        "global_variables": {"outside_functions": True},
        "one_statement": {"after_colon": True},
        "magic_numbers": {"uses": 1},
    }
    rules, faults = read_rules({name: settings.get(name, {}) for name in REGISTRY}, Path("spec.yaml"))
    assert not faults
    return rules


def inspection_of(data: bytes) -> Inspection:
    source = read("program.py", data)
    return refused("program.py", data, source) if isinstance(source, Unreadable) else inspected(source, every_rule())


def test_every_rule_that_ran_is_counted() -> None:
    inspection = inspection_of(b"x = 1; y = 2\n# Questions\n# Q1: 5\n")
    counts = dict(inspection.counts)
    assert counts.keys() == set(REGISTRY)
    assert counts["one_statement"] == 1
    assert counts["jumps"] == 0
    assert inspection.questions == (("Q1", "5"),)
    assert [item.name for item in inspection.outline] == ["x", "y"]


def test_findings_are_kept_up_to_a_number_and_counted_beyond() -> None:
    inspection = inspection_of(b"x = 1; y = 2\n" * 500)
    assert dict(inspection.counts)["one_statement"] == 500
    assert sum(finding.rule == "one_statement" for finding in inspection.findings) == MOST_FINDINGS


def test_a_rule_that_breaks_down_leaves_the_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(source: Source, settings: object) -> tuple[()]:
        raise RecursionError("too deep")

    monkeypatch.setattr(harness.rules.jumps, "findings", broken)
    inspection = inspection_of(b"x = 1; y = 2\n")
    assert inspection.outcome is Outcome.PASSED
    assert inspection.failed == (("jumps", "RecursionError: too deep"),)
    assert "jumps" not in dict(inspection.counts)
    assert dict(inspection.counts)["one_statement"] == 1


def test_answers_are_found_in_a_file_that_python_refuses() -> None:
    inspection = inspection_of(b"def f(:\n# Questions\n# Q1: 5\n")
    assert inspection.outcome is Outcome.LOAD_ERROR
    assert inspection.questions == (("Q1", "5"),)
    assert inspection.line == 1
    assert inspection_of(b"\xff\n# Q1: 5\n").questions == ()


def test_an_inspection_survives_the_way_through_json() -> None:
    text = b"class Deck(Pile):\n    def push(self, a, *b):\n        x = 1; y = 2\n# Q1: 5\n"
    for inspection in (inspection_of(text), inspection_of(b"def f(:\n")):
        assert from_data(json.loads(json.dumps(as_data(inspection)))) == inspection


SOURCES = sorted(LIBRARY.glob("*.py"))[:60] + sorted((LIBRARY / "test").glob("test_[a-d]*.py"))[:40]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_rule_breaks_down_on_the_standard_library(path: Path) -> None:
    inspection = inspection_of(path.read_bytes())
    assert inspection.failed == ()
    assert inspection.outcome is Outcome.PASSED or "bad" in path.name


DEEP = {
    "a long sum": "def f(a):\n    x = " + "+".join(["7"] * 900) + "\n",
    "a long chain": "def f(a):\n    return a" + ".b" * 900 + "\n",
    "many elifs": "def f(a):\n    if a: a = 7\n" + "    elif a: a = 7\n" * 900,
    "nested lists": "def f(a):\n    return " + "[" * 90 + "]" * 90 + "\n",
    "nested blocks": "def f(a):\n" + "".join(" " * level + "if a:\n" for level in range(1, 90)) + " " * 90 + "pass\n",
    "nested functions": "".join(" " * level + "def f(a):\n" for level in range(15)) + " " * 15 + "pass\n",
    "many nots": "x = " + "not " * 900 + "1\n",
    "a long name": "def f(a):\n    " + "a" * 50000 + " = 1\n",
    "a large number": "def f(a):\n    return 0x" + "f" * 20000 + "\n",
    "many calls": "def f(a):\n    return a" + "()" * 900 + "\n",
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP.keys())
def test_deep_but_legal_sources_break_no_rule(text: str) -> None:
    inspection = inspection_of(text.encode())
    assert inspection.outcome is Outcome.PASSED
    assert inspection.failed == ()
    assert all(len(finding.message) < 600 for finding in inspection.findings)


PIECES = (
    *(
        "def f(a, b=13):\n",
        "class A(A):\n",
        "if x:\n",
        "for i in y:\n",
        "while x:\n",
        "try:\n",
        "except E as e:\n",
        "else:\n",
    ),
    *(
        "global x\n",
        "x = 1\n",
        "X = lambda q: x\n",
        "import os as o\n",
        "from . import *\n",
        "return x\n",
        "pass\n",
        "break\n",
    ),
    *(
        "'''Name: Jo'''\n",
        "# jo@x.edu\n",
        "x: int\n",
        "del x[0]\n",
        "x += [1] + x\n",
        "match x:\n",
        "case [a, *b]:\n",
        "async def g(): pass\n",
    ),
    *(
        "@x\n",
        "x = (y := 2)\n",
        "print(f'{x:>{y}}')\n",
        "assert x, y\n",
        "raise E\n",
        "with x as y: pass\n",
        "    ",
        "    ",
        "    ",
        "\n",
    ),
)


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_no_program_breaks_a_rule(text: str) -> None:
    inspection = inspection_of(text.encode())
    assert inspection.failed == ()


@pytest.mark.parametrize("path", sorted((ROOT / "reference").glob("*/*.py")), ids=str)
def test_references_can_be_inspected(path: Path) -> None:
    inspection = inspection_of(path.read_bytes())
    assert inspection.outcome is Outcome.PASSED
    assert inspection.failed == ()
