"""Folders that cannot be committed: links, pipes, sockets, bombs, odd names. Each function makes the variants of one entry."""

from __future__ import annotations

import contextlib
import io
import marshal
import os
import socket
import stat
import struct
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.hostile.entries import HONEST

FILE = "solution.py"


class Room:
    """Where the variants of one entry are handed in, one folder each."""

    def __init__(self, entry: str, students: Path) -> None:
        self.entry = entry
        self.students = students

    def folder(self, variant: str) -> Path:
        path = self.students / f"{self.entry}+{variant}"
        path.mkdir(parents=True, exist_ok=True)
        return path

    def put(self, variant: str, name: str, data: bytes = HONEST) -> Path:
        path = self.folder(variant) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path


def huge_file(room: Room) -> None:
    with room.put("huge", FILE, b"").open("r+b") as file:
        file.truncate(500_000_000)


def poisoned_cache(room: Room) -> None:
    code = marshal.dumps(compile("def add(a, b):\n    return 'from the cache'\n", FILE, "exec"))
    room.put("pyc", FILE)
    room.put("pyc", f"__pycache__/solution.{sys.implementation.cache_tag}.pyc", bytes(16) + code)


def nearly_the_name(room: Room) -> None:
    names = {
        "case": "Solution.py",
        "txt": "solution.py.txt",
        "copy": "solution (1).py",
        "dash": "solution-2.py",
        "other": "homework.py",
    }
    for variant, name in names.items():
        room.put(variant, name)


def two_candidates(room: Room) -> None:
    room.put("near", "solution (1).py")
    room.put("near", "solution (2).py")
    room.put("folders", f"one/{FILE}")
    room.put("folders", f"two/{FILE}")


def folders_and_litter(room: Room) -> None:
    room.put("nested", f"hw1/src/{FILE}")
    for variant, litter in (("macos", f"__MACOSX/._{FILE}"), ("checkpoints", f".ipynb_checkpoints/{FILE}")):
        room.put(variant, FILE)
        room.put(variant, litter, b"\0\5\x16\7 not a program")
    room.put("apple-only", f"__MACOSX/._{FILE}", b"\0\5\x16\7 not a program")
    room.put("venv", FILE)
    room.put("venv", "env/pyvenv.cfg", b"home = /usr\n")
    for number in range(2_000):
        room.put("venv", f"env/lib/module{number}.py", b"")


def resubmissions(room: Room) -> None:
    room.put("late", f"1/{FILE}", b"raise SystemExit\n")
    room.put("late", f"2/{FILE}", b"raise SystemExit\n")
    room.put("late", f"3/{FILE}")


def symlinks(room: Room) -> None:
    targets = {"rubric": "../../tree/rubrics/add.yaml", "passwd": "/etc/passwd", "neighbour": f"../canary/{FILE}"}
    for variant, target in targets.items():
        (room.folder(variant) / FILE).symlink_to(target)


def loops(room: Room) -> None:
    (room.folder("loop") / "again").symlink_to(".")
    (room.folder("self") / FILE).symlink_to(FILE)
    (room.folder("dangling") / FILE).symlink_to("nowhere.py")


def no_ordinary_file(room: Room) -> None:
    os.mkfifo(room.folder("fifo") / FILE)
    (room.folder("folder") / FILE).mkdir()
    with tempfile.TemporaryDirectory() as short, socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"{short}/s")
        Path(short, "s").rename(room.folder("socket") / FILE)
    origin = room.students.parent / "elsewhere.py"
    origin.write_bytes(HONEST)
    os.link(origin, room.folder("hard-link") / FILE)


def zipped(*members: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    stream = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")
        for name, data in members:
            archive.writestr(name, data)
    return stream.getvalue()


def zip_bombs(room: Room) -> None:
    room.put("bomb", "work.zip", zipped((FILE, bytes(60_000_000))))
    room.put("nested", "work.zip", zipped(("inner.zip", zipped((FILE, HONEST)))))
    room.put("entries", "work.zip", zipped((FILE, HONEST), *((f"{number}.txt", b"") for number in range(6_000))))


def escaping_archives(room: Room) -> None:
    link = zipfile.ZipInfo(FILE)
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    members: dict[str, tuple[tuple[str | zipfile.ZipInfo, bytes], ...]] = {
        "dots": ((f"../{FILE}", HONEST),),
        "absolute": ((f"/tmp/{FILE}", HONEST),),
        "drive": ((f"C:\\{FILE}", HONEST),),
        "link": ((link, b"../../tree/rubrics/add.yaml"),),
        "twins": ((FILE, HONEST), ("SOLUTION.py", HONEST)),
        "sibling": ((f"../D12+sibling-evil/{FILE}", HONEST),),
    }
    for variant, content in members.items():
        room.put(variant, "work.zip", zipped(*content))


def other_kinds(room: Room) -> None:
    sound = zipped((FILE, HONEST))
    room.put("corrupt", "work.zip", sound[: len(sound) // 2])
    room.put("encrypted", "work.zip", _encrypted(sound))
    room.put("rar", "work.rar", b"Rar!\x1a\x07\x00" + bytes(64))
    room.put("docx", FILE, zipped(("word/document.xml", b"<w/>")))
    room.put("pyc", "solution.pyc", struct.pack("<4s", b"\xa7\r\r\n") + bytes(12))
    room.put("notebook", "solution.ipynb", b'{"cells": [], "nbformat": 4}')


def _encrypted(archive: bytes) -> bytes:
    """The same archive with the mark of encryption set in both of its headers."""
    data = bytearray(archive)
    data[6] |= 1
    data[archive.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


ODD_IDS: Mapping[str, tuple[bytes, ...]] = {
    "D07": (
        "😀".encode(), "שלום".encode(), b"o'brien \"bob\"", b"-rf", b"--out=x", b"...", b"..x", b"100%25", b"$(id)", b"a;b|c&d", b"a" * 200,
        b"CON", b"NUL.py", b"dot.", b"caf\xe9", b"~root", b"a\\b", b"`id`", b"{{typed}}", b"*",
    ),
    "I02": ("evil\u202egnp.exe".encode(), "zero\u200bwidth".encode(), b"over\rwrite", b"back\x08space", b"\x1b[2J"),
    "I04": (b'=HYPERLINK("http:192.0.2.1","x")', b"+cmd|' C calc'!A0", b"@SUM(1;2)", b"-1+2", b"\ttab", b'quote"comma,semi;', b"=1+1"),
    "I07": (b"new\nline", b"!!python_object_apply:os.system [id]", b"--- yaml", b"::error::x", b"a: b", b"{done: 1}"),
}  # fmt: skip
"""Names of students that are attacks by themselves; every one of them hands in the honest program."""


def odd_ids(entry: str, students: Path) -> None:
    for name in ODD_IDS[entry]:
        with contextlib.suppress(OSError):
            folder = students / os.fsdecode(name)
            folder.mkdir()
            (folder / FILE).write_bytes(HONEST)


BUILDERS: Mapping[str, Callable[[Room], None]] = {
    "R17": huge_file,
    "H20": poisoned_cache,
    "D02": nearly_the_name,
    "D03": two_candidates,
    "D04": folders_and_litter,
    "D05": resubmissions,
    "D08": symlinks,
    "D09": loops,
    "D10": no_ordinary_file,
    "D11": zip_bombs,
    "D12": escaping_archives,
    "D13": other_kinds,
}
"""Entries that are students of an ordinary class, beside one another."""
