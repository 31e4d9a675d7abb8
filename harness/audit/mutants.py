"""Mutants: programs that differ from the reference by one change, as a student's mistake would make them differ.

Why not a library. mutmut and cosmic-ray find their mutants and run pytest over them in one go, keep their state in
databases of their own and mutate files on disk; mutatest is no longer kept. Here a mutant is graded like a submission,
so only a list of changed sources is needed, and what is missing from those libraries is the interesting part: an index
from the wrong end, a card that is looked at but not taken, one list four times, the rank taken for the suit. Their
operators (comparison, boundary, arithmetic, constant, negation, dropped statement, exception) are here too.
One change at a time, found on the syntax tree, made in the text; ids are the same for the same source.

What cannot matter is left alone: docstrings, annotations, names of modules, functions that the course supplies,
text that the course supplies, and the question whether the file is run or imported.
"""

from __future__ import annotations

import ast
import dataclasses
import difflib
import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping

from harness.audit import expressions, habits, statements
from harness.audit.change import Change, Operator, Segment, Site, called, edited, segment
from harness.audit.graph import owners
from harness.spec import Spec

OPERATORS: Mapping[str, Operator] = {
    "compare": expressions.compare,
    "identity": expressions.identity,
    "connective": expressions.connective,
    "forgotten-condition": expressions.forgotten_condition,
    "dropped-not": expressions.dropped_not,
    "negated": expressions.negated,
    "unconditional": expressions.unconditional,
    "off-by-one": expressions.off_by_one,
    "arithmetic": expressions.arithmetic,
    "text": expressions.wrong_text,
    "constant": expressions.other_constant,
    "swapped-choice": expressions.swapped_choice,
    "swapped-arguments": expressions.swapped_arguments,
    "other-call": expressions.other_call,
    "dropped": statements.dropped,
    "returned": statements.returned,
    "backwards": statements.backwards,
    "shorter": statements.shorter,
    "uncaught": statements.uncaught,
    "wrong-end": habits.wrong_end,
    "not-taken": habits.looked_at_not_taken,
    "nested": habits.nested_not_joined,
    "neighbour": habits.neighbour,
    "no-copy": habits.no_copy,
    "one-list": habits.one_list_many_times,
    "length": habits.length,
    "bounds": habits.bounds,
    "confused": habits.confused_method,
    "as-typed": habits.as_it_was_typed,
    "sibling": habits.sibling,
}


@dataclasses.dataclass(frozen=True)
class Mutant:
    """One changed program. `function` is where the change is, empty outside of all functions; `definition` the top-level name.

    `says` marks changes inside of what is printed or asked, which only a whole game can notice.
    """

    id: str
    function: str
    definition: str
    operator: str
    line: int
    description: str
    source: bytes = dataclasses.field(repr=False)
    diff: str = dataclasses.field(repr=False)
    says: bool = False

    @property
    def fingerprint(self) -> str:
        """A short hash of the change itself, wherever in the file it is."""
        changed = [line for line in self.diff.splitlines() if line[:1] in "+-"]
        return hashlib.sha256("\n".join(changed).encode()).hexdigest()[:12]


def mutants(source: bytes, spec: Spec) -> tuple[Mutant, ...]:
    """Every mutant of a program, in the order of its lines; no two are the same program."""
    tree = ast.parse(source)
    counts: Counter[str] = Counter()
    found: list[Mutant] = []
    for statement in tree.body:
        if _is_the_students(source, statement, spec):
            sites = _inside(statement, (tree,), spec)
            found.extend(_mutants_of(segment(source, statement), sites, counts))
    return tuple(found)


def _mutants_of(whole: Segment, sites: Iterator[Site], counts: Counter[str]) -> Iterator[Mutant]:
    """The mutants of one top-level statement."""
    seen = {whole.shape}
    for site in sites:
        for operator, apply in OPERATORS.items():
            for change in apply(site):
                changed = edited(whole, site.node, change.instead)
                if changed is None or changed.shape in seen:
                    continue
                seen.add(changed.shape)
                kind = f"{_place(site) or 'module'}.{operator}"
                counts[kind] += 1
                yield _mutant(f"{kind}-{counts[kind]}", operator, site, change, whole, changed)


def _mutant(name: str, operator: str, site: Site, change: Change, whole: Segment, changed: Segment) -> Mutant:
    return Mutant(
        id=name,
        function=_place(site),
        definition=_definition(site),
        operator=operator,
        line=site.node.lineno,  # type: ignore[attr-defined]
        description=change.description,
        source=changed.before + changed.text + changed.after,
        diff=_diff(whole, changed),
        says=_says(site),
    )


def _diff(whole: Segment, changed: Segment) -> str:
    """The changed lines, each with its sign; where they stand is told by the line of the mutant."""
    before, after = (part.text.decode().splitlines() for part in (whole, changed))
    lines = list(difflib.unified_diff(before, after, lineterm="", n=1))[2:]
    return "\n".join(line for line in lines if not line.startswith("@@"))


def _is_the_students(source: bytes, statement: ast.stmt, spec: Spec) -> bool:
    """Neither an import nor a function that the course supplies, nor a piece that only such functions use."""
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return False
    users = owners(source, spec, _defines(statement))
    return not users or not all(spec.functions[name].supplied for name in users)


def _inside(node: ast.AST, around: tuple[ast.AST, ...], spec: Spec) -> Iterator[Site]:
    if _does_not_matter(node, around[-1], spec):
        return
    if hasattr(node, "lineno"):
        yield Site(node, around)
    if isinstance(node, ast.JoinedStr):
        return  # the positions inside of an f-string are not reliable before Python 3.12
    for child in ast.iter_child_nodes(node):
        yield from _inside(child, (*around, node), spec)


def _does_not_matter(node: ast.AST, parent: ast.AST, spec: Spec) -> bool:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(parent, ast.arg) or (isinstance(parent, ast.FunctionDef) and node is parent.returns):
        return True
    if isinstance(parent, ast.AnnAssign) and node is parent.annotation:
        return True
    if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) and node.left.id == "__name__":
        return True
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_supplied(node.value, spec)


def _is_supplied(text: str, spec: Spec) -> bool:
    """Text of the course's, which is told and never charged."""
    words = " ".join(text.split())
    return any(" ".join(supplied.split()) in words for supplied in spec.supplied_text if supplied.strip())


def _place(site: Site) -> str:
    """The function, or Class.method, that a node is in."""
    names = [node.name for node in (*site.around, site.node) if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    return ".".join(names)


def _definition(site: Site) -> str:
    statement = (*site.around, site.node)[1]
    assert isinstance(statement, ast.stmt)
    return _defines(statement)


def _defines(statement: ast.stmt) -> str:
    """The top-level name that a change belongs to: a function, a class or a constant."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return statement.name
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    return ""


def _says(site: Site) -> bool:
    """Inside of a call of `print` or `input`, or in the text of an exception."""
    whole = site.node.value if isinstance(site.node, ast.Expr) else site.node
    spoken = any(called(node) in ("print", "input") for node in (*site.around, whole))
    return spoken or any(isinstance(node, ast.Raise) for node in site.around[:-1])
