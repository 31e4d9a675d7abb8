"""What a beginner reads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.compare.difference import Difference
from harness.compare.drawing import Pen, compared, draw, draw_rows, width_of
from harness.compare.explain import explain
from harness.compare.games import compare_session
from harness.compare.views import parse_view
from harness.observation import Raised, Read, SessionSeen, Shown
from harness.outcome import Outcome
from tests.compare.by_hand import ASK, BOARD, MENU, OTHER, RIGHT, plain, run

EXACT = parse_view("exact")
INDEX_ERROR = Raised("IndexError", "list index out of range", 41, 5, "card = column[7]", "move")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (RIGHT.replace("7♥", "8♥"), "After you typed `D`, the board shows 8♥ where 7♥ should be."),
        (RIGHT.replace("  7♥", ""), "After you typed `D`, the board shows no card where 7♥ should be."),
        (RIGHT.replace("6♥\n", "6♥  A♠\n"), "At the start, the board shows A♠ where no card should be."),
        (RIGHT.replace("10♦", " 9♦"), "At the start, the board shows 9♦ where 10♦ should be."),
        (
            RIGHT.replace("Invalid move", "Wrong"),
            "After you typed `F 2`, your program prints `Wrong.`; expected is `Invalid move.`.",
        ),
        (
            RIGHT.replace("Aces", "DEBUG\nAces"),
            "At the start, your program prints a line that should not be there: `DEBUG`.",
        ),
        (
            RIGHT.replace("Aces\n", ""),
            "At the start, a line is missing from what your program prints: `Aces`.",
        ),
        (
            RIGHT.replace("You have chosen to quit.\n", ""),
            "After you typed `Q`, your program prints nothing; it should print `You have chosen to quit.`.",
        ),
        (
            RIGHT.replace("Invalid move", "Invalid   move"),
            (
                "After you typed `F 2`, the words are right, but blanks or line ends differ: "
                "your program prints 3 blanks where one blank should be."
            ),
        ),
        (
            RIGHT.replace("Invalid move", "Invalid Move"),
            (
                "After you typed `F 2`, only capital and small letters differ: "
                "your program prints `Invalid Move.`; expected is `Invalid move.`."
            ),
        ),
        (
            RIGHT.replace("(DFQ)", "(DFTQ)", 1),
            (
                "At the start, only the question is worded differently: "
                "it is `Input an option (DFTQ):` and should be `Input an option (DFQ):`."
            ),
        ),
        (
            RIGHT.replace("Aces", "\N{CYRILLIC CAPITAL LETTER A}ces"),
            (
                "At the start, your program prints `\N{CYRILLIC CAPITAL LETTER A}ces`; expected is `Aces`. "
                "The character there is U+0410 CYRILLIC CAPITAL LETTER A."
            ),
        ),
    ],
)
def test_the_sentence_says_when_and_what(text: str, sentence: str) -> None:
    assert explain(compare_session(run(RIGHT), run(text))).sentence == sentence


CUT = f"Aces\n{BOARD}{ASK}{{{{D}}}}\n"
ENDS = [
    (
        run(CUT, Outcome.EXCEPTION, raised=INDEX_ERROR),
        "your program crashes with IndexError: list index out of range in line 41 of move (`card = column[7]`).",
    ),
    (run(CUT, Outcome.CRASHED, detail="signal 11"), "your program crashes: signal 11."),
    (run(CUT + "x\n" * 99, Outcome.TIMEOUT), "your program never stops: it prints `x` again and again."),
    (
        run(CUT + "a\nb\n\n" * 99, Outcome.TIMEOUT),
        "your program never stops: it prints `a`, `b`, an empty line again and again.",
    ),
    (
        run(CUT + "a\nb\nc\nd\n" * 99, Outcome.TIMEOUT),
        "your program never stops: it prints `a`, `b`, `c`, … again and again.",
    ),
    (run(CUT, Outcome.TIMEOUT), "your program runs on and on: it neither asks for the next line nor ends."),
    (run(CUT, Outcome.OUTPUT_LIMIT), "your program prints far more than it should and was stopped."),
    (run(CUT, Outcome.MEMORY), "your program uses far more memory than it should and was stopped."),
    (run(CUT, Outcome.EXITED), "your program leaves in a way that stops Python at once (such as `os._exit`)."),
    (
        run(CUT + OTHER, unread=2),
        "your program ends, with 2 lines still to be typed; it should go on and ask `Input an option (DFQ):`.",
    ),
]


@pytest.mark.parametrize(("actual", "said"), ENDS)
def test_the_end_of_a_run_is_told_where_it_happened(actual: SessionSeen, said: str) -> None:
    assert explain(compare_session(run(RIGHT), actual)).sentence == f"After you typed `D`, {said}"


def test_a_program_that_cannot_be_started_and_one_that_was_not_run() -> None:
    raised = Raised("SyntaxError", "invalid syntax", 3, 5, "def f(:")
    verdict = compare_session(run(RIGHT), run("", Outcome.LOAD_ERROR, raised=raised))
    assert (
        "cannot be started: it fails with SyntaxError: invalid syntax in line 3 (`def f(:`)." in explain(verdict).text
    )
    verdict = compare_session(run(RIGHT), run("", Outcome.MISSING, detail="there is no file"))
    assert explain(verdict).sentence == "At the start, the program was not run: there is no file."


def test_asking_for_more_is_told_with_the_question() -> None:
    verdict = compare_session(run(RIGHT), run(RIGHT + ASK + "{{^D}}\n"))
    assert "asks for another line (`Input an option (DFQ):`)" in explain(verdict).sentence


def test_an_end_after_other_faults_is_told_as_well() -> None:
    actual = run(CUT.replace("Aces", "Spades"), Outcome.EXCEPTION, raised=INDEX_ERROR)
    notes = explain(compare_session(run(RIGHT), actual)).notes
    assert notes[0].startswith("Later: After you typed `D`, your program crashes with IndexError")
    more = run(RIGHT.replace("chosen", "decided") + ASK + "{{^D}}\n")
    assert explain(compare_session(run(RIGHT), more)).notes[0].startswith("At the end, your program asks")


def test_a_crash_in_a_turn_that_is_not_graded_is_told_where_the_game_breaks_off() -> None:
    verdict = compare_session(run(RIGHT), run(CUT, Outcome.EXCEPTION, raised=INDEX_ERROR), ungraded=[1])
    assert verdict.outcome is Outcome.EXCEPTION
    assert "never gets to this turn. Before it, your program crashes with IndexError" in explain(verdict).sentence


def test_a_game_that_is_right_tells_what_is_not_charged() -> None:
    menu = "Aces\n" + MENU
    verdict = compare_session(run(menu), run("Aces\n"), supplied_text=[MENU])
    assert explain(verdict).text == plain("""
        The whole game is as expected.

        Text that the course supplies (such as the menu) differs. Nothing is deducted for that.""")


def test_the_whole_explanation() -> None:
    text = RIGHT.replace("F 2}}\nInvalid move.", "F 2}}\nInvalid move!")
    assert explain(compare_session(run(RIGHT), run(text)), ascii_only=True).text == plain("""
        After you typed `F 2`, your program prints `Invalid move!`; expected is `Invalid move.`.

        The screen before it:

          Aces
            1:  2C  3C  4C
            2:  5H  6H
            3: 10D  JD  QD

          Input an option (DFQ): D
            1:  2C  3C  4C
            2:  5H  6H  7H
            3: 10D  JD

          Input an option (DFQ): F 2

        What the program prints then:

          expected               | your program
          Invalid move.          ! Invalid move!
                      ^          |             ^
            1:  2C  3C  4C       |   1:  2C  3C  4C
            2:  5H  6H  7H       |   2:  5H  6H  7H
            3: 10D  JD           |   3: 10D  JD
          Input an option (DFQ): | Input an option (DFQ):""")


@pytest.mark.parametrize(
    ("text", "drawn", "ascii_drawn"),
    [
        ("a b", "a·b", "a~b"),
        ("a\tb\r", "a→b␍", "a\\tb\\r"),
        ("\x1b[0m", "␛[0m", "\\x1b[0m"),
        ("5♠", "5♠", "5S"),
        ("\N{NO-BREAK SPACE}\N{ZERO WIDTH SPACE}", "<U+00A0><U+200B>", "<U+00A0><U+200B>"),
        ("\x7f", "␡", "\\x7f"),
        ("é", "é", "<U+00E9>"),
    ],
)
def test_what_cannot_be_seen_is_drawn(text: str, drawn: str, ascii_drawn: str) -> None:
    assert draw(text, Pen(blanks=True)) == drawn
    assert draw(text, Pen(blanks=True, ascii_only=True)) == ascii_drawn


def test_line_ends_are_drawn_with_the_blanks() -> None:
    assert draw_rows("a \n\nb", Pen(blanks=True)) == ["a·⏎", "⏎", "b"]
    assert draw_rows("a \n\nb\n", Pen()) == ["a ", "", "b"]


def test_what_is_too_wide_stands_one_above_the_other() -> None:
    row = "x" * 60
    drawn = compared(row + "a", row + "b", (0, 60), Pen(width=100))
    assert drawn == f"expected:\n  {row}a\n  {' ' * 60}^\nyour program:\n  {row}b\n  {' ' * 60}^"


def test_a_long_row_is_cut_around_its_caret() -> None:
    row = "x" * 5_000
    drawn = compared(row + "a" + row, row + "b" + row, (0, 5_000), Pen(width=80)).split("\n")
    assert max(map(len, drawn)) <= 80
    assert drawn[1][drawn[2].index("^")] == "a"
    assert drawn[4][drawn[5].index("^")] == "b"


def test_wide_and_combining_characters_take_their_columns() -> None:
    assert [width_of(text) for text in ("ab", "日本", "e\N{COMBINING ACUTE ACCENT}")] == [2, 4, 1]


LOOSE = st.text(alphabet="aA 5♠\t\n\r\u200b\ufe0e\xa0é\x07", max_size=12)


@given(LOOSE, LOOSE, st.booleans())
def test_texts_that_look_alike_are_never_shown_as_different(one: str, other: str, ascii_only: bool) -> None:
    verdict = compare_session(run(one), run(other), view=EXACT)
    turn = verdict.first_wrong
    assert (turn is None) == (one == other)
    if turn is not None:
        blanks = bool(turn.differences & {Difference.BLANKS, Difference.INVISIBLE})
        pen = Pen(blanks=blanks, ascii_only=ascii_only)
        assert draw_rows(turn.expected, pen) != draw_rows(turn.actual, pen)


@given(LOOSE, LOOSE, st.integers(30, 120))
def test_an_explanation_is_never_wider_than_asked_for(one: str, other: str, width: int) -> None:
    explanation = explain(compare_session(run(one), run(other), view=EXACT), width=width)
    assert all(width_of(line) <= width for line in explanation.comparison.split("\n"))


def test_long_lines_are_quoted_in_part() -> None:
    sentence = explain(compare_session(run("a" * 200 + "\n"), run("b" * 70 + "\n"))).sentence
    assert f"`{'b' * 70}`" in sentence
    assert f"`{'a' * 69}…`" in sentence


def test_the_screen_before_is_no_wider_than_asked_for() -> None:
    wide = f"{'x' * 98}\n{'y' * 99}\n? {{{{q}}}}\n"
    before = explain(compare_session(run(wide + "a\n"), run(wide + "b\n")), width=100).before
    assert before == f"{'x' * 98}\n{'y' * 97}…\n? q"


def test_values_that_look_the_same_are_said_to_be_of_another_kind() -> None:
    board = Shown(0, "display", ({"object": "Card"},))
    verdict = compare_session(run("x\n", shown=(board,)), run("x\n", shown=(board,)), view=parse_view("state"))
    explanation = explain(verdict)
    assert "made of values of another kind" in explanation.sentence
    assert not explanation.comparison


def test_characters_that_cannot_be_seen_are_named() -> None:
    sentence = explain(compare_session(run("5♠\n"), run("5♠\ufe0e\n"), view=EXACT)).sentence
    assert sentence.endswith("cannot be told from others by eye: U+FE0E VARIATION SELECTOR-15.")


def test_line_ends_that_differ_are_not_counted_as_blanks() -> None:
    sentence = explain(compare_session(run("a b\n"), run("a\nb\n"))).sentence
    assert sentence.endswith("blanks or line ends differ. They are drawn below.")


def test_a_prompt_of_several_lines_is_quoted_where_it_differs() -> None:
    asked, other = "Enter choice:\n(q)uit: ", "Enter your choice:\n(q)uit: "
    one = SessionSeen("x", Outcome.PASSED, asked, (Read(0, len(asked), "q"),))
    two = SessionSeen("x", Outcome.PASSED, other, (Read(0, len(other), "q"),))
    sentence = explain(compare_session(one, two)).sentence
    assert sentence.endswith("it is `Enter your choice:` and should be `Enter choice:`.")


def test_two_columns_that_just_fit_stand_side_by_side() -> None:
    row = "x" * 18
    assert "│" in compared(row + "a", row + "b", (0, 18), Pen(width=41))
    assert "│" not in compared(row + "a", row + "b", (0, 18), Pen(width=40))


def test_more_lines_than_are_shown_are_counted() -> None:
    rows = [f"row {n}\n" for n in range(100)]
    drawn = compared("".join(rows), "".join([*rows[:50], "x\n", *rows[51:]]), (50, 0), Pen()).split("\n")
    assert drawn[0] == "… 42 more lines above"
    assert drawn[-1] == "… 34 more lines below"
    assert len(drawn) == 24 + 4
