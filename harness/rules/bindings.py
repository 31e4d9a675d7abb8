"""What the names of a module stand for, and which of them a function uses.

The tree says what the module binds; the compiler's symbol table says what is global inside a function.
"""

from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Iterator

from harness.rules.source import COMPREHENSIONS, Source
from harness.rules.syntax import dotted, enclosing_function, functions, in_guard, is_capital, is_dunder

_BUILTINS = frozenset(dir(builtins))
_MAKES_A_TYPE = {"namedtuple", "NamedTuple", "TypedDict", "TypeVar", "NewType", "Enum", "type"}


def module_variables(source: Source) -> set[str]:
    """Names of the module that are variables: no function, class, import, alias of these, or constant in capitals."""
    assigned = assignments(source)
    defined = definitions(source)
    declared = {name for _, name in global_declarations(source)}
    named = {name for name in (assigned.keys() | declared) - defined if not is_capital(name) and not is_dunder(name)}
    return {name for name in named if not _are_aliases(source, assigned.get(name, []), defined)}


def assignments(source: Source) -> dict[str, list[ast.AST]]:
    """Where the module itself gives each name a value."""
    found: dict[str, list[ast.AST]] = {}
    for node in source.of(ast.Name):
        if isinstance(node.ctx, ast.Store) and _binding_scope(source, node) is source.tree:
            found.setdefault(node.id, []).append(node)
    captures: list[ast.MatchAs | ast.MatchStar] = [*source.of(ast.MatchAs), *source.of(ast.MatchStar)]
    for capture in captures:
        if capture.name is not None and source.scope(capture) is source.tree:
            found.setdefault(capture.name, []).append(capture)
    return found


def _binding_scope(source: Source, node: ast.Name) -> ast.AST:
    """The scope a name is bound in: `:=` inside a comprehension binds outside of it."""
    around = source.scope(node)
    if isinstance(source.parent(node), ast.NamedExpr):
        while isinstance(around, COMPREHENSIONS):
            around = source.scope(around)
    return around


def definitions(source: Source) -> set[str]:
    """The functions, classes and imports of the module."""
    found = {function.name for function in functions(source) if source.scope(function) is source.tree}
    found |= {node.name for node in source.of(ast.ClassDef) if source.scope(node) is source.tree}
    for alias in source.of(ast.alias):
        if source.scope(alias) is source.tree:
            found.add(alias.asname or alias.name.partition(".")[0])
    return found


def global_declarations(source: Source) -> list[tuple[ast.Global, str]]:
    """The names of `global` statements inside functions; outside of them the statement does nothing."""
    inside = (node for node in source.of(ast.Global) if enclosing_function(source, node) is not None)
    return [(node, name) for node in inside for name in node.names]


def _are_aliases(source: Source, nodes: list[ast.AST], defined: set[str]) -> bool:
    return bool(nodes) and all(is_alias(source, node, defined) for node in nodes)


def is_alias(source: Source, target: ast.AST, defined: set[str]) -> bool:
    """`show = display`, `shuffle = random.shuffle`, `f = lambda …`, `Board = list[int]` or a named tuple."""
    statement = source.parent(target)
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or statement.value is None:
        return False
    value = statement.value
    if isinstance(value, ast.Lambda):
        return True
    if isinstance(value, ast.Call):
        return dotted(value.func).rpartition(".")[2] in _MAKES_A_TYPE
    if isinstance(value, ast.Subscript):
        return isinstance(target, ast.Name) and target.id[:1].isupper()
    first = dotted(value).partition(".")[0]
    return first in defined or first in _BUILTINS


def guarded(source: Source, nodes: list[ast.AST]) -> bool:
    """A name that gets its values only inside `if __name__ == "__main__":`."""
    return all(in_guard(source, node) for node in nodes)


def outer_functions(source: Source) -> dict[tuple[str, int], symtable.SymbolTable]:
    """The blocks of functions and methods that are in no other function, by name and line."""
    found = {}
    waiting = list(source.symbols.get_children())
    while waiting:
        block = waiting.pop()
        if block.get_type() == "function":
            found[(block.get_name(), block.get_lineno())] = block
        else:
            waiting.extend(block.get_children())
    return found


def global_reads(block: symtable.SymbolTable) -> set[str]:
    """Names of the module that a function, or anything inside it, uses without declaring them."""
    return {
        symbol.get_name()
        for inner in _with_inner(block)
        for symbol in inner.get_symbols()
        if symbol.is_global() and not symbol.is_declared_global()
    }


def _with_inner(block: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    """A block and all blocks below it."""
    waiting = [block]
    while waiting:
        inner = waiting.pop()
        yield inner
        waiting.extend(inner.get_children())
