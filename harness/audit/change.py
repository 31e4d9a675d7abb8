"""One change to a program, as an edit of its text: comments and layout stay, so that the diff is what a person would see."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable, Iterator


@dataclasses.dataclass(frozen=True)
class Site:
    """A node of the program, with the nodes around it, the outermost first."""

    node: ast.AST
    around: tuple[ast.AST, ...]

    @property
    def parent(self) -> ast.AST:
        return self.around[-1]

    @property
    def function(self) -> ast.FunctionDef | None:
        """The innermost function that the node is in."""
        return next((node for node in reversed(self.around) if isinstance(node, ast.FunctionDef)), None)

    @property
    def in_condition(self) -> bool:
        """Whether the node is what an `if`, a `while` or a conditional expression asks."""
        return isinstance(self.parent, (ast.If, ast.While, ast.IfExp)) and self.parent.test is self.node


@dataclasses.dataclass(frozen=True)
class Change:
    """What takes the place of a node: another expression, or the text of a statement."""

    description: str
    instead: ast.expr | str


Operator = Callable[[Site], Iterator[Change]]


def shown(node: ast.AST, most: int = 60) -> str:
    """A piece of the program on one line."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= most else f"{text[: most - 1]}…"


def becomes(node: ast.AST, instead: ast.expr) -> Change:
    """A change that is described by what stands there before and after."""
    return Change(f"`{shown(node)}` becomes `{shown(instead)}`", instead)


def number(value: int) -> ast.expr:
    """An integer as an expression."""
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def integer(node: ast.AST) -> int | None:
    """The value of an integer that is written out, with its sign."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = integer(node.operand)
        return None if inner is None else -inner
    return None


def called(node: ast.AST) -> str:
    """The name of the function or method that a call calls."""
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


@dataclasses.dataclass(frozen=True)
class Segment:
    """The lines of one top-level statement, which can be read by themselves, and what stands before and after them."""

    before: bytes
    text: bytes
    after: bytes

    @property
    def shape(self) -> str:
        """The syntax tree as text, the same for texts that differ in layout only."""
        return ast.dump(ast.parse(self.text))


def segment(source: bytes, statement: ast.stmt) -> Segment:
    """Cut a program before and after a statement."""
    lines = source.splitlines(keepends=True)
    first, last = statement.lineno - 1, statement.end_lineno
    return Segment(b"".join(lines[:first]), b"".join(lines[first:last]), b"".join(lines[last:]))


def edited(whole: Segment, node: ast.AST, instead: ast.expr | str) -> Segment | None:
    """The statement with the change made, or None if it cannot be read any more."""
    start, end = _span(whole, node)

    def changed(text: str) -> Segment:
        return dataclasses.replace(whole, text=whole.text[:start] + text.encode() + whole.text[end:])

    if isinstance(instead, str):
        bare = changed(instead)
        return bare if _shape(bare) is not None else None
    bare, wrapped = changed(ast.unparse(instead)), changed(f"({ast.unparse(instead)})")
    meant = _shape(wrapped)
    return None if meant is None else bare if _shape(bare) == meant else wrapped


def _span(whole: Segment, node: ast.AST) -> tuple[int, int]:
    """Where the text of a node starts and ends in its segment, in bytes."""
    lines = whole.text.splitlines(keepends=True)
    above = whole.before.count(b"\n")
    places = ((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset))  # type: ignore[attr-defined]
    start, end = (sum(map(len, lines[: line - above - 1])) + column for line, column in places)
    return start, end


def _shape(whole: Segment) -> str | None:
    try:
        return whole.shape
    except SyntaxError:
        return None
