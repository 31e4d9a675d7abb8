"""A source file, read once: bytes, text, lines, syntax tree and the compiler's own symbol table.

`read` is as tolerant as the interpreter and no more: coding cookies, byte order marks, CRLF, lone CR and form feeds
are fine. What the interpreter refuses comes back as `Unreadable`, a sentence for the student.
Reading a hostile file can end the process (`a.b.b.b…` does, on some versions), so only `serve` does it for real.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import io
import symtable
import tokenize
import warnings
from collections.abc import Iterator
from typing import TypeVar

from harness.rules.unreadable import Unreadable, of_bytes, of_error

Node = TypeVar("Node", bound=ast.AST)

_NO_PLACE = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
"""Kinds of nodes that have no line and are shared between parents."""


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
    def _walked(self) -> tuple[dict[type[ast.AST], list[ast.AST]], dict[ast.AST, ast.AST]]:
        """Nodes by kind in the order of the text, and each node's parent; without recursion, as trees can be deep."""
        kinds: dict[type[ast.AST], list[ast.AST]] = {}
        parents: dict[ast.AST, ast.AST] = {}
        stack: list[ast.AST] = [self.tree]
        while stack:
            node = stack.pop()
            kinds.setdefault(type(node), []).append(node)
            children = [child for child in ast.iter_child_nodes(node) if not isinstance(child, _NO_PLACE)]
            parents.update(dict.fromkeys(children, node))
            stack.extend(reversed(children))
        return kinds, parents

    def of(self, *kinds: type[Node]) -> list[Node]:
        """All nodes of these kinds, each kind in the order of the text."""
        index = self._walked[0]
        return [node for kind in kinds for node in index.get(kind, ()) if isinstance(node, kind)]

    def parent(self, node: ast.AST) -> ast.AST | None:
        return self._walked[1].get(node)

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The parent, its parent, and so on up to the module."""
        parents = self._walked[1]
        while node in parents:
            node = parents[node]
            yield node

    @functools.cached_property
    def tokens(self) -> tuple[tokenize.TokenInfo, ...]:
        """The tokens, up to the place where `tokenize` gives up on what the compiler still understands."""
        found = []
        try:
            found.extend(tokenize.generate_tokens(io.StringIO(self.text).readline))
        except (tokenize.TokenError, SyntaxError):
            pass
        return tuple(found)

    def line(self, number: int) -> str:
        """The line with this number, counted from 1."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def column(self, node: ast.AST) -> int:
        """The column where a node begins, in characters, counted from 1; the tree counts bytes from 0."""
        before = self.line(getattr(node, "lineno", 0)).encode("utf-8", "surrogatepass")[: getattr(node, "col_offset", 0)]
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
