"""A source file, read once: bytes, text, lines, syntax tree and the compiler's own symbol table.

`read` is as tolerant as the interpreter and no more: coding cookies, byte order marks, CRLF, lone CR and form feeds
are fine. What the interpreter refuses comes back as `Unreadable`, a sentence for the student.
Reading a hostile file can end the process (`a.b.b.b…` does, on some versions), so only `serve` does it for real.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import io
import symtable
import tokenize
import warnings
from collections.abc import Iterator
from typing import TypeVar, cast

from harness.rules.unreadable import Unreadable, of_bytes, of_error

Node = TypeVar("Node", bound=ast.AST)

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SCOPES = (*FUNCTIONS, ast.Lambda, ast.ClassDef, *COMPREHENSIONS)

_NO_PLACE = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
"""Kinds of nodes that have no line and are shared between parents."""


@dataclasses.dataclass(frozen=True, eq=False)
class _Walk:
    """Nodes by kind in the order of the text, each node's parent, and the scope each node stands in."""

    kinds: dict[type[ast.AST], list[ast.AST]]
    parents: dict[ast.AST, ast.AST]
    scopes: dict[ast.AST, ast.AST]


@dataclasses.dataclass(frozen=True, eq=False)
class Source:
    """What every rule is given. Lines are split as Python counts them."""

    file: str
    data: bytes
    text: str
    lines: tuple[str, ...]
    tree: ast.Module
    symbols: symtable.SymbolTable

    @functools.cached_property
    def _walk(self) -> _Walk:
        """One walk for all rules, without recursion, as legal trees can be deep."""
        walk = _Walk({}, {}, {self.tree: self.tree})
        stack: list[ast.AST] = [self.tree]
        while stack:
            node = stack.pop()
            walk.kinds.setdefault(type(node), []).append(node)
            children = [child for child in ast.iter_child_nodes(node) if not isinstance(child, _NO_PLACE)]
            around = node if isinstance(node, SCOPES) else walk.scopes[node]
            for child in children:
                walk.parents[child] = node
                walk.scopes[child] = around
            stack.extend(reversed(children))
        return walk

    def of(self, *kinds: type[Node]) -> list[Node]:
        """All nodes of exactly these kinds, each kind in the order of the text."""
        index = self._walk.kinds
        return [cast("Node", node) for kind in kinds for node in index.get(kind, ())]

    def scope(self, node: ast.AST) -> ast.AST:
        """The innermost function, lambda, class, comprehension or module around a node."""
        return self._walk.scopes[node]

    def parent(self, node: ast.AST) -> ast.AST | None:
        return self._walk.parents.get(node)

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The parent, its parent, and so on up to the module."""
        parents = self._walk.parents
        while node in parents:
            node = parents[node]
            yield node

    @functools.cached_property
    def tokens(self) -> tuple[tokenize.TokenInfo, ...]:
        """The tokens, up to the place where `tokenize` gives up on what the compiler still understands."""
        found: list[tokenize.TokenInfo] = []
        with contextlib.suppress(tokenize.TokenError, SyntaxError):
            found.extend(tokenize.generate_tokens(io.StringIO(self.text).readline))
        return tuple(found)

    def line(self, number: int) -> str:
        """The line with this number, counted from 1."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def column(self, node: ast.AST) -> int:
        """The column where a node begins, in characters, counted from 1; the tree counts bytes from 0."""
        before = self.line(getattr(node, "lineno", 0)).encode("utf-8", "surrogatepass")[
            : getattr(node, "col_offset", 0)
        ]
        return len(before.decode("utf-8", "replace")) + 1


def read(file: str, data: bytes) -> Source | Unreadable:
    """Read a source as the interpreter would, or say in a sentence why that is impossible."""
    text = decoded(data)
    if isinstance(text, Unreadable):
        return text
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an unknown escape such as "\d" is legal
            tree = ast.parse(text)
            symbols = symtable.symtable(text, "student", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        return of_error(error, text)
    return Source(file, data, text, tuple(text.split("\n")), tree, symbols)


def decoded(data: bytes) -> str | Unreadable:
    """The text with lines ended by a newline alone, or why the bytes are no text."""
    with_newlines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(with_newlines).readline)
        text = data.decode(encoding)
    except (SyntaxError, UnicodeError, LookupError) as error:
        return of_bytes(data, error)
    return text.replace("\r\n", "\n").replace("\r", "\n")
