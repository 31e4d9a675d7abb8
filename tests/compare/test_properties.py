"""What must hold for every game: properties over generated ones."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.compare.cards import cards_in
from harness.compare.explain import explain
from harness.compare.games import compare_session
from harness.compare.views import parse_view
from harness.outcome import Outcome
from harness.values import DECK, card_text
from tests.compare.by_hand import run

CARD_VIEW = "tokens (?:10|[2-9AJQK])[♣♦♥♠]"
VIEWS = ["screen", "exact", r"lines ^\d:", CARD_VIEW, "state"]
CARDS = st.sampled_from([card_text(code) for code in DECK])
ROWS = st.lists(CARDS, min_size=1, max_size=5).map(" ".join)
BOARDS = st.lists(ROWS, min_size=1, max_size=4).map(
    lambda rows: "".join(f"{number}: {row}\n" for number, row in enumerate(rows))
)
ANSWERS = st.one_of(BOARDS, st.sampled_from(["Invalid move.\n", "", "\n\n", "Error: no\n  try again\n"]))


@st.composite
def games(draw: st.DrawFn) -> str:
    """A game whose opening shows a board, so that there is at least one card."""
    answers = [draw(BOARDS), *draw(st.lists(ANSWERS, max_size=5))]
    asks = [draw(st.sampled_from(["? ", "Your move: ", "Again (y/n)?"])) for _ in answers]
    turns = (f"{answer}{ask}{{{{{number}}}}}\n" for number, (answer, ask) in enumerate(zip(answers, asks, strict=True)))
    return "".join(turns) + "Bye\n"


@given(games(), st.sampled_from(VIEWS))
def test_a_game_set_beside_itself_passes_under_every_view(game: str, view: str) -> None:
    verdict = compare_session(run(game), run(game), view=parse_view(view))
    assert verdict.outcome is Outcome.PASSED
    assert verdict.share == 1
    assert len(verdict.turns) == game.count("{{") + 1


@given(games(), st.data())
def test_blank_lines_and_blanks_at_line_ends_never_fail_the_screen(game: str, data: st.DataObject) -> None:
    lines = game.split("\n")
    place = data.draw(st.integers(0, len(lines) - 1))
    blank = "\n".join([*lines[:place], data.draw(st.sampled_from(["", "   ", "\t"])), *lines[place:]])
    assert compare_session(run(game), run(blank)).outcome is Outcome.PASSED
    if not lines[place].endswith("}}"):
        lines[place] += "  "
    assert compare_session(run(game), run("\n".join(lines))).outcome is Outcome.PASSED


@given(games(), st.data(), st.sampled_from(["screen", "exact", r"lines ^\d:", CARD_VIEW]))
def test_a_card_that_is_missing_always_fails(game: str, data: st.DataObject, view: str) -> None:
    spots = [(row, spot) for row, line in enumerate(game.split("\n")) for spot in cards_in(line)]
    row, spot = data.draw(st.sampled_from(spots))
    lines = game.split("\n")
    lines[row] = lines[row][: spot.start] + lines[row][spot.end :]
    verdict = compare_session(run(game), run("\n".join(lines)), view=parse_view(view))
    assert verdict.outcome is Outcome.WRONG
    assert not verdict.lost_only_to()
    assert sum(turn.charged for turn in verdict.turns) == 1


@given(games(), st.data())
def test_one_line_too_many_spoils_one_turn_only(game: str, data: st.DataObject) -> None:
    lines = game.split("\n")
    place = data.draw(st.integers(0, len(lines) - 1))
    verdict = compare_session(run(game), run("\n".join([*lines[:place], "DEBUG here", *lines[place:]])))
    assert [turn.charged for turn in verdict.turns].count(True) == 1
    assert 0 <= verdict.share < 1


@given(games(), games(), st.sampled_from(VIEWS), st.booleans())
def test_any_two_games_are_judged_and_explained(one: str, other: str, view: str, ascii_only: bool) -> None:
    verdict = compare_session(run(one), run(other), view=parse_view(view))
    assert (verdict.outcome is Outcome.PASSED) == (verdict.first_wrong is None)
    assert (verdict.share == 1) == (verdict.outcome is Outcome.PASSED)
    text = explain(verdict, ascii_only=ascii_only).text
    assert text
    assert not ascii_only or text.isascii()


@given(games(), games(), st.lists(st.integers(0, 6), max_size=4))
def test_leaving_turns_ungraded_never_makes_a_right_turn_wrong(one: str, other: str, ungraded: list[int]) -> None:
    strict = compare_session(run(one), run(other)).turns
    lenient = compare_session(run(one), run(other), ungraded=ungraded).turns
    assert all(before.charged >= after.charged for before, after in zip(strict, lenient, strict=True))


@given(games(), games())
def test_what_is_not_judged_can_only_help(one: str, other: str) -> None:
    strict = compare_session(run(one), run(other))
    for more in ({"prompts": "told"}, {"free": ["^Error"]}, {"supplied_text": ["Invalid move."]}):
        lenient = compare_session(run(one), run(other), **more)
        assert strict.outcome is not Outcome.PASSED or lenient.outcome is Outcome.PASSED


MANY = 50_000


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("".join(f"row {n}\n" for n in range(MANY)), "".join(f"row {n}!\n" for n in range(MANY))),
        ("same\n" * MANY, "same\n" * (MANY - 9) + "other\n" + "same\n" * 30),
        ("a\nb\n" * (MANY // 2), "b\na\na\n" * (MANY // 3)),
        ("".join(f"{n}\n? {{{{x}}}}\n" for n in range(5_000)), "".join(f"{n}.\n? {{{{x}}}}\n" for n in range(5_000))),
        ("x" * 1_000_000, "x" * 999_999 + "y"),
        ("5♠ 6♥\n" * MANY, "5♠ 6♦\n" * MANY),
    ],
)
def test_fifty_thousand_nearly_equal_lines_do_not_hang_it(expected: str, actual: str) -> None:
    one, other = run(expected), run(actual)
    start = time.process_time()
    for view in ("screen", CARD_VIEW):
        verdict = compare_session(one, other, view=parse_view(view), supplied_text=["a menu of\nthree words"])
        assert explain(verdict).text
    assert time.process_time() - start < 20
