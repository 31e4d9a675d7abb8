"""Records on disk: one file per submission, complete or not there at all.

    results/records/<name>-<hash>.json     one per submission, written to the side, flushed to the disk, then renamed
    results/grades.csv, index.html, ...    derived from the records and rebuilt whenever they change

Summaries are never the source of truth; a record that cannot be read counts as not there and is graded again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.errors import StoreError
from harness.record import FORMAT, Json


def file_name(submission_id: str) -> str:
    """A name that is safe on every disk and differs for ids that differ only in case or odd characters."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", submission_id).strip("-").lower()[:60] or "submission"
    digest = hashlib.sha256(submission_id.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{plain}-{digest}"


class Store:
    """The results folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.records = folder / "records"

    def open(self) -> None:
        """Make the folders, or say why that cannot be done."""
        try:
            self.records.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{self.records}: results cannot be written here: {error.strerror}") from None

    def path(self, submission_id: str) -> Path:
        return self.records / f"{file_name(submission_id)}.json"

    def write(self, record: Json) -> None:
        text = json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False)
        write_whole(self.path(record["submission"]["id"]), text.encode("utf-8", "backslashreplace"))

    def read(self, submission_id: str) -> Json | None:
        return read_record(self.path(submission_id))

    def all(self) -> Iterator[Json]:
        """Every readable record, in the order of the ids."""
        found = [record for path in sorted(self.records.glob("*.json")) if (record := read_record(path)) is not None]
        return iter(sorted(found, key=lambda record: str(record["submission"]["id"])))

    def forget(self, keep: set[str]) -> None:
        """Remove records of submissions that are no longer there."""
        kept = {self.path(submission_id).name for submission_id in keep}
        for path in self.records.glob("*.json"):
            if path.name not in kept:
                path.unlink(missing_ok=True)


def read_record(path: Path) -> Json | None:
    """A complete record of our format, or None."""
    try:
        data: Any = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    complete = isinstance(data, dict) and data.get("format") == FORMAT and "verdicts" in data and "submission" in data
    return data if complete else None


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that at every instant either the old or the new one is there, complete."""
    side = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with side.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        side.replace(path)
        _flush_folder(path.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            side.unlink()
        raise StoreError(f"{path}: cannot be written: {error.strerror}; what was there before is untouched") from None


def _flush_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
