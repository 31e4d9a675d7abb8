from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from harness.rules import REGISTRY, Rule, as_data, problems, read_rules

SPEC = Path("spec.yaml")


def test_defaults_need_no_settings() -> None:
    rules, faults = read_rules({name: {} for name in REGISTRY}, SPEC)
    assert not faults
    assert [rule.settings for rule in rules] == [module.Settings() for module in REGISTRY.values()]


@pytest.mark.parametrize("data", [None, {}])
def test_no_rules_are_fine(data: object) -> None:
    assert read_rules(data, SPEC) == ((), ())


def test_nothing_stands_for_the_defaults() -> None:
    assert read_rules({"jumps": None}, SPEC) == read_rules({"jumps": {}}, SPEC)


def test_a_hyphen_is_as_good_as_an_underscore() -> None:
    rules, faults = read_rules({"line-length": {"maximum": 80}}, SPEC)
    assert not faults
    assert rules == (Rule("line-length", "line_length", REGISTRY["line_length"].Settings(maximum=80)),)


def test_settings_are_frozen_dataclasses() -> None:
    for module in REGISTRY.values():
        assert module.Settings.__dataclass_params__.frozen


FAULTS: tuple[tuple[object, str], ...] = (
    ({"line_lenght": {}}, "spec.yaml: rules.line_lenght: there is no rule line_lenght; did you mean line_length?"),
    (
        {"line_length": {"maximun": 80}},
        "spec.yaml: rules.line_length.maximun: unknown setting; did you mean maximum? known: maximum, tab_width",
    ),
    ({"line_length": {"maximum": "80"}}, "rules.line_length.maximum: must be a whole number, not text"),
    ({"line_length": {"maximum": True}}, "must be a whole number, not true or false"),
    ({"line_length": {"maximum": 80.5}}, "must be a whole number, not a number"),
    ({"line_length": {"maximum": -1}}, "must not be below zero, and is -1"),
    (
        {"line_length": 80},
        "rules.line_length: must be a mapping of settings, not a number; write `{}` for the defaults",
    ),
    ({"jumps": {"forbid_break": "no"}}, "must be true or false, not text"),
    ({"imports": {"allowed": "random"}}, "must be a list of texts, not text"),
    ({"imports": {"allowed": ["random", False]}}, "must hold texts only, not False; put it in quotes"),
    ({"magic_numbers": {"allowed": [1, "2"]}}, "must hold numbers only, not '2'"),
    ({"magic_numbers": {"allowed": 3}}, "must be a list of numbers, not a number"),
    ({"personal_information": {"number": "("}}, "is not a regular expression"),
    ({"personal_information": {"number": 3}}, "must be text, not a number"),
    ({"public_interface": {"classes": ["Deck"]}}, "must be a mapping from names to lists of texts, not a list"),
    ({"public_interface": {"classes": {"Deck": "push"}}}, "Deck: must be a list of texts, not text"),
    ({"asserts": {"asserts": 1}}, "there is no rule asserts"),
    ({"asserts": {"rule": 3}}, "there is no rule 3"),
    ([], "rules: must be a mapping from rule names to settings"),
)


@pytest.mark.parametrize(("data", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_faults_say_where_what_and_what_would_be_right(data: object, message: str) -> None:
    rules, faults = read_rules(data, SPEC)
    assert rules == ()
    assert len(faults) == 1
    assert message in str(faults[0])


def test_all_faults_are_told_at_once_and_good_rules_are_kept() -> None:
    rules, faults = read_rules({"jumps": {}, "nesting": {"maximum": "x", "minimum": 1}, "nonsense": {}}, SPEC)
    assert [rule.name for rule in rules] == ["jumps"]
    assert [fault.key for fault in faults] == ["rules.nesting.maximum", "rules.nesting.minimum", "rules.nonsense"]


def test_problems_of_one_rule() -> None:
    assert problems("jumps", {}) == []
    assert problems("nesting", {"maximum": "x"}) == ["maximum: must be a whole number, not text"]
    assert problems("nestin", {})[0].startswith("there is no rule nestin; did you mean nesting?")


def test_rules_survive_the_way_through_data() -> None:
    data = {
        "interface": {"rule": "public_interface", "classes": {"Deck": ["push"]}},
        "numbers": {"rule": "magic_numbers", "allowed": [1, 2.5]},
        "names": {"allowed": ["pushDeck"]},
    }
    rules, faults = read_rules(data, SPEC)
    assert not faults
    assert read_rules(as_data(rules), SPEC) == (rules, ())
    assert dataclasses.asdict(rules[1].settings)["allowed"] == (1, 2.5)
