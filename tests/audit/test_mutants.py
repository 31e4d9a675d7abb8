"""Mutants: one change at a time, each as a student might make it."""

from __future__ import annotations

import ast
import textwrap
import types

import pytest

from harness.assignment import Tree
from harness.audit.mutants import OPERATORS, mutants
from harness.spec import Function, Spec
from harness.workshop import load


def spec(**more: object) -> Spec:
    return Spec(slug="tiny", title="Tiny", course="", file="tiny.py", **more)  # type: ignore[arg-type]


def changes(operator: str, source: str) -> set[str]:
    """What the changed lines look like, one operator at a time."""
    found = [mutant for mutant in mutants(textwrap.dedent(source).encode(), spec()) if mutant.operator == operator]
    return {line[1:].strip() for mutant in found for line in mutant.diff.splitlines() if line.startswith("+")}


EXAMPLES: dict[str, tuple[str, set[str]]] = {
    "compare": ("x = a < b", {"x = a <= b", "x = a >= b"}),
    "identity": ("x = a == [1]", {"x = a is [1]"}),
    "connective": ("x = a and b", {"x = a or b"}),
    "forgotten-condition": ("x = a and b and c", {"x = b and c", "x = a and c", "x = a and b"}),
    "dropped-not": ("x = not a", {"x = a"}),
    "negated": ("if f(x):\n    g()", {"if not f(x):"}),
    "unconditional": ("while f(x):\n    g()", {"while False:"}),
    "off-by-one": ("x = a[-1]", {"x = a[-2]", "x = a[0]"}),
    "arithmetic": ("x = a[i - 1]", {"x = a[i]", "x = a[i - 2]", "x = a[i + 1]"}),
    "text": ("print('Oh')", {"print('Oh?')"}),
    "constant": ("x = True", {"x = False"}),
    "swapped-choice": ("x = a if b else c", {"x = c if b else a"}),
    "swapped-arguments": ("f(a, b, c)", {"f(b, a, c)", "f(a, c, b)"}),
    "other-call": ("x = all(a)", {"x = any(a)"}),
    "dropped": ("x = 1\nx += 2", {"pass"}),
    "returned": ("def f():\n    return a == b", {"return None", "return True", "return False"}),
    "backwards": ("for x in a:\n    f(x)", {"for x in reversed(list(a)):"}),
    "shorter": ("for x in a:\n    f(x)", {"for x in list(a)[1:]:", "for x in list(a)[:-1]:"}),
    "uncaught": ("try:\n    f()\nexcept ValueError:\n    g()", {"except ZeroDivisionError:"}),
    "wrong-end": ("a.append(b.pop())", {"a.insert(0, b.pop())", "a.append(b.pop(0))"}),
    "not-taken": ("a.append(b.pop())", {"a.append(b[-1])"}),
    "nested": ("a.extend(b)", {"a.append(b)"}),
    "neighbour": ("x = a[i]", {"x = a[i - 1]", "x = a[i + 1]"}),
    "no-copy": ("x = list(a)\ny = a[:]", {"x = a", "y = a"}),
    "one-list": ("x = [[] for _ in range(4)]", {"x = [[]] * 4"}),
    "length": ("x = len(a)", {"x = len(a) - 1", "x = len(a) + 1"}),
    "bounds": ("x = range(n)", {"x = range(1, n)", "x = range(n - 1)", "x = range(n + 1)"}),
    "confused": ("x = card.rank()", {"x = card.suit()", "x = card.value()"}),
    "as-typed": ("x = line.strip().upper()", {"x = line.strip()", "x = line.upper()"}),
    "sibling": (
        "def f(from_col, to_col, deck):\n    return a[from_col](to_col)(deck)",
        {"return a[to_col](to_col)(deck)", "return a[from_col](from_col)(deck)"},
    ),
}


@pytest.mark.parametrize("operator", EXAMPLES)
def test_an_operator_makes_its_changes(operator: str) -> None:
    source, expected = EXAMPLES[operator]
    assert changes(operator, source) == expected


def test_every_operator_has_an_example() -> None:
    assert EXAMPLES.keys() == OPERATORS.keys()


LEFT_ALONE = {
    "a docstring": 'def f():\n    """Say so."""',
    "a text that stands alone": "'a remark'",
    "an annotation": "def f(a: 'int') -> 'list[int]':\n    a: 'str'",
    "an import": "import cards",
    "the guard": "if __name__ == '__main__':\n    pass",
}


@pytest.mark.parametrize("source", LEFT_ALONE.values(), ids=LEFT_ALONE.keys())
def test_what_cannot_matter_is_left_alone(source: str) -> None:
    assert mutants(source.encode(), spec()) == ()


def test_what_the_course_supplies_is_left_alone() -> None:
    source = (
        b"MENU = 'Options:\\n  H: help'\ndef display(a):\n    show(a[1])\ndef show(a):\n    print(a[1])\n"
        b"def f(a):\n    return g(a[1])\ndef g(a):\n    return a + 1\n"
    )
    functions = types.MappingProxyType({"display": Function("", supplied=True), "f": Function("")})
    found = mutants(source, spec(functions=functions, supplied_text=("Options:\nH: help",)))
    assert {mutant.definition for mutant in found} == {"f", "g"}


@pytest.mark.parametrize(
    ("source", "function", "definition"),
    [
        ("LIMIT = 3", "", "LIMIT"),
        ("def f():\n    g(1)", "f", "f"),
        ("class Card:\n    def turn(self):\n        g(1)", "Card.turn", "Card"),
        ("g(1)", "", ""),
    ],
)
def test_a_mutant_knows_where_it_belongs(source: str, function: str, definition: str) -> None:
    found = mutants(source.encode(), spec())
    assert found
    assert {(mutant.function, mutant.definition) for mutant in found} == {(function, definition)}


def test_comments_and_layout_stay() -> None:
    source = b"def f(a):  # why\n    return (a +\n            1)  # one more\n"
    dropped = next(mutant for mutant in mutants(source, spec()) if mutant.operator == "arithmetic")
    assert dropped.source == b"def f(a):  # why\n    return (a)  # one more\n"


def test_parentheses_are_added_where_they_change_the_meaning_and_only_there() -> None:
    assert changes("forgotten-condition", "x = not (a and b and c)") == {
        "x = not (b and c)",
        "x = not (a and c)",
        "x = not (a and b)",
    }
    assert "x = (len(a) - 1) * 2" in changes("length", "x = len(a) * 2")


def test_text_outside_of_ascii_is_cut_in_the_right_place() -> None:
    assert changes("off-by-one", "x = f('♠♥', 3)") == {"x = f('♠♥', 2)", "x = f('♠♥', 4)"}


@pytest.mark.parametrize(
    ("source", "says"), [("print(f(1))", True), ("raise ValueError('no')", True), ("a = f(1)", False)]
)
def test_what_is_only_said_is_known(source: str, says: bool) -> None:
    found = [mutant for mutant in mutants(source.encode(), spec()) if mutant.operator in ("text", "off-by-one")]
    assert found
    assert all(mutant.says is says for mutant in found)


def test_the_fingerprint_does_not_depend_on_the_line() -> None:
    one, other = (mutants(source, spec())[0] for source in (b"x = a < b\n", b"y = 1\n\n\nx = a < b\n"[7:]))
    assert one.fingerprint == other.fingerprint
    assert one.fingerprint != mutants(b"x = a > b\n", spec())[0].fingerprint


def test_references_have_many_mutants_all_different_and_all_readable(tree: Tree) -> None:
    for slug in tree.slugs:
        assignment = load(tree, slug)
        found = mutants(assignment.reference.source, assignment.spec)
        assert len(found) > 100
        assert len({mutant.id for mutant in found}) == len(found)
        assert len({mutant.source for mutant in found} | {assignment.reference.source}) == len(found) + 1
        for mutant in found[::20]:
            assert ast.dump(ast.parse(mutant.source)) != ast.dump(ast.parse(assignment.reference.source))
