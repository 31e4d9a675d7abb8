"""Gradescope's metadata, as Ruby writes them, and what a student may try to smuggle into them."""

from __future__ import annotations

import io
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from harness.intake.metadata import Entry, Submitter, read_metadata

PLAIN = """---
submission_1:
  :submitters:
  - :name: Ann Lee
    :sid: '007'
    :email: ann@x.edu
  - :name: "Bj\\u00f6rn \\"B\\""
    :sid:
    :email: b@x.edu
  :created_at: 2022-11-30 23:59:00.123456789 Z
  :score: 3.5
  :status: processed
  :history: []
"""


def test_what_is_wanted_is_read() -> None:
    assert read_metadata(PLAIN.encode()) == {
        "submission_1": Entry(
            (Submitter("Ann Lee", "007", "ann@x.edu"), Submitter('Björn "B"', "", "b@x.edu")),
            "2022-11-30 23:59:00.123456789 Z",
        )
    }


def test_line_ends_of_windows_and_a_mark_at_the_start_do_not_matter() -> None:
    assert read_metadata(b"\xef\xbb\xbf" + PLAIN.replace("\n", "\r\n").encode()) == read_metadata(PLAIN.encode())


@pytest.mark.parametrize(
    "trick",
    ["submission_2:", "  :created_at: 1999-01-01 00:00:00 Z", "  :submitters:", "  - :name: Eve", "    :sid: '666'"],
)
@pytest.mark.parametrize("place", ["output", "name"])
def test_what_a_student_prints_or_is_called_cannot_pass_for_metadata(trick: str, place: str) -> None:
    text = _Chosen(f"hello\n{trick}\nbye")
    data = {
        "submission_1": {
            ":submitters": [{":name": text if place == "name" else "Ann", ":sid": "007", ":email": "a@x.edu"}],
            ":created_at": "2022-11-30 23:59:00 Z",
            ":results": {"tests": [{"output": text, "name": "x"}]},
        }
    }
    for style in (None, "|", '"', "'"):
        (entry,) = read_metadata(_dumped(data, style)).values()
        (submitter,) = entry.submitters
        assert (submitter.sid, submitter.email, entry.created_at) == ("007", "a@x.edu", "2022-11-30 23:59:00 Z")


class _Chosen(str):
    """Text that a student chose; it is written in the style under test."""

    __slots__ = ()


def _dumped(data: Any, style: str | None) -> bytes:
    class Dumper(yaml.SafeDumper):
        pass

    Dumper.add_representer(
        _Chosen, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style=style)
    )
    stream = io.StringIO()
    yaml.dump(data, stream, Dumper=Dumper, sort_keys=False, allow_unicode=True)
    return stream.getvalue().encode()


NAMES = st.text(
    alphabet=st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=25
).filter(lambda text: text.strip() == text)


@given(st.lists(st.tuples(NAMES, st.integers(1, 10**9)), min_size=1, max_size=5, unique_by=lambda pair: pair[1]))
def test_every_submission_is_found_with_its_people(people: list[tuple[str, int]]) -> None:
    data = {
        f"submission_{number}": {
            ":submitters": [{":name": name, ":sid": str(number), ":email": f"{number}@x.edu"}],
            ":created_at": "2022-11-30 23:59:00 Z",
        }
        for name, number in people
    }
    found = read_metadata(_dumped(data, None))
    assert list(found) == list(data)
    assert [entry.submitters[0].sid for entry in found.values()] == [str(number) for _, number in people]


@given(st.binary(max_size=300))
def test_no_bytes_make_it_fail(data: bytes) -> None:
    for entry in read_metadata(PLAIN.encode() + data).values():
        assert isinstance(entry.created_at, str)
