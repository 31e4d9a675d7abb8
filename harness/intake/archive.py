"""Zip archives as folders: looked into, never unpacked.

Names that lead elsewhere, links, passwords and bombs are refused. What is read is read one file at a time, with a limit.
"""

from __future__ import annotations

import dataclasses
import io
import re
import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import IO

from harness.intake.items import Item, Kind, TooManyError, UnreadableError, folded, ignored
from harness.submission import shown, too_large


@dataclasses.dataclass(frozen=True)
class Limits:
    """How much of an archive is looked at."""

    entries: int
    directory: int
    total: int
    ratio: int


STUDENT = Limits(entries=5_000, directory=2_000_000, total=100_000_000, ratio=200)
CLASS = Limits(entries=200_000, directory=64_000_000, total=0, ratio=0)
LARGEST_ARCHIVE = 20_000_000
"""Bytes of a student's archive that are read."""
_HARMLESS = 10_000_000
"""Below this a high ratio is only a file of blanks."""
_DEEPEST = 64
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN = (
    zipfile.BadZipFile,
    OSError,
    ValueError,
    NotImplementedError,
    EOFError,
    struct.error,
    zlib.error,
    RuntimeError,
)


def student_archive(item: Item) -> Item:
    """A student's archive as a folder; it is refused as a whole if anything in it is not as it should be."""
    data = item.reads(LARGEST_ARCHIVE)
    name = shown(item.name)
    opened = _opened(io.BytesIO(data), name, STUDENT)
    members = opened.infolist()
    for member in members:
        reason = _refusal(member)
        if reason:
            raise UnreadableError(f"The archive {name} is not opened: {reason}")
    total = sum(member.file_size for member in members)
    if total > STUDENT.total or total > max(_HARMLESS, STUDENT.ratio * len(data)):
        raise UnreadableError(f"The archive {name} is not opened: unpacked it would have {total:,} bytes.")
    files = [member for member in members if _kind(member) is not Kind.FOLDER]
    paths = Counter(folded("/".join(_parts(member))) for member in files)
    twins = [member for member in files if paths[folded("/".join(_parts(member)))] > 1]
    if twins:
        raise UnreadableError(
            f"The archive {name} is not opened: it holds two files called {shown(_name(twins[0]))}, letter case aside."
        )
    return _tree(item.name, opened, members)


def _refusal(member: zipfile.ZipInfo) -> str:
    """Why a student's archive with this member is not opened, in words, or nothing."""
    if member.flag_bits & 1:
        return "it is protected by a password."
    if _kind(member) in (Kind.LINK, Kind.OTHER) and not any(map(ignored, _parts(member))):
        return f"{shown(_name(member))} in it is a link or something else that is no ordinary file."
    return _unsafe(member)


def class_archive(stream: IO[bytes], name: str) -> Item:
    """A class's archive as a folder. What is wrong inside one student's folder is refused there and stops nobody else."""
    opened = _opened(stream, name, CLASS)
    members = opened.infolist()
    for member in members:
        if member.flag_bits & 1:
            raise UnreadableError(f"{name} is protected by a password.")
        if _leads_out(member):
            raise UnreadableError(f"{name} is not opened: {_unsafe(member)}")
    return _tree(name, opened, members)


def _opened(stream: IO[bytes], name: str, limits: Limits) -> zipfile.ZipFile:
    try:
        for entries, size in _directories(stream):
            if entries > limits.entries or size > limits.directory:
                raise UnreadableError(f"The archive {name} is not opened: it holds {entries:,} files.")
        opened = zipfile.ZipFile(stream)
    except _BROKEN:
        raise UnreadableError(f"The archive {name} is damaged, or is no zip archive.") from None
    if len(opened.infolist()) > limits.entries:
        raise UnreadableError(f"The archive {name} is not opened: it holds {len(opened.infolist()):,} files.")
    return opened


def _directories(stream: IO[bytes]) -> Iterator[tuple[int, int]]:
    """How many entries, and how many bytes of directory, an archive says it has; read before the library reads them all."""
    size = stream.seek(0, io.SEEK_END)
    stream.seek(max(size - 22 - 65536 - 76, 0))
    tail = stream.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) < at + 22:
        raise zipfile.BadZipFile
    entries, directory = struct.unpack("<HL", tail[at + 10 : at + 16])
    yield (entries if entries != 0xFFFF else 0), (directory if directory != 0xFFFFFFFF else 0)
    if at >= 76 and tail[at - 20 :].startswith(b"PK\x06\x07") and tail[at - 76 :].startswith(b"PK\x06\x06"):
        yield struct.unpack("<QQ", tail[at - 44 : at - 28])


def _name(member: zipfile.ZipInfo) -> str:
    """The name as it was meant: many programs write UTF-8 without saying so."""
    name = member.orig_filename
    if not member.flag_bits & 0x800 and not name.isascii():
        try:
            return name.encode("cp437").decode("utf-8")
        except UnicodeError:
            return name
    return name


def _parts(member: zipfile.ZipInfo) -> list[str]:
    return [part for part in re.split(r"[/\\]", _name(member)) if part not in ("", ".")]


def _unsafe(member: zipfile.ZipInfo) -> str:
    """Why a member's name must not be trusted, in words, or nothing."""
    name, parts = _name(member), _parts(member)
    if ".." in parts or "\0" in name or _leads_out(member):
        return f"{shown(name)} in it would lie outside of its folder."
    if len(parts) > _DEEPEST:
        return f"{shown(name)} in it lies in too many folders."
    return ""


def _kind(member: zipfile.ZipInfo) -> Kind:
    form = stat.S_IFMT(member.external_attr >> 16)
    if form == stat.S_IFLNK:
        return Kind.LINK
    if form not in (0, stat.S_IFREG, stat.S_IFDIR):
        return Kind.OTHER
    return Kind.FOLDER if _name(member).endswith(("/", "\\")) else Kind.FILE


def _leads_out(member: zipfile.ZipInfo) -> bool:
    """Whether a name leads out of the archive at its very start: absolute, on another drive, or upwards."""
    parts = _parts(member)
    return not parts or parts[0] == ".." or re.match(r"[/\\]|[A-Za-z]:", _name(member)) is not None


def _tree(name: str, opened: zipfile.ZipFile, members: list[zipfile.ZipInfo]) -> Item:
    """The members as folders in folders."""
    inside: dict[tuple[str, ...], list[Item]] = {(): []}
    for member in members:
        parts, reason = tuple(_parts(member)), _unsafe(member)
        above = parts[:1] if reason else parts[:-1]
        _make_folders(parts if _kind(member) is Kind.FOLDER and not reason else above, inside)
        if reason:
            inside[above].append(Item(parts[-1], Kind.REFUSED, problem=f"Nothing was read: {reason}"))
        elif _kind(member) is not Kind.FOLDER:
            inside[above].append(_file(opened, member, parts[-1]))
    return dataclasses.replace(_folder((), inside), name=name)


def _make_folders(path: tuple[str, ...], inside: dict[tuple[str, ...], list[Item]]) -> None:
    for depth in range(1, len(path) + 1):
        if path[:depth] not in inside:
            inside[path[:depth]] = []
            inside[path[: depth - 1]].append(_folder(path[:depth], inside))


def _folder(path: tuple[str, ...], inside: dict[tuple[str, ...], list[Item]]) -> Item:
    def lists(most: int) -> tuple[Item, ...]:
        if len(inside[path]) > most:
            raise TooManyError(path[-1] if path else "", most)
        return tuple(sorted(inside[path], key=lambda item: item.name))

    return Item(path[-1] if path else "", Kind.FOLDER, lists=lists)


def _file(opened: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> Item:
    def reads(limit: int) -> bytes:
        if member.file_size > limit:
            raise UnreadableError(too_large(name, member.file_size, limit))
        if member.compress_type not in _METHODS:
            raise UnreadableError(
                f"{shown(name)} is packed in a way that cannot be read here. Hand in the file itself."
            )
        try:
            with opened.open(member) as file:
                return file.read(limit + 1)[: limit + 1]
        except _BROKEN:
            raise UnreadableError(f"{shown(name)} is damaged in the archive.") from None

    return Item(name, _kind(member), reads=reads)
