"""A small made-up class: every kind of thing that can happen to a submission, as real records.

The rubric, the scores and the records are made by the harness itself; only the verdicts are written down here.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from fractions import Fraction

from harness.outcome import Outcome
from harness.policy import Adjustment
from harness.record import Circumstances, Json, make_record
from harness.rubric import Credit, Item, Part, Rubric, Visibility
from harness.score import ManualMark, score
from harness.submission import Submission
from harness.verdict import Detail, Verdict

ONE = Fraction(1)
TITLE = "Beleaguered Castle"
SLUG = "castle"
FILE = "proj10.py"

BOARD = """\
     foundations
     A♠   A♥   A♦   A♣

  1  7♥  10♣   3♦   Q♠   2♥  K♦
  2  9♦   J♣   4♠   8♥   5♣  6♦
  3  K♣   2♠   9♥   7♠  10♦  3♣
  4  Q♥   5♦   8♣   6♠   J♥  4♣
  5  2♦   9♠   K♥   4♦   7♣  Q♣
  6  8♠   3♥   6♣  10♥   Q♦  5♠
  7  J♦   K♠   2♣   9♣   3♠  7♦
  8  5♥   6♥   4♥   8♦  10♠  J♠"""
RIGHT_BOARD = BOARD.replace("1  7♥  10♣   3♦   Q♠   2♥  K♦", "1  7♥  10♣   3♦   Q♠   2♥").replace(
    "3  K♣   2♠   9♥   7♠  10♦  3♣", "3  K♣   2♠   9♥   7♠  10♦  3♣  K♦"
)


def rubric(*, hidden: str = "everything") -> Rubric:
    """Six lines: two functions, a function with parts, two games, style, and one for a person; a bonus beside them."""
    return Rubric(
        assignment=SLUG,
        total=Fraction(40),
        items=(
            Item("deal", "Deal the castle", Fraction(5), evidence=("calls/deal",), credit=Credit("each")),
            Item("is_legal", "is_legal", Fraction(8), evidence=("calls/is_legal",)),
            Item(
                "move",
                "move",
                Fraction(9),
                parts=(
                    Part("boolean", Fraction(3), ("calls/move",), "Boolean return", aspects=("returns",)),
                    Part("board", Fraction(6), ("calls/move",), "The board afterwards", aspects=("arguments",)),
                ),
            ),
            Item("test-1", "Game 1: a move and a wrong move", Fraction(5), evidence=("session/test-1",)),
            Item(
                "test-2",
                "Game 2: won",
                Fraction(5),
                evidence=("session/test-2",),
                visibility=Visibility.from_scalar(hidden),
            ),
            Item(
                "style", "Coding standard", Fraction(4), evidence=("style",), credit=Credit("deduct", cost=Fraction(2))
            ),
            Item("comments", "Comments that explain", Fraction(4), evidence=("manual",)),
            Item("undo", "Undo", Fraction(3), evidence=("calls/undo",), bonus=True),
        ),
    )


EVIDENCE: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("load", ("load",), ("load",)),
    ("calls/deal", ("d1", "d2", "d3", "d4"), ("returns",)),
    ("calls/is_legal", ("l1", "l2", "l3", "l4", "l5", "l6"), ("returns",)),
    ("calls/move", ("m1", "m2", "m3"), ("returns", "arguments")),
    ("session/test-1", ("test-1",), ("session",)),
    ("session/test-2", ("test-2",), ("session",)),
    ("style/names", ("names",), ("style",)),
    ("style/docstrings", ("docstrings",), ("style",)),
    ("calls/undo", ("u1",), ("returns",)),
)
Change = Callable[[Verdict], Verdict]


def verdicts(*changes: Change) -> tuple[Verdict, ...]:
    """Everything right, but for the changes."""
    found = []
    for evidence, cases, aspects in EVIDENCE:
        for case in cases:
            for aspect in aspects:
                verdict = Verdict(evidence, case, aspect, Outcome.PASSED, share=ONE)
                for change in changes:
                    verdict = change(verdict)
                found.append(verdict)
    return tuple(found)


def fails(
    evidence: str,
    sentence: str,
    *,
    outcome: Outcome = Outcome.WRONG,
    cases: Sequence[str] = (),
    aspect: str = "",
    detail: Detail | None = None,
    **more: object,
) -> Change:
    """Turn matching verdicts into failures."""

    def change(verdict: Verdict) -> Verdict:
        mine = verdict.evidence == evidence or verdict.evidence.startswith(f"{evidence}/")
        if not mine or (cases and verdict.case not in cases) or (aspect and verdict.aspect != aspect):
            return verdict
        failed = dataclasses.replace(verdict, outcome=outcome, sentence=sentence, detail=detail, share=Fraction(0))
        return dataclasses.replace(failed, **more)  # type: ignore[arg-type]

    return change


def everything(sentence: str, outcome: Outcome, detail: Detail | None = None) -> Change:
    """Nothing could be tried."""
    return lambda verdict: dataclasses.replace(
        verdict, outcome=outcome, sentence=sentence, detail=detail, share=Fraction(0)
    )


NO_UNDO = fails("calls/undo", "There is no function `undo` in proj10.py.", outcome=Outcome.MISSING)
ACE = fails(
    "calls/is_legal",
    "`is_legal` returned False; it should return True. A king may be moved to an empty row.",
    cases=("l3", "l5"),
    detail=Detail(
        tried="is_legal([[Card(13, 2)], [], [Card(4, 1)]], 0, 1)",
        before="  1  K♦\n  2\n  3  4♣",
        expected="True",
        actual="False",
    ),
)
TEST_1 = fails(
    "session/test-1",
    "After you typed `m 1 3`, K♦ is missing at the end of row 3.",
    detail=Detail(tried="m 1 3", before=BOARD, expected=RIGHT_BOARD, actual=BOARD),
    share=Fraction(3, 5),
    kinds=("cards",),
    notes=("4 of 5 turns are right.",),
)
BLANKS = fails(
    "session/test-2",
    "After you typed `q`, only the blanks differ.",
    detail=Detail(tried="q", expected="Thank you for playing.", actual="Thank you  for playing. "),
    kinds=("blanks",),
)
CRASH = fails(
    "calls/move",
    "`move` stopped with an IndexError (list index out of range) on line 87 of your file: card = board[source][-1].",
    outcome=Outcome.EXCEPTION,
    cases=("m2",),
    detail=Detail(
        tried="move([[], [Card(5, 4)]], 0, 1)",
        before="  1\n  2  5♠",
        expected="False",
        actual="IndexError: list index out of range",
        line=87,
        text="    card = board[source][-1]",
    ),
)
BOARD_ONLY = fails(
    "calls/move",
    "`move` left board as it was: board[1] is [4♣], it should be [4♣, 3♥].",
    cases=("m1", "m3"),
    aspect="arguments",
    detail=Detail(tried="move([[Card(3, 3)], [Card(4, 1)]], 0, 1)", expected="[[], [4♣, 3♥]]", actual="[[3♥], [4♣]]"),
)
FOLLOWED = fails("calls/move", "`move` is right once `is_legal` is.", cases=("m1",), followed=True)
TIMEOUT = fails(
    "session/test-1",
    "After you typed `m 1 1`, your program did not come back within 2 seconds of work. Its last 100 lines were the same.",
    outcome=Outcome.TIMEOUT,
    detail=Detail(tried="m 1 1", before=BOARD, expected="Error: that is the same row.", actual="Which row? " * 4 + "…"),
)
STYLE = (
    fails("style/names", "Line 12: `X` is a poor name for a variable.", detail=Detail(line=12, text="X = Deck()")),
    fails("style/docstrings", "Line 30: `main` has no docstring.", detail=Detail(line=30, text="def main():")),
)
LOAD = everything(
    "Python cannot read proj10.py: expected ':' on line 44.",
    Outcome.LOAD_ERROR,
    Detail(tried="loading the file", line=44, text="if board == []"),
)
INTERNAL = everything(
    "This line could not be graded because of a fault of the grader: OSError: no space left", Outcome.INTERNAL
)
NOTHING = everything("Nothing was handed in: proj10.py was expected.", Outcome.MISSING)

HOSTILE = (
    "<script>alert(1)</script>\x1b[2J\x1b]0;owned\x07\u202egnp.exe\u200b```\n::error::x\n</pre>]]>|&amp;\ud800\x00"
)
CIRCUMSTANCES = Circumstances(
    isolation="namespaces, seccomp, landlock",
    seed=0,
    versions={"patience": "1.0", "python": "3.11.9"},
    inputs={
        name: hashlib.sha256(name.encode()).hexdigest()
        for name in ("spec", "rubric", "reference", "supplied", "sessions", "bank")
    },
)


def record(
    submission_id: str,
    *changes: Change,
    name: str = "",
    manual: int | None = 4,
    adjustments: Sequence[Adjustment] = (),
    notes: Sequence[str] = (),
    hidden: str = "everything",
    source: bytes = b"",
    circumstances: Circumstances = CIRCUMSTANCES,
    **known: object,
) -> Json:
    """The record of one student."""
    submission = Submission(
        submission_id,
        FILE,
        source=source or submission_id.encode("utf-8", "backslashreplace"),
        submitted_at=datetime(2022, 11, 30, 21, 4, tzinfo=timezone.utc),
        name=name,
        files=(FILE,),
    )
    submission = dataclasses.replace(submission, **known)  # type: ignore[arg-type]
    seen = verdicts(*changes)
    by_hand = {} if manual is None else {"comments": ManualMark(Fraction(manual))}
    scored = score(rubric(hidden=hidden), seen, by_hand)
    return make_record(SLUG, submission, scored, seen, adjustments, circumstances, notes)


def special() -> list[Json]:
    """One student for each kind of thing that can happen."""
    late = Adjustment("late", Fraction(-2), "Handed in 2 hours late: 2 hours charged, -2 points.")
    early = Adjustment("early", Fraction(2), "Handed in early, by 2022-11-29 23:59 EST: +2 points.")
    fault = record("oscar", INTERNAL, NO_UNDO, name="Oscar Núñez", notes=["A fault of the grader; run it again."])
    fault["fault"] = "Traceback (most recent call last):\nOSError: no space left"
    return [
        record("ada", name="Ada Lovelace", adjustments=[early]),
        record("bela", ACE, FOLLOWED, NO_UNDO, name="Béla Bartók"),
        record("carol", TEST_1, NO_UNDO, name="Carol Shaw", adjustments=[late]),
        record("dan", LOAD, name="Dan Bricklin", manual=0),
        record("eve", TIMEOUT, CRASH, NO_UNDO, *STYLE, name="Eve Example"),
        record("frank", NOTHING, name="Frank Nobody", manual=0, submitted_at=None, outcome=Outcome.MISSING, problem="Nothing was handed in: proj10.py was expected.", files=()),
        record("grace", BOARD_ONLY, NO_UNDO, name="Grace Hopper", manual=None),
        fault,
        record("heidi", BLANKS, NO_UNDO, name="Heidi", notes=["The file is called 'Proj10.py'; it was taken for proj10.py."]),
        record('=HYPERLINK("x")', fails("calls/deal", HOSTILE, detail=Detail(HOSTILE, HOSTILE, HOSTILE, "x" + HOSTILE, 3, HOSTILE)), NO_UNDO, name=HOSTILE, notes=[HOSTILE]),
        record("../\u202eevil/" + "long" * 40, NO_UNDO, name="山田　太郎"),
    ]  # fmt: skip


def class_of(count: int) -> list[Json]:
    """A class with the usual mistakes, for pictures and counts."""
    kinds: tuple[tuple[Change, ...], ...] = (
        (), (NO_UNDO,), (ACE, NO_UNDO), (ACE, FOLLOWED, NO_UNDO, TEST_1), (TEST_1, NO_UNDO), (CRASH, NO_UNDO),
        (BOARD_ONLY, TEST_1, NO_UNDO), (*STYLE, NO_UNDO), (TIMEOUT, NO_UNDO), (LOAD,), (ACE, CRASH, TEST_1, *STYLE, NO_UNDO),
        (), (STYLE[0],), (BLANKS, NO_UNDO), (ACE,), (NO_UNDO, STYLE[1]),
    )  # fmt: skip
    made = special()[:9]
    for number in range(max(count - len(made), 0)):
        changes = kinds[(number * 7 + number // 16) % len(kinds)]
        manual = None if number % 29 == 28 else number % 3 + 2
        made.append(record(f"s{1000 + number * 37}", *changes, name=f"Student {number + 1}", manual=manual))
    return made
