"""What can go wrong on our side of the desk.

* HarnessError            anything below; the command line shows its message and no traceback
  - UsageError            the user asked for something that is not there (exit code 2)
  - DataError             a spec, rubric or fixture file says something we cannot use (exit code 2)
  - SandboxError          the sandbox itself failed; nothing is known about the student (exit code 3)
  - StoreError            results cannot be written or read (exit code 3)

A student's failure is never an exception here: it is an `Outcome`.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path


class HarnessError(Exception):
    """Our fault or the user's, never the student's."""

    exit_code = 3


class UsageError(HarnessError):
    exit_code = 2


class SandboxError(HarnessError):
    pass


class StoreError(HarnessError):
    pass


@dataclasses.dataclass(frozen=True, order=True)
class Fault:
    """One thing that is wrong in a file an author wrote: where, what, and what would be right."""

    path: Path
    line: int
    key: str
    problem: str
    remedy: str = ""

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else str(self.path)
        key = f": {self.key}" if self.key else ""
        remedy = f"; {self.remedy}" if self.remedy else ""
        return f"{where}{key}: {self.problem}{remedy}"


class DataError(HarnessError):
    """All the faults of the files that were read together, in the order of their lines."""

    exit_code = 2

    def __init__(self, faults: list[Fault] | tuple[Fault, ...]) -> None:
        self.faults = tuple(sorted(faults))
        super().__init__("\n".join(str(fault) for fault in self.faults))
