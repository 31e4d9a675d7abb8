"""Questions several rules ask of the syntax tree. Nothing here recurses: trees can be deep and still be legal."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from harness.rules.source import FUNCTIONS, Source

Function = ast.FunctionDef | ast.AsyncFunctionDef
TRIES: tuple[type[ast.stmt], ...] = (
    ast.Try,
    *(kind for kind in ast.stmt.__subclasses__() if kind.__name__ == "TryStar"),
)
CONTROL: tuple[type[ast.stmt], ...] = (
    *(ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Match),
    *TRIES,
)
COMPOUND: tuple[type[ast.stmt], ...] = (*FUNCTIONS, ast.ClassDef, *CONTROL)


def functions(source: Source) -> list[Function]:
    """All functions and methods, in the order of the text."""
    found: list[Function] = [*source.of(ast.FunctionDef), *source.of(ast.AsyncFunctionDef)]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def enclosing_function(source: Source, node: ast.AST) -> Function | None:
    """The innermost function around a node, through lambdas, classes and comprehensions."""
    around = source.scope(node)
    while around is not source.tree and not isinstance(around, FUNCTIONS):
        around = source.scope(around)
    return around if isinstance(around, FUNCTIONS) else None


def is_method(source: Source, function: Function) -> bool:
    return isinstance(source.scope(function), ast.ClassDef)


def is_dunder(name: str) -> bool:
    return len(name) > 4 and name.startswith("__") and name.endswith("__")


def is_capital(name: str) -> bool:
    """A constant by its name: `MENU`, `MAX_ROWS`, `_SUITS`."""
    return name.isupper()


def dotted(node: ast.AST) -> str:
    """`random.shuffle` for that attribute, `deal` for that name, nothing for anything else."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(parts)])


def is_guard(node: ast.AST) -> bool:
    """`if __name__ == "__main__":`, either way round."""
    if not isinstance(node, ast.If) or not isinstance(node.test, ast.Compare):
        return False
    sides = [node.test.left, *node.test.comparators]
    return any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)


def in_guard(source: Source, node: ast.AST) -> bool:
    return any(is_guard(above) for above in source.ancestors(node))


def docstring(node: ast.Module | ast.ClassDef | Function) -> ast.Constant | None:
    """The string that is a module's, class's or function's docstring."""
    first = node.body[0] if node.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first.value
    return None


def blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements that a statement holds: body, else, finally, handlers, cases."""
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list) and block:
            yield block
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield part.body


def is_elif(node: ast.AST, block: list[ast.stmt]) -> bool:
    """The `else` block of an `if` that is written as `elif`, which the tree shows as an `if` inside it."""
    first = block[0]
    return (
        isinstance(node, ast.If)
        and isinstance(first, ast.If)
        and block is node.orelse
        and first.col_offset == node.col_offset
    )


def parameters(function: Function | ast.Lambda) -> list[ast.arg]:
    """All parameters, with `*args` and `**kwargs`."""
    args = function.args
    found = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    return [*found, *(extra for extra in (args.vararg, args.kwarg) if extra is not None)]


def last_line(node: ast.AST) -> int:
    """The last line of a node that has a place."""
    end: int | None = getattr(node, "end_lineno", None)
    return end if end is not None else int(getattr(node, "lineno", 0))
