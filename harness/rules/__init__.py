"""Rules of the source: what a program can tell about a program without running it.

A rule is one module with three things: `Settings`, a frozen dataclass whose fields an author may set;
`WHY`, the reason a student is given; and `findings(source, settings)`. `REGISTRY` is the written list of them.

    rules:                              in a spec
      line_length: {maximum: 80}        a rule with its settings; `line-length` is the same name
      jumps: {}                         a rule with its defaults
      asserts: {rule: required, ...}    a second use of a rule under another name
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from harness.errors import Fault
from harness.rules import (
    constants,
    docstrings,
    forbidden,
    function_length,
    function_order,
    global_variables,
    header,
    import_order,
    imports,
    indentation,
    jumps,
    line_length,
    linear_work,
    magic_numbers,
    names,
    nested_functions,
    nesting,
    one_statement,
    personal_information,
    public_interface,
    required,
    settings,
)
from harness.rules.finding import Finding
from harness.rules.source import Source

__all__ = ["REGISTRY", "Finding", "Rule", "RuleModule", "Source", "as_data", "check", "problems", "read_rules"]


class RuleModule(Protocol):
    """What every module of the registry offers."""

    @property
    def WHY(self) -> str: ...  # noqa: N802  a constant of the module

    @property
    def Settings(self) -> type[Any]: ...  # noqa: N802  a class of the module

    def findings(self, source: Source, settings: Any) -> tuple[Finding, ...]: ...


REGISTRY: Mapping[str, RuleModule] = {
    "constants": constants,
    "docstrings": docstrings,
    "forbidden": forbidden,
    "function_length": function_length,
    "function_order": function_order,
    "global_variables": global_variables,
    "header": header,
    "import_order": import_order,
    "imports": imports,
    "indentation": indentation,
    "jumps": jumps,
    "line_length": line_length,
    "linear_work": linear_work,
    "magic_numbers": magic_numbers,
    "names": names,
    "nested_functions": nested_functions,
    "nesting": nesting,
    "one_statement": one_statement,
    "personal_information": personal_information,
    "public_interface": public_interface,
    "required": required,
}


@dataclasses.dataclass(frozen=True)
class Rule:
    """A rule as an assignment uses it: the name its findings carry, the module, and the settings."""

    name: str
    kind: str
    settings: Any


def read_rules(data: object, path: Path) -> tuple[tuple[Rule, ...], tuple[Fault, ...]]:
    """Read the `rules` of a spec: what can be used, and one fault for each thing that cannot."""
    if data is None:
        return (), ()
    if not isinstance(data, Mapping):
        return (), (Fault(path, 0, "rules", "must be a mapping from rule names to settings"),)
    rules: list[Rule] = []
    faults: list[Fault] = []
    for name, given in data.items():
        rule, problems = _read_rule(str(name), given, path)
        faults.extend(problems)
        if rule is not None:
            rules.append(rule)
    return tuple(rules), tuple(faults)


def problems(name: str, given: object) -> list[str]:
    """What is wrong with one rule and its settings, without the place."""
    _, faults = _read_rule(name, given, Path())
    return [_told(fault, f"rules.{name}") for fault in faults]


def _told(fault: Fault, rule: str) -> str:
    setting = fault.key.removeprefix(rule).removeprefix(".")
    return ": ".join(filter(None, (setting, fault.problem))) + (f"; {fault.remedy}" if fault.remedy else "")


def _read_rule(name: str, given: object, path: Path) -> tuple[Rule | None, tuple[Fault, ...]]:
    options = dict(given) if isinstance(given, Mapping) else given
    kind = str(options.pop("rule", name) if isinstance(options, dict) else name).replace("-", "_")
    if kind not in REGISTRY:
        remedy = settings.suggestion(kind, REGISTRY)
        return None, (Fault(path, 0, f"rules.{name}", f"there is no rule {kind}", remedy),)
    made, faults = settings.read(REGISTRY[kind].Settings, options, path, f"rules.{name}")
    return (None if faults else Rule(name, kind, made)), faults


def as_data(rules: tuple[Rule, ...]) -> dict[str, Any]:
    """The rules as plain data that `read_rules` reads back."""
    return {rule.name: {"rule": rule.kind, **dataclasses.asdict(rule.settings)} for rule in rules}


def check(source: Source, rule: Rule) -> tuple[Finding, ...]:
    """All findings of one rule, in the order of the text, under the name the assignment gave the rule."""
    found = REGISTRY[rule.kind].findings(source, rule.settings)
    named = (dataclasses.replace(finding, rule=rule.name) for finding in found)
    return tuple(sorted(named, key=lambda finding: (finding.line, finding.column, finding.message)))
