"""Identifiers are written lower_with_under and say what they stand for."""

from __future__ import annotations

import ast
import dataclasses
import re

from harness.rules.bindings import definitions, is_alias
from harness.rules.finding import Finding, plural, quoted
from harness.rules.source import Source
from harness.rules.syntax import functions, is_dunder, parameters

NAME = "names"
WHY = "A name is the shortest comment there is, and one way of writing names saves everybody from guessing."
_MIXED = re.compile(r"[a-z][A-Z]|^_*[A-Z][A-Z]?[a-z]")

Bound = tuple[str, ast.AST]


@dataclasses.dataclass(frozen=True)
class Settings:
    """Names in `allowed` are what the assignment itself prescribes; with `camel_case`, `pushDeck` is as good as `push_deck`.

    One-letter names are free as loop variables, in lambdas and comprehensions and if they are in `letters`
    (coordinates, counts, files); of the others a program may have `letters_at_most`.
    """

    camel_case: bool = False
    allowed: tuple[str, ...] = ()
    letters: tuple[str, ...] = ("_", "i", "j", "k", "m", "n", "r", "c", "x", "y", "f", "e")
    letters_at_most: int = 5


def findings(source: Source, settings: Settings) -> tuple[Finding, ...]:
    bound = sorted(_bound(source), key=lambda pair: (getattr(pair[1], "lineno", 0), getattr(pair[1], "col_offset", 0)))
    defined = definitions(source)
    mixed: dict[str, ast.AST] = {}
    for name, node in bound:
        if (
            _MIXED.search(name)
            and not is_dunder(name)
            and name not in settings.allowed
            and not _names_a_type(source, name, node, defined)
        ):
            mixed.setdefault(name, node)
    found = [] if settings.camel_case else [_mixed(source, name, node) for name, node in mixed.items()]
    return (*found, *_letters(source, bound, settings))


def _bound(source: Source) -> list[Bound]:
    """Everything the program gives a name to: functions, parameters, variables and attributes of `self`."""
    found: list[Bound] = []
    for function in functions(source):
        found.append((function.name, function))
        found += [(parameter.arg, parameter) for parameter in parameters(function)]
    found += [(node.id, node) for node in source.of(ast.Name) if isinstance(node.ctx, ast.Store)]
    for node in source.of(ast.Attribute):
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == "self":
            found.append((node.attr, node))
    return found


def _names_a_type(source: Source, name: str, node: ast.AST, defined: set[str]) -> bool:
    """`Board = list[list[int]]` or a named tuple: written like a class, and rightly so."""
    return name[0].isupper() and source.scope(node) is source.tree and is_alias(source, node, defined)


def _mixed(source: Source, name: str, node: ast.AST) -> Finding:
    better = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    message = f"The name {quoted(name)} is written with capitals inside. Write it as {quoted(better)}."
    return Finding(NAME, getattr(node, "lineno", 0), source.column(node), message, WHY)


def _letters(source: Source, bound: list[Bound], settings: Settings) -> list[Finding]:
    """One finding for all one-letter names together, if there are too many of them."""
    loops = _loop_variables(source)
    single = [
        (name, node)
        for name, node in bound
        if len(name) == 1
        and name not in (*settings.letters, *settings.allowed)
        and (source.scope(node), name) not in loops
    ]
    distinct: dict[tuple[ast.AST, str], ast.AST] = {}
    for name, node in single:
        distinct.setdefault((source.scope(node), name), node)
    if len(distinct) <= settings.letters_at_most:
        return []
    first = next(iter(distinct.values()))
    shown = ", ".join(f"{name} (line {getattr(node, 'lineno', 0)})" for (_, name), node in list(distinct.items())[:8])
    message = f"The program has {plural(len(distinct), 'name')} of one letter: {shown}. Choose names that say what they stand for."
    return [Finding(NAME, getattr(first, "lineno", 0), source.column(first), message, WHY)]


def _loop_variables(source: Source) -> set[tuple[ast.AST, str]]:
    """Names that a `for` loop counts with, or that live in a comprehension, with the scope they live in."""
    found = set()
    loops: list[ast.For | ast.AsyncFor | ast.comprehension] = [*source.of(ast.For), *source.of(ast.comprehension)]
    loops += source.of(ast.AsyncFor)
    for loop in loops:
        targets = [node for node in ast.walk(loop.target) if isinstance(node, ast.Name)]
        found |= {(source.scope(loop), target.id) for target in targets}
    return found
