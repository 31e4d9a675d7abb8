"""Finding the one file that was handed in, below one student's folder, by a stated rule and never by listing order."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Iterator
from pathlib import Path

from harness.outcome import Outcome
from harness.submission import Submission, read_source

IGNORED = frozenset(
    {
        "__MACOSX",
        "__pycache__",
        ".git",
        ".idea",
        ".vscode",
        ".ipynb_checkpoints",
        "venv",
        ".venv",
        "env",
        "node_modules",
        "site-packages",
    }
)
MOST_ENTRIES = 5_000


@dataclasses.dataclass(frozen=True)
class Wanted:
    """What is looked for: the file's name and how deep to look."""

    file: str
    depth: int = 4


@dataclasses.dataclass(frozen=True)
class Walk:
    """The files below a folder, sorted, links never followed. `complete` is False if there were too many to look at."""

    files: tuple[Path, ...]
    complete: bool


def walk(folder: Path, depth: int) -> Walk:
    """List what lies below a folder, leaving out caches, environments and what macOS adds."""
    files: list[Path] = []
    waiting = [(folder, 0)]
    entries = 0
    while waiting:
        current, level = waiting.pop()
        try:
            found = sorted(os.scandir(current), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in found:
            entries += 1
            if entries > MOST_ENTRIES:
                return Walk(tuple(sorted(files)), complete=False)
            if entry.name in IGNORED or entry.name.startswith("._"):
                continue
            if entry.is_dir(follow_symlinks=False) and entry.name.lower() != "":
                files.extend([Path(entry.path)] if entry.name.endswith(".py") else [])
                waiting.extend([(Path(entry.path), level + 1)] if level < depth else [])
            else:
                files.append(Path(entry.path))
    return Walk(tuple(sorted(files)), complete=True)


def near_miss(name: str, wanted: str) -> bool:
    """Whether a name is the wanted one with another case, a copy's number, or an extension added by a mail program."""
    stem = wanted.removesuffix(".py")
    text = name.strip()
    return (
        re.fullmatch(rf"{re.escape(stem)}([ _-]?\(\d+\)|[ _-]\d{{1,2}}| ?- ?copy)?\.py(\.txt)?", text, re.IGNORECASE)
        is not None
    )


def find(folder: Path, wanted: Wanted, submission_id: str, **known: object) -> Submission:
    """The submission of one student: the file by its exact name, else a near miss with a note, else why there is none."""
    seen = walk(folder, wanted.depth)
    exact = [path for path in seen.files if path.name == wanted.file]
    near = [path for path in seen.files if path.name != wanted.file and near_miss(path.name, wanted.file)]
    made = dataclasses.replace(Submission(submission_id, wanted.file), **known)  # type: ignore[arg-type]
    chosen = exact or near
    if len(chosen) > 1:
        names = ", ".join(_relative(path, folder) for path in chosen[:5])
        return dataclasses.replace(
            made,
            outcome=Outcome.AMBIGUOUS,
            problem=f"There are several files that could be {wanted.file}: {names}. Hand in exactly one.",
        )
    if not chosen:
        return dataclasses.replace(made, outcome=Outcome.MISSING, problem=_nothing(folder, seen, wanted))
    path = chosen[0]
    notes = made.notes if exact else (*made.notes, f"The file is called {path.name!r}; it was taken for {wanted.file}.")
    return load(path, dataclasses.replace(made, notes=notes), _relative(path, folder))


def load(path: Path, submission: Submission, relative: str) -> Submission:
    """Take the snapshot."""
    source, outcome, problem = read_source(path)
    return dataclasses.replace(submission, source=source, outcome=outcome, problem=problem, files=(relative,))


def _relative(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()


def _nothing(folder: Path, seen: Walk, wanted: Wanted) -> str:
    if not seen.files:
        return f"Nothing was handed in: {wanted.file} was expected."
    others = [
        _relative(path, folder)
        for path in seen.files
        if path.suffix in (".py", ".ipynb", ".docx", ".pdf", ".zip", ".pyc", ".txt")
    ]
    listed = f" There is: {', '.join(others[:5])}." if others else ""
    more = "" if seen.complete else " There were too many files to look at all of them."
    return f"There is no {wanted.file}.{listed}{more}"


def folders_in(folder: Path) -> Iterator[Path]:
    """The folders directly inside, sorted, links left out."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.is_dir(follow_symlinks=False) and entry.name not in IGNORED and not entry.name.startswith("."):
            yield Path(entry.path)


def files_in(folder: Path) -> Iterator[Path]:
    """What lies directly inside and is no folder, sorted; hidden files left out."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if not entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."):
            yield Path(entry.path)
