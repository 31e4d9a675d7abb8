"""JSON Schemas of the files an author writes, made from the records, so that editors complete and check them."""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from harness.policy import Early, Late, Policy
from harness.rubric import Credit, Item, Part, Rubric, Tier, Visibility
from harness.spec import Equivalent, Function, Growth, Hint, LimitsSpec, Method, Session, Spec
from harness.yamlfile import hints, known_keys

_SCALARS: Mapping[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    Fraction: {"oneOf": [{"type": "number"}, {"type": "string", "pattern": "^-?[0-9]+(\\.[0-9]+|/[1-9][0-9]*)?$"}]},
}


def schema(kind: type[Any], title: str) -> str:
    """The schema of a record as text, the same on every machine."""
    definitions: dict[str, Any] = {}
    body = _record(kind, definitions)
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        **body,
        "$defs": dict(sorted(definitions.items())),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _type(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    origin = typing.get_origin(kind)
    if kind is Any:
        return {}
    if origin is typing.Literal:
        return {"enum": list(typing.get_args(kind))}
    if origin in (types.UnionType, typing.Union):
        return {"anyOf": [_type(part, definitions) for part in typing.get_args(kind)]}
    if kind is type(None):
        return {"type": "null"}
    if origin is tuple:
        return {"type": "array", "items": _type(typing.get_args(kind)[0], definitions)}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _type(typing.get_args(kind)[1], definitions)}
    if dataclasses.is_dataclass(kind):
        return _reference(typing.cast("type[Any]", kind), definitions)
    return dict(_SCALARS[kind])


def _reference(kind: type[Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if kind.__name__ not in definitions:
        definitions[kind.__name__] = {}
        definitions[kind.__name__] = _record(kind, definitions)
    reference = {"$ref": f"#/$defs/{kind.__name__}"}
    return {"anyOf": [{"type": "string"}, reference]} if hasattr(kind, "from_scalar") else reference


def _record(kind: type[Any], definitions: dict[str, Any]) -> dict[str, Any]:
    fields, kinds = known_keys(kind), hints(kind)
    required = [
        name
        for name, field in fields.items()
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    ]
    return {
        "type": "object",
        "description": (kind.__doc__ or "").strip(),
        "properties": {name: _property(field, kinds[field.name], definitions) for name, field in fields.items()},
        "required": required,
        "additionalProperties": False,
    }


def _property(field: dataclasses.Field[Any], kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    described = {"description": field.metadata.get("doc", ""), **_type(kind, definitions)}
    if field.metadata.get("least") is not None and described.get("type") == "integer":
        described["minimum"] = field.metadata["least"]
    return described


def key_tables(kinds: Iterable[type[Any]]) -> str:
    """Every key that an author may write, record by record, as Markdown tables."""
    return "\n\n".join(_table(kind) for kind in kinds) + "\n"


def _table(kind: type[Any]) -> str:
    rows = [
        f"| `{name}` | {field.metadata.get('doc', '')} | {_example(field)} |"
        for name, field in known_keys(kind).items()
    ]
    return "\n".join(
        [
            f"### {kind.__name__}",
            "",
            (kind.__doc__ or "").strip(),
            "",
            "| key | what it says | for example |",
            "| --- | --- | --- |",
            *rows,
        ]
    )


def _example(field: dataclasses.Field[Any]) -> str:
    example = field.metadata.get("example", "")
    return f"`{example}`" if example else "required" if field.default is field.default_factory else ""


BEGIN, END = "<!-- keys: made by `python -m harness.schema` -->", "<!-- end of keys -->"
DOCUMENTED = (
    Spec,
    Function,
    Method,
    Equivalent,
    Hint,
    Session,
    Growth,
    LimitsSpec,
    Policy,
    Late,
    Early,
    Rubric,
    Item,
    Part,
    Credit,
    Tier,
    Visibility,
)


def with_tables(page: str) -> str:
    """The page with its tables of keys made anew."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{key_tables(DOCUMENTED)}\n{END}{rest.partition(END)[2]}"


def main() -> None:
    """Write the schemas and the tables of keys of the checkout anew."""
    docs = Path(__file__).resolve().parent.parent / "docs"
    for name, kind in (("spec", Spec), ("rubric", Rubric)):
        (docs / "schema" / f"{name}.schema.json").write_text(schema(kind, name), encoding="utf-8")
    page = docs / "assignments.md"
    page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
