"""How a run ended, set beside how it should have ended."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from harness.compare.difference import Difference
from harness.outcome import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.compare.turns import Turn
    from harness.observation import Raised, SessionSeen

REPEATS = 5
LONGEST_LOOP = 60
TAIL = 20_000

_ENDS = {
    Outcome.EXCEPTION: Difference.CRASHED,
    Outcome.CRASHED: Difference.CRASHED,
    Outcome.BAD_VALUE: Difference.CRASHED,
    Outcome.LOAD_ERROR: Difference.NOT_LOADED,
    Outcome.EXITED: Difference.EXITED,
    Outcome.TIMEOUT: Difference.TIME_LIMIT,
    Outcome.OUTPUT_LIMIT: Difference.OUTPUT_LIMIT,
    Outcome.MEMORY: Difference.MEMORY_LIMIT,
}
"""Any other outcome but PASSED says that the program was never run."""


@dataclasses.dataclass(frozen=True)
class Ending:
    """How a run ended. `difference` is None if that is as it should be; `repeated` holds the lines of a loop."""

    outcome: Outcome = Outcome.PASSED
    difference: Difference | None = None
    asked: str = ""
    raised: Raised | None = None
    repeated: tuple[str, ...] = ()
    unread: int = 0
    detail: str = ""


def asks_past_the_end(seen: SessionSeen) -> bool:
    """Asked for a line when all had been typed."""
    return any(read.line is None for read in seen.reads)


def ran_out(seen: SessionSeen) -> bool:
    """Ended because there was nothing more to read, with or without an error of its own."""
    stopped = seen.end is Outcome.PASSED or (seen.raised is not None and seen.raised.type == "EOFError")
    return stopped and asks_past_the_end(seen)


def ending_of(actual: SessionSeen, mine: Sequence[Turn], theirs: Sequence[Turn]) -> Ending:
    """Judge the end of the actual run by the turns of both; `mine` are the expected ones."""
    if asks_past_the_end(actual):
        # If the script ends in the middle of a game, what a program does then is nobody's business.
        return Ending() if mine[-1].asked else _asked_for_more(actual, theirs[-1])
    if actual.end is Outcome.PASSED:
        went_on = len(theirs) > len(mine) or (len(theirs) == len(mine) and theirs[-1].asked >= mine[-1].asked)
        return Ending() if went_on else Ending(Outcome.WRONG, Difference.STOPPED_EARLY, unread=actual.unread)
    difference = _ENDS.get(actual.end, Difference.NOT_RUN)
    repeated: tuple[str, ...] = ()
    if difference in {Difference.TIME_LIMIT, Difference.OUTPUT_LIMIT}:
        repeated = repeated_lines(theirs[-1].text)
        difference = Difference.LOOPED if repeated else difference
    return Ending(actual.end, difference, "", actual.raised, repeated, actual.unread, actual.detail)


def _asked_for_more(actual: SessionSeen, last: Turn) -> Ending:
    outcome = Outcome.WRONG if ran_out(actual) else actual.end
    raised = None if ran_out(actual) else actual.raised
    return Ending(outcome, Difference.ASKED_FOR_MORE, last.question, raised, detail=actual.detail)


def repeated_lines(text: str) -> tuple[str, ...]:
    """The lines that a loop prints again and again at the end of the text; empty if there is no such loop."""
    tail = text[-TAIL:]
    lines = tail.split("\n")[1:-1]
    if len(lines) < REPEATS:
        return _repeated_piece(tail)
    for period in range(1, min(LONGEST_LOOP, len(lines) // REPEATS) + 1):
        last = lines[-REPEATS * period :]
        if last == last[:period] * REPEATS:
            return tuple(last[:period])
    return ()


def _repeated_piece(text: str) -> tuple[str, ...]:
    """The same for a loop that prints without ever ending a line."""
    for length in range(1, min(4 * LONGEST_LOOP, len(text) // (4 * REPEATS)) + 1):
        if text.endswith(text[-length:] * 4 * REPEATS):
            return (text[-length:],)
    return ()
