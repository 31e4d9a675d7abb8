"""Cuts the driver off a program, so that its functions can be loaded without playing the game.

Kept are imports, definitions, docstrings and whatever only builds constants. Cut is what runs the program: a call of one of
its own functions or classes, `input()`, `exit()`, printing, loops that may never end, and everything that needs a name which
was cut before it.
"""

from __future__ import annotations

import ast
import builtins
from typing import Any

globals()["__builtins__"] = dict(vars(builtins))

MAX_CUTS = 50
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ALWAYS_KEPT = (ast.Import, ast.ImportFrom, ast.Pass, ast.Global, *_DEFINITIONS)
_TALKING = {
    "input": "it reads input",
    "print": "it prints",
    "exit": "it ends the program",
    "quit": "it ends the program",
}
_TALKING_METHODS = {
    ("sys", "exit"): "it ends the program",
    ("os", "_exit"): "it ends the program",
    ("os", "abort"): "it ends the program",
    ("time", "sleep"): "it waits",
    ("stdin", "readline"): "it reads input",
    ("stdin", "readlines"): "it reads input",
    ("stdin", "read"): "it reads input",
}


def cut(tree: ast.Module) -> tuple[ast.Module, list[dict[str, Any]]]:
    """The program without its driver, and what was cut: line, text and reason."""
    knife = _Knife(tree)
    kept, cuts = [], []
    for statement in tree.body:
        why = knife.why(statement)
        if why:
            knife.lost.update(_bound(statement))
            cuts.append({"line": statement.lineno, "text": "", "why": why})
        else:
            kept.append(statement)
    return ast.Module(body=kept, type_ignores=[]), cuts[:MAX_CUTS]


class _Knife:
    def __init__(self, tree: ast.Module) -> None:
        self.own = {node.name for node in tree.body if isinstance(node, _DEFINITIONS)}
        self.lost: set[str] = set()

    def why(self, statement: ast.stmt) -> str:
        """Why the statement is part of the driver, or nothing."""
        if isinstance(statement, _ALWAYS_KEPT) or _is_guard(statement):
            return ""
        if isinstance(statement, ast.Expr) and not isinstance(statement.value, (ast.Call, ast.Constant)):
            return "it computes something and does not keep it"
        for node in _outside_functions(statement):
            reason = self._why_node(node)
            if reason:
                return reason
        return ""

    def _why_node(self, node: ast.AST) -> str:
        if isinstance(node, ast.While):
            return "it is a loop that may never end"
        if isinstance(node, ast.Raise):
            return "it raises an exception"
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in self.lost:
            return f"it needs {node.id}, which was left out before"
        if isinstance(node, ast.Call):
            return self._why_call(node.func)
        return "it reads input" if _is_stdin_loop(node) else ""

    def _why_call(self, function: ast.expr) -> str:
        if isinstance(function, ast.Name):
            if function.id in self.own:
                return f"it calls {function.id}"
            return _TALKING.get(function.id, "")
        if isinstance(function, ast.Attribute):
            owner = function.value
            name = owner.attr if isinstance(owner, ast.Attribute) else owner.id if isinstance(owner, ast.Name) else ""
            if name in self.own:
                return f"it calls {name}.{function.attr}"
            return _TALKING_METHODS.get((name, function.attr), "")
        return ""


def _is_guard(statement: ast.stmt) -> bool:
    """`if __name__ == "__main__":` does nothing in a module that is imported."""
    if not isinstance(statement, ast.If) or statement.orelse:
        return False
    test = statement.test
    return isinstance(test, ast.Compare) and any(
        isinstance(node, ast.Name) and node.id == "__name__" for node in (test.left, *test.comparators)
    )


def _is_stdin_loop(node: ast.AST) -> bool:
    return isinstance(node, ast.For) and isinstance(node.iter, ast.Attribute) and node.iter.attr == "stdin"


def _outside_functions(statement: ast.AST) -> list[ast.AST]:
    """The nodes that run when the statement does; the bodies of functions do not."""
    found, todo = [], [statement]
    while todo:
        node = todo.pop()
        found.append(node)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            todo.extend(ast.iter_child_nodes(node))
    return found


def _bound(statement: ast.stmt) -> set[str]:
    """The names that the statement would have given a value."""
    return {
        node.id
        for node in _outside_functions(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
