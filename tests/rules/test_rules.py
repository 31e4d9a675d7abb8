from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.rules import REGISTRY, Finding, Source, check, read_rules
from harness.rules.finding import quoted
from harness.rules.source import read
from tests.rules.examples import RIGHT, WRONG, Right, Wrong


def source_of(text: str) -> Source:
    source = read("program.py", text.encode())
    assert isinstance(source, Source), source
    return source


def found(rule: str, text: str, settings: Mapping[str, Any]) -> tuple[Finding, ...]:
    rules, faults = read_rules({rule: settings}, Path("spec.yaml"))
    assert not faults, faults
    return check(source_of(text), rules[0])


def title(example: Right | Wrong) -> str:
    return f"{example.rule}: {example.title}"


@pytest.mark.parametrize("example", RIGHT, ids=title)
def test_right_programs_are_left_alone(example: Right) -> None:
    assert found(example.rule, example.text, example.settings) == ()


@pytest.mark.parametrize("example", WRONG, ids=title)
def test_wrong_programs_are_found_with_their_lines(example: Wrong) -> None:
    assert tuple(finding.line for finding in found(example.rule, example.text, example.settings)) == example.lines


@pytest.mark.parametrize("example", WRONG, ids=title)
def test_every_message_is_a_sentence_with_a_reason(example: Wrong) -> None:
    for finding in found(example.rule, example.text, example.settings):
        assert finding.rule == example.rule
        assert re.match(r"[A-Z`0-9]", finding.message)
        assert finding.message.endswith((".", "?"))
        assert finding.why == REGISTRY[example.rule].WHY
        assert finding.why.endswith(".")
        assert not re.search(r"<|object at|None\b|\{\}", finding.message)


def test_every_rule_has_a_right_and_a_wrong_example() -> None:
    assert {example.rule for example in RIGHT} == set(REGISTRY)
    assert {example.rule for example in WRONG} == set(REGISTRY)


def test_every_module_of_a_rule_is_registered_under_its_own_name() -> None:
    for name, module in REGISTRY.items():
        assert getattr(module, "NAME", None) == name
    assert list(REGISTRY) == sorted(REGISTRY)


def test_examples_are_programs_python_can_compile() -> None:
    for example in (*RIGHT, *WRONG):
        compile(example.text, "example", "exec", dont_inherit=True)


def test_personal_information_is_not_repeated() -> None:
    text = "# Name: Jo Smith\n# A12345678\n# jo@example.edu\n"
    findings = found("personal_information", text, {})
    assert [finding.line for finding in findings] == [1, 2, 3]
    assert not any(secret in finding.message for finding in findings for secret in ("Smith", "1234", "jo@"))


def test_columns_count_characters() -> None:
    (finding,) = found("forbidden", "größe = 'ä'; x = eval('1')\n", {"names": ["eval"]})
    assert (finding.line, finding.column) == (1, 18)


def test_messages_cut_endless_names() -> None:
    (finding,) = found("nested_functions", f"def f():\n    def {'a' * 50000}():\n        pass\n", {})
    assert len(finding.message) < 300


def test_messages_count_in_words() -> None:
    assert "does not use `assert`" in found("required", "x = 1\n", {"asserts": 2})[0].message
    assert (
        "only 1 time; the assignment asks for at least 2" in found("required", "assert x\n", {"asserts": 2})[0].message
    )
    once = found("magic_numbers", "def f():\n    return 7, 7\n", {"uses": 1})[0].message
    assert once == "The number 7 is written 2 times (line 2). Give it a name in capitals."
    many = found("magic_numbers", "def f():\n" + "    print(7)\n" * 7, {"uses": 1})[0].message
    assert "7 times (lines 2, 3, 4, 5, 6, …)" in many
    five = found("magic_numbers", "def f():\n" + "    print(7)\n" * 5, {"uses": 1})[0].message
    assert "5 times (lines 2, 3, 4, 5, 6)." in five
    large = found("magic_numbers", f"def f():\n    return {'7' * 21}, {'8' * 20}\n", {"uses": 1})
    assert [finding.message.split()[2] for finding in large] == ["7" * 20 + "…", "8" * 20]


def test_names_are_shown_whole_up_to_forty_characters() -> None:
    assert quoted("a" * 40) == f"`{'a' * 40}`"
    assert quoted("a" * 41) == f"`{'a' * 40}…`"


def test_a_rule_can_be_used_twice_under_other_names() -> None:
    data = {"asserts": {"rule": "required", "asserts": 1}, "raises": {"rule": "required", "raises": 1}}
    rules, faults = read_rules(data, Path("spec.yaml"))
    assert not faults
    assert [finding.rule for rule in rules for finding in check(source_of("x = 1\n"), rule)] == ["asserts", "raises"]


def test_full_width_identifiers_are_what_python_takes_them_for() -> None:
    text = "ｓｔｏｃｋ = 1\ndef f():\n    return stock\n"  # noqa: RUF001  the point of the test
    assert [finding.line for finding in found("global_variables", text, {})] == [3]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is newer")
def test_newer_syntax_is_understood() -> None:
    text = "x = 1\ntype Board = list[int]\ndef f[T](a: T) -> T:\n    return a, x\nclass A[T]:\n    def g(self):\n        return x\n"
    assert [finding.line for finding in found("global_variables", text, {})] == [4, 7]


def test_the_rules_load_nothing_heavy() -> None:
    code = "import sys; import harness.rules.child; print([m for m in ('yaml','click','hypothesis','rich') if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
