"""Mistakes that students really make with lists, cards and boards."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from harness.audit.change import Change, Site, becomes, called, integer


def _method(node: ast.AST, name: str) -> ast.Call | None:
    found = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == name
    return node if found else None  # type: ignore[return-value]


def _receiver(call: ast.Call) -> ast.expr:
    assert isinstance(call.func, ast.Attribute)
    return call.func.value


def wrong_end(site: Site) -> Iterator[Change]:
    """The other end of a pile: `pop()` and `pop(0)`, `append` and `insert(0, ...)`."""
    node = site.node
    if (pop := _method(node, "pop")) is not None and not pop.args:
        yield becomes(node, ast.Call(pop.func, [ast.Constant(0)], []))
    if (append := _method(node, "append")) is not None and len(append.args) == 1:
        insert = ast.Attribute(_receiver(append), "insert")
        yield becomes(node, ast.Call(insert, [ast.Constant(0), *append.args], []))
    if (insert_ := _method(node, "insert")) is not None and len(insert_.args) == 2:
        yield becomes(node, ast.Call(ast.Attribute(_receiver(insert_), "append"), insert_.args[1:], []))


def looked_at_not_taken(site: Site) -> Iterator[Change]:
    """A card that is looked at but stays where it is."""
    pop = _method(site.node, "pop")
    if pop is not None and len(pop.args) <= 1 and not isinstance(site.parent, ast.Expr):
        index = pop.args[0] if pop.args else ast.UnaryOp(ast.USub(), ast.Constant(1))
        yield becomes(site.node, ast.Subscript(_receiver(pop), index))


def nested_not_joined(site: Site) -> Iterator[Change]:
    """`append` of a whole list in place of `extend`."""
    extend = _method(site.node, "extend")
    if extend is not None:
        yield becomes(site.node, ast.Call(ast.Attribute(_receiver(extend), "append"), extend.args, []))


def neighbour(site: Site) -> Iterator[Change]:
    """The card beside the right one: `x[i - 1]` and `x[i + 1]` in place of `x[i]`."""
    node = site.node
    if isinstance(site.parent, ast.Subscript) and site.parent.slice is node and isinstance(node, ast.Name):
        yield becomes(node, ast.BinOp(node, ast.Sub(), ast.Constant(1)))
        yield becomes(node, ast.BinOp(node, ast.Add(), ast.Constant(1)))


def no_copy(site: Site) -> Iterator[Change]:
    """The thing itself in place of a copy of it."""
    node = site.node
    if isinstance(node, ast.Call) and called(node) in ("list", "copy", "deepcopy", "sorted", "reversed"):
        if node.args:
            yield becomes(node, node.args[0])
        elif isinstance(node.func, ast.Attribute):
            yield becomes(node, node.func.value)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and isinstance(node.ctx, ast.Load):
        yield becomes(node, node.value)


def one_list_many_times(site: Site) -> Iterator[Change]:
    """`[[]] * 4` in place of four lists of their own."""
    node = site.node
    if isinstance(node, ast.ListComp) and isinstance(node.elt, (ast.List, ast.ListComp)) and len(node.generators) == 1:
        over = node.generators[0].iter
        if (
            isinstance(over, ast.Call)
            and called(over) == "range"
            and len(over.args) == 1
            and not node.generators[0].ifs
        ):
            yield becomes(node, ast.BinOp(ast.List([node.elt]), ast.Mult(), over.args[0]))


def length(site: Site) -> Iterator[Change]:
    """A length that is one too large or one too small."""
    node = site.node
    if called(node) == "len" and isinstance(node, ast.Call):
        yield becomes(node, ast.BinOp(node, ast.Sub(), ast.Constant(1)))
        yield becomes(node, ast.BinOp(node, ast.Add(), ast.Constant(1)))


def bounds(site: Site) -> Iterator[Change]:
    """A range that starts or ends one too late or too early; written-out numbers have a change of their own."""
    node = site.node
    if not isinstance(node, ast.Call) or called(node) != "range" or len(node.args) > 2:
        return
    if len(node.args) == 1:
        yield becomes(node, ast.Call(node.func, [ast.Constant(1), *node.args], []))
    last = node.args[-1]
    if integer(last) is None and called(last) != "len":
        for operator in (ast.Sub(), ast.Add()):
            yield becomes(node, ast.Call(node.func, [*node.args[:-1], ast.BinOp(last, operator, ast.Constant(1))], []))


_CONFUSED: Mapping[str, tuple[str, ...]] = {"rank": ("suit", "value"), "suit": ("rank",), "value": ("rank",)}


def confused_method(site: Site) -> Iterator[Change]:
    """The suit of a card in place of its rank, or its value, which is 10 for every court card."""
    node = site.node
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
        for other in _CONFUSED.get(node.func.attr, ()):
            yield becomes(node, ast.Call(ast.Attribute(node.func.value, other), [], []))


def as_it_was_typed(site: Site) -> Iterator[Change]:
    """What was typed without being put into one case or stripped of blanks."""
    node = site.node
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("upper", "lower", "strip")
    ):
        yield becomes(node, node.func.value)


def sibling(site: Site) -> Iterator[Change]:
    """The other one of two parameters of the same kind: `to_col` in place of `from_col`."""
    node, function = site.node, site.function
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load) or function is None:
        return
    names = [argument.arg for argument in function.args.args]
    if node.id in names:
        for other in names:
            if other != node.id and _kind(other) == _kind(node.id):
                yield becomes(node, ast.Name(other))


def _kind(name: str) -> str:
    """What two parameters have in common: the last word of `from_col` and `to_col`."""
    head, _, tail = name.rpartition("_")
    return tail if head else name
