"""The names a program defines at its top level, for the evidence about structure.

A method is listed as `Class.method`. Parameters are those a caller passes: without `self`.
"""

from __future__ import annotations

import builtins
import types
from typing import Any

globals()["__builtins__"] = dict(vars(builtins))

MAX_NAMES = 400
_VARARGS, _KEYWORDS = 0x04, 0x08


def listed(space: dict[str, Any], file: str) -> list[dict[str, Any]]:
    """Functions, classes with their methods, modules and values, in the order of their definition."""
    found: list[dict[str, Any]] = []
    for name, value in list(space.items()):
        if type(name) is not str or name.startswith("__"):
            continue
        found.append(_entry(name, value, file))
        if isinstance(value, type) and found[-1]["kind"] == "class":
            found.extend(_methods(name, value))
    return found[:MAX_NAMES]


def _entry(name: str, value: Any, file: str) -> dict[str, Any]:
    if type(value) is types.FunctionType:
        kind = "function" if value.__code__.co_filename == file else "imported"
        return _function(name, kind, value, skip=0)
    if isinstance(value, type):
        methods = vars(value)
        init = methods.get("__init__")
        entry = {**_blank(name, "class"), "parameters": []}
        if isinstance(init, types.FunctionType):
            entry = _function(name, "class", init, skip=1)
        own = any(type(item) is types.FunctionType and item.__code__.co_filename == file for item in methods.values())
        return entry if own or methods.get("__module__") == space_name(file) else {**entry, "kind": "imported"}
    return _blank(name, "module" if type(value) is types.ModuleType else "value")


def space_name(file: str) -> str:
    return file.removesuffix(".py")


def _methods(owner: str, kind: type) -> list[dict[str, Any]]:
    found = []
    for name, item in list(vars(kind).items()):
        function = item.__func__ if type(item) in (staticmethod, classmethod) else item
        if type(name) is str and type(function) is types.FunctionType:
            found.append(_function(f"{owner}.{name}", "method", function, skip=0 if type(item) is staticmethod else 1))
    return found


def _function(name: str, kind: str, function: types.FunctionType, *, skip: int) -> dict[str, Any]:
    code = function.__code__
    parameters = [str(item)[:80] for item in code.co_varnames[: code.co_argcount]][skip:]
    defaults = function.__defaults__
    return {
        **_blank(name, kind),
        "parameters": parameters[:50],
        "line": code.co_firstlineno,
        "required": max(0, len(parameters) - (len(defaults) if type(defaults) is tuple else 0)),
        "variadic": bool(code.co_flags & (_VARARGS | _KEYWORDS)),
    }


def _blank(name: str, kind: str) -> dict[str, Any]:
    return {"name": name[:80], "kind": kind, "parameters": None, "line": None, "required": 0, "variadic": False}
