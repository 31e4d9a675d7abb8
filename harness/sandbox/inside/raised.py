"""What is told about an exception that left the student's code.

Everything is read through the base classes and bounded, because an exception is a student's object too: its `__str__` may
raise, loop or return a gigabyte, and its fields may hold anything.
"""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Callable
from types import TracebackType
from typing import Any

from .codec import type_name

globals()["__builtins__"] = dict(vars(builtins))

MAX_MESSAGE = 500
MAX_STEPS = 100_000

_traceback = BaseException.__dict__["__traceback__"].__get__
_arguments = BaseException.__dict__["args"].__get__


def describe(
    error: BaseException, file: str, *, early: Callable[[dict[str, Any]], None] | None = None
) -> dict[str, Any]:
    """Type, message and the innermost place in the student's own file.

    `early` is given what is known before any of the student's own code is asked for the message, since that may never return.
    """
    facts: dict[str, Any] = {"type": type_name(type(error)), "message": "", **_place(error, file)}
    if early is not None and not _is_harmless(error):
        early(facts)
    return {**facts, "message": _message(error)}


def describe_syntax(error: BaseException, file: str) -> dict[str, Any]:
    """The same for an exception of the compiler, which knows the place itself."""
    facts = describe(error, file)
    if isinstance(error, SyntaxError):
        facts["message"] = str(error.msg)[:MAX_MESSAGE]
        facts["line"] = error.lineno if type(error.lineno) is int else None
        facts["column"] = error.offset if type(error.offset) is int else None
    return facts


def _place(error: BaseException, file: str) -> dict[str, Any]:
    found: TracebackType | None = None
    step = _traceback(error)
    for _ in range(MAX_STEPS):
        if step is None:
            break
        if step.tb_frame.f_code.co_filename == file:
            found = step
        step = step.tb_next
    if found is None:
        return {"line": None, "column": None, "function": ""}
    code = found.tb_frame.f_code
    function = "" if code.co_name == "<module>" else _plain(code.co_name)[:80]
    return {"line": found.tb_lineno, "column": _column(found), "function": function}


def _column(step: TracebackType) -> int | None:
    positions = getattr(step.tb_frame.f_code, "co_positions", None)
    if positions is None or step.tb_lasti < 0:
        return None
    for place in itertools.islice(positions(), step.tb_lasti // 2, None):
        return place[2] + 1 if type(place[2]) is int else None
    return None


def _is_harmless(error: BaseException) -> bool:
    kind = type(error)
    if getattr(builtins, type_name(kind), None) is not kind:
        return False
    return all(type(item) in (str, int, float, type(None)) for item in _arguments(error))


def _message(error: BaseException) -> str:
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001 - a student's __str__ may raise anything
        return ""
    return _plain(text[:MAX_MESSAGE]) if type(text) is str else ""


def _plain(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
