"""Calls on the student's functions and classes: which arguments fit, and scripts of method calls on objects that have names."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable
from typing import Any

from . import raised
from .codec import Kinds, Observer, decode

globals()["__builtins__"] = dict(vars(builtins))

_signature = inspect.signature


def fitting(function: Callable[..., Any], choices: list[list[Any]]) -> list[Any]:
    """The first argument list whose length the function accepts; the official one if none fits."""
    if len(choices) == 1:
        return choices[0]
    try:
        signature = _signature(function)
    except (TypeError, ValueError):
        return choices[0]
    for choice in choices:
        try:
            signature.bind(*choice)
        except TypeError:
            continue
        return choice
    return choices[0]


def names_of(entry: Any) -> list[str]:
    """One accepted spelling, or several in the order of preference."""
    return list(entry) if type(entry) is list else [entry]


class Script:
    """Runs the steps of one script, one after the other; a step that raises does not stop the next."""

    def __init__(self, namespace: dict[str, Any], file: str, kinds: Kinds, official: dict[str, Any]) -> None:
        self._namespace = namespace
        self._file = file
        self._kinds = kinds
        self._official = official
        self._named: dict[str, Any] = {}

    def run(self, steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [self._result(step) for step in steps]

    def _result(self, step: dict[str, Any]) -> dict[str, Any]:
        try:
            action = self._action(step)
            if type(action) is list:
                return {"missing": action}
            value = action()
        except SystemExit as error:
            return {"raised": raised.describe(error, self._file)}
        except BaseException as error:  # noqa: BLE001 - whatever a student's method raises is the result of the step
            return {"raised": raised.describe(error, self._file)}
        seen = Observer(self._kinds, {id(item): name for name, item in self._named.items()}).see(value, "value")
        if "as" in step:
            self._named[step["as"]] = value
        return {"value": seen}

    def _action(self, step: dict[str, Any]) -> Any:
        """What the step does, as a function of nothing, or the names of which none is there."""
        if "str" in step:
            return self._on(step["str"], lambda item: lambda: str(item))
        if "repr" in step:
            return self._on(step["repr"], lambda item: lambda: repr(item))
        if "on" in step:
            return self._on(step["on"], lambda item: self._call(_method(item, names_of(step["call"])), step, "call"))
        verb = "new" if "new" in step else "call"
        return self._call(self._find(names_of(step[verb])), step, verb)

    def _on(self, name: str, make: Callable[[Any], Any]) -> Any:
        return make(self._named[name]) if name in self._named else [name]

    def _find(self, names: list[str]) -> Any:
        for name in names:
            found = self._official.get(name, self._namespace.get(name))
            if found is not None:
                return found
        return None

    def _call(self, function: Any, step: dict[str, Any], verb: str) -> Any:
        if function is None:
            return names_of(step[verb])
        lists = [step.get("args", []), *step.get("alternatives", [])]
        try:
            choices = [[decode(item, self._kinds, self._named) for item in choice] for choice in lists]
        except KeyError as absent:
            return [str(absent.args[0])]
        return lambda: function(*fitting(function, choices))


def _method(item: Any, names: list[str]) -> Any:
    for name in names:
        found = getattr(item, name, None)
        if found is not None:
            return found
    return None
