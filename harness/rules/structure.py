"""What a program defines beside what the assignment asks for: missing, misspelt, doubled, or with other parameters.

Pure: it compares an outline with signatures and executes nothing. Parameters may have any names; their number counts.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.errors import Fault
from harness.rules.finding import plural, quoted
from harness.rules.outline import Definition
from harness.rules.settings import suggestion

MISSING, NEAR_MISS, ARITY, DUPLICATE, NOT_CALLABLE = "missing", "near_miss", "arity", "duplicate", "not_callable"
_CLOSE_ENOUGH = 0.8


@dataclasses.dataclass(frozen=True)
class Signature:
    """A function, class or method that is asked for.

    `kind` is function or class; `owner` names the class of a method. `spellings` are other names that are as good,
    `alternatives` other lists of parameters that are. `parameters` is None if any number will do.
    """

    name: str
    parameters: tuple[str, ...] | None = None
    kind: str = "function"
    owner: str = ""
    spellings: tuple[str, ...] = ()
    alternatives: tuple[tuple[str, ...], ...] = ()

    @property
    def full_name(self) -> str:
        return f"{self.owner}.{self.name}" if self.owner else self.name


@dataclasses.dataclass(frozen=True)
class Difference:
    """One way in which a program departs from a signature, and a sentence for the student. Line 0: nowhere."""

    kind: str
    name: str
    line: int
    message: str
    found: str = ""


def read_signatures(
    data: object, path: Path, key: str = "structure"
) -> tuple[tuple[Signature, ...], tuple[Fault, ...]]:
    """Read signatures from a list of mappings, with one fault for each thing that is wrong."""
    if not isinstance(data, (list, tuple)):
        return (), (Fault(path, 0, key, "must be a list of signatures"),)
    signatures, faults = [], []
    for number, item in enumerate(data):
        problems = _problems(item, path, f"{key}[{number}]")
        faults += problems
        if not problems:
            signatures.append(_signature(item))
    return tuple(signatures), tuple(faults)


_TEXTS = ("name", "kind", "owner")
_LISTS = ("parameters", "spellings")


def _problems(item: object, path: Path, key: str) -> list[Fault]:
    if not isinstance(item, Mapping) or not isinstance(item.get("name"), str):
        return [Fault(path, 0, key, "must be a mapping with a name")]
    known = {field.name: field for field in dataclasses.fields(Signature)}
    found = [
        Fault(path, 0, f"{key}.{name}", "unknown key", suggestion(str(name), known))
        for name in item
        if name not in known
    ]
    wrong = [name for name in _TEXTS if not isinstance(item.get(name, ""), str)]
    found += [Fault(path, 0, f"{key}.{name}", "must be text") for name in wrong]
    wrong = [name for name in _LISTS if not _is_texts(item.get(name, ()))]
    found += [Fault(path, 0, f"{key}.{name}", "must be a list of names") for name in wrong]
    others = item.get("alternatives", ())
    if not isinstance(others, (list, tuple)) or not all(_is_texts(other) for other in others):
        found.append(Fault(path, 0, f"{key}.alternatives", "must be a list of lists of names"))
    if item.get("kind", "function") not in ("function", "class"):
        found.append(Fault(path, 0, f"{key}.kind", "must be function or class"))
    return found


def _is_texts(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)


def _signature(item: Mapping[str, Any]) -> Signature:
    read = dict(item)
    for name in _LISTS:
        if name in read:
            read[name] = tuple(read[name])
    read["alternatives"] = tuple(tuple(other) for other in read.get("alternatives", ()))
    return Signature(**read)


def differences(outline: Sequence[Definition], expected: Sequence[Signature]) -> tuple[Difference, ...]:
    """Every departure from what is asked for, in the order in which it is asked for."""
    asked = {name for signature in expected for name in (signature.name, *signature.spellings)}
    return tuple(difference for signature in expected for difference in _compare(outline, signature, asked))


def _compare(outline: Sequence[Definition], signature: Signature, asked: set[str]) -> list[Difference]:
    names = (signature.name, *signature.spellings)
    owners = _owners(outline, signature.owner)
    here = [item for item in outline if item.owner in owners and not item.inside]
    same = [item for owner in owners for item in here if item.owner == owner and item.name in names]
    if not same:
        return [_missing(outline, here, signature, asked)]
    same = [item for item in same if item.owner == same[0].owner]
    last = same[-1]
    found = _duplicates(same, signature)
    if last.kind not in (signature.kind, "unknown"):
        should = f"{quoted(signature.full_name)} should be a {signature.kind}"
        message = f"{should}, but line {last.line} makes it a {last.kind}."
        return [*found, Difference(NOT_CALLABLE, signature.full_name, last.line, message, last.name)]
    return [*found, *_arity(last, signature)]


def _missing(
    outline: Sequence[Definition], here: Sequence[Definition], signature: Signature, asked: set[str]
) -> Difference:
    elsewhere = next((item for item in outline if item.name == signature.name), None)
    if elsewhere is not None:
        place = f"There is a {quoted(signature.name)} on line {elsewhere.line}, but it stands {_where(elsewhere)}"
        message = f"{place}, where it will not be found."
        return Difference(NEAR_MISS, signature.full_name, elsewhere.line, message, elsewhere.name)
    near = _nearest(here, signature, asked)
    if near is not None:
        message = f"There is no {quoted(signature.full_name)}. Line {near.line} defines {quoted(near.name)}: is that it? The name must be exactly the same."
        return Difference(NEAR_MISS, signature.full_name, near.line, message, near.name)
    return Difference(
        MISSING, signature.full_name, 0, f"There is no {signature.kind} {quoted(signature.full_name)} in the file."
    )


def _where(elsewhere: Definition) -> str:
    if elsewhere.owner:
        return f"in the class {quoted(elsewhere.owner)}"
    return f"inside the function {quoted(elsewhere.inside)}" if elsewhere.inside else "outside of the class"


def _owners(outline: Sequence[Definition], owner: str) -> list[str]:
    """The class and its base classes in the same file, whose methods it has too; nothing but "" for a function."""
    bases = {item.name: item.bases for item in outline if item.kind == "class" and not item.inside}
    found: list[str] = []
    waiting = [owner]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.append(name)
            waiting.extend(bases.get(name, ()))
    return found


def _nearest(here: Sequence[Definition], signature: Signature, asked: set[str]) -> Definition | None:
    """The definition whose name looks most like the one asked for and is not asked for itself."""
    others = {_plain(item.name): item for item in here if item.name not in asked and len(item.name) <= 100}
    close = difflib.get_close_matches(_plain(signature.name), list(others), 1, _CLOSE_ENOUGH)
    return others[close[0]] if close else None


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _duplicates(same: Sequence[Definition], signature: Signature) -> list[Difference]:
    """Definitions in one and the same block; the arms of an `if` are different blocks, and so is every decorated one."""
    twice = [item for item in same if item.kind in ("function", "class") and item.name == same[-1].name]
    twice = [item for item in twice if item.branch == twice[-1].branch]
    if len(twice) < 2:
        return []
    lines = ", ".join(str(item.line) for item in twice[:5])
    message = f"{quoted(signature.full_name)} is defined {len(twice)} times (lines {lines}). Python uses only the last one; delete the others."
    return [Difference(DUPLICATE, signature.full_name, twice[-1].line, message, twice[-1].name)]


def _arity(found: Definition, signature: Signature) -> list[Difference]:
    if signature.parameters is None or signature.kind == "class" or found.kind != "function" or found.least < 0:
        return []
    accepted = [signature.parameters, *signature.alternatives]
    if any(found.least <= len(names) and (found.most is None or len(names) <= found.most) for names in accepted):
        return []
    wanted = " or ".join(f"{signature.name}({', '.join(names)})" for names in accepted)
    message = f"{quoted(found.name)} on line {found.line} has {_count(found)}; it is called as {wanted}."
    return [Difference(ARITY, signature.full_name, found.line, message, found.name)]


def _count(found: Definition) -> str:
    """How many parameters a definition has, in words."""
    if found.most is None:
        return f"at least {plural(found.least, 'parameter')}"
    return plural(found.most, "parameter") if found.least == found.most else f"{found.least} to {found.most} parameters"
