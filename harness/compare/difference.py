"""The ways in which a game can differ from the one that is expected, in words."""

from __future__ import annotations

from enum import Enum


class Difference(str, Enum):
    """What is different about one turn or about the end of a run; the worse stands before the lesser."""

    NOT_RUN = "not_run"
    NOT_LOADED = "not_loaded"
    CRASHED = "crashed"
    LOOPED = "looped"
    TIME_LIMIT = "time_limit"
    OUTPUT_LIMIT = "output_limit"
    MEMORY_LIMIT = "memory_limit"
    EXITED = "exited"
    STOPPED_EARLY = "stopped_early"
    NOT_REACHED = "not_reached"
    ASKED_FOR_MORE = "asked_for_more"
    EXTRA_QUESTION = "extra_question"
    OTHER_QUESTION = "other_question"
    BROKEN_PROMISE = "broken_promise"
    WRONG_CARDS = "wrong_cards"
    WRONG_ORDER = "wrong_order"
    MISSING_OUTPUT = "missing_output"
    EXTRA_OUTPUT = "extra_output"
    OTHER_WORDING = "other_wording"
    PROMPT = "prompt"
    LETTER_CASE = "letter_case"
    BLANKS = "blanks"
    INVISIBLE = "invisible"
    SUPPLIED_TEXT = "supplied_text"
    REPEATED_BOARD = "repeated_board"

    def __str__(self) -> str:
        return self.value

    @property
    def words(self) -> str:
        """The difference as a person says it."""
        return self.value.replace("_", " ")


PRESENTATION = frozenset({Difference.INVISIBLE, Difference.BLANKS, Difference.LETTER_CASE, Difference.PROMPT})
"""What a rubric may forgive under `only:`: the game is right, the way it is written is not."""

_ORDER = {difference: place for place, difference in enumerate(Difference)}


def worst(differences: frozenset[Difference]) -> Difference:
    """The one to tell first."""
    return min(differences, key=_ORDER.__getitem__)
