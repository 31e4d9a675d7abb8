"""Changes to statements: left out, returned constants, loops in another order, exceptions that are not caught."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from harness.audit.change import Change, Site, becomes, called, shown

_DROPPED = (ast.AugAssign, ast.Raise, ast.Break, ast.Continue, ast.Delete, ast.Assert)


def dropped(site: Site) -> Iterator[Change]:
    """A statement left out: a call, a change of a value, a jump, a `raise`."""
    node = site.node
    call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    bare_return = isinstance(node, ast.Return) and node.value is None
    if call or bare_return or isinstance(node, _DROPPED) or (isinstance(node, ast.Assign) and _had_a_value(node, site)):
        yield Change(f"`{shown(node)}` is left out", "pass")


def _had_a_value(node: ast.Assign, site: Site) -> bool:
    """Leaving out the first assignment of a name would only be a NameError."""
    scope = site.function or site.around[0]
    before = {name.id for name in _stored(scope) if name.lineno < node.lineno}
    return all(name.id in before for target in node.targets for name in _stored(target))


def _stored(node: ast.AST) -> Iterator[ast.Name]:
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store))


def returned(site: Site) -> Iterator[Change]:
    """A constant returned in place of the answer."""
    node = site.node
    if not isinstance(node, ast.Return) or node.value is None:
        return
    for constant in ("None", "True", "False") if _is_yes_or_no(node.value) else ("None",):
        if ast.unparse(node.value) != constant:
            yield Change(f"`{shown(node)}` becomes `return {constant}`", f"return {constant}")


def _is_yes_or_no(node: ast.expr) -> bool:
    negation = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    return negation or isinstance(node, (ast.Compare, ast.BoolOp)) or called(node) in ("all", "any")


def backwards(site: Site) -> Iterator[Change]:
    """A loop that goes through its things from the other end."""
    node = site.node
    if isinstance(site.parent, ast.For) and site.parent.iter is node and isinstance(node, ast.expr):
        inner = node if called(node) in ("range", "list") else ast.Call(ast.Name("list"), [node], [])
        yield becomes(node, ast.Call(ast.Name("reversed"), [inner], []))


def shorter(site: Site) -> Iterator[Change]:
    """A loop or a comprehension that misses the first or the last thing."""
    node = site.node
    over = isinstance(site.parent, (ast.For, ast.comprehension)) and site.parent.iter is node
    if not over or not isinstance(node, ast.expr) or called(node) == "range":
        return  # the bounds of a range have changes of their own
    things = ast.Call(ast.Name("list"), [node], [])
    yield becomes(node, ast.Subscript(things, ast.Slice(lower=ast.Constant(1))))
    yield becomes(node, ast.Subscript(things, ast.Slice(upper=ast.UnaryOp(ast.USub(), ast.Constant(1)))))


def uncaught(site: Site) -> Iterator[Change]:
    """An exception that is not caught, because another one is named."""
    node = site.node
    if isinstance(site.parent, ast.ExceptHandler) and site.parent.type is node and isinstance(node, ast.expr):
        yield becomes(node, ast.Name("ZeroDivisionError"))
