"""Strict reading of a rule's settings: a mapping from a spec becomes the rule's frozen `Settings`, or faults.

A field's type says what is accepted: bool, int (from 0), str, lists of strings or numbers, and mappings from a name
to a list of strings. A field made with `pattern()` must be a regular expression.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
import typing
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from harness.errors import Fault


def pattern(default: str) -> Any:
    """A field that holds a regular expression."""
    return dataclasses.field(default=default, metadata={"pattern": True})


def read(kind: type[Any], data: object, path: Path, key: str) -> tuple[Any, tuple[Fault, ...]]:
    """Make a `Settings` of this kind from data, with one fault for each thing that is wrong."""
    if data is None:
        data = {}
    if not isinstance(data, Mapping):
        return None, (
            Fault(path, 0, key, f"must be a mapping of settings, not {_kind(data)}", "write `{}` for the defaults"),
        )
    fields = {field.name: field for field in dataclasses.fields(kind)}
    types = typing.get_type_hints(kind)
    values: dict[str, Any] = {}
    faults: list[Fault] = []
    for name, given in data.items():
        where = f"{key}.{name}"
        if name not in fields:
            faults.append(Fault(path, 0, where, "unknown setting", suggestion(str(name), fields)))
            continue
        values[name], problem = _READERS[types[name]](given)
        problem = problem or (_pattern_problem(given) if fields[name].metadata.get("pattern") else "")
        if problem:
            faults.append(Fault(path, 0, where, problem))
    return (None if faults else kind(**values)), tuple(faults)


def suggestion(name: str, known: Mapping[str, Any]) -> str:
    """What the author may have meant, and all there is."""
    close = difflib.get_close_matches(name, list(known), 1)
    meant = f"did you mean {close[0]}? " if close else ""
    return f"{meant}known: {', '.join(sorted(known)) or 'none'}"


def _kind(value: object) -> str:
    names = {
        type(None): "nothing",
        bool: "true or false",
        list: "a list",
        tuple: "a list",
        dict: "a mapping",
        str: "text",
    }
    return names.get(type(value), "a number" if isinstance(value, (int, float)) else type(value).__name__)


def _bool(value: object) -> tuple[Any, str]:
    return value, "" if isinstance(value, bool) else f"must be true or false, not {_kind(value)}"


def _int(value: object) -> tuple[Any, str]:
    if isinstance(value, bool) or not isinstance(value, int):
        return value, f"must be a whole number, not {_kind(value)}"
    return value, "" if value >= 0 else f"must not be below zero, and is {value}"


def _str(value: object) -> tuple[Any, str]:
    return value, "" if isinstance(value, str) else f"must be text, not {_kind(value)}"


def _strings(value: object) -> tuple[Any, str]:
    if not isinstance(value, (list, tuple)):
        return value, f"must be a list of texts, not {_kind(value)}"
    wrong = next((item for item in value if not isinstance(item, str)), None)
    return tuple(value), "" if wrong is None else f"must hold texts only, not {wrong!r}; put it in quotes"


def _numbers(value: object) -> tuple[Any, str]:
    if not isinstance(value, (list, tuple)):
        return value, f"must be a list of numbers, not {_kind(value)}"
    wrong = [item for item in value if isinstance(item, bool) or not isinstance(item, (int, float))]
    return tuple(value), f"must hold numbers only, not {wrong[0]!r}" if wrong else ""


def _mapping(value: object) -> tuple[Any, str]:
    if not isinstance(value, Mapping):
        return value, f"must be a mapping from names to lists of texts, not {_kind(value)}"
    read_: dict[Any, Any] = {}
    for name, items in value.items():
        read_[name], problem = _strings(items)
        if problem or not isinstance(name, str):
            return value, f"{name}: {problem or 'must be text'}"
    return read_, ""


def _pattern_problem(value: str) -> str:
    try:
        re.compile(value)
    except re.error as error:
        return f"is not a regular expression: {error}"
    return ""


_READERS: dict[Any, Callable[[object], tuple[Any, str]]] = {
    bool: _bool,
    int: _int,
    str: _str,
    tuple[str, ...]: _strings,
    tuple[float, ...]: _numbers,
    Mapping[str, tuple[str, ...]]: _mapping,
}
