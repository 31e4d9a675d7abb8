"""Reading single objects of a git repository, with limits and without running git.

Git obeys the configuration of the repository it stands in, which the student wrote and which may name programs to run.
This reader knows loose objects and packs, follows no link, no alternate and no configuration, and looks only at what it needs.
"""

from __future__ import annotations

import bisect
import dataclasses
import struct
import zlib

from harness.intake.items import Item, UnreadableError, child

_LARGEST_OBJECT = 1_000_000
_LARGEST_PACK = 64_000_000
_MOST_PACKS = 50
_LONGEST_CHAIN = 60
_TYPES = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
_OFFSET_DELTA, _NAMED_DELTA = 6, 7


class BrokenObjectError(Exception):
    """The repository is not as git writes it, or too large to be read here."""


@dataclasses.dataclass(frozen=True)
class Pack:
    """The two files of a pack."""

    index: bytes
    data: bytes


class Objects:
    """The objects of one repository."""

    def __init__(self, repository: Item) -> None:
        self._repository = repository
        self._packs: list[Pack] | None = None

    def read(self, name: str, left: int = _LONGEST_CHAIN) -> tuple[str, bytes]:
        """The kind and the content of an object."""
        loose = child(self._repository, f"objects/{name[:2]}/{name[2:]}")
        if loose is not None:
            return _loose(loose)
        for pack in self._all_packs():
            offset = _offset(pack.index, bytes.fromhex(name))
            if offset is not None:
                return self._packed(pack, offset, len(name) // 2, left)
        raise BrokenObjectError(name)

    def _all_packs(self) -> list[Pack]:
        if self._packs is None:
            folder = child(self._repository, "objects/pack")
            items = folder.lists(10_000) if folder is not None else ()
            found = {item.name: item for item in items if item.is_file}
            names = [name[:-4] for name in found if name.endswith(".idx") and f"{name[:-4]}.pack" in found]
            self._packs = [
                Pack(found[f"{name}.idx"].reads(_LARGEST_PACK), found[f"{name}.pack"].reads(_LARGEST_PACK))
                for name in names[:_MOST_PACKS]
            ]
        return self._packs

    def _packed(self, pack: Pack, offset: int, width: int, left: int) -> tuple[str, bytes]:
        """An object of a pack: deltas are collected down to the whole object they change, then applied."""
        deltas: list[bytes] = []
        while True:
            number, at = _header(pack.data, offset)
            if number in _TYPES:
                kind, content = _TYPES[number], _inflated(pack.data[at : at + _LARGEST_OBJECT])
                break
            left -= 1
            if left < 0:
                raise BrokenObjectError("too many deltas")
            if number == _OFFSET_DELTA:
                back, at = _distance(pack.data, at)
                deltas.append(_inflated(pack.data[at : at + _LARGEST_OBJECT]))
                offset -= back
            elif number == _NAMED_DELTA:
                base = pack.data[at : at + width].hex()
                deltas.append(_inflated(pack.data[at + width : at + width + _LARGEST_OBJECT]))
                kind, content = self.read(base, left)
                break
            else:
                raise BrokenObjectError("unknown kind")
        for delta in reversed(deltas):
            content = _changed(content, delta)
        return kind, content


def read_object(objects: Objects, name: str) -> tuple[str, bytes] | None:
    """An object, or None if it cannot be read for whatever reason."""
    try:
        return objects.read(name)
    except (BrokenObjectError, UnreadableError, zlib.error, struct.error, IndexError, ValueError):
        return None


def _loose(item: Item) -> tuple[str, bytes]:
    data = _inflated(item.reads(_LARGEST_OBJECT))
    header, found, content = data.partition(b"\0")
    if not found:
        raise BrokenObjectError("no header")
    return header.split(b" ")[0].decode("ascii", "replace"), content


def _inflated(data: bytes) -> bytes:
    return zlib.decompressobj().decompress(data, _LARGEST_OBJECT)


def _offset(index: bytes, name: bytes) -> int | None:
    """Where an object begins in the pack that this index describes, or None."""
    if index[:8] != b"\xfftOc\x00\x00\x00\x02":
        raise BrokenObjectError("an old kind of index")
    fan = struct.unpack(">256L", index[8 : 8 + 1024])
    low, high, count, width = (fan[name[0] - 1] if name[0] else 0), fan[name[0]], fan[255], len(name)
    start = 8 + 1024
    if len(index) < start + count * (width + 8) or not low <= high <= count:
        raise BrokenObjectError("a short index")
    names = range(low, high)
    place = bisect.bisect_left(names, name, key=lambda at: index[start + at * width : start + (at + 1) * width])
    if place == len(names) or index[start + (low + place) * width :][:width] != name:
        return None
    table = start + count * (width + 4)
    (offset,) = struct.unpack(">L", index[table + (low + place) * 4 :][:4])
    if offset & 0x80000000:
        (offset,) = struct.unpack(">Q", index[table + count * 4 + (offset & 0x7FFFFFFF) * 8 :][:8])
    return int(offset)


def _header(data: bytes, at: int) -> tuple[int, int]:
    """The kind of a packed object and where its content begins."""
    if not 0 <= at < len(data):
        raise BrokenObjectError("outside of the pack")
    number = data[at] >> 4 & 7
    while data[at] & 0x80:
        at += 1
    return number, at + 1


def _distance(data: bytes, at: int) -> tuple[int, int]:
    """How far back the base of a delta begins, and where the delta itself does."""
    back = data[at] & 0x7F
    while data[at] & 0x80:
        at += 1
        back = (back + 1) << 7 | data[at] & 0x7F
    return back, at + 1


def _changed(base: bytes, delta: bytes) -> bytes:
    """What a delta makes of its base."""
    _, at = _size(delta, 0)
    size, at = _size(delta, at)
    if size > _LARGEST_OBJECT:
        raise BrokenObjectError("too large")
    made = bytearray()
    while at < len(delta):
        command = delta[at]
        at += 1
        if command & 0x80:
            start, length, at = _copy(delta, at, command)
            made += base[start : start + length]
        else:
            made += delta[at : at + command]
            at += command
        if len(made) > size or not command:
            raise BrokenObjectError("a delta that does not fit")
    return bytes(made)


def _size(data: bytes, at: int) -> tuple[int, int]:
    size, shift = data[at] & 0x7F, 7
    while data[at] & 0x80:
        at += 1
        size |= (data[at] & 0x7F) << shift
        shift += 7
    return size, at + 1


def _copy(delta: bytes, at: int, command: int) -> tuple[int, int, int]:
    """From where in the base and how much is copied, and where the next command begins."""
    values = [0, 0]
    for bit in range(7):
        if command >> bit & 1:
            which, shift = (0, bit) if bit < 4 else (1, bit - 4)
            values[which] |= delta[at] << 8 * shift
            at += 1
    return values[0], values[1] or 0x10000, at
