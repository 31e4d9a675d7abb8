"""Functions use no global variables: only their parameters, their own variables, functions and constants."""

from __future__ import annotations

import ast
import bisect
import dataclasses

from harness.rules import bindings
from harness.rules.finding import Finding, quoted
from harness.rules.source import Source
from harness.rules.syntax import Function, functions, last_line

NAME = "global_variables"
WHY = "A function that depends on nothing but its parameters can be understood, tested and moved by itself."


@dataclasses.dataclass(frozen=True)
class Settings:
    """Names in `allowed` may be read anywhere. With `outside_functions` even having a variable outside of functions is a finding.

    A parameter or local variable that shares its name with a global one is no global variable, and what only the
    `__main__` guard uses is nobody's business.
    """

    allowed: tuple[str, ...] = ()
    outside_functions: bool = False


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    variables = bindings.module_variables(source) - set(settings.allowed)
    declared = bindings.global_declarations(source)
    found = [_declared(source, node, name) for node, name in declared if name not in settings.allowed]
    blocks = bindings.outer_functions(source)
    places = _places(source, variables)
    for function in functions(source):
        block = blocks.get((function.name, function.lineno))
        names = bindings.global_reads(block) & variables if block is not None else set()
        found += [_read(source, function, name, places) for name in sorted(names)]
    if settings.outside_functions:
        found += _outside(source, variables)
    return tuple(found)


def _declared(source: Source, node: ast.Global, name: str) -> Finding:
    message = (
        f"{quoted(name)} is declared as global here. "
        "Give the value to the function as a parameter, and return what changes."
    )
    return Finding(NAME, node.lineno, source.column(node), message, WHY)


def _read(source: Source, function: Function, name: str, places: dict[str, list[ast.Name]]) -> Finding:
    place = _first_use(function, places.get(name, []))
    message = (
        f"The function {quoted(function.name)} uses the global variable {quoted(name)}. "
        "Give it to the function as a parameter; if it never changes, write its name in capitals."
    )
    return Finding(NAME, place.lineno, source.column(place), message, WHY)


def _places(source: Source, variables: set[str]) -> dict[str, list[ast.Name]]:
    """Where each of these names is written, in the order of the text."""
    found: dict[str, list[ast.Name]] = {name: [] for name in variables}
    for node in source.of(ast.Name):
        if node.id in variables:
            found[node.id].append(node)
    return {name: sorted(nodes, key=_position) for name, nodes in found.items()}


def _position(node: ast.expr | ast.stmt) -> tuple[int, int]:
    return (node.lineno, node.col_offset)


def _first_use(function: Function, places: list[ast.Name]) -> ast.Name | Function:
    """The first place inside the body; defaults and decorators are evaluated outside of it."""
    index = bisect.bisect_left(places, _position(function.body[0]), key=_position)
    inside = index < len(places) and places[index].lineno <= last_line(function)
    return places[index] if inside else function


def _outside(source: Source, variables: set[str]) -> list[Finding]:
    found = []
    for name, nodes in bindings.assignments(source).items():
        if name in variables and not bindings.guarded(source, nodes):
            line = getattr(nodes[0], "lineno", 0)
            message = (
                f"{quoted(name)} is a variable outside of all functions. "
                "Move it into a function; if it never changes, write its name in capitals."
            )
            found.append(Finding(NAME, line, source.column(nodes[0]), message, WHY))
    return found
