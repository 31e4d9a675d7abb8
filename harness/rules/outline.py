"""What a program defines: its functions, classes and methods with their parameters, read from the tree alone."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator

from harness.rules.source import FUNCTIONS, Source
from harness.rules.syntax import CONTROL, Function, blocks, dotted

MOST_DEFINITIONS = 2000
"""More than any program a person writes; a file of a million definitions must not make a report of a million lines."""


@dataclasses.dataclass(frozen=True)
class Definition:
    """One name that is bound at the top level, in a class, or in a function.

    `kind` is function, class, value, or unknown for what is imported or computed. `owner` is the class it belongs to, `inside` the function around it.
    `least` and `most` say how many arguments a call may give (`most` is None for any number, without `self`);
    both are -1 if the tree cannot tell, as behind a decorator. `branch` tells apart the arms of an `if` or `try`.
    `bases` are the base classes of a class.
    """

    name: str
    kind: str
    line: int
    owner: str = ""
    inside: str = ""
    parameters: tuple[str, ...] = ()
    least: int = -1
    most: int | None = -1
    branch: str = ""
    bases: tuple[str, ...] = ()


def outline(source: Source) -> tuple[Definition, ...]:
    """Everything the program defines, in the order of the text."""
    found: list[Definition] = []
    waiting = [_Place(source.tree.body, "", "", "", _named(source.tree.body))]
    while waiting and len(found) < MOST_DEFINITIONS:
        place = waiting.pop()
        for node in place.body:
            found += _definitions(node, place)
            waiting += _places_inside(node, place)
    return tuple(sorted(found[:MOST_DEFINITIONS], key=lambda definition: definition.line))


@dataclasses.dataclass(frozen=True)
class _Place:
    """A list of statements, whose it is, and the functions of the file or class it belongs to."""

    body: list[ast.stmt]
    owner: str
    inside: str
    branch: str
    named: dict[str, Function]


def _named(body: list[ast.stmt]) -> dict[str, Function]:
    return {node.name: node for node in body if isinstance(node, FUNCTIONS)}


def _places_inside(node: ast.stmt, place: _Place) -> Iterator[_Place]:
    if isinstance(node, FUNCTIONS):
        yield _Place(node.body, "", node.name, "", {})
    elif isinstance(node, ast.ClassDef):
        yield _Place(node.body, node.name, place.inside, "", _named(node.body))
    elif isinstance(node, CONTROL):
        for arm, block in enumerate(blocks(node)):
            yield _Place(block, place.owner, place.inside, f"{node.lineno}.{arm}", place.named)


def _definitions(node: ast.stmt, place: _Place) -> list[Definition]:
    where = (place.owner, place.inside)
    if isinstance(node, FUNCTIONS):
        return [_function(node, place)]
    if isinstance(node, ast.ClassDef):
        bases = tuple(base.id for base in node.bases if isinstance(base, ast.Name))
        return [Definition(node.name, "class", node.lineno, *where, branch=place.branch, bases=bases)]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        names = [alias.asname or alias.name.partition(".")[0] for alias in node.names]
        return [Definition(name, "unknown", node.lineno, *where, branch=place.branch) for name in names]
    if isinstance(node, ast.Assign) and not place.inside:
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        return [_assigned(name, node, place) for name in names]
    return []


def _function(node: Function, place: _Place) -> Definition:
    decorators = {dotted(decorator).rpartition(".")[2] for decorator in node.decorator_list}
    bound = bool(place.owner) and "staticmethod" not in decorators
    known = decorators <= {"staticmethod", "classmethod"}
    least, most = _arguments(node.args, bound=bound) if known else (-1, -1)
    parameters = tuple(argument.arg for argument in (*node.args.posonlyargs, *node.args.args))[1 if bound else 0 :]
    branch = place.branch if known else f"{place.branch}@{node.lineno}"
    return Definition(node.name, "function", node.lineno, place.owner, place.inside, parameters, least, most, branch)


def _arguments(args: ast.arguments, *, bound: bool) -> tuple[int, int | None]:
    """The least and the most positional arguments of a call; a keyword that must be given makes that unknown."""
    if any(default is None for default in args.kw_defaults):
        return -1, -1
    count = len(args.posonlyargs) + len(args.args) - bound
    least = max(count - len(args.defaults), 0)
    return least, None if args.vararg is not None else max(count, 0)


def _assigned(name: str, node: ast.Assign, place: _Place) -> Definition:
    """A value, unless it is a lambda or another name of a function."""
    if isinstance(node.value, ast.Lambda):
        least, most = _arguments(node.value.args, bound=bool(place.owner))
        return Definition(name, "function", node.lineno, place.owner, place.inside, (), least, most, place.branch)
    alias = _aliased(node.value, place)
    if alias is not None:
        return dataclasses.replace(alias, name=name, line=node.lineno)
    kind = "value" if isinstance(node.value, (ast.Constant, ast.List, ast.Dict, ast.Tuple, ast.Set)) else "unknown"
    return Definition(name, kind, node.lineno, place.owner, place.inside, branch=place.branch)


def _aliased(value: ast.expr, place: _Place) -> Definition | None:
    """The function of the same file or class that `second_name = value` names again."""
    function = place.named.get(value.id) if isinstance(value, ast.Name) else None
    return _function(function, place) if function is not None else None
