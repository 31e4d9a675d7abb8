"""A whole game set beside the one that is expected, turn by turn.

Random boards. A turn may promise something instead of showing one certain board: after a shuffle, any order that the
rules allow is right. `promises` maps a predicate on the expected turn to a check `(before, actual)` that returns None
if the promise is kept, else what is wrong; `before` is the student's own last turn that shows cards. A kept promise
passes even if the board is not the expected one, but from there on the expected side plays another game. Then
`SessionVerdict.needs_replay` is true: the caller runs the reference again with `plan.Session.forced` set to
`accepted_boards(verdict)` and compares once more, this time with the student's own boards on both sides.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from harness.compare.cards import cards_in
from harness.compare.classify import Question, classify, question_of
from harness.compare.difference import PRESENTATION, Difference, worst
from harness.compare.ending import Ending, asks_past_the_end, ending_of
from harness.compare.lenience import Lenience, Prompts, Settled, board_keys, habits_of, settle
from harness.compare.turns import Pair, Turn, align_turns, split_turns
from harness.compare.views import SCREEN, rows_of, text_of, units_of
from harness.errors import HarnessError
from harness.outcome import Outcome

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from harness.compare.views import Unit
    from harness.observation import SessionSeen
    from harness.session import View
    from harness.values import Value

BEFORE_LINES = 24

Promises = Mapping[Callable[[Turn], bool], Callable[[Turn, Turn], str | None]]
"""From the expected turns that promise something to the check `(before, actual)`, which says what is not kept."""


@dataclasses.dataclass(frozen=True)
class TurnVerdict:
    """What is said about one turn.

    `expected` and `actual` are what counts under the view, without what is not judged; `line` and `column` (from 0)
    are where they first differ. `before` is the student's screen when the line was typed. `told` differs but costs
    nothing. `reason` is what a promise says if it is not kept.
    """

    number: int
    typed: str | None
    outcome: Outcome
    differences: frozenset[Difference] = frozenset()
    told: frozenset[Difference] = frozenset()
    expected: str = ""
    actual: str = ""
    before: str = ""
    line: int = 0
    column: int = 0
    reason: str = ""

    @property
    def charged(self) -> bool:
        return self.outcome not in {Outcome.PASSED, Outcome.SKIPPED}

    @property
    def difference(self) -> Difference | None:
        """The difference to tell first."""
        return worst(self.differences) if self.differences else None


@dataclasses.dataclass(frozen=True)
class Promised:
    """A turn that keeps its promise; `board` is what the program handed its display function last, if it was watched."""

    number: int
    as_expected: bool
    turn: Turn
    board: Value = None


@dataclasses.dataclass(frozen=True)
class SessionVerdict:
    """What is said about a whole game. `ending` is kept even where it is not charged (`ending_charged`)."""

    session: str
    outcome: Outcome
    turns: tuple[TurnVerdict, ...]
    ending: Ending
    ending_charged: bool = False
    promised: tuple[Promised, ...] = ()

    @property
    def first_wrong(self) -> TurnVerdict | None:
        return next((turn for turn in self.turns if turn.charged), None)

    @property
    def differences(self) -> frozenset[Difference]:
        """All that is charged."""
        return frozenset[Difference]().union(*(turn.differences for turn in self.turns if turn.charged))

    @property
    def told(self) -> frozenset[Difference]:
        """All that is told and not charged."""
        return frozenset[Difference]().union(*(turn.told for turn in self.turns))

    @property
    def share(self) -> Fraction:
        """Right turns among all that are graded; 1 if none is."""
        graded = [turn for turn in self.turns if turn.outcome is not Outcome.SKIPPED]
        right = sum(not turn.charged for turn in graded)
        return Fraction(right, len(graded)) if graded else Fraction(1)

    def lost_only_to(self, kinds: Collection[Difference] = PRESENTATION) -> bool:
        """Wrong, but in nothing other than these kinds."""
        return self.outcome is Outcome.WRONG and not self.ending_charged and self.differences <= frozenset(kinds)

    @property
    def needs_replay(self) -> bool:
        """A promise was kept with another board than the expected one: play the reference again from there."""
        return any(not promised.as_expected for promised in self.promised)


def accepted_boards(verdict: SessionVerdict) -> tuple[Value, ...]:
    """The student's own board of each turn that keeps its promise, in order, for `plan.Session.forced`."""
    return tuple(promised.board for promised in verdict.promised)


@dataclasses.dataclass(frozen=True)
class _Judge:
    """Everything that stays the same for all the turns of one game."""

    view: View
    lenience: Lenience
    ungraded: frozenset[int]
    promises: Promises
    mine: tuple[Turn, ...]
    theirs: tuple[Turn, ...]

    @cached_property
    def questions(self) -> frozenset[Question]:
        """All the prompts of the expected side."""
        return frozenset(question_of(rows_of(units_of(turn, self.view))) for turn in self.mine)

    @cached_property
    def habits(self) -> frozenset[str]:
        """What the program always prints before it asks."""
        if self.lenience.prompts == "judged":
            return frozenset()
        return habits_of(units_of(turn, self.view) for turn in self.theirs if turn.asked)

    def own(self, turn: Turn) -> tuple[Unit, ...]:
        """What is judged of a turn as long as nothing is set beside it."""
        return settle(units_of(turn, self.view), (), self.lenience).expected


def compare_session(
    expected: SessionSeen,
    actual: SessionSeen,
    *,
    view: View = SCREEN,
    ungraded: Collection[int] = (),
    supplied_text: Sequence[str] = (),
    prompts: Prompts = "judged",
    free: Sequence[str] = (),
    equivalents: Sequence[Sequence[str]] = (),
    boards: Sequence[str] = (),
    promises: Promises | None = None,
) -> SessionVerdict:
    """Judge every turn of a game and its end. The parameters from `supplied_text` to `boards` are `Lenience`'s."""
    _must_be_complete(expected)
    lenience = Lenience(
        tuple(supplied_text), prompts, tuple(free), tuple(tuple(spellings) for spellings in equivalents), tuple(boards)
    )
    mine, theirs = split_turns(expected), split_turns(actual)
    judge = _Judge(view, lenience, frozenset(ungraded), promises or {}, mine, theirs)
    pairs = align_turns(mine, theirs, lambda turn: tuple(unit.key for unit in judge.own(turn)))
    ending = ending_of(actual, mine, theirs)
    if ending.difference is Difference.NOT_RUN:
        return _not_run(actual, mine, ending)
    promised: list[Promised] = []
    turns = tuple(_verdicts(pairs, judge, promised))
    charged = _is_charged(ending, pairs, turns)
    if charged:
        turns = tuple(_with_ending(turns, pairs, ending))
    outcome = ending.outcome if charged else _outcome(turns)
    return SessionVerdict(actual.unit, outcome, turns, ending, charged, tuple(promised))


def _must_be_complete(expected: SessionSeen) -> None:
    if expected.end is not Outcome.PASSED and not asks_past_the_end(expected):
        raise HarnessError(f"{expected.unit}: the reference did not finish this game ({expected.end.words})")


def _not_run(actual: SessionSeen, mine: Sequence[Turn], ending: Ending) -> SessionVerdict:
    kinds = frozenset({Difference.NOT_RUN})
    turns = tuple(TurnVerdict(turn.number, turn.typed, actual.end, kinds) for turn in mine)
    return SessionVerdict(actual.unit, actual.end, turns, ending, ending_charged=True)


def _outcome(turns: Sequence[TurnVerdict]) -> Outcome:
    return Outcome.WRONG if any(turn.charged for turn in turns) else Outcome.PASSED


def _verdicts(pairs: Sequence[Pair], judge: _Judge, promised: list[Promised]) -> Iterator[TurnVerdict]:
    """Judge pair by pair; turns that keep a promise are added to `promised`."""
    last_board: tuple[str, ...] = ()
    for mine, theirs in pairs:
        if mine is None:
            assert theirs is not None
            yield _extra(theirs, judge)
            continue
        if theirs is None:
            yield _missing(mine, judge)
            continue
        yield _judge_turn(mine, theirs, judge, last_board, promised)
        if judge.lenience.boards:
            last_board = (
                board_keys(settle(units_of(mine, judge.view), (), judge.lenience).expected, judge.lenience)
                or last_board
            )


def _extra(turn: Turn, judge: _Judge) -> TurnVerdict:
    return TurnVerdict(
        turn.number,
        turn.typed,
        Outcome.WRONG,
        frozenset({Difference.EXTRA_QUESTION}),
        actual=text_of(units_of(turn, judge.view), judge.view),
        before=screen_before(turn, judge.theirs),
    )


def _missing(turn: Turn, judge: _Judge) -> TurnVerdict:
    if turn.number in judge.ungraded:
        return TurnVerdict(turn.number, turn.typed, Outcome.SKIPPED)
    expected = text_of(units_of(turn, judge.view), judge.view)
    kinds = frozenset({Difference.NOT_REACHED})
    return TurnVerdict(turn.number, turn.typed, Outcome.MISSING, kinds, expected=expected)


def _judge_turn(
    mine: Turn, theirs: Turn, judge: _Judge, last_board: tuple[str, ...], promised: list[Promised]
) -> TurnVerdict:
    if mine.number in judge.ungraded:
        return TurnVerdict(mine.number, mine.typed, Outcome.SKIPPED)
    settled = _settled(mine, theirs, judge, last_board)
    check = next((check for applies, check in judge.promises.items() if applies(mine)), None)
    reason = None
    if check:
        reason = None if settled.same else check(_last_board_turn(theirs, judge.theirs), theirs)
        if reason is None:
            board = theirs.shown[-1].args[0] if theirs.shown and theirs.shown[-1].args else None
            promised.append(Promised(mine.number, settled.same, theirs, board))
    if settled.same or (check and reason is None):
        return TurnVerdict(mine.number, mine.typed, Outcome.PASSED, told=settled.told)
    return _wrong(mine, theirs, judge, settled, reason)


def _settled(mine: Turn, theirs: Turn, judge: _Judge, last_board: tuple[str, ...]) -> Settled:
    if judge.view.kind != "state" and mine.text == theirs.text:
        return Settled((), ())
    return settle(units_of(mine, judge.view), units_of(theirs, judge.view), judge.lenience, last_board, judge.habits)


def _last_board_turn(turn: Turn, turns: Sequence[Turn]) -> Turn:
    """The last turn before this one that shows cards; the opening if there is none."""
    earlier = reversed(turns[: turn.number])
    return next((one for one in earlier if one.shown or cards_in(one.text)), turns[0])


def _wrong(mine: Turn, theirs: Turn, judge: _Judge, settled: Settled, reason: str | None) -> TurnVerdict:
    expected, actual = text_of(settled.expected, judge.view), text_of(settled.actual, judge.view)
    kinds = frozenset({Difference.BROKEN_PROMISE})
    if reason is None:
        kinds = classify(settled.expected, settled.actual, judge.questions)
    line, column = first_difference(expected, actual)
    before = screen_before(theirs, judge.theirs)
    told = settled.told
    return TurnVerdict(
        mine.number, mine.typed, Outcome.WRONG, kinds, told, expected, actual, before, line, column, reason or ""
    )


def first_difference(expected: str, actual: str) -> tuple[int, int]:
    """Line and column, both from 0, of the first character that differs."""
    shorter, longer = sorted((expected, actual), key=len)
    place = next((place for place, char in enumerate(shorter) if char != longer[place]), len(shorter))
    if place == len(shorter) and place + 1 < len(longer) and longer[place] == "\n" and shorter:
        return longer.count("\n", 0, place) + 1, 0
    return expected.count("\n", 0, place), place - (expected.rfind("\n", 0, place) + 1)


def screen_before(turn: Turn, turns: Sequence[Turn]) -> str:
    """The last lines of the terminal when the turn's line had been typed."""
    text = ""
    for earlier in reversed(turns[: turn.number]):
        typed = turns[earlier.number + 1].typed
        text = f"{earlier.text}{typed or ''}\n{text}"
        if text.count("\n") > BEFORE_LINES:
            break
    return "\n".join(text.removesuffix("\n").split("\n")[-BEFORE_LINES:])


def _is_charged(ending: Ending, pairs: Sequence[Pair], turns: Sequence[TurnVerdict]) -> bool:
    """A bad end costs something unless it falls into a last turn that is not graded."""
    if ending.difference is None:
        return False
    place = _last_played(pairs)
    return any(turn.outcome is not Outcome.SKIPPED for turn in turns[place:])


def _last_played(pairs: Sequence[Pair]) -> int:
    return max(place for place, (_mine, theirs) in enumerate(pairs) if theirs is not None)


def _with_ending(turns: Sequence[TurnVerdict], pairs: Sequence[Pair], ending: Ending) -> Iterator[TurnVerdict]:
    """Say of the last turn that was played how the run ended, unless something worse is wrong with it."""
    assert ending.difference is not None
    last = _last_played(pairs)
    mild = PRESENTATION | {Difference.EXTRA_OUTPUT, Difference.EXTRA_QUESTION, Difference.OTHER_QUESTION}
    for place, turn in enumerate(turns):
        keeps = ending.difference is Difference.ASKED_FOR_MORE and not turn.differences <= mild
        if place != last or turn.outcome is Outcome.SKIPPED or keeps:
            yield turn
            continue
        kinds = frozenset({ending.difference})
        yield dataclasses.replace(_with_texts(turn, pairs[place]), outcome=ending.outcome, differences=kinds)


def _with_texts(turn: TurnVerdict, pair: Pair) -> TurnVerdict:
    """A turn that is right so far has no texts yet; its end needs them."""
    mine, theirs = pair
    if turn.charged or mine is None or theirs is None:
        return turn
    line, column = first_difference(mine.text, theirs.text)
    return dataclasses.replace(turn, expected=mine.text, actual=theirs.text, line=line, column=column)
