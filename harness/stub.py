"""The file students start from: every signature with its docstring, and nothing that earns a point."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from harness.spec import Function, Spec


def bare_stub(spec: Spec) -> str:
    """Every function and class that must be there, with a body that does nothing."""
    return "\n\n".join(_blocks(spec)) + "\n"


def _blocks(spec: Spec) -> Iterator[str]:
    if spec.supplied:
        yield "\n".join(f"import {name}" for name in spec.supplied)
    for name, function in spec.functions.items():
        yield _class(name, function) if function.kind == "class" else _function(name, function.parameters, function.doc)


def _function(name: str, parameters: tuple[str, ...], doc: str) -> str:
    return f"def {name}({', '.join(parameters)}):\n{_docstring(doc)}\n    pass"


def _class(name: str, function: Function) -> str:
    methods = [
        textwrap.indent(f"def {method}({', '.join(('self', *wanted.parameters))}):\n    pass", "    ")
        for method, wanted in function.methods.items()
    ]
    return f"class {name}:\n{_docstring(function.doc)}\n\n" + "\n\n".join(methods)


def _docstring(text: str) -> str:
    return textwrap.indent(f'"""{text.strip()}"""', "    ")
