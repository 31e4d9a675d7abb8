from __future__ import annotations

import ast
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.rules.source import Source, read
from harness.rules.unreadable import Unreadable


def unreadable(data: bytes) -> Unreadable:
    result = read("program.py", data)
    assert isinstance(result, Unreadable)
    return result


def shape(tree: ast.AST) -> list[tuple[str, object]]:
    """The kinds of all nodes with their names and values, without recursion."""
    nodes = ast.walk(tree)
    return [
        (type(node).__name__, node.value if isinstance(node, ast.Constant) else getattr(node, "id", ""))
        for node in nodes
    ]


VALID = {
    "empty": b"",
    "only a comment": b"# nothing",
    "byte order mark": b"\xef\xbb\xbfx = 1\n",
    "latin-1 with a cookie": b"# -*- coding: latin-1 -*-\ns = '\xe9'\n",
    "utf-7 with a cookie": "# coding: utf-7\ns = 'é'\n".encode("utf-7"),
    "cookie on the second line": b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\ns = '\x80'\n",
    "carriage returns and newlines": b"if 1:\r\n    x = 1\r\ny = 2\r\n",
    "carriage returns alone": b"if 1:\r    x = 1\ry = 2\r",
    "carriage returns alone with a cookie": b"#!/usr/bin/python\r# coding: latin-1\rs = '\xe9'\r",
    "form feed": b"x = 1\n\x0c\ny = 2\n",
    "line separators inside a text": "s = 'a\u2028b\x0bc\x1cd'\ny = 1\n".encode(),
    "unknown escape": b"s = '\\d'\n",
    "full-width identifiers": "ｍｏｖｅ = 1\nmove\n".encode(),  # noqa: RUF001  the point of the test
    "a long line": b"x = '" + b"a" * 100_000 + b"'\n",
    "a long sum": b"x = " + b" + ".join([b"1"] * 900) + b"\n",
    "many elifs": b"if x: pass\n" + b"elif x: pass\n" * 900,
    "nested lists": b"x = " + b"[" * 90 + b"]" * 90 + b"\n",
    "nested blocks": "".join(" " * level + "if x:\n" for level in range(90)).encode() + b" " * 90 + b"pass\n",
    "no newline at the end": b"x = 1",
    "continued to the end": b"x = 1\\\n\n",
}


@pytest.mark.parametrize("data", VALID.values(), ids=VALID.keys())
@pytest.mark.filterwarnings("ignore")
def test_strange_but_valid_sources_are_read(data: bytes) -> None:
    compile(data, "x", "exec")
    source = read("program.py", data)
    assert isinstance(source, Source)
    assert shape(source.tree) == shape(ast.parse(data))


BROKEN = {
    "a half function": (b"x = 1\ndef f(:\n", "Line 2, column 7", "invalid syntax", (2, 7)),
    "wrong indent": (b"if 1:\nx = 1\n", "Line 2", "IndentationError", (2, 1)),
    "tabs and blanks": (b"if 1:\n        x = 1\n\ty = 2\n", "Line 3", "TabError", (3, 8)),
    "latin-1 without a cookie": (b"x = 1\ns = '\xe9'\n", "byte 11 (on line 2) is 0xE9", "UTF-8", (2, 6)),
    "NUL": (b"x = 1\ny = 2\0\n", "Line 2", "NUL", (2, 0)),
    "utf-16": ("x = 1\n".encode("utf-16"), "UTF-16", "Save it again", (0, 0)),
    "utf-16 without a mark": ("x = 1\n".encode("utf-16-le"), "NUL", "Line 1", (1, 0)),
    "curly quotes": ("x = 1\nprint(“hi”)\n".encode(), "U+201C", 'type a plain quotation mark "', (2, 7)),
    "no-break space": ("x\u00a0= 1\n".encode(), "U+00A0", "type a plain blank", (1, 2)),
    "zero-width space": ("x\u200b = 1\n".encode(), "U+200B", "delete it", (1, 2)),
    "control Z": (b"x = 1\n\x1a", "U+001A", "delete it", (2, 1)),
    "unknown encoding": (b"# coding: klingon\nx = 1\n", "encoding", "klingon", (0, 0)),
    "no text encoding": (b"# coding: rot13\nk = 1\n", "encoding", "rot13", (0, 0)),
    "mark and another cookie": (b"\xef\xbb\xbf# coding: latin-1\nx = 1\n", "encoding", "cannot be used", (0, 0)),
    "python 2": (b"print 'hello'\n", "Line 1", "print", (1, 1)),
    "many minus signs": (b"-" * 200_000 + b"1", "nested too deeply", "", (0, 0)),
    "many parentheses": (b"(" * 1000 + b")" * 1000, "too many nested parentheses", "Line 1", (1, 201)),
    "many indents": (
        "".join(" " * level + "if x:\n" for level in range(150)).encode(),
        "Line 101",
        "too many levels",
        (101, 1),
    ),
    "global after use": (b"def f():\n    x = 1\n    global x\n", "Line 3", "global", (3, 5)),
}


@pytest.mark.parametrize(("data", "first", "second", "place"), BROKEN.values(), ids=BROKEN.keys())
def test_what_python_refuses_is_explained(data: bytes, first: str, second: str, place: tuple[int, int]) -> None:
    why = unreadable(data)
    assert first in why.reason
    assert second in why.reason
    assert why.reason.endswith(".")
    assert why.line == place[0]
    if place[0] and "TabError" not in why.reason:
        assert why.column == place[1]
    assert not any(unicodedata.category(character) == "Cc" for character in why.reason)


def test_lines_are_counted_as_python_counts_them() -> None:
    source = read("program.py", "s = 'a\u2028b'\ny = 2\n".encode())
    assert isinstance(source, Source)
    assert [node.lineno for node in source.tree.body] == [1, 2]
    assert source.line(2) == "y = 2"
    assert source.line(0) == source.line(99) == ""


def test_nodes_know_their_place() -> None:
    source = read("program.py", b"class A:\n    def f(self):\n        return [x for x in self]\n")
    assert isinstance(source, Source)
    (comprehension,) = source.of(ast.ListComp)
    (function,) = source.of(ast.FunctionDef)
    assert source.scope(comprehension) is function
    assert source.scope(function) is source.of(ast.ClassDef)[0]
    assert list(source.ancestors(comprehension))[-1] is source.tree
    assert source.parent(source.tree) is None


@given(st.binary(max_size=200))
def test_no_bytes_bring_the_reader_down(data: bytes) -> None:
    result = read("program.py", data)
    if isinstance(result, Unreadable):
        assert result.reason
        assert result.line >= 0


SOUP = (
    "def ",
    "f",
    "(",
    ")",
    ":",
    "\n",
    "    ",
    "\t",
    "x",
    "=",
    "1",
    "'",
    '"""',
    "#",
    "\\",
    "if ",
    "else",
    "lambda ",
    "é",
    "“",
    "\r",
    "\f",
    "[",
    "]",
    ",",
    "\x00",
)


@given(st.lists(st.sampled_from(SOUP), max_size=30).map("".join))
@pytest.mark.filterwarnings("ignore")
def test_a_source_is_readable_if_python_can_parse_it(text: str) -> None:
    data = text.encode()
    try:
        ast.parse(data)
    except (SyntaxError, ValueError):
        assert isinstance(read("program.py", data), Unreadable)
    else:
        assert isinstance(read("program.py", data), Source)
