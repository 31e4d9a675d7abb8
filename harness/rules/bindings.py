"""What the names of a module stand for: the compiler's symbol table says which there are, the tree says what they are."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator

from harness.rules.source import Source
from harness.rules.syntax import dotted, in_guard, is_capital, is_dunder

_MAKES_A_TYPE = {"namedtuple", "NamedTuple", "TypedDict", "TypeVar", "NewType", "Enum", "type"}


def module_variables(source: Source) -> set[str]:
    """Names of the module that are variables: no function, class, import, alias of these, or constant in capitals."""
    declared = {
        symbol.get_name()
        for block in _blocks(source.symbols)
        for symbol in block.get_symbols()
        if symbol.is_declared_global()
    }
    assigned = {
        symbol.get_name()
        for symbol in source.symbols.get_symbols()
        if symbol.is_assigned() and not symbol.is_imported() and not symbol.is_namespace()
    }
    named = {name for name in assigned | declared if not is_capital(name) and not is_dunder(name)}
    aliases = {
        name for name, nodes in assignments(source).items() if nodes and all(is_alias(source, node) for node in nodes)
    }
    return named - aliases


def assignments(source: Source) -> dict[str, list[ast.Name]]:
    """Where the module itself gives each name a value."""
    found: dict[str, list[ast.Name]] = {}
    for node in source.of(ast.Name):
        if isinstance(node.ctx, ast.Store) and source.scope(node) is source.tree:
            found.setdefault(node.id, []).append(node)
    return found


def is_alias(source: Source, target: ast.AST) -> bool:
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
    return _names_something_defined(source, value)


def _names_something_defined(source: Source, value: ast.expr) -> bool:
    """A name of a function, class or import of this module, or an attribute of one; builtins are functions too."""
    first = dotted(value).partition(".")[0]
    if not first:
        return False
    try:
        symbol = source.symbols.lookup(first)
    except KeyError:
        return True
    return symbol.is_imported() or symbol.is_namespace() or not symbol.is_assigned()


def guarded(source: Source, name: str) -> bool:
    """A name that gets its values only inside `if __name__ == "__main__":`."""
    return all(in_guard(source, node) for node in assignments(source).get(name, ()))


def _blocks(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    """All blocks below a block."""
    waiting = list(table.get_children())
    while waiting:
        block = waiting.pop()
        yield block
        waiting.extend(block.get_children())


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
        for inner in (block, *_blocks(block))
        for symbol in inner.get_symbols()
        if symbol.is_global() and not symbol.is_declared_global()
    }
