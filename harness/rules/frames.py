"""Messages between the checker and its child: four bytes of length, then that much JSON."""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO

MOST_BYTES = 64 * 1024 * 1024
_LENGTH = struct.Struct(">I")


def write(stream: BinaryIO, message: dict[str, Any]) -> None:
    """Send one message."""
    data = json.dumps(message).encode("ascii")
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def read(stream: BinaryIO) -> dict[str, Any] | None:
    """The next message, or None if the other side is gone or talks nonsense."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > MOST_BYTES:
        return None
    data = stream.read(length)
    if len(data) < length:
        return None
    message = json.loads(data)
    return message if isinstance(message, dict) else None
