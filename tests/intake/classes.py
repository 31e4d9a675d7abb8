"""A class as each learning system hands it over, made from given sources."""

from __future__ import annotations

import dataclasses
import hashlib
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

ZONE = "America/Detroit"
DUE = datetime(2022, 11, 30, 23, 59, tzinfo=ZoneInfo(ZONE))
FIRST = ("Ada", "Björn", "Chloé", "Dmitri", "Ève", "Fatima", "Grace", "Hồng", "Íris", "José")
LAST = ("Ångström", "Brown-Lee", "O'Hara", "Nguyễn", "de la Cruz", "Öz", "Smith", "Zhang")


@dataclasses.dataclass(frozen=True)
class Pupil:
    """One student of a made class: what goes in, and what must come out under `id`."""

    number: int
    source: bytes
    at: datetime
    id: str = ""

    @property
    def name(self) -> str:
        return f"{FIRST[self.number % len(FIRST)]} {LAST[self.number % len(LAST)]}"

    @property
    def login(self) -> str:
        return f"{'aeiou'[self.number % 5]}-{self.number:03}"

    @property
    def squeezed(self) -> str:
        """The name as Canvas writes it."""
        words = self.name.split()
        return "".join(character for character in "".join(reversed(words)).lower() if character.isalnum())


def pupils(sources: Sequence[bytes], count: int = 40) -> list[Pupil]:
    """A class whose sources go round; the last four students are a little late."""
    start = DUE.replace(second=0) - timedelta(hours=count - 4)
    return [Pupil(number, sources[number % len(sources)], start + timedelta(hours=number)) for number in range(count)]


def make_class(layout: str, folder: Path, file: str, sources: Sequence[bytes], count: int = 40) -> list[Pupil]:
    """Write a class into a folder as `layout` has it; each pupil comes back with the id that the intake must find."""
    folder.mkdir(parents=True, exist_ok=True)
    put = _MAKERS[layout]
    made = [dataclasses.replace(pupil, id=put(folder, file, pupil)) for pupil in pupils(sources, count)]
    if layout == "gradescope":
        (folder / "submission_metadata.yml").write_text("---\n" + "".join(map(_metadata, made)), encoding="utf-8")
    if layout == "moodle":
        (folder / "Grades-CSE-Project 10.csv").write_text(_worksheet(made), encoding="utf-8-sig")
    if layout == "d2l":
        (folder / "index.html").write_text("<html></html>", encoding="utf-8")
    return made


def zipped(folder: Path, archive: Path, inside: str = "") -> Path:
    """The class in a zip archive, in a folder of its own if `inside` names one."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(folder.rglob("*")):
            file.write(path, f"{inside}{path.relative_to(folder).as_posix()}")
        file.writestr("__MACOSX/._junk.py", b"\x00\x05\x16\x07")
    return archive


def _folders(folder: Path, file: str, pupil: Pupil) -> str:
    return _put(folder / pupil.login / file, pupil, pupil.login)


def _flat(folder: Path, file: str, pupil: Pupil) -> str:
    return _put(folder / f"{pupil.login}.py", pupil, pupil.login)


def _samples(folder: Path, file: str, pupil: Pupil) -> str:
    name = f"{('right', 'wrong', 'timeout')[pupil.number % 3]}/{pupil.login}"
    return _put(folder / name / file, pupil, name)


def _canvas(folder: Path, file: str, pupil: Pupil) -> str:
    late = "LATE_" if pupil.at > DUE else ""
    number = str(3000 + pupil.number)
    _put(folder / f"{pupil.squeezed}_{late}{number}_{90000 + 7 * pupil.number}_{file}", pupil, number)
    (folder / f"{pupil.squeezed}_{late}{number}_{90001 + 7 * pupil.number}_notes.txt").write_text(
        "hello", encoding="utf-8"
    )
    return number


def _moodle(folder: Path, file: str, pupil: Pupil) -> str:
    number = str(500 + pupil.number)
    (folder / f"{pupil.name}_{number}_assignsubmission_onlinetext").mkdir()
    return _put(folder / f"{pupil.name}_{number}_assignsubmission_file" / file, pupil, number)


def _d2l(folder: Path, file: str, pupil: Pupil) -> str:
    when = f"{pupil.at:%b} {pupil.at.day}, {pupil.at.year} {pupil.at.hour % 12 or 12}{pupil.at:%M %p}"
    number = str(12000 + pupil.number)
    return _put(folder / f"{number}-98765 - {pupil.name} - {when}" / file, pupil, number)


def _gradescope(folder: Path, file: str, pupil: Pupil) -> str:
    number = str(7000 + pupil.number)
    return _put(folder / f"submission_{number}" / file, pupil, f"A{number}")


def _github(folder: Path, file: str, pupil: Pupil) -> str:
    repository = folder / f"project-ten-{pupil.login}"
    _put(repository / file, pupil, pupil.login)
    commit(repository, pupil.at)
    return pupil.login


def _put(path: Path, pupil: Pupil, student: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pupil.source)
    return student


def commit(repository: Path, at: datetime) -> str:
    """Write a commit as git does, loose, and let HEAD stand for it."""
    zone = f"{at:%z}"
    body = (
        f"tree {'0' * 40}\nauthor A <a@example.edu> 1 +0000\n"
        f"committer A <a@example.edu> {int(at.timestamp())} {zone}\n\ncommitter X <x> 5 +0000\n"
    ).encode()
    data = b"commit %d\0" % len(body) + body
    name = hashlib.sha1(data).hexdigest()
    path = repository / ".git" / "objects" / name[:2] / name[2:]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(zlib.compress(data))
    (repository / ".git" / "refs" / "heads").mkdir(parents=True, exist_ok=True)
    (repository / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="ascii")
    (repository / ".git" / "refs" / "heads" / "main").write_text(f"{name}\n", encoding="ascii")
    return name


def _metadata(pupil: Pupil) -> str:
    at = pupil.at.astimezone(timezone.utc)
    name = pupil.name.replace("'", "''")
    return (
        f"submission_{pupil.id[1:]}:\n  :submitters:\n  - :name: '{name}'\n    :sid: {pupil.id}\n"
        f"    :email: {pupil.login}@example.edu\n  :created_at: {at:%Y-%m-%d %H:%M:%S}.123456789 Z\n  :score: 1.0\n"
        "  :results:\n    tests:\n    - output: |-\n        submission_1:\n          :sid: forged\n  :history: []\n"
    )


def _worksheet(made: Sequence[Pupil]) -> str:
    lines = ["Identifier,Full name,Status,Grade,Last modified (submission)"]
    for pupil in made:
        hour = f"{pupil.at.hour % 12 or 12}:{pupil.at:%M %p}"
        lines.append(
            f'Participant {pupil.id},{pupil.name},Submitted,,"{pupil.at:%A}, {pupil.at.day} {pupil.at:%B} {pupil.at.year}, {hour}"'
        )
    return "\n".join(lines) + "\n"


_MAKERS: Mapping[str, Callable[[Path, str, Pupil], str]] = {
    "folders": _folders,
    "flat": _flat,
    "samples": _samples,
    "canvas": _canvas,
    "moodle": _moodle,
    "d2l": _d2l,
    "gradescope": _gradescope,
    "github": _github,
}
LAYOUTS = tuple(_MAKERS)
TIMED = ("moodle", "d2l", "gradescope", "github")
"""The layouts that say when something was handed in."""
NAMED = ("canvas", "moodle", "d2l", "gradescope")
"""The layouts that say the student's name."""
