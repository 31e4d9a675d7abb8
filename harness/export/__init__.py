"""Gradebooks of other systems: one file per system, the same function `fill` in each.

Their own exported file is filled in: its delimiter, quotes, line ends, byte order mark and all other cells stay as they
are, students are matched exactly, and whoever cannot be matched is listed and left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType

from harness.errors import UsageError
from harness.export import canvas, d2l, moodle
from harness.export.match import Filled, Record

__all__ = ["SYSTEMS", "Filled", "fill"]

SYSTEMS: Mapping[str, ModuleType] = {"canvas": canvas, "moodle": moodle, "d2l": d2l}


def fill(
    system: str, their_file: str, records: Sequence[Record], column: str | None = None, *, partial: bool = False
) -> Filled:
    """Fill a file that was exported by one of the systems; read it with `newline=""` so that its line ends survive."""
    if system not in SYSTEMS:
        raise UsageError(f"there is no export to {system!r}; known: {', '.join(SYSTEMS)}")
    filled: Filled = SYSTEMS[system].fill(their_file, records, column, partial=partial)
    return filled
