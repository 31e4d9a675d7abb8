"""Strict reading of YAML into frozen records: nothing is guessed, and every fault is reported at once with its line.

A record is a frozen dataclass whose fields are annotated with what may stand there:

    str int bool Fraction · X | None · Literal["a", "b"] · tuple[X, ...] · Mapping[str, X] · another record · Any

A field made with `key(...)` carries the sentence that documents it. A record may offer two class methods:
`from_scalar(text)` lets a plain word stand for it, and `faults(record, where)` looks for what types cannot say.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Generic, TypeVar

import yaml

from harness.errors import DataError, Fault, UsageError

T = TypeVar("T")

_MISSING: Any = object()
_LARGEST = 4_000_000
EMPTY: Mapping[str, Any] = types.MappingProxyType({})
_WORDS = {"bool": "a yes or no", "int": "a number", "float": "a number", "timestamp": "a date", "null": "nothing"}


def key(doc: str, *, default: Any = dataclasses.MISSING, example: str = "", least: int | None = None) -> Any:
    """A field of a record that an author writes, with the sentence that documents it."""
    metadata = {"doc": doc, "example": example, "least": least}
    if isinstance(default, (list, dict, set)):
        raise TypeError("use an immutable default")
    if default is dataclasses.MISSING:
        return dataclasses.field(metadata=metadata)
    if default is EMPTY:
        return dataclasses.field(default_factory=lambda: EMPTY, metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


@dataclasses.dataclass(frozen=True)
class Where:
    """A place in a file: names a key and knows the lines of all the keys below it."""

    path: Path
    lines: Mapping[str, int]

    def fault(self, at: str, problem: str, remedy: str = "") -> Fault:
        return Fault(self.path, self.line(at), at, problem, remedy)

    def line(self, at: str) -> int:
        while at and at not in self.lines:
            at = at.rpartition(".")[0]
        return self.lines.get(at, 1)


@dataclasses.dataclass(frozen=True)
class Document(Generic[T]):
    """A record as it was read, with the file it came from."""

    record: T
    where: Where


def read(path: Path, kind: type[T]) -> Document[T]:
    """Read one record, or raise a `DataError` that names every fault."""
    document, faults = examine(path, kind)
    if faults or document is None:
        raise DataError(faults)
    return document


def examine(path: Path, kind: type[T]) -> tuple[Document[T] | None, list[Fault]]:
    """Read one record and list what is wrong; the record is None if too little of it could be read."""
    node, faults = _compose(path)
    if node is None:
        return None, faults
    reader = _Reader(path)
    value = reader.value(node, kind, "")
    where = Where(path, reader.lines)
    faults = reader.faults
    check = getattr(kind, "faults", None)
    if value is not _MISSING and check is not None:
        faults = faults + [fault for fault in check(value, where) if not _hushed(fault, reader.faults)]
    return (None if value is _MISSING else Document(value, where)), faults


def _hushed(fault: Fault, earlier: list[Fault]) -> bool:
    """A later check must not complain about a key that could not be read in the first place."""
    return any(fault.key == other.key for other in earlier)


def _compose(path: Path) -> tuple[yaml.Node | None, list[Fault]]:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None, [Fault(path, 0, "", "there is no such file")]
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    if len(data) > _LARGEST:
        return None, [Fault(path, 0, "", f"the file has {len(data)} bytes", f"at most {_LARGEST} are read")]
    try:
        text = data.decode("utf-8-sig")
        if _has_alias(text):
            return None, [Fault(path, 1, "", "anchors and aliases (&, *) are not used here", "write the text out")]
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except UnicodeDecodeError as error:
        return None, [Fault(path, 0, "", f"byte {error.start} is not UTF-8", "save the file as UTF-8")]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        return None, [
            Fault(
                path,
                mark.line + 1 if mark else 0,
                "",
                f"not YAML: {error.problem}",
                "check the indentation and quotes there",
            )
        ]
    except yaml.YAMLError as error:
        return None, [Fault(path, 0, "", f"not YAML: {error}")]
    if node is None:
        return None, [Fault(path, 1, "", "the file is empty")]
    return node, []


def _has_alias(text: str) -> bool:
    return any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.SafeLoader))


class _Reader:
    """One walk over the tree of nodes, along the types; collects faults instead of stopping."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.faults: list[Fault] = []
        self.lines: dict[str, int] = {}

    def complain(self, node: yaml.Node, at: str, problem: str, remedy: str = "") -> Any:
        self.faults.append(Fault(self.path, node.start_mark.line + 1, at, problem, remedy))
        return _MISSING

    def value(self, node: yaml.Node, kind: Any, at: str) -> Any:
        self.lines.setdefault(at, node.start_mark.line + 1)
        if kind is Any:
            return self.anything(node, at)
        origin = typing.get_origin(kind)
        if origin is typing.Literal:
            return self.literal(node, typing.get_args(kind), at)
        if origin in (types.UnionType, typing.Union):
            return self.optional(node, typing.get_args(kind), at)
        if origin is tuple:
            return self.sequence(node, typing.get_args(kind)[0], at)
        if origin is not None and issubclass(origin, Mapping):
            return self.mapping(node, typing.get_args(kind)[1], at)
        if dataclasses.is_dataclass(kind):
            return self.record(node, typing.cast("type[Any]", kind), at)
        return self.scalar(node, kind, at)

    def optional(self, node: yaml.Node, kinds: tuple[Any, ...], at: str) -> Any:
        rest = [kind for kind in kinds if kind is not type(None)]
        if _tag(node) == "null" and len(rest) < len(kinds):
            return None
        return self.value(node, rest[0], at)

    def literal(self, node: yaml.Node, words: tuple[str, ...], at: str) -> Any:
        text = self.scalar(node, str, at)
        if text is _MISSING or text in words:
            return text
        return self.complain(
            node, at, f"{text!r} is not known here", f"{nearest(text, words)}one of: {', '.join(words)}"
        )

    def sequence(self, node: yaml.Node, kind: Any, at: str) -> Any:
        if not isinstance(node, yaml.SequenceNode):
            return self.complain(
                node, at, f"{_found(node)} where a list belongs", "write [a, b] or lines starting with -"
            )
        items = [self.value(item, kind, f"{at}.{index}" if at else str(index)) for index, item in enumerate(node.value)]
        return tuple(item for item in items if item is not _MISSING)

    def entries(self, node: yaml.MappingNode, at: str) -> Iterator[tuple[str, yaml.Node, yaml.Node]]:
        """The keys of a mapping as text; a key that stands twice is a fault and counts once."""
        first: dict[str, int] = {}
        for key_node, value_node in node.value:
            text = self.scalar(key_node, str, _under(at, str(key_node.value)))
            if text is _MISSING:
                continue
            if text in first:
                self.complain(
                    key_node,
                    _under(at, text),
                    "the key stands here for the second time",
                    f"it was first used on line {first[text]}; remove one",
                )
                continue
            first[text] = key_node.start_mark.line + 1
            self.lines[_under(at, text)] = first[text]
            yield text, key_node, value_node

    def mapping(self, node: yaml.Node, kind: Any, at: str) -> Any:
        if not isinstance(node, yaml.MappingNode):
            return self.complain(node, at, f"{_found(node)} where `name: value` lines belong")
        found = {text: self.value(value, kind, _under(at, text)) for text, _, value in self.entries(node, at)}
        return types.MappingProxyType({text: value for text, value in found.items() if value is not _MISSING})

    def record(self, node: yaml.Node, kind: type[Any], at: str) -> Any:
        from_scalar: Callable[[str], Any] | None = getattr(kind, "from_scalar", None)
        if from_scalar is not None and isinstance(node, yaml.ScalarNode):
            return self.word(node, from_scalar, at)
        if not isinstance(node, yaml.MappingNode):
            return self.complain(
                node, at, f"{_found(node)} where `key: value` lines belong", f"known: {', '.join(known_keys(kind))}"
            )
        return self.fields(node, kind, at)

    def word(self, node: yaml.ScalarNode, from_scalar: Callable[[str], Any], at: str) -> Any:
        try:
            return from_scalar(str(node.value))
        except ValueError as error:
            return self.complain(node, at, str(error))

    def fields(self, node: yaml.MappingNode, kind: type[Any], at: str) -> Any:
        fields, kinds = known_keys(kind), hints(kind)
        written = {text: (key_node, value) for text, key_node, value in self.entries(node, at)}
        meant = self.meant(written, fields, at)
        found: dict[str, Any] = {}
        for text, field in fields.items():
            if text not in meant:
                if _required(field):
                    self.complain(node, _under(at, text), "the key is missing", str(field.metadata.get("doc", "")))
                continue
            value = self.bounded(meant[text], kinds[field.name], field, _under(at, text))
            if value is not _MISSING:
                found[field.name] = value
        complete = all(field.name in found for field in fields.values() if _required(field))
        return kind(**found) if complete else _MISSING

    def meant(
        self, written: dict[str, tuple[yaml.Node, yaml.Node]], fields: dict[str, dataclasses.Field[Any]], at: str
    ) -> dict[str, yaml.Node]:
        """The value node of each known key; a misspelled key is one fault and is read as the key it is nearest to."""
        meant = {text: value for text, (_, value) in written.items() if text in fields}
        for text, (key_node, value) in written.items():
            if text not in fields:
                remedy = f"{nearest(text, fields)}known: {', '.join(fields)}"
                self.complain(key_node, _under(at, text), "unknown key", remedy)
                for near in close_names(text, list(fields))[:1]:
                    meant.setdefault(near, value)
        return meant

    def bounded(self, node: yaml.Node, kind: Any, field: dataclasses.Field[Any], at: str) -> Any:
        value = self.value(node, kind, at)
        least = field.metadata.get("least")
        if value is not _MISSING and value is not None and least is not None and value < least:
            return self.complain(node, at, f"{value} is too small", f"at least {least}")
        return value

    def scalar(self, node: yaml.Node, kind: Any, at: str) -> Any:
        if not isinstance(node, yaml.ScalarNode):
            return self.complain(node, at, f"{_found(node)} where {_expected(kind)} belongs")
        text, tag = str(node.value), _tag(node)
        if kind is str:
            return self.text(node, text, tag, at)
        if kind is bool:
            if tag == "bool" and text in ("true", "false"):
                return text == "true"
            return self.complain(node, at, f"`{text}` where a yes or no belongs", "write true or false")
        if kind is int:
            return (
                int(text)
                if tag == "int" and re.fullmatch(r"[-+]?(0|[1-9][0-9]*)", text)
                else self.complain(node, at, f"`{text}` is not a whole number", "write it in plain digits")
            )
        return self.fraction(node, text, at)

    def text(self, node: yaml.ScalarNode, text: str, tag: str, at: str) -> Any:
        if tag == "str":
            return text
        meant = _WORDS.get(tag, tag)
        return self.complain(
            node, at, f"`{text}` is read by YAML as {meant}, not as text", f'put it in quotes: "{text}"'
        )

    def fraction(self, node: yaml.ScalarNode, text: str, at: str) -> Any:
        if re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{1,9}|/[1-9][0-9]{0,8})?", text):
            return Fraction(text)
        return self.complain(node, at, f"`{text}` is not a number of points", "write 3, 2.5 or 1/3")

    def anything(self, node: yaml.Node, at: str) -> Any:
        if isinstance(node, yaml.SequenceNode):
            return self.sequence(node, Any, at)
        if isinstance(node, yaml.MappingNode):
            return self.mapping(node, Any, at)
        return {"bool": self.boolean, "int": self.integer, "null": lambda *_: None}.get(_tag(node), self.verbatim)(
            node, at
        )

    def boolean(self, node: yaml.Node, at: str) -> Any:
        return self.scalar(node, bool, at)

    def integer(self, node: yaml.Node, at: str) -> Any:
        return self.scalar(node, int, at)

    def verbatim(self, node: yaml.Node, at: str) -> Any:
        return self.scalar(node, str, at)


def known_keys(kind: type[Any]) -> dict[str, dataclasses.Field[Any]]:
    """The keys an author may write for a record: its fields, a trailing underscore dropped (`or_` is written `or`)."""
    return {field.name.rstrip("_").replace("_", "-"): field for field in dataclasses.fields(kind) if field.init}


def hints(kind: type[Any]) -> dict[str, Any]:
    """The types of a record's fields."""
    return typing.get_type_hints(kind)


def _required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _under(at: str, text: str) -> str:
    return f"{at}.{text}" if at else text


def _tag(node: yaml.Node) -> str:
    return str(node.tag).rpartition(":")[2]


def _found(node: yaml.Node) -> str:
    if isinstance(node, yaml.MappingNode):
        return "`key: value` lines stand"
    if isinstance(node, yaml.SequenceNode):
        return "a list stands"
    return f"`{node.value}` stands"


def _expected(kind: Any) -> str:
    return {str: "text", int: "a whole number", bool: "true or false", Fraction: "a number"}.get(kind, "a value")


def nearest(text: str, known: typing.Iterable[str]) -> str:
    """`did you mean ...? ` or nothing, for a name that is not among the known ones."""
    close = close_names(text, list(known))
    return f"did you mean `{close[0]}`? " if close else ""


def close_names(text: str, known: list[str]) -> list[str]:
    """The names that are near to one that was looked for, nearest first; case and underscores count little."""
    folded = {name: name.replace("_", "").replace("-", "").lower() for name in known}
    wanted = text.replace("_", "").replace("-", "").lower()
    equal = [name for name in known if folded[name] == wanted]
    return equal or difflib.get_close_matches(text, known, n=3, cutoff=0.6)
