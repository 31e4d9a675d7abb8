"""Finding the one file that was handed in, in what one student handed in, by a stated rule and never by listing order."""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from harness.intake.archive import student_archive
from harness.intake.items import Item, Kind, TooManyError, UnreadableError, folded, ignored
from harness.outcome import Outcome
from harness.submission import LARGEST_SOURCE, Submission, read_source, recognised, shown

MOST_ENTRIES = 5_000
"""Entries of one student's folder that are looked at, nearest first."""


@dataclasses.dataclass(frozen=True)
class Wanted:
    """What is looked for: the file's name and how deep to look; modules the course supplies are nobody's submission."""

    file: str
    depth: int = 4
    supplied: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Found:
    """An item and where it lies below the student's folder."""

    path: str
    item: Item

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]


@dataclasses.dataclass(frozen=True)
class Walk:
    """What lies below a folder, nearest first. `gap` says what could not be looked at."""

    files: tuple[Found, ...]
    gap: str = ""


def walk(folder: Item, depth: int) -> Walk:
    """List what lies below a folder, leaving out caches, environments and what macOS adds; links are never followed."""
    files: list[Found] = []
    level, left, gap = [("", folder)], MOST_ENTRIES, ""
    for _ in range(depth + 1):
        below: list[tuple[str, Item]] = []
        for prefix, current in level:
            try:
                items = current.lists(left)
            except TooManyError:
                gap = gap or f"There are more than {MOST_ENTRIES:,} files."
                continue
            except UnreadableError as error:
                gap = gap or str(error)
                continue
            left -= len(items)
            if prefix and any(item.name == "pyvenv.cfg" for item in items):
                continue
            kept = [Found(prefix + item.name, item) for item in items if not ignored(item.name)]
            files.extend(one for one in kept if not one.item.is_folder or one.item.suffix == ".py")
            below.extend((f"{one.path}/", one.item) for one in kept if one.item.is_folder)
        level = below
    return Walk(tuple(files), gap)


def near_miss(name: str, wanted: str) -> bool:
    """Whether a name is the wanted one with another case, a copy's number or mark, or an extension added on the way."""
    stem = re.escape(unicodedata.normalize("NFKC", wanted.removesuffix(".py")).casefold())
    text = unicodedata.normalize("NFKC", name).casefold().strip()
    copy = r"([ _-]*\(\d{1,3}\)|[ _-]\d{1,3}| ?[-_]? ?copy( ?\(?\d{1,3}\)?)?)"
    return re.fullmatch(rf"(copy of )?{stem}{copy}?\s*\.py(\.txt|\.py)?", text) is not None


def is_candidate(name: str, wanted: str) -> bool:
    """Whether a file can be the wanted one by its name."""
    return name == wanted or near_miss(name, wanted)


def find(content: Item, wanted: Wanted, made: Submission, *, hard_links: bool = False) -> Submission:
    """The submission of one student: the file by its exact name, else a near miss with a note, else why there is none."""
    try:
        if content.is_folder:
            return _in_folder(content, wanted, made, hard_links=hard_links)
        if content.is_file and content.suffix == ".zip":
            return _in_archive(content, content.name, wanted, made)
        return _load(Found(content.name, content), made, hard_links=hard_links)
    except UnreadableError as error:
        return _without(made, Outcome.REJECTED, str(error))


def load(path: Path, submission: Submission, relative: str) -> Submission:
    """Take the snapshot of one file that the user named."""
    source, outcome, problem = read_source(path)
    return dataclasses.replace(submission, source=source, outcome=outcome, problem=problem, files=(relative,))


def _in_folder(content: Item, wanted: Wanted, made: Submission, *, hard_links: bool, archive: str = "") -> Submission:
    seen = walk(content, wanted.depth)
    refused = next((one.item.problem for one in seen.files if one.item.kind is Kind.REFUSED), "")
    if refused:
        return _without(made, Outcome.REJECTED, refused)
    exact = [one for one in seen.files if one.item.name == wanted.file]
    near = [one for one in seen.files if one.item.name != wanted.file and near_miss(one.item.name, wanted.file)]
    chosen = exact + [one for one in near if _twin(one, exact)] if exact else near
    if len(chosen) > 1:
        return _without(made, Outcome.AMBIGUOUS, _several(chosen, wanted))
    if chosen:
        notes = _notes(chosen[0], near, seen, wanted, exact=bool(exact))
        return _load(chosen[0], _noted(made, *notes), hard_links=hard_links, archive=archive)
    return _not_found(seen, wanted, made, archive)


def _twin(one: Found, exact: Sequence[Found]) -> bool:
    """Beside the exact name, the same name in another case or form: on another disk the two would be one file."""
    return any(one.folder == other.folder and folded(one.item.name) == folded(other.item.name) for other in exact)


def _several(chosen: Sequence[Found], wanted: Wanted) -> str:
    names = ", ".join(shown(one.path) for one in chosen[:5])
    more = f" and {len(chosen) - 5} more" if len(chosen) > 5 else ""
    return f"There are several files that could be {wanted.file}: {names}{more}. Hand in exactly one."


def _notes(chosen: Found, near: Sequence[Found], seen: Walk, wanted: Wanted, *, exact: bool) -> list[str]:
    notes = [] if exact else [f"The file is called {shown(chosen.item.name)!r}; it was taken for {wanted.file}."]
    if exact and near:
        names = ", ".join(repr(shown(one.path)) for one in near[:3])
        notes.append(f"There is also {names}; {wanted.file} was taken because it has the name that was asked for.")
    if seen.gap:
        notes.append(f"Not everything could be looked at. {seen.gap}")
    return notes


def _load(found: Found, made: Submission, *, hard_links: bool, archive: str = "") -> Submission:
    """Take the snapshot."""
    path = f"{archive}/{found.path}" if archive else found.path
    made = dataclasses.replace(made, files=(shown(path, most=300),))
    problem = _oddity(found.item, hard_links=hard_links)
    if problem:
        return _without(made, Outcome.REJECTED, problem)
    source, outcome, problem = recognised(found.item.name, found.item.reads(LARGEST_SOURCE))
    return dataclasses.replace(made, source=source, outcome=outcome, problem=problem)


def _oddity(item: Item, *, hard_links: bool) -> str:
    name = shown(item.name)
    if item.kind is Kind.LINK:
        return f"{name} is a link. Hand in the file itself."
    if item.kind is Kind.FOLDER:
        return f"{name} is a folder, not a file."
    if item.kind is Kind.OTHER:
        return f"{name} is not an ordinary file."
    if item.kind is Kind.REFUSED:
        return item.problem
    if not hard_links and item.hard_linked():
        return f"{name} is the same file as another one on this disk (a hard link). A copy of it is needed."
    return ""


def _not_found(seen: Walk, wanted: Wanted, made: Submission, archive: str) -> Submission:
    archives = [one for one in seen.files if one.item.suffix == ".zip"]
    if archives and archive:
        return _without(
            made, Outcome.REJECTED, f"The archive {shown(archive)} holds another archive, and no {wanted.file}."
        )
    if len(archives) > 1:
        names = ", ".join(shown(one.path) for one in archives[:5])
        return _without(
            made, Outcome.AMBIGUOUS, f"There is no {wanted.file}, but several archives: {names}. Hand in exactly one."
        )
    if archives:
        one = archives[0]
        problem = _oddity(one.item, hard_links=True)
        return _without(made, Outcome.REJECTED, problem) if problem else _in_archive(one.item, one.path, wanted, made)
    if seen.gap and not seen.files:
        return _without(made, Outcome.REJECTED, seen.gap)
    outcome, problem = _nothing(seen, wanted)
    return _without(made, outcome, problem)


def _in_archive(item: Item, path: str, wanted: Wanted, made: Submission) -> Submission:
    noted = _noted(made, f"The file was taken from the archive {shown(item.name)!r}.")
    found = _in_folder(student_archive(item), wanted, noted, hard_links=True, archive=path)
    return found if found.outcome is Outcome.PASSED else dataclasses.replace(found, notes=made.notes)


_OTHER_KINDS = {
    ".ipynb": "a Jupyter notebook",
    ".doc": "a Word document",
    ".docx": "a Word document",
    ".odt": "a text document",
    ".pages": "a Pages document",
    ".rtf": "a rich-text document",
    ".pdf": "a PDF",
    ".pyc": "a compiled Python file",
    ".rar": "a RAR archive",
    ".7z": "a 7z archive",
    ".tar": "a tar archive",
    ".tgz": "a tar archive",
    ".gz": "a gzip archive",
    ".bz2": "a bzip2 archive",
    ".xz": "an xz archive",
    ".htm": "a web page",
    ".html": "a web page",
    ".png": "a picture",
    ".jpg": "a picture",
    ".jpeg": "a picture",
}


def _nothing(seen: Walk, wanted: Wanted) -> tuple[Outcome, str]:
    """Why there is no file, naming what there is instead."""
    more = f" {seen.gap}" if seen.gap else ""
    if not seen.files:
        return Outcome.MISSING, f"Nothing was handed in: {wanted.file} was expected.{more}"
    others = [one for one in seen.files if one.item.suffix == ".py" and one.item.name not in wanted.supplied]
    kinds = [one for one in seen.files if one.item.suffix in _OTHER_KINDS]
    if kinds and not others:
        one = kinds[0]
        kind = _OTHER_KINDS[one.item.suffix]
        advice = f"Hand in the Python file itself, called {wanted.file}."
        return Outcome.REJECTED, f"There is no {wanted.file}, but {shown(one.path)}, which is {kind}. {advice}{more}"
    listed = ", ".join(shown(one.path) for one in (others or seen.files)[:5])
    return Outcome.MISSING, f"There is no {wanted.file}. There is: {listed}.{more}"


def _noted(made: Submission, *notes: str) -> Submission:
    return dataclasses.replace(made, notes=(*made.notes, *notes))


def _without(made: Submission, outcome: Outcome, problem: str) -> Submission:
    return dataclasses.replace(made, outcome=outcome, problem=problem)
