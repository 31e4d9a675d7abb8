"""The page about the rules tells the truth: every rule, every setting with its default, and examples that hold."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from harness.rules import REGISTRY, Finding, Source, check, read_rules
from harness.rules.source import read

PAGE = (Path(__file__).resolve().parent.parent.parent / "docs" / "rules.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### (\w+)\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL))
SETTING = re.compile(r"^\| `(\w+)` \| `(.*)` \| .+ \|$", re.MULTILINE)


def block(rule: str, language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", SECTIONS[rule], re.DOTALL)
    return found[1] if found else ""


def findings(rule: str, text: str) -> tuple[Finding, ...]:
    settings: Any = yaml.safe_load(block(rule, "yaml")) or {rule: {}}
    rules, faults = read_rules(settings, Path("rules.md"))
    assert not faults
    source = read("program.py", text.encode())
    assert isinstance(source, Source)
    return check(source, rules[0])


def test_every_rule_has_its_section_in_order() -> None:
    assert list(SECTIONS) == list(REGISTRY)
    assert re.findall(r"^\| \[`(\w+)`\]\(#\w+\)", PAGE, re.MULTILINE) == list(REGISTRY)


@pytest.mark.parametrize("rule", REGISTRY)
def test_every_setting_stands_there_with_its_default(rule: str) -> None:
    written = {name: yaml.safe_load(default) for name, default in SETTING.findall(SECTIONS[rule])}
    defaults = dataclasses.asdict(REGISTRY[rule].Settings())
    assert written == {name: list(value) if isinstance(value, tuple) else value for name, value in defaults.items()}


@pytest.mark.parametrize("rule", REGISTRY)
def test_the_reason_is_the_one_students_get(rule: str) -> None:
    assert f"*Why:* {REGISTRY[rule].WHY}\n" in SECTIONS[rule]


@pytest.mark.parametrize("rule", REGISTRY)
def test_the_right_example_is_right(rule: str) -> None:
    assert block(rule, "python right")
    assert findings(rule, block(rule, "python right")) == ()


@pytest.mark.parametrize("rule", REGISTRY)
def test_the_wrong_example_is_wrong(rule: str) -> None:
    assert findings(rule, block(rule, "python wrong"))


def test_the_example_of_a_spec_can_be_read() -> None:
    example = re.search(r"```yaml\n(rules:.*?)```", PAGE, re.DOTALL)
    assert example
    rules, faults = read_rules(yaml.safe_load(example[1])["rules"], Path("rules.md"))
    assert not faults
    assert [rule.name for rule in rules] == ["line_length", "jumps", "uses-assert", "uses-raise"]


def test_the_example_of_a_fault_is_what_is_said() -> None:
    _, faults = read_rules({"line_length": {"maximun": 80}}, Path("spec.yaml"))
    assert str(faults[0]) in PAGE
