"""First what must stay equal: programs that differ only in what does not count."""

from __future__ import annotations

from typing import Any

import pytest

from harness.compare.difference import Difference
from harness.compare.games import compare_session
from harness.compare.views import parse_view
from harness.observation import Read, SessionSeen, Shown
from harness.outcome import Outcome
from tests.compare.by_hand import ASK, BOARD, MENU, OTHER, RIGHT, game, run, shown


@pytest.mark.parametrize(
    "text",
    [
        RIGHT,
        RIGHT.replace("Aces\n", "Aces   \n"),
        RIGHT.replace("Aces\n", "\n\nAces\n\n"),
        RIGHT.replace("Invalid move.\n", "\nInvalid move.\n\n"),
        RIGHT.removesuffix("\n"),
        RIGHT + "\n\n",
        RIGHT.replace("\n", "\r\n").replace("}}\r\n", "}}\n"),
        RIGHT.replace("(DFQ): ", "(DFQ):"),
        RIGHT.replace("        ", "\t"),
        RIGHT.replace("♥", "♥\ufe0e"),
        RIGHT.replace(" J♦", "\N{NO-BREAK SPACE}J♦"),
        RIGHT.replace("Aces", "\x1b[31mAces\x1b[0m"),
        RIGHT.replace("Aces", "\ufeffAces"),
    ],
)
def test_the_screen_looks_the_same(text: str) -> None:
    verdict = compare_session(run(RIGHT), run(text))
    assert verdict.outcome is Outcome.PASSED
    assert verdict.share == 1
    assert not verdict.differences


def test_tabs_that_reach_the_same_column_are_the_blanks_they_look_like() -> None:
    assert compare_session(run("a\tb\n"), run("a       b\n")).outcome is Outcome.PASSED
    assert compare_session(run("a\tb\n"), run("a b\n")).outcome is Outcome.WRONG


@pytest.mark.parametrize("start", [0, 1, len("Enter choice:\n"), len("Enter choice:\n (q)uit: ")])
def test_it_does_not_matter_how_much_of_a_prompt_is_printed_and_how_much_handed_to_input(start: int) -> None:
    asked = "Enter choice:\n (q)uit: "
    expected = SessionSeen("game", Outcome.PASSED, asked + "Bye\n", (Read(0, len(asked), "q"),))
    actual = SessionSeen("game", Outcome.PASSED, asked + "Bye\n", (Read(start, len(asked), "q"),))
    for prompts in ("judged", "told"):
        verdict = compare_session(expected, actual, prompts=prompts)
        assert verdict.outcome is Outcome.PASSED
        assert not verdict.told


def test_a_board_handed_to_input_is_still_a_board() -> None:
    asked = BOARD + "? "
    expected = run(f"{BOARD}? {{{{q}}}}\n")
    actual = SessionSeen("game", Outcome.PASSED, asked, (Read(0, len(asked), "q"),))
    wrong = SessionSeen("game", Outcome.PASSED, asked.replace("6♥", "7♥"), (Read(0, len(asked), "q"),))
    assert compare_session(expected, actual, prompts="told").outcome is Outcome.PASSED
    assert compare_session(expected, wrong, prompts="told").differences == {Difference.WRONG_CARDS}


@pytest.mark.parametrize(
    "ask", ["> ", "What now?\nYour choice: ", "\n", "Your move\n", "input an option (DFQ): ", "\n\nInput an option: "]
)
def test_prompts_that_are_only_told_cost_nothing(ask: str) -> None:
    other = game("Aces\n" + BOARD, OTHER, "Invalid move.\n" + OTHER, "You have chosen to quit.\n", ask=ask)
    verdict = compare_session(run(RIGHT), run(other), prompts="told")
    assert verdict.outcome is Outcome.PASSED
    assert verdict.told == {Difference.PROMPT}
    assert compare_session(run(RIGHT), run(other)).outcome is Outcome.WRONG


WITH_MENU = game("Aces\n" + MENU + BOARD, OTHER, MENU + OTHER, "You have chosen to quit.\n")


@pytest.mark.parametrize(
    "menu",
    [
        "",
        MENU + MENU,
        MENU.replace("Tableau", "tableau"),
        MENU.replace("Deal to the Tableau", "Deal cards to the Tableau"),
        MENU.replace("    Q: Quit the game        \n", ""),
        MENU.replace("    ", ""),
        MENU.replace("Move card from", "Move card\n from"),
        MENU.replace("Input options", "Input option"),
    ],
)
def test_text_the_course_supplies_is_told_and_never_charged(menu: str) -> None:
    verdict = compare_session(run(WITH_MENU), run(WITH_MENU.replace(MENU, menu)), supplied_text=[MENU])
    assert verdict.outcome is Outcome.PASSED
    assert verdict.told <= {Difference.SUPPLIED_TEXT}
    assert compare_session(run(WITH_MENU), run(WITH_MENU.replace(MENU, menu))).outcome is (
        Outcome.PASSED if menu == MENU else Outcome.WRONG
    )


@pytest.mark.parametrize("menu", [MENU, "", MENU.replace("Tableau", "Table")])
def test_text_around_what_the_course_supplies_is_still_judged(menu: str) -> None:
    wrong = WITH_MENU.replace(MENU, menu).replace("Q♦", "K♦", 1)
    verdict = compare_session(run(WITH_MENU), run(wrong), supplied_text=[MENU])
    assert verdict.differences == {Difference.WRONG_CARDS}


def test_free_lines_may_say_anything_be_missing_or_come_on_top() -> None:
    for line in ("Invalid option!\n", "", "Invalid move.\nInvalid: try again\n"):
        actual = run(RIGHT.replace("Invalid move.\n", line))
        assert compare_session(run(RIGHT), actual, free=["^Invalid"]).outcome is Outcome.PASSED
    assert compare_session(run(RIGHT), run(RIGHT.replace("Aces\n", "")), free=["^Invalid"]).outcome is Outcome.WRONG


def test_accepted_spellings_are_the_same_line_if_their_groups_catch_the_same() -> None:
    spellings = [[r"Error in option: (.*)", r"(.*) is no option[.!]"]]
    expected = run("Error in option: F 9\n")
    assert compare_session(expected, run("F 9 is no option!\n"), equivalents=spellings).outcome is Outcome.PASSED
    assert compare_session(expected, run("F 8 is no option!\n"), equivalents=spellings).outcome is Outcome.WRONG
    assert compare_session(expected, run("F 9 is no option!\n")).outcome is Outcome.WRONG


BOARDS = [r"^\s*\d:"]


def test_a_board_may_be_left_out_where_it_repeats_the_last_one() -> None:
    quiet = run(RIGHT.replace("Invalid move.\n" + OTHER, "Invalid move.\n"))
    verdict = compare_session(run(RIGHT), quiet, boards=BOARDS)
    assert verdict.outcome is Outcome.PASSED
    assert verdict.told == {Difference.REPEATED_BOARD}
    assert compare_session(run(RIGHT), quiet).outcome is Outcome.WRONG


@pytest.mark.parametrize("answer", [OTHER, OTHER + OTHER])
def test_a_board_more_than_expected_is_only_told(answer: str) -> None:
    expected = RIGHT.replace("Invalid move.\n" + OTHER, "Invalid move.\n")
    noisy = RIGHT.replace("Invalid move.\n" + OTHER, "Invalid move.\n" + answer)
    assert compare_session(run(expected), run(noisy), boards=BOARDS).outcome is Outcome.PASSED
    assert compare_session(run(RIGHT), run(noisy), boards=BOARDS).outcome is Outcome.PASSED


def test_a_board_that_changed_must_be_shown_and_be_right() -> None:
    silent = game("Aces\n" + BOARD, "", "Invalid move.\n" + OTHER, "You have chosen to quit.\n")
    assert compare_session(run(RIGHT), run(silent), boards=BOARDS).outcome is Outcome.WRONG
    wrong = run(RIGHT.replace("7♥", "8♥"))
    assert compare_session(run(RIGHT), wrong, boards=BOARDS).outcome is Outcome.WRONG


def test_turns_that_are_not_graded_may_print_anything() -> None:
    actual = run(RIGHT.replace("Invalid move.\n", "What?\n"))
    verdict = compare_session(run(RIGHT), actual, ungraded={2})
    assert verdict.outcome is Outcome.PASSED
    assert [turn.outcome for turn in verdict.turns][2] is Outcome.SKIPPED
    assert verdict.share == 1


def test_a_crash_in_a_last_turn_that_is_not_graded_costs_nothing() -> None:
    actual = run(RIGHT.replace("You have chosen to quit.\n", ""), Outcome.EXCEPTION)
    verdict = compare_session(run(RIGHT), actual, ungraded=[3])
    assert verdict.outcome is Outcome.PASSED
    assert verdict.ending.difference is Difference.CRASHED
    assert compare_session(run(RIGHT), actual, ungraded=[2]).outcome is Outcome.EXCEPTION


def test_a_script_that_ends_in_the_middle_of_a_game_judges_no_end() -> None:
    expected = run(f"{BOARD}{ASK}{{{{D}}}}\n{OTHER}{ASK}{{{{^D}}}}\n", Outcome.EXCEPTION)
    for end, after in ((Outcome.PASSED, "Bye!\n"), (Outcome.TIMEOUT, ASK * 9), (Outcome.EXCEPTION, "")):
        actual = run(f"{BOARD}{ASK}{{{{D}}}}\n{OTHER}{ASK}{{{{^D}}}}\n{after}", end)
        assert compare_session(expected, actual).outcome is Outcome.PASSED
    stopped = run(f"{BOARD}{ASK}{{{{D}}}}\n{OTHER}")
    assert compare_session(expected, stopped).differences >= {Difference.STOPPED_EARLY}


@pytest.mark.parametrize(
    ("view", "actual"),
    [
        (r"lines ^\s*\d:", "Welcome!\n" + BOARD + "Have fun.\n"),
        (r"lines ^\s*(\d:.*)", BOARD.replace("  1:", "1:")),
        ("tokens (?:10|[2-9AJQK])[♣♦♥♠]", BOARD.replace("  ", " ").replace("\n", " | ")),
        ("tokens ((?:10|[2-9AJQK])[♣♦♥♠])", BOARD.replace("2♣", "[2♣]")),
    ],
)
def test_a_view_looks_at_nothing_else(view: str, actual: str) -> None:
    expected = run(BOARD)
    assert compare_session(expected, run(actual), view=parse_view(view)).outcome is Outcome.PASSED
    assert compare_session(expected, run(actual)).outcome is Outcome.WRONG
    wrong = run(actual.replace("6♥", "6♣"))
    assert compare_session(expected, wrong, view=parse_view(view)).differences == {Difference.WRONG_CARDS}


def test_the_state_view_looks_at_the_arguments_alone() -> None:
    state = parse_view("state")
    more: dict[str, Any] = {"shown": (shown(0, "5S 6H-"),)}
    expected = run("5♠ XX\n", **more)
    assert compare_session(expected, run("[5S] [??]\n", **more), view=state).outcome is Outcome.PASSED
    other = run("5♠ XX\n", shown=(shown(0, "5S 7H-"),))
    assert compare_session(expected, other, view=state).differences == {Difference.WRONG_CARDS}


def test_the_order_of_a_dict_does_not_count_in_the_state_view() -> None:
    state = parse_view("state")
    pairs = [["a", {"tuple": [1, None]}], [2, {"dict": [["x", True], ["y", "z"]]}]]
    turned = [[2, {"dict": [["y", "z"], ["x", True]]}], pairs[0]]
    one, two, three = (
        run("x\n", shown=(Shown(0, "display", ({"dict": content},)),)) for content in (pairs, turned, pairs[:1])
    )
    assert compare_session(one, two, view=state).outcome is Outcome.PASSED
    assert compare_session(one, three, view=state).outcome is Outcome.WRONG
