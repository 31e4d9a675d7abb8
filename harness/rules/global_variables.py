"""Functions use no global variables: only their parameters, their own variables, functions and constants."""

from __future__ import annotations

import ast
import dataclasses

from harness.rules import bindings
from harness.rules.finding import Finding, quoted
from harness.rules.source import Source
from harness.rules.syntax import Function, enclosing_function, functions, last_line

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
    found = [_declared(source, node, name) for node, name in _declarations(source) if name not in settings.allowed]
    blocks = bindings.outer_functions(source)
    for function in functions(source):
        block = blocks.get((function.name, function.lineno))
        names = bindings.global_reads(block) & variables if block is not None else set()
        found += [_read(source, function, name) for name in sorted(names)]
    if settings.outside_functions:
        found += _outside(source, variables)
    return tuple(found)


def _declarations(source: Source) -> list[tuple[ast.Global, str]]:
    """The names of `global` statements inside functions; outside of them the statement does nothing."""
    inside = (node for node in source.of(ast.Global) if enclosing_function(source, node) is not None)
    return [(node, name) for node in inside for name in node.names]


def _declared(source: Source, node: ast.Global, name: str) -> Finding:
    message = (
        f"{quoted(name)} is declared as global here. "
        "Give the value to the function as a parameter, and return what changes."
    )
    return Finding(NAME, node.lineno, source.column(node), message, WHY)


def _read(source: Source, function: Function, name: str) -> Finding:
    place = _first_use(source, function, name)
    message = (
        f"The function {quoted(function.name)} uses the global variable {quoted(name)}. "
        "Give it to the function as a parameter; if it never changes, write its name in capitals."
    )
    return Finding(NAME, place.lineno, source.column(place), message, WHY)


def _first_use(source: Source, function: Function, name: str) -> ast.Name | Function:
    start = (function.body[0].lineno, function.body[0].col_offset)
    uses = (
        node
        for node in source.of(ast.Name)
        if node.id == name and start <= (node.lineno, node.col_offset) and node.lineno <= last_line(function)
    )
    return next(uses, function)


def _outside(source: Source, variables: set[str]) -> list[Finding]:
    found = []
    for name, nodes in bindings.assignments(source).items():
        if name in variables and not bindings.guarded(source, name):
            message = (
                f"{quoted(name)} is a variable outside of all functions. "
                "Move it into a function; if it never changes, write its name in capitals."
            )
            found.append(Finding(NAME, nodes[0].lineno, source.column(nodes[0]), message, WHY))
    return found
