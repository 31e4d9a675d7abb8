"""Random boards are judged by what the rules promise, and the game goes on from the student's own board."""

from __future__ import annotations

from harness.compare.cards import cards_in
from harness.compare.difference import Difference
from harness.compare.explain import explain
from harness.compare.games import Promises, accepted_boards, compare_session
from harness.compare.turns import Turn
from harness.outcome import Outcome
from harness.values import cards
from tests.compare.by_hand import run, shown

START = "2♣ 9♠ K♥\n? {{x}}\nNo.\n? {{s}}\n"


def same_cards(before: Turn, actual: Turn) -> str | None:
    one, other = (sorted(spot.text for spot in cards_in(turn.text)) for turn in (before, actual))
    return None if one == other else f"it holds {', '.join(other)}."


PROMISES: Promises = {lambda turn: turn.typed == "s": same_cards}


def shuffled(board: str) -> str:
    return f"{START}{board}\n? {{{{q}}}}\nBye\n"


EXPECTED = run(shuffled("2♣ K♥ 9♠"), shown=(shown(0, "2C 9S KH"), shown(17, "2C KH 9S")))


def test_the_expected_shuffle_passes_and_needs_no_replay() -> None:
    verdict = compare_session(EXPECTED, EXPECTED, promises=PROMISES)
    assert verdict.outcome is Outcome.PASSED
    assert not verdict.needs_replay
    assert accepted_boards(verdict) == (cards("2C KH 9S"),)


def test_another_shuffle_that_keeps_the_promise_passes_and_hands_over_its_board() -> None:
    actual = run(shuffled("K♥ 9♠ 2♣"), shown=(shown(0, "2C 9S KH"), shown(17, "KH 9S 2C")))
    verdict = compare_session(EXPECTED, actual, promises=PROMISES)
    assert verdict.outcome is Outcome.PASSED
    assert verdict.needs_replay
    assert [promised.number for promised in verdict.promised] == [2]
    assert accepted_boards(verdict) == (cards("KH 9S 2C"),)
    assert compare_session(EXPECTED, actual).outcome is Outcome.WRONG


def test_a_broken_promise_is_told_in_its_own_words() -> None:
    verdict = compare_session(EXPECTED, run(shuffled("K♥ K♥ 2♣")), promises=PROMISES)
    assert verdict.differences == {Difference.BROKEN_PROMISE}
    assert not verdict.needs_replay
    assert accepted_boards(verdict) == ()
    assert "breaks a rule: it holds 2♣, K♥, K♥." in explain(verdict).sentence


def test_a_promise_says_nothing_about_other_turns() -> None:
    actual = run(shuffled("K♥ 9♠ 2♣").replace("Bye", "Tschüs"))
    verdict = compare_session(EXPECTED, actual, promises=PROMISES)
    assert [turn.charged for turn in verdict.turns] == [False, False, False, True]


def test_the_board_before_is_the_last_one_that_was_shown() -> None:
    seen: list[Turn] = []

    def remember(before: Turn, _actual: Turn) -> str | None:
        seen.append(before)
        return None

    text = "2♣\n? {{x}}\nK♥\n? {{y}}\nNo.\n? {{s}}\n9♠\n"
    compare_session(run(text), run(text.replace("9♠", "8♠")), promises={lambda turn: turn.typed == "s": remember})
    drawn = text.replace("♣", "c").replace("♥", "h")
    actual = run(drawn.replace("9♠", "8♠"), shown=(shown(0, "2C"), shown(5, "KH")))
    compare_session(run(drawn), actual, promises={lambda turn: turn.typed == "s": remember})
    assert [turn.number for turn in seen] == [1, 1]
