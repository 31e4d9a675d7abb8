"""How one piece of evidence turned out, in words."""

from __future__ import annotations

from enum import Enum


class Outcome(str, Enum):
    """What is said about one case, one turn or one rubric line. The values are words, and folder names."""

    PASSED = "passed"
    WRONG = "wrong"
    EXCEPTION = "exception"
    LOAD_ERROR = "load_error"
    EXITED = "exited"
    CRASHED = "crashed"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT_LIMIT = "output_limit"
    BAD_VALUE = "bad_value"
    MISSING = "missing"
    AMBIGUOUS = "ambiguous"
    REJECTED = "rejected"
    SKIPPED = "skipped"
    PENDING = "pending"
    INTERNAL = "internal"

    def __str__(self) -> str:
        return self.value

    @property
    def words(self) -> str:
        """The outcome as a person says it."""
        return self.value.replace("_", " ")
