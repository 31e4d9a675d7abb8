"""Changes to expressions: comparisons, conditions, numbers, arithmetic and texts."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from harness.audit.change import Change, Site, becomes, called, integer, number, shown

_OTHER_COMPARISONS: Mapping[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}


def compare(site: Site) -> Iterator[Change]:
    """Another comparison: the boundary moved, or the answer turned round."""
    node = site.node
    if not isinstance(node, ast.Compare):
        return
    for index, operator in enumerate(node.ops):
        for other in _OTHER_COMPARISONS[type(operator)]:
            ops = [*node.ops[:index], other(), *node.ops[index + 1 :]]
            yield becomes(node, ast.Compare(node.left, ops, node.comparators))


def identity(site: Site) -> Iterator[Change]:
    """`is` in place of `==`, where a new list or tuple is compared."""
    node = site.node
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
        return
    made = [inner for side in (node.left, *node.comparators) for inner in ast.walk(side)]
    if any(isinstance(inner, (ast.List, ast.Tuple, ast.ListComp)) for inner in made):
        operator = ast.Is() if isinstance(node.ops[0], ast.Eq) else ast.IsNot()
        yield becomes(node, ast.Compare(node.left, [operator], node.comparators))


def connective(site: Site) -> Iterator[Change]:
    """`or` in place of `and` and the other way round."""
    node = site.node
    if isinstance(node, ast.BoolOp):
        yield becomes(node, ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values))


def forgotten_condition(site: Site) -> Iterator[Change]:
    """One of several conditions left out."""
    node = site.node
    if not isinstance(node, ast.BoolOp):
        return
    for index, value in enumerate(node.values):
        left = [*node.values[:index], *node.values[index + 1 :]]
        rest = left[0] if len(left) == 1 else ast.BoolOp(node.op, left)
        yield Change(f"`{shown(value)}` is left out of `{shown(node)}`", rest)


def dropped_not(site: Site) -> Iterator[Change]:
    """`not` left out."""
    node = site.node
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield becomes(node, node.operand)


def negated(site: Site) -> Iterator[Change]:
    """A condition turned round; comparisons and `not` have changes of their own that do the same."""
    node = site.node
    asked = site.in_condition or (isinstance(site.parent, ast.comprehension) and node in site.parent.ifs)
    if not asked or not isinstance(node, ast.expr) or isinstance(node, ast.UnaryOp):
        return
    if not isinstance(node, ast.Compare) or len(node.ops) > 1:
        yield becomes(node, ast.UnaryOp(ast.Not(), node))


def unconditional(site: Site) -> Iterator[Change]:
    """A condition that is always or never true; a loop that never ends teaches nothing, so loops only get the second."""
    node = site.node
    if not site.in_condition or isinstance(node, ast.Constant):
        return
    for value in (False,) if isinstance(site.parent, ast.While) else (True, False):
        yield becomes(node, ast.Constant(value))


def off_by_one(site: Site) -> Iterator[Change]:
    """A number that is one too large or one too small."""
    value = integer(site.node)
    if value is None or integer(site.parent) is not None or _is_plus_or_minus_one(site):
        return
    for other in (value - 1, value + 1):
        if not (value == 0 and other < 0):
            yield becomes(site.node, number(other))


def _is_plus_or_minus_one(site: Site) -> bool:
    parent = site.parent
    return (
        isinstance(parent, ast.BinOp)
        and isinstance(parent.op, (ast.Add, ast.Sub))
        and parent.right is site.node
        and integer(site.node) == 1
    )


_OTHER_ARITHMETIC: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Mod: ast.FloorDiv,
    ast.FloorDiv: ast.Mod,
    ast.Div: ast.Mult,
}


def arithmetic(site: Site) -> Iterator[Change]:
    """Another operator, or one side left out: `x - 1` becomes `x`, the wrong base of an index."""
    node = site.node
    if not isinstance(node, ast.BinOp) or type(node.op) not in _OTHER_ARITHMETIC:
        return
    if isinstance(node.op, (ast.Add, ast.Sub)):
        yield becomes(node, node.left)
        if integer(node.right) is None:
            yield becomes(node, node.right)
        elif integer(node.right) == 1:
            yield becomes(node, ast.BinOp(node.left, node.op, ast.Constant(2)))
    if not any(
        isinstance(side, (ast.List, ast.ListComp, ast.JoinedStr)) or _is_text(side) for side in (node.left, node.right)
    ):
        yield becomes(node, ast.BinOp(node.left, _OTHER_ARITHMETIC[type(node.op)](), node.right))


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def wrong_text(site: Site) -> Iterator[Change]:
    """A message, a letter or a format with one character more."""
    node = site.node
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield becomes(node, ast.Constant(f"{node.value}?"))
    elif isinstance(node, ast.JoinedStr):
        yield becomes(node, ast.BinOp(node, ast.Add(), ast.Constant("?")))


def other_constant(site: Site) -> Iterator[Change]:
    """`False` in place of `True` and the other way round."""
    node = site.node
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield becomes(node, ast.Constant(not node.value))


def swapped_choice(site: Site) -> Iterator[Change]:
    """The two sides of a conditional expression exchanged."""
    node = site.node
    if isinstance(node, ast.IfExp):
        yield becomes(node, ast.IfExp(node.test, node.orelse, node.body))


def swapped_arguments(site: Site) -> Iterator[Change]:
    """Two neighbouring arguments of a call exchanged."""
    node = site.node
    if not isinstance(node, ast.Call) or any(isinstance(argument, ast.Starred) for argument in node.args):
        return
    for index in range(len(node.args) - 1):
        first, second = node.args[index : index + 2]
        if ast.dump(first) != ast.dump(second):
            args = [*node.args[:index], second, first, *node.args[index + 2 :]]
            yield becomes(node, ast.Call(node.func, args, node.keywords))


_OTHER_CALLS: Mapping[str, str] = {"all": "any", "any": "all", "max": "min", "min": "max"}


def other_call(site: Site) -> Iterator[Change]:
    """`any` in place of `all`, `min` in place of `max`."""
    node = site.node
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and called(node) in _OTHER_CALLS:
        yield becomes(node, ast.Call(ast.Name(_OTHER_CALLS[called(node)]), node.args, node.keywords))
