"""Records on disk are complete or not there."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.batch import locked
from harness.errors import StoreError
from harness.store import Store, file_name, read_record, write_whole


def record(submission_id: str) -> dict[str, object]:
    return {"format": 1, "submission": {"id": submission_id}, "verdicts": []}


@given(st.text(max_size=300))
def test_a_name_is_safe_on_every_disk(text: str) -> None:
    name = file_name(text)
    assert name.isascii()
    assert len(name) < 80
    assert not set(name) - set("abcdefghijklmnopqrstuvwxyz0123456789-")


@given(st.sets(st.text(max_size=5), min_size=2, max_size=6))
def test_different_ids_have_different_names(ids: set[str]) -> None:
    assert len({file_name(one) for one in ids}) == len(ids)


@pytest.mark.parametrize("odd", ["..", "-rf", "CON", "a/../b", "x" * 400, "\ud800", "🂡", "Ä", "a\u0308"])
def test_odd_ids_are_stored_and_found(odd: str, tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.open()
    store.write(record(odd))
    assert len(list((tmp_path / "records").iterdir())) == 1
    assert store.read(odd) is not None


def test_a_record_cut_at_any_byte_counts_as_not_there(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    whole = json.dumps(record("x")).encode()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert read_record(path) is None
    path.write_bytes(whole)
    assert read_record(path) is not None


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "r.json"
    write_whole(path, b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["r.json"]


def test_records_of_those_who_left_are_removed(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.open()
    for name in ("ann", "bob"):
        store.write(record(name))
    store.forget({"ann"})
    assert [one["submission"]["id"] for one in store.all()] == ["ann"]


def test_a_lock_is_held_once_and_taken_over_from_the_dead(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(StoreError, match="another run"), locked(tmp_path):
        pass
    (tmp_path / ".lock").write_text("999999999", encoding="ascii")
    with locked(tmp_path):
        pass
    assert not (tmp_path / ".lock").exists()
