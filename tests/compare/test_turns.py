"""Splitting a run at its reads, and pairing turns although a program asks once too often or too seldom."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from harness.compare.difference import Difference
from harness.compare.games import compare_session
from harness.compare.turns import Turn, align_turns, split_turns
from harness.observation import Read, SessionSeen
from harness.outcome import Outcome
from tests.compare.by_hand import ASK, BOARD, OTHER, RIGHT, run, shown

THIRD = "  1:  2♣\n  2:  K♥\n"


def test_a_turn_is_what_came_after_a_typed_line() -> None:
    opening, deal, *_others, last = split_turns(run(RIGHT))
    assert (opening.number, opening.typed, opening.output) == (0, None, "Aces\n" + BOARD + "\n")
    assert (deal.typed, deal.output, deal.prompt) == ("D", OTHER + "\n", "Input an option (DFQ): ")
    assert deal.question == "Input an option (DFQ):"
    assert (last.number, last.asked, last.prompt, last.question) == (3, False, "", "")


def test_a_run_without_reads_is_one_turn() -> None:
    assert split_turns(run("Hello\n")) == (Turn(0, None, "Hello\n"),)


def test_lines_read_at_once_are_turns_of_their_own() -> None:
    seen = SessionSeen("game", Outcome.PASSED, "? bye\n", (Read(0, 2, "a\nb\nc\n"),))
    assert [(turn.typed, turn.output) for turn in split_turns(seen)] == [
        (None, ""), ("a", ""), ("b", ""), ("c", "bye\n"),
    ]  # fmt: skip


def test_what_follows_the_end_of_the_input_is_no_turn() -> None:
    turns = split_turns(run("? {{a}}\nx\n? {{^D}}\nlate\n? {{^D}}\n"))
    assert [(turn.typed, turn.text, turn.asked) for turn in turns] == [(None, "? ", True), ("a", "x\n? ", True)]


def test_a_board_belongs_to_the_turn_in_which_it_was_shown() -> None:
    text = f"{BOARD}? {{{{D}}}}\n{OTHER}"
    calls = (shown(0, "AS"), shown(len(BOARD) + 2, "KS"))
    opening, deal = split_turns(run(text, shown=calls))
    assert (opening.shown, deal.shown) == ((calls[0],), (calls[1],))


def test_a_question_too_many_does_not_spoil_the_turns_after_it() -> None:
    boards = [BOARD, OTHER, THIRD, BOARD + OTHER]
    expected = run("".join(f"{board}{ASK}{{{{D}}}}\n" for board in boards) + "Bye\n")
    actual = run(
        f"{BOARD}{ASK}{{{{D}}}}\nSure? {{{{D}}}}\n{OTHER}{ASK}{{{{D}}}}\n{THIRD}{ASK}{{{{D}}}}\n{BOARD + OTHER}"
    )
    verdict = compare_session(expected, actual)
    charged = [(turn.number, turn.difference) for turn in verdict.turns if turn.charged]
    assert charged[0] == (1, Difference.EXTRA_QUESTION)
    assert [turn.outcome for turn in verdict.turns].count(Outcome.PASSED) == 3


def test_boards_shown_a_turn_late_are_wrong_and_not_shifted() -> None:
    expected = run(f"{BOARD}{ASK}{{{{D}}}}\n{OTHER}{ASK}{{{{D}}}}\n{THIRD}{ASK}{{{{D}}}}\nBye\n")
    actual = run(f"{BOARD}{ASK}{{{{D}}}}\n{BOARD}{ASK}{{{{D}}}}\n{OTHER}{ASK}{{{{D}}}}\nBye\n")
    verdict = compare_session(expected, actual)
    assert [turn.charged for turn in verdict.turns] == [False, True, True, False]
    assert verdict.differences == {Difference.WRONG_CARDS}


def test_a_question_too_few_does_not_spoil_the_turns_after_it() -> None:
    expected = run(f"{BOARD}{ASK}{{{{D}}}}\nSure? {{{{y}}}}\n{OTHER}{ASK}{{{{D}}}}\n{THIRD}{ASK}{{{{Q}}}}\nBye\n")
    actual = run(f"{BOARD}{ASK}{{{{D}}}}\n{OTHER}{ASK}{{{{y}}}}\n{THIRD}{ASK}{{{{D}}}}\nBye\n", unread=1)
    verdict = compare_session(expected, actual)
    assert [turn.outcome for turn in verdict.turns].count(Outcome.PASSED) >= 3
    assert verdict.outcome is Outcome.WRONG


TURNS = st.lists(
    st.tuples(st.sampled_from(["a\n", "b\n", "c\n", ""]), st.sampled_from(["? ", "> ", "Sure? "])), max_size=12
)


def as_turns(parts: list[tuple[str, str]]) -> list[Turn]:
    return [Turn(place, str(place), output, prompt, asked=True) for place, (output, prompt) in enumerate(parts)]


@given(TURNS, TURNS)
def test_pairing_never_loses_a_turn_nor_its_order(mine: list[tuple[str, str]], theirs: list[tuple[str, str]]) -> None:
    expected, actual = as_turns(mine), as_turns(theirs)
    pairs = align_turns(expected, actual, lambda turn: turn.text)
    assert [one for one, _other in pairs if one] == expected
    assert [other for _one, other in pairs if other] == actual
    assert all(pair != (None, None) for pair in pairs)


@given(TURNS)
def test_a_run_is_paired_with_itself_turn_by_turn(parts: list[tuple[str, str]]) -> None:
    turns = as_turns(parts)
    assert align_turns(turns, turns, lambda turn: turn.text) == tuple(zip(turns, turns, strict=True))
