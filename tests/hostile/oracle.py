"""A class graded by the real command, and everything that must be true afterwards."""

from __future__ import annotations

import contextlib
import csv
import ctypes
import dataclasses
import hashlib
import html.parser
import io
import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from harness.report import FORMATS, Report, render
from tests.hostile.entries import ASSIGNMENT, HONEST

CHECKOUT = ASSIGNMENT.parents[2]
CANARY = "canary"
LARGEST_RSS_KB = 320_000
"""Of the grader or any process below it: a student's may have 160 MB of address space, so a flood that we hold shows."""
_SUBREAPER = 36
_RAW = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclasses.dataclass(frozen=True)
class Graded:
    """One run of the command: what it said, what it left, and what was seen from outside."""

    code: int
    said: str
    seconds: float
    rss_kb: int
    survivors: tuple[str, ...]
    leftovers: tuple[str, ...]
    changed: tuple[str, ...]
    token: str
    out: Path
    records: Mapping[str, Mapping[str, Any]]


@dataclasses.dataclass(frozen=True)
class Place:
    """A world of its own: the assignment with a secret in every file, a home, a folder for scratch, a class."""

    root: Path
    token: str

    @property
    def tree(self) -> Path:
        return self.root / "tree"

    @property
    def students(self) -> Path:
        return self.root / "class"

    @property
    def scratch(self) -> Path:
        return self.root / "tmp"

    def hand_in(self, student: str, source: bytes = HONEST, file: str = "solution.py") -> Path:
        path = self.students / student / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(source)
        return path


def make_place(root: Path) -> Place:
    """Copy the assignment and plant a secret that no student may ever see; everything can be read by everybody."""
    token = f"token{secrets.token_hex(12)}"
    place = Place(root, token)
    shutil.copytree(ASSIGNMENT, place.tree)
    for path in [
        *place.tree.glob("rubrics/*.yaml"),
        *place.tree.glob("specs/*.yaml"),
        *place.tree.glob("reference/add/*.py"),
    ]:
        path.write_text(f"{path.read_text(encoding='utf-8')}\n# {token}\n", encoding="utf-8")
    for name in ("home", "class", "tmp"):
        (root / name).mkdir()
    (root / "home" / "token.txt").write_text(token)
    for folder, _, files in os.walk(root):
        Path(folder).chmod(0o755)
        for file in files:
            Path(folder, file).chmod(0o644)
    return place


def grade(place: Place, *options: str, out: str = "results", jobs: int = 2) -> Graded:
    """Run the command over the class and look at the world before and after."""
    ci = {name: str(place.root / "home" / "ci.txt") for name in ("GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    world = {
        "HOME": str(place.root / "home"),
        "TMPDIR": str(place.scratch),
        "SECRET_TOKEN": place.token,
        "PYTHONPATH": str(CHECKOUT),
    }
    command = [sys.executable, "-m", "harness", "grade", "add", str(place.students), "--assignments", str(place.tree)]
    command += ["--out", str(place.root / out), "--jobs", str(jobs), *options]
    before, ours, start = _hashes(place), set(_children()), time.monotonic()
    with _subreaper(), (place.root / f"{out}.said").open("w+b") as said:
        process = subprocess.Popen(
            command, stdout=said, stderr=subprocess.STDOUT, cwd=place.root, env={**kept, **world, **ci}
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        survivors = _survivors(ours)
        said.seek(0)
        text = said.read().decode("utf-8")
    after = _hashes(place)
    changed = tuple(sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name)))
    leftovers = tuple(path.name for path in place.scratch.iterdir())
    records = read_records(place.root / out)
    return Graded(
        process.returncode,
        text,
        seconds,
        usage.ru_maxrss,
        survivors,
        leftovers,
        changed,
        place.token,
        place.root / out,
        records,
    )


def read_records(out: Path) -> dict[str, Mapping[str, Any]]:
    """The records by the student's id, each read strictly."""
    found: dict[str, Mapping[str, Any]] = {}
    for path in sorted((out / "records").glob("*")):
        record = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_no_twins, parse_constant=_no_constant)
        assert record["submission"]["id"] not in found, f"a second record for one student: {path.name}"
        found[record["submission"]["id"]] = record
    return found


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len(dict(pairs)) == len(pairs), "a key stands twice"
    return dict(pairs)


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


@contextlib.contextmanager
def _subreaper() -> Iterator[None]:
    """While this holds, whatever a dead process leaves behind becomes our child and can be seen."""
    libc = ctypes.CDLL(None) if sys.platform.startswith("linux") else None
    if libc is not None:
        libc.prctl(_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        if libc is not None:
            libc.prctl(_SUBREAPER, 0, 0, 0, 0)


def _survivors(ours: set[int]) -> tuple[str, ...]:
    """Processes of a run that is over, which are not those we had before: they are told, ended and collected."""
    found = []
    for pid in set(_children()) - ours:
        with contextlib.suppress(OSError):
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
            words = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            if state != "Z":
                found.append(f"{pid} {words}")
                os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    return tuple(found)


def _children() -> list[int]:
    with contextlib.suppress(OSError):
        text = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii")
        return [int(word) for word in text.split()]
    return []


def _hashes(place: Place) -> dict[str, str]:
    """Everything that a run must leave as it is: the assignment, the class, the home, the harness itself."""
    found = {}
    for top in (place.tree, place.students, place.root / "home", CHECKOUT / "harness"):
        for folder, folders, files in os.walk(top):
            folders[:] = [name for name in folders if name != "__pycache__"]
            for name in [*files, *folders]:
                path = Path(folder, name)
                found[os.fsencode(path).decode("utf-8", "backslashreplace")] = _state(path)
    notes = [path for top in ("/tmp", "/dev/shm", "/var/tmp") for path in Path(top).glob("*patience-hostile-note*")]
    return {**found, **{str(path): "a note" for path in notes}}


def _state(path: Path) -> str:
    status = path.lstat()
    small = path.is_file() and not path.is_symlink() and status.st_size < 10_000_000
    content = hashlib.sha256(path.read_bytes()).hexdigest() if small else ""
    return f"{status.st_mode} {status.st_size if not path.is_dir() else ''} {content}"


def without_id(record: Mapping[str, Any]) -> str:
    """A record as text, the student's id left out."""
    return json.dumps({**record, "submission": {**record["submission"], "id": ""}}, sort_keys=True)


class _Html(html.parser.HTMLParser):
    """Collects what must not be in a report."""

    def __init__(self) -> None:
        super().__init__()
        self.forbidden: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        handlers = [name for name, _ in attrs if name.startswith("on")]
        links = [
            value
            for name, value in attrs
            if name in ("src", "href") and (value or "").split(":")[0] in ("http", "https", "javascript")
        ]
        if tag in ("iframe", "object", "embed", "img") or handlers or links:
            self.forbidden.append(f"{tag} {attrs}")


def check_reports(graded: Graded, title: str = "Add and square") -> None:
    """Every format, for staff and students, parses and holds no raw control character."""
    for audience in ("staff", "student"):
        report = Report(title, "add", list(graded.records.values()), audience=audience)  # type: ignore[arg-type]
        for name in FORMATS:
            for file, content in render(name, report).items():
                text = content.decode("utf-8")
                raw = _RAW.search(text)
                assert raw is None, (
                    f"{name}/{file} holds {raw.group()!r} at {raw.start()}: {text[raw.start() - 60 : raw.start() + 20]!r}"
                )
                assert graded.token not in text, f"{name}/{file} holds the secret"
                _PARSE.get(Path(file).suffix, _plain)(text)


def _html(text: str) -> None:
    parser = _Html()
    parser.feed(text)
    parser.close()
    assert parser.forbidden == []
    assert "alert(" not in "".join(re.findall(r"<script.*?</script>", text, re.DOTALL))


def _xml(text: str) -> None:
    ET.fromstring(text)


def _json(text: str) -> None:
    json.loads(text, parse_constant=_no_constant)


def _csv(text: str) -> None:
    rows = list(csv.reader(io.StringIO(text), strict=True))
    assert len({len(row) for row in rows}) == 1
    dangerous = [cell for row in rows for cell in row if cell[:1] in "=+@\t\r" and cell]
    assert dangerous == []


def _plain(text: str) -> None:
    for line in text.splitlines():
        assert not line.lstrip().startswith(("::add-mask", "::stop-commands", "::set-output", "##vso", "##[")), line


_PARSE: Mapping[str, Callable[[str], None]] = {".html": _html, ".xml": _xml, ".json": _json, ".csv": _csv}


def student_artefacts(graded: Graded) -> Iterator[tuple[str, str]]:
    """Every file of the results and everything the command has printed."""
    yield "the screen", graded.said
    for path in graded.out.rglob("*"):
        if path.is_file():
            yield path.name, path.read_text(encoding="utf-8")
