"""A verdict on a game in words for a beginner: one sentence, the turn, and the two texts side by side."""

from __future__ import annotations

import dataclasses
import unicodedata
from typing import TYPE_CHECKING

from harness.compare.cards import cards_at, cards_in
from harness.compare.difference import Difference
from harness.compare.drawing import Pen, compared, draw, draw_rows
from harness.compare.screen import is_invisible
from harness.values import PIPS

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.compare.ending import Ending
    from harness.compare.games import SessionVerdict, TurnVerdict

QUOTED = 70

_TOLD = {
    Difference.PROMPT: "The wording of your questions differs from the example. Nothing is deducted for that.",
    Difference.SUPPLIED_TEXT: "Text that the course supplies (such as the menu) differs. Nothing is deducted for that.",
    Difference.REPEATED_BOARD: "The board is shown more or less often than in the example. Nothing is deducted for that.",
}


@dataclasses.dataclass(frozen=True)
class Explanation:
    """What a student reads about one game; every part is plain text and may be empty."""

    sentence: str
    before: str = ""
    comparison: str = ""
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All of it, as it is printed."""
        parts = [self.sentence]
        if self.before:
            parts.append(f"The screen before it:\n\n{_indented(self.before)}")
        if self.comparison:
            parts.append(f"What the program prints then:\n\n{_indented(self.comparison)}")
        return "\n\n".join([*parts, *self.notes])


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.split("\n"))


def explain(verdict: SessionVerdict, *, width: int = 100, ascii_only: bool = False) -> Explanation:
    """Explain the first wrong turn of a game; of a game that is right, what is only told."""
    pen = Pen(width - 2, ascii_only=ascii_only)
    told = tuple(_TOLD[difference] for difference in _TOLD if difference in verdict.told)
    turn = verdict.first_wrong
    if turn is None:
        return Explanation("The whole game is as expected.", notes=told)
    sentence = _sentence(turn, verdict.ending, pen)
    shown = dataclasses.replace(pen, blanks=bool(turn.differences & {Difference.BLANKS, Difference.INVISIBLE}))
    comparison = ""
    if turn.expected != turn.actual and turn.difference not in {Difference.NOT_REACHED, Difference.NOT_RUN}:
        comparison = compared(turn.expected, turn.actual, (turn.line, turn.column), shown)
    before = "\n".join(_cut(row, pen) for row in draw_rows(turn.before, pen))
    notes = (*_later(verdict, turn, pen), *_count(verdict), *told)
    return Explanation(sentence, before, comparison, notes)


def _cut(row: str, pen: Pen) -> str:
    return row if len(row) <= pen.width else row[: pen.width - len(pen.more)] + pen.more


def _sentence(turn: TurnVerdict, ending: Ending, pen: Pen) -> str:
    difference = turn.difference
    assert difference is not None
    said = _ENDINGS[difference](turn, ending, pen) if difference in _ENDINGS else _TURNS[difference](turn, pen)
    return f"{_when(turn, pen)} {said}"


def _when(turn: TurnVerdict, pen: Pen) -> str:
    if turn.typed is None:
        return "At the start,"
    return f"After you typed {_quoted(turn.typed, pen)}," if turn.typed.strip() else "After you typed an empty line,"


def _quoted(text: str, pen: Pen) -> str:
    text = draw(text.strip()[: 2 * QUOTED], pen)
    return f"`{text if len(text) <= QUOTED else text[: QUOTED - len(pen.more)] + pen.more}`"


def _row(text: str, line: int) -> str:
    rows = text.split("\n")
    return rows[line] if line < len(rows) else ""


def _wrong_cards(turn: TurnVerdict, pen: Pen) -> str:
    row, other = _row(turn.expected, turn.line), _row(turn.actual, turn.line)
    wanted, found = cards_at(row, other, turn.column)
    if wanted and found and wanted != found:
        return f"the board shows {draw(found, pen)} where {draw(wanted, pen)} should be."
    if wanted and not found and cards_in(other):
        return f"the board shows no card where {draw(wanted, pen)} should be."
    if found and not wanted and cards_in(row):
        return f"the board shows {draw(found, pen)} where no card should be."
    return _other_wording(turn, pen)


def _other_wording(turn: TurnVerdict, pen: Pen) -> str:
    row, other = _row(turn.expected, turn.line), _row(turn.actual, turn.line)
    if not turn.actual.strip():
        return f"your program prints nothing; it should print {_quoted(row or turn.expected, pen)}."
    if not other.strip():
        return _missing(turn, pen)
    if not row.strip():
        return _extra(turn, pen)
    return f"your program prints {_quoted(other, pen)}; expected is {_quoted(row, pen)}.{_odd_character(turn)}"


def _odd_character(turn: TurnVerdict) -> str:
    """Name the character at the first difference if it could be taken for another."""
    found = _row(turn.actual, turn.line)[turn.column : turn.column + 1]
    if not found or (found.isascii() and found.isprintable()) or found in PIPS.values():
        return ""
    return f" The character there is {_name(found)}."


def _name(char: str) -> str:
    return f"U+{ord(char):04X} {unicodedata.name(char, 'without a name')}"


def _extra(turn: TurnVerdict, pen: Pen) -> str:
    return f"your program prints a line that should not be there: {_quoted(_row(turn.actual, turn.line), pen)}."


def _missing(turn: TurnVerdict, pen: Pen) -> str:
    row = _quoted(_row(turn.expected, turn.line), pen)
    if not turn.actual.strip():
        return f"your program prints nothing; it should print {row}."
    return f"a line is missing from what your program prints: {row}."


def _wrong_order(turn: TurnVerdict, pen: Pen) -> str:
    row, other = _row(turn.expected, turn.line), _row(turn.actual, turn.line)
    return (
        "your program prints the right lines in another order: "
        f"{_quoted(other, pen)} comes where {_quoted(row, pen)} should be."
    )


def _prompt(turn: TurnVerdict, pen: Pen) -> str:
    asked, other = turn.expected.rpartition("\n")[2], turn.actual.rpartition("\n")[2]
    if asked == other:
        asked, other = _row(turn.expected, turn.line), _row(turn.actual, turn.line)
    return f"only the question is worded differently: it is {_quoted(other, pen)} and should be {_quoted(asked, pen)}."


def _other_question(turn: TurnVerdict, pen: Pen) -> str:
    asked, other = turn.expected.rpartition("\n")[2], turn.actual.rpartition("\n")[2]
    return f"your program asks {_quoted(other, pen)}; at this point it should ask {_quoted(asked, pen)}."


def _letter_case(turn: TurnVerdict, pen: Pen) -> str:
    row, other = _row(turn.expected, turn.line), _row(turn.actual, turn.line)
    blanks = " and blanks" if Difference.BLANKS in turn.differences else ""
    return (
        f"only capital and small letters{blanks} differ: "
        f"your program prints {_quoted(other, pen)}; expected is {_quoted(row, pen)}."
    )


def _blanks(turn: TurnVerdict, _pen: Pen) -> str:
    wanted, found = (_blanks_at(text, turn) for text in (turn.expected, turn.actual))
    said = "the words are right, but blanks or line ends differ"
    if wanted != found and "\n" not in wanted + found:
        return f"{said}: your program prints {_many(len(found))} where {_many(len(wanted))} should be."
    return f"{said}. They are drawn below."


def _blanks_at(text: str, turn: TurnVerdict) -> str:
    """The run of blanks and line ends around the first difference."""
    rows = text.split("\n")
    place = sum(len(row) + 1 for row in rows[: turn.line]) + turn.column
    head = text[:place]
    before = head[len(head.rstrip()) :]
    after = text[place:]
    return before + after[: len(after) - len(after.lstrip())]


def _many(count: int) -> str:
    return ("no blank", "one blank", "two blanks")[count] if count < 3 else f"{count} blanks"


def _invisible(turn: TurnVerdict, _pen: Pen) -> str:
    if turn.expected == turn.actual:
        return "what is shown looks right, but it is made of values of another kind (such as a text for a number)."
    odd = sorted({char for char in turn.actual if is_invisible(char) or not (char.isascii() or char in PIPS.values())})
    names = f": {', '.join(_name(char) for char in odd[:3])}" if odd else ""
    return f"what your program prints looks right, but holds characters that cannot be told from others by eye{names}."


def _broken_promise(turn: TurnVerdict, _pen: Pen) -> str:
    return f"the new board breaks a rule: {turn.reason.rstrip('.')}."


def _extra_question(turn: TurnVerdict, pen: Pen) -> str:
    asked = turn.actual.rpartition("\n")[2]
    return f"your program asks {_quoted(asked, pen)}, a question too many: it takes the next command as the answer."


_TURNS: dict[Difference, Callable[[TurnVerdict, Pen], str]] = {
    Difference.EXTRA_QUESTION: _extra_question,
    Difference.OTHER_QUESTION: _other_question,
    Difference.BROKEN_PROMISE: _broken_promise,
    Difference.WRONG_CARDS: _wrong_cards,
    Difference.WRONG_ORDER: _wrong_order,
    Difference.MISSING_OUTPUT: _missing,
    Difference.EXTRA_OUTPUT: _extra,
    Difference.OTHER_WORDING: _other_wording,
    Difference.PROMPT: _prompt,
    Difference.LETTER_CASE: _letter_case,
    Difference.BLANKS: _blanks,
    Difference.INVISIBLE: _invisible,
}


def _crashed(_turn: TurnVerdict, ending: Ending, pen: Pen) -> str:
    raised = ending.raised
    if raised is None:
        return f"your program crashes{': ' + ending.detail if ending.detail else ''}."
    message = f"{raised.type}: {draw(raised.message, pen)}" if raised.message else raised.type
    where = f" in line {raised.line}" if raised.line else ""
    where += f" of {raised.function}" if raised.function and raised.function != "<module>" else ""
    source = f" ({_quoted(raised.text, pen)})" if raised.text.strip() else ""
    return f"your program crashes with {message}{where}{source}."


def _looped(_turn: TurnVerdict, ending: Ending, pen: Pen) -> str:
    lines = [_quoted(line, pen) if line.strip() else "an empty line" for line in ending.repeated[:3]]
    more = f", {pen.more}" if len(ending.repeated) > 3 else ""
    return f"your program never stops: it prints {', '.join(lines)}{more} again and again."


def _stopped_early(turn: TurnVerdict, ending: Ending, pen: Pen) -> str:
    asked = turn.expected.rpartition("\n")[2]
    ask = f" and ask {_quoted(asked, pen)}" if asked.strip() else ""
    lines = f"with {ending.unread} line{'s' if ending.unread != 1 else ''} still to be typed" if ending.unread else ""
    return f"your program ends{', ' + lines if lines else ''}; it should go on{ask}."


def _asked_for_more(_turn: TurnVerdict, ending: Ending, pen: Pen) -> str:
    asked = f" ({_quoted(ending.asked, pen)})" if ending.asked else ""
    return f"your program asks for another line{asked}, but by now it should have ended: nothing more is typed."


def _not_reached(turn: TurnVerdict, ending: Ending, pen: Pen) -> str:
    said = "nothing comes: your program never gets to this turn."
    return f"{said} Before it, {_ENDINGS[ending.difference](turn, ending, pen)}" if ending.difference else said


_ENDINGS: dict[Difference, Callable[[TurnVerdict, Ending, Pen], str]] = {
    Difference.NOT_RUN: lambda _turn, ending, _pen: (
        f"the program was not run{': ' + ending.detail if ending.detail else ''}."
    ),
    Difference.NOT_LOADED: lambda turn, ending, pen: _crashed(turn, ending, pen).replace(
        "crashes", "cannot be started: it fails", 1
    ),
    Difference.CRASHED: _crashed,
    Difference.LOOPED: _looped,
    Difference.TIME_LIMIT: lambda *_: "your program runs on and on: it neither asks for the next line nor ends.",
    Difference.OUTPUT_LIMIT: lambda *_: "your program prints far more than it should and was stopped.",
    Difference.MEMORY_LIMIT: lambda *_: "your program uses far more memory than it should and was stopped.",
    Difference.EXITED: lambda *_: "your program leaves in a way that stops Python at once (such as `os._exit`).",
    Difference.STOPPED_EARLY: _stopped_early,
    Difference.NOT_REACHED: _not_reached,
    Difference.ASKED_FOR_MORE: _asked_for_more,
}


def _later(verdict: SessionVerdict, first: TurnVerdict, pen: Pen) -> list[str]:
    """How the run ended, if the first wrong turn does not tell it."""
    difference = verdict.ending.difference
    told = first.differences & {difference, Difference.NOT_REACHED, Difference.NOT_RUN}
    if difference is None or not verdict.ending_charged or told:
        return []
    for turn in verdict.turns:
        if difference in turn.differences:
            return [f"Later: {_sentence(turn, verdict.ending, pen)}"]
    return [f"At the end, {_ENDINGS[difference](first, verdict.ending, pen)}"]


def _count(verdict: SessionVerdict) -> list[str]:
    wrong = sum(turn.charged for turn in verdict.turns)
    return [f"In all, {wrong} of {len(verdict.turns)} turns are not as expected."] if wrong > 1 else []
