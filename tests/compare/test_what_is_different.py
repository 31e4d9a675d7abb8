"""Then what must be seen as different: one table per class of difference."""

from __future__ import annotations

import pytest

from harness.compare.difference import PRESENTATION, Difference
from harness.compare.ending import repeated_lines
from harness.compare.games import compare_session, first_difference
from harness.compare.turns import split_turns
from harness.compare.views import parse_view, units_of
from harness.errors import HarnessError
from harness.observation import Raised, Read, SessionSeen, Shown
from harness.outcome import Outcome
from tests.compare.by_hand import ASK, BOARD, OTHER, RIGHT, game, run

D = Difference


@pytest.mark.parametrize(
    ("text", "differences"),
    [
        (RIGHT.replace("  1:", " 1:", 1), {D.BLANKS}),
        (RIGHT.replace("Invalid move.", "Invalid  move."), {D.BLANKS}),
        (RIGHT.replace("Invalid move.", "Invalid\nmove."), {D.BLANKS}),
        (RIGHT.replace("Invalid move.", "Invalid Move."), {D.LETTER_CASE}),
        (RIGHT.replace("Invalid move.", "Invalid  Move."), {D.LETTER_CASE, D.BLANKS}),
        (RIGHT.replace("(DFQ): ", "(D,F,Q): ", 1), {D.PROMPT}),
        (RIGHT.replace("(DFQ): ", "(DFQ) : ", 1), {D.BLANKS}),
        (RIGHT.replace("(DFQ): ", "(dfq): ", 1), {D.LETTER_CASE}),
        (RIGHT.replace("(DFQ): ", ": ", 1).replace("Invalid move.", "invalid move."), {D.PROMPT, D.LETTER_CASE}),
        (RIGHT.replace("Invalid move.", "DEBUG 3\nInvalid move."), {D.EXTRA_OUTPUT}),
        (RIGHT.replace("Invalid move.\n", ""), {D.MISSING_OUTPUT}),
        (RIGHT.replace("Invalid move.\n" + OTHER, OTHER + "Invalid move.\n"), {D.WRONG_ORDER}),
        (RIGHT.replace("7♥", "8♥"), {D.WRONG_CARDS}),
        (RIGHT.replace("  7♥", ""), {D.WRONG_CARDS}),
        (RIGHT.replace(OTHER, BOARD, 1), {D.WRONG_CARDS}),
        (RIGHT.replace("Invalid move.", "That is not allowed."), {D.OTHER_WORDING}),
    ],
)
def test_a_turn_differs_in_one_way(text: str, differences: set[Difference]) -> None:
    verdict = compare_session(run(RIGHT), run(text))
    assert verdict.outcome is Outcome.WRONG
    assert verdict.differences == differences
    assert verdict.lost_only_to() is (differences <= PRESENTATION)


def test_a_message_that_names_a_card_is_wording_and_not_a_board() -> None:
    expected, actual = run("Error, cannot move A♠.\n" + BOARD), run("That card stays.\n" + BOARD)
    assert compare_session(expected, actual).differences == {D.OTHER_WORDING}


@pytest.mark.parametrize(
    ("expected", "actual", "difference"),
    [
        ("a \n", "a\n", D.BLANKS),
        ("a\n", "a", D.BLANKS),
        ("a\n\nb\n", "a\nb\n", D.BLANKS),
        ("a\tb\n", "a       b\n", D.BLANKS),
        ("a\n", "a\r\n", D.BLANKS),
        ("a\n", "\ufeffa\n", D.INVISIBLE),
        ("5♠\n", "5♠\ufe0e\n", D.INVISIBLE),
        ("caf\N{LATIN SMALL LETTER E WITH ACUTE}\n", "cafe\N{COMBINING ACUTE ACCENT}\n", D.INVISIBLE),
    ],
)
def test_exact_forgives_nothing_and_knows_what_cannot_be_seen(
    expected: str, actual: str, difference: Difference
) -> None:
    verdict = compare_session(run(expected), run(actual), view=parse_view("exact"))
    assert verdict.differences == {difference}
    assert verdict.lost_only_to()


def test_the_question_of_another_moment_is_not_a_matter_of_wording() -> None:
    expected = run("Choice: {{x}}\nNo.\nChoice: {{q}}\nAgain (y/n)?{{n}}\nBye\n")
    actual = run("Choice: {{x}}\nNo.\nChoice: {{q}}\nChoice: {{n}}\nBye\n")
    verdict = compare_session(expected, actual)
    assert verdict.differences == {D.OTHER_QUESTION}
    assert not verdict.lost_only_to()


def test_asking_for_more_than_there_was_is_told_with_the_question() -> None:
    actual = run(RIGHT + ASK + "{{^D}}\n", Outcome.EXCEPTION, raised=Raised("EOFError", "EOF when reading a line"))
    verdict = compare_session(run(RIGHT), actual)
    assert verdict.outcome is Outcome.WRONG
    assert D.ASKED_FOR_MORE in verdict.differences
    assert verdict.ending.asked == "Input an option (DFQ):"
    assert [turn.charged for turn in verdict.turns] == [False, False, False, True]
    assert not verdict.lost_only_to()


def test_asking_on_for_ever_after_the_end_is_a_timeout_with_the_question() -> None:
    verdict = compare_session(run(RIGHT), run(RIGHT + (ASK + "{{^D}}\n") * 50, Outcome.TIMEOUT))
    assert verdict.outcome is Outcome.TIMEOUT
    assert verdict.ending.difference is D.ASKED_FOR_MORE


def test_stopping_early_leaves_the_other_turns_unreached() -> None:
    verdict = compare_session(run(RIGHT), run(f"Aces\n{BOARD}{ASK}{{{{D}}}}\n{OTHER}", unread=2))
    assert verdict.outcome is Outcome.WRONG
    assert [turn.outcome for turn in verdict.turns] == [
        Outcome.PASSED, Outcome.WRONG, Outcome.MISSING, Outcome.MISSING,
    ]  # fmt: skip
    assert verdict.turns[1].difference is D.STOPPED_EARLY
    assert verdict.ending.unread == 2
    assert verdict.share * 4 == 1


CUT = f"Aces\n{BOARD}{ASK}{{{{D}}}}\n"


@pytest.mark.parametrize(
    ("tail", "end", "difference"),
    [
        ("", Outcome.EXCEPTION, D.CRASHED),
        (OTHER, Outcome.EXCEPTION, D.CRASHED),
        ("", Outcome.CRASHED, D.CRASHED),
        ("", Outcome.TIMEOUT, D.TIME_LIMIT),
        ("x\n" * 500, Outcome.TIMEOUT, D.LOOPED),
        (OTHER * 500, Outcome.OUTPUT_LIMIT, D.LOOPED),
        ("ha" * 500, Outcome.OUTPUT_LIMIT, D.LOOPED),
        ("".join(f"{n}\n" for n in range(500)), Outcome.OUTPUT_LIMIT, D.OUTPUT_LIMIT),
        ("", Outcome.MEMORY, D.MEMORY_LIMIT),
        ("", Outcome.EXITED, D.EXITED),
        ("", Outcome.LOAD_ERROR, D.NOT_LOADED),
    ],
)
def test_a_run_that_ends_badly(tail: str, end: Outcome, difference: Difference) -> None:
    verdict = compare_session(run(RIGHT), run(CUT + tail, end))
    assert verdict.outcome is end
    assert verdict.turns[1].difference is difference
    assert verdict.turns[1].outcome is end
    assert verdict.turns[0].outcome is Outcome.PASSED
    assert {turn.outcome for turn in verdict.turns[2:]} == {Outcome.MISSING}


@pytest.mark.parametrize("end", [Outcome.INTERNAL, Outcome.SKIPPED, Outcome.REJECTED, Outcome.MISSING])
def test_a_program_that_was_never_run_keeps_its_outcome(end: Outcome) -> None:
    verdict = compare_session(run(RIGHT), SessionSeen("game", end, ""))
    assert verdict.outcome is end
    assert len(verdict.turns) == 4
    assert verdict.differences <= {D.NOT_RUN}


def test_a_reference_that_does_not_finish_is_our_fault() -> None:
    with pytest.raises(HarnessError, match="did not finish"):
        compare_session(run(RIGHT, Outcome.TIMEOUT), run(RIGHT))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("start\n" + "a\nb\n" * 9, ("a", "b")),
        ("start\n" + "\n" * 50, ("",)),
        ("> " * 50, ("> ",)),
        ("a\nb\n" * 3, ()),
        ("a\nb\nc\nd\ne\nf\ng\n", ()),
        ("", ()),
    ],
)
def test_a_loop_is_shown_once(text: str, lines: tuple[str, ...]) -> None:
    found = repeated_lines(text)
    assert sorted(found) == sorted(lines)


def test_a_wrong_turn_knows_where_and_what_was_on_the_screen() -> None:
    verdict = compare_session(run(RIGHT), run(RIGHT.replace("Invalid move.", "Invalid mode.")))
    turn = verdict.first_wrong
    assert turn is not None
    assert (turn.number, turn.typed) == (2, "F 2")
    assert (turn.line, turn.column) == (0, len("Invalid mo"))
    assert turn.before.endswith(OTHER + ASK + "F 2")
    assert turn.before.startswith("Aces\n")
    assert verdict.share * 4 == 3


def test_one_wrong_turn_does_not_spoil_the_rest() -> None:
    wrong = run(RIGHT.replace("Aces\n", "Aces\nDEBUG\n").replace("Invalid move.\n", ""))
    verdict = compare_session(run(RIGHT), wrong)
    assert [turn.charged for turn in verdict.turns] == [True, False, True, False]


def test_a_value_that_could_not_be_carried_equals_nothing_and_is_not_shown_as_equal() -> None:
    seen = run("board\n", shown=(Shown(0, "display", ({"object": "Card"},)),))
    verdict = compare_session(seen, seen, view=parse_view("state"))
    assert verdict.differences == {D.INVISIBLE}


def test_a_habit_is_part_of_the_question_but_a_message_is_not() -> None:
    loud = game("Aces\n" + BOARD, OTHER + "Oops\n", "Invalid move.\n" + OTHER, "You have chosen to quit.\n")
    verdict = compare_session(run(RIGHT), run(loud), prompts="told")
    assert verdict.differences == {D.EXTRA_OUTPUT}


@pytest.mark.parametrize(
    ("expected", "actual", "place"),
    [
        ("abc", "abd", (0, 2)),
        ("a\nbc", "a\nbd", (1, 1)),
        ("a\nb", "a", (1, 0)),
        ("a", "a\nb", (1, 0)),
        ("a\n", "a", (0, 1)),
        ("ab", "a", (0, 1)),
        ("", "a\nb", (0, 0)),
        ("a\nb", "ax\nb", (0, 1)),
    ],
)
def test_the_first_difference_is_a_line_and_a_column(expected: str, actual: str, place: tuple[int, int]) -> None:
    assert first_difference(expected, actual) == place
    assert first_difference(actual, expected) == place


def test_a_game_without_graded_turns_has_nothing_wrong() -> None:
    verdict = compare_session(run("a\n"), run("b\n"), ungraded=[0])
    assert verdict.outcome is Outcome.PASSED
    assert verdict.share == 1


def test_a_crash_while_reading_past_the_end_keeps_its_exception() -> None:
    raised = Raised("ValueError", "no line", 3)
    verdict = compare_session(run(RIGHT), run(RIGHT + ASK + "{{^D}}\n", Outcome.EXCEPTION, raised=raised))
    assert verdict.outcome is Outcome.EXCEPTION
    assert verdict.ending.raised == raised


def test_a_last_turn_that_is_wrong_in_its_text_keeps_that_beside_asking_for_more() -> None:
    actual = run(RIGHT.replace("You have chosen to quit.", "What?") + ASK + "{{^D}}\n")
    verdict = compare_session(run(RIGHT), actual)
    assert verdict.turns[3].difference is D.OTHER_WORDING
    assert verdict.ending_charged


def test_a_turn_whose_text_is_right_shows_both_texts_if_the_run_ends_in_it() -> None:
    verdict = compare_session(run(RIGHT), run(RIGHT, Outcome.EXCEPTION))
    turn = verdict.first_wrong
    assert turn is not None
    assert (turn.number, turn.expected, turn.actual) == (3, "You have chosen to quit.\n", "You have chosen to quit.\n")


def test_the_screen_before_a_turn_is_its_last_lines() -> None:
    long = "".join(f"row {n}\n" for n in range(100))
    verdict = compare_session(run(f"{long}? {{{{x}}}}\na\n"), run(f"{long}? {{{{x}}}}\nb\n"))
    assert verdict.first_wrong is not None
    assert verdict.first_wrong.before.split("\n") == [f"row {n}" for n in range(77, 100)] + ["? x"]


@pytest.mark.parametrize("boards", [BOARD + OTHER, OTHER + BOARD, OTHER + BOARD + OTHER])
def test_two_boards_where_one_is_expected_must_both_be_that_board(boards: str) -> None:
    actual = run(RIGHT.replace(OTHER, boards, 1))
    assert compare_session(run(RIGHT), actual, boards=[r"^\s*\d:"]).outcome is Outcome.WRONG


def test_a_line_without_words_is_not_a_reworded_line_of_the_course() -> None:
    expected, actual = run("=====\nHello\n"), run("+++++\nHello\n")
    assert compare_session(expected, actual, supplied_text=["====="]).differences == {D.EXTRA_OUTPUT}


@pytest.mark.parametrize(("piece", "outcome"), [("Deal to the", Outcome.PASSED), ("Deal to", Outcome.WRONG)])
def test_a_piece_of_the_course_s_text_is_known_by_three_words(piece: str, outcome: Outcome) -> None:
    verdict = compare_session(run("Aces\n"), run(f"Aces\n{piece}\n"), supplied_text=["D: Deal to the Tableau"])
    assert verdict.outcome is outcome


def test_the_first_line_of_a_prompt_after_a_board_is_part_of_the_prompt() -> None:
    asked = "Enter choice:\n (q)uit: "
    seen = SessionSeen("x", Outcome.PASSED, BOARD + asked, (Read(len(BOARD), len(BOARD) + len(asked), "q"),))
    units = units_of(split_turns(seen)[0], parse_view("screen"))
    assert [unit.prompt for unit in units] == [False, False, False, True, True]
