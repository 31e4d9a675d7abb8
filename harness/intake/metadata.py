"""Reading Gradescope's `submission_metadata.yml`: who handed in what, and when.

The file is YAML as Ruby writes it, with marks such as `:name:` and `&1`, and holds megabytes of what the students' programs
printed. Four things of it are wanted, and all stand on lines of their own at fixed indentations; so it is read by lines:

    submission_123:
      :submitters:
      - :name: Jane Doe
        :sid: '1001'
        :email: jane@example.edu
      :created_at: 2022-11-30 23:59:00.000000000 Z

Text that a student chose stands deeper or in quotes, and so cannot pass for one of these lines.
"""

from __future__ import annotations

import dataclasses
import json
import re

_TOP = re.compile(r"(?P<key>[^\s:#&*!|>\-][^:]*|'[^']*'|\"[^\"]*\"):\s*(?:&\w+\s*)?")
_FIELD = re.compile(r"(?P<indent> +)(?P<dash>- +)?:?(?P<key>[a-z_]+):(?: +(?P<value>.*))?")
_NOTHING = ("", "~", "null", "''", '""')


@dataclasses.dataclass(frozen=True)
class Submitter:
    """One student of a submission."""

    name: str = ""
    sid: str = ""
    email: str = ""


@dataclasses.dataclass(frozen=True)
class Entry:
    """What the metadata say of one submission."""

    submitters: tuple[Submitter, ...]
    created_at: str


def read_metadata(data: bytes) -> dict[str, Entry]:
    """The submissions by their folders, in the order of the file."""
    reader = _Reader()
    for line in data.decode("utf-8-sig", "replace").split("\n"):
        reader.line(line.rstrip("\r"))
    return {key: _entry(draft) for key, draft in reader.drafts.items()}


@dataclasses.dataclass
class _Draft:
    """A submission while its lines are read."""

    created_at: str = ""
    people: list[dict[str, str]] = dataclasses.field(default_factory=list)
    indent: int = 0
    dash: int = -1
    section: str = ""


class _Reader:
    """One walk over the lines."""

    def __init__(self) -> None:
        self.drafts: dict[str, _Draft] = {}
        self.anchors: dict[str, str] = {}
        self._draft: _Draft | None = None

    def line(self, line: str) -> None:
        top = _TOP.fullmatch(line)
        if top is not None:
            self._draft = self.drafts.setdefault(self._scalar(top["key"]), _Draft())
            return
        field = _FIELD.fullmatch(line)
        if field is not None and self._draft is not None:
            self._field(self._draft, len(field["indent"]), field)

    def _field(self, draft: _Draft, indent: int, field: re.Match[str]) -> None:
        draft.indent = draft.indent or indent
        key, value = field["key"], self._scalar(field["value"] or "")
        if indent == draft.indent and not field["dash"]:
            draft.section = key
            if key == "created_at":
                draft.created_at = value
        elif draft.section == "submitters":
            self._person(draft, indent, field, key, value)

    def _person(self, draft: _Draft, indent: int, field: re.Match[str], key: str, value: str) -> None:
        if field["dash"]:
            if draft.dash not in (-1, indent):
                return
            draft.dash = indent
            draft.people.append({key: value})
        elif draft.people and indent == draft.dash + 2:
            draft.people[-1].setdefault(key, value)

    def _scalar(self, text: str) -> str:
        """One value: quotes, a Ruby mark and an anchor taken away; an alias stands for what was anchored."""
        text = text.strip()
        if text.startswith("*"):
            return self.anchors.get(text[1:], "")
        anchor = re.match(r"&(\w+)\s+", text)
        bare = _unquoted(text[anchor.end() :] if anchor else text)
        if anchor:
            self.anchors[anchor[1]] = bare
        return bare


def _unquoted(text: str) -> str:
    if text in _NOTHING:
        return ""
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    if len(text) > 1 and text[0] == text[-1] == '"':
        try:
            return str(json.loads(text))
        except ValueError:
            return text[1:-1]
    return text


def _entry(draft: _Draft) -> Entry:
    people = tuple(
        Submitter(person.get("name", ""), person.get("sid", ""), person.get("email", "")) for person in draft.people
    )
    return Entry(people, draft.created_at)
