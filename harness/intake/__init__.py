"""From what an instructor has to submissions: one file per layout, the same two functions in each, tried in this order.

Hand-ins of a layout get the ids of the class list; of each student one version counts; the file in it is the submission.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import types
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from harness.errors import UsageError
from harness.intake import canvas, d2l, flat, folders, github, gradescope, moodle, samples
from harness.intake.archive import class_archive
from harness.intake.extensions import Extensions
from harness.intake.find import Wanted, find, is_candidate
from harness.intake.handin import HandIn
from harness.intake.items import Item, UnreadableError, folded, on_disk, visible
from harness.intake.roster import Roster, identify, missing
from harness.intake.times import in_zone, said, zone_named
from harness.intake.versions import RULES, Rule, Version, choose
from harness.submission import Submission, shown
from harness.yamlfile import nearest

LAYOUTS: Mapping[str, types.ModuleType] = {
    "samples": samples,
    "gradescope": gradescope,
    "moodle": moodle,
    "d2l": d2l,
    "canvas": canvas,
    "github": github,
    "flat": flat,
    "folders": folders,
}
_GENERAL = ("flat", "folders")
_LONGEST_ID = 400


@dataclasses.dataclass(frozen=True)
class Intake:
    """What was found in a folder, as which layout it was read, and what the user should know before grading starts."""

    layout: str
    says: str
    submissions: tuple[Submission, ...]
    notes: tuple[str, ...] = ()
    extensions: Mapping[str, timedelta] = dataclasses.field(default_factory=lambda: types.MappingProxyType({}))


@dataclasses.dataclass(frozen=True)
class _Terms:
    """What the caller told: how times are read, which version counts, and who has until when."""

    wanted: Wanted
    zone: ZoneInfo | None
    rule: Rule
    due: datetime | None
    extensions: Mapping[str, timedelta]


def take_in(
    folder: Path,
    wanted: Wanted,
    layout: str | None = None,
    *,
    timezone: str | None = None,
    versions: Rule = "last-on-time",
    due: datetime | None = None,
    roster: Roster | None = None,
    extensions: Extensions | None = None,
) -> Intake:
    """Read a folder or a zip archive of submissions, or say clearly why there is nothing to grade."""
    zone = zone_named(timezone)
    _check(layout, versions, due, extensions)
    try:
        with _opened(folder) as top:
            name, root = _recognised(folder, top, wanted, layout)
            found = tuple(LAYOUTS[name].hand_ins(root, wanted))
            if not found:
                raise UsageError(f"{folder}: read as {LAYOUTS[name].SAYS}, but nothing was handed in")
            left_out = _left_out(root, found)
            _refuse_twins(found)
            hand_ins = _clean(identify(found, roster) if roster else found)
            lengths = _lengths(hand_ins, roster, extensions, due)
            taken = _submissions(hand_ins, _Terms(wanted, zone, versions, due, lengths))
    except UnreadableError as error:
        raise UsageError(f"{folder}: {error}") from None
    absent = missing(roster, {one.id for one in taken}, wanted.file) if roster else []
    rows = tuple(sorted([*taken, *absent], key=lambda one: one.id))
    notes = (*left_out, *_summary(hand_ins, rows, roster))
    return Intake(name, LAYOUTS[name].SAYS, rows, notes, types.MappingProxyType(lengths))


def _check(layout: str | None, versions: str, due: datetime | None, extensions: Extensions | None) -> None:
    if layout is not None and layout not in LAYOUTS:
        raise UsageError(f"there is no layout {layout!r}; {nearest(layout, LAYOUTS)}known: {', '.join(LAYOUTS)}")
    if versions not in RULES:
        raise UsageError(
            f"{versions!r} is not a rule for versions; {nearest(versions, RULES)}known: {', '.join(RULES)}"
        )
    if due is not None and due.tzinfo is None:
        raise UsageError("the due time has no time zone")
    if extensions is not None and due is None:
        raise UsageError(f"{extensions.path}: extensions need a due time, and the assignment has none")


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[Item]:
    """The folder, or the zip archive as one."""
    if os.path.isdir(folder):  # noqa: PTH112 - unlike Path.is_dir it never raises
        yield dataclasses.replace(on_disk(folder), name=folder.resolve().name)
        return
    if not os.path.lexists(folder):
        raise UsageError(f"{folder}: there is no such folder")
    if folder.suffix.lower() != ".zip" or not os.path.isfile(folder):  # noqa: PTH113 - unlike Path.is_file it never raises
        raise UsageError(f"{folder}: this is a file; a folder of submissions is needed, or a zip archive of one")
    try:
        with folder.open("rb") as stream:
            yield class_archive(stream, folder.stem)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be read: {error.strerror}") from None


def _recognised(folder: Path, top: Item, wanted: Wanted, layout: str | None) -> tuple[str, Item]:
    """The layout, and the folder it begins in: an export often comes in a folder of its own."""
    inner = _only_folder(top)
    for root in filter(None, (top, inner)):
        for name, module in LAYOUTS.items():
            if name not in _GENERAL and layout in (None, name) and module.recognise(root, wanted):
                return name, root
    root = inner if inner is not None and _wraps_a_class(folder, inner, wanted) else top
    for name in _GENERAL:
        if layout in (None, name) and LAYOUTS[name].recognise(root, wanted):
            return name, root
    if layout is not None:
        return layout, root
    raise UsageError(
        f"{folder}: there are no submissions here; expected a folder per student with {wanted.file} in it, or one .py file per student"
    )


def _only_folder(top: Item) -> Item | None:
    """The folder that is all there is, if it can be opened."""
    items = visible(top)
    if len(items) != 1 or not items[0].is_folder:
        return None
    try:
        visible(items[0])
    except UnreadableError:
        return None
    return items[0]


def _wraps_a_class(folder: Path, inner: Item, wanted: Wanted) -> bool:
    """Whether the one folder of an archive is the class and not a student: named like the archive, or full of students' folders."""
    if folder.suffix.lower() != ".zip" or os.path.isdir(folder):  # noqa: PTH112 - unlike Path.is_dir it never raises
        return False
    items = visible(inner)
    if any(is_candidate(item.name, wanted.file) for item in items):
        return False
    full = [
        item for item in items if item.is_folder and any(is_candidate(one.name, wanted.file) for one in visible(item))
    ]
    return folded(inner.name) == folded(folder.stem) or len(full) > 1


def _left_out(root: Item, hand_ins: Sequence[HandIn]) -> tuple[str, ...]:
    """What lies beside the submissions and was not read; nothing is passed over in silence."""
    taken = {name for hand_in in hand_ins for name in hand_in.takes}
    names = [shown(item.name) for item in visible(root) if item.name not in taken]
    if not names:
        return ()
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return (f"Left out, not submissions: {', '.join(names[:8])}{more}.",)


def _refuse_twins(hand_ins: Sequence[HandIn]) -> None:
    """Two ids that differ only in case, accents' form or blanks would be one student to a person: refuse before grading."""
    ids = sorted({hand_in.id for hand_in in hand_ins})
    counted = Counter(folded(shown(one, most=_LONGEST_ID)) for one in ids)
    twins = [one for one in ids if counted[folded(shown(one, most=_LONGEST_ID))] > 1]
    if twins:
        raise UsageError(
            f"these ids cannot be told apart: {', '.join(repr(shown(one)) for one in twins[:6])}; rename one of them"
        )


def _clean(hand_ins: Sequence[HandIn]) -> tuple[HandIn, ...]:
    """Ids and names as text that every report can hold."""
    return tuple(
        dataclasses.replace(one, id=shown(one.id, most=_LONGEST_ID), name=shown(one.name, most=_LONGEST_ID))
        for one in hand_ins
    )


def _lengths(
    hand_ins: Sequence[HandIn], roster: Roster | None, extensions: Extensions | None, due: datetime | None
) -> dict[str, timedelta]:
    if extensions is None or due is None:
        return {}
    ids = {one.id for one in hand_ins} | {student.id for student in (roster.students if roster else ())}
    by_id = roster.by_id if roster else {}

    def resolve(text: str) -> str | None:
        student = by_id.get(folded(text))
        return student.id if student else None

    return extensions.lengths(ids, resolve, due)


def _submissions(hand_ins: Sequence[HandIn], terms: _Terms) -> list[Submission]:
    """One submission per student, in the order of the folder."""
    students: dict[str, list[HandIn]] = {}
    for hand_in in hand_ins:
        students.setdefault(hand_in.id, []).append(hand_in)
    return [_one(mine, terms) for mine in students.values()]


def _one(mine: Sequence[HandIn], terms: _Terms) -> Submission:
    extension = terms.extensions.get(mine[0].id)
    due = terms.due + (extension or timedelta(0)) if terms.due is not None else None
    chosen = choose([Version(hand_in, _found(hand_in, terms)) for hand_in in mine], terms.rule, due)
    if extension is None or due is None:
        return chosen
    local = due.astimezone(terms.zone) if terms.zone else due
    return dataclasses.replace(chosen, notes=(*chosen.notes, f"This student has more time: until {said(local)}."))


def _found(hand_in: HandIn, terms: _Terms) -> Submission:
    time = in_zone(hand_in.time, terms.zone)
    notes = list(hand_in.notes)
    if hand_in.time is not None and time is None:
        notes.append(f"The time {said(hand_in.time)} has no time zone and does not count.")
    made = Submission(
        hand_in.id,
        terms.wanted.file,
        submitted_at=time,
        name=hand_in.name,
        notes=tuple(notes),
        origin=shown(hand_in.origin, most=_LONGEST_ID),
    )
    return find(hand_in.content, terms.wanted, made, hard_links=hand_in.hard_links)


def _summary(hand_ins: Sequence[HandIn], rows: Sequence[Submission], roster: Roster | None) -> Iterator[str]:
    """What concerns the class as a whole."""
    late = {one.id for one in hand_ins if one.late}
    if late:
        yield f"Marked as late, without a time, so that nothing is taken off for it: {len(late)} of {len(rows)}."
    if roster is not None:
        known = {student.id for student in roster.students}
        strangers = [repr(one.id) for one in rows if one.id not in known]
        absent = len(rows) - len({one.id for one in hand_ins})
        yield f"The class list has {len(known)} students; {absent} of them handed in nothing."
        if strangers:
            yield f"Not on the class list: {', '.join(strangers[:8])}{f' and {len(strangers) - 8} more' if len(strangers) > 8 else ''}."
