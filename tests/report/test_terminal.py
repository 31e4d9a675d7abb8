"""What people read in a terminal."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings

from harness.compare.drawing import width_of
from harness.outcome import Outcome
from harness.record import Json
from harness.report import Report, render
from harness.report.terminal import class_table, student_text
from harness.verdict import Detail
from tests.report import samples
from tests.report.strategies import classes, records

Golden = Callable[[str, str], None]
SPECIAL = samples.special()


def test_class_table(golden: Golden) -> None:
    golden("class.txt", class_table(SPECIAL))


@pytest.mark.parametrize("place", range(len(SPECIAL)))
def test_student_text(place: int, golden: Golden) -> None:
    golden(f"student-{place}.txt", student_text(SPECIAL[place], title=samples.TITLE))


def test_ascii_only(golden: Golden) -> None:
    text = student_text(SPECIAL[2], title=samples.TITLE, ascii_only=True, width=80)
    assert text.isascii()
    golden("student-ascii.txt", text)


def test_render_gives_the_class_to_staff_and_each_text_to_its_student() -> None:
    assert set(render("terminal", Report("T", "t", SPECIAL))) == {"summary.txt"}
    assert len(render("terminal", Report("T", "t", SPECIAL, audience="student"))) == len(SPECIAL)


def test_failures_come_before_passes_and_every_line_is_named() -> None:
    text = student_text(SPECIAL[4])
    assert text.index("Game 1") < text.index("Deal the castle 5/5")
    for item in SPECIAL[4]["items"]:
        assert item["title"] in " ".join(text.split())


def test_one_broken_file_is_explained_once() -> None:
    assert student_text(SPECIAL[3]).count("Python cannot read proj10.py") == 1


def test_each_part_shows_its_own_failure() -> None:
    text = student_text(samples.record("x", samples.BOARD_ONLY))
    assert "✓ Deal the castle 5/5, is_legal 8/8, move: Boolean return 3/3" in text
    assert "✗ move: The board afterwards" in text
    assert "✗ move: Boolean return" not in text


def test_texts_that_look_alike_are_shown_with_their_blanks() -> None:
    text = student_text(SPECIAL[8])
    assert "Thank·you·for·playing. ≠ Thank·you··for·playing.·" in text


def test_the_same_text_twice_is_not_shown_at_all() -> None:
    same = samples.fails("calls/deal", "It differs.", detail=Detail(expected="X", actual="X"))
    assert "expected" not in student_text(samples.record("x", same))


def test_a_drawn_game_is_shown_as_it_was_drawn() -> None:
    drawn = "expected │ your program\na        ≠ b"
    game = samples.fails("session/test-1", "At the start, it differs.", detail=Detail(actual=drawn))
    text = student_text(samples.record("x", game))
    assert "What is printed then:\n  │ expected │ your program\n  │ a        ≠ b\n" in text
    assert "Your program:" not in text


def test_all_findings_of_a_rule_are_listed() -> None:
    found = Detail(tried="reading the source", actual="line 3: tab\nline 9: tab", line=3)
    text = student_text(samples.record("x", samples.fails("style/names", "Line 3: tab", detail=found)))
    assert "Where:\n  │ line 3: tab\n  │ line 9: tab" in text
    assert "reading the source" not in text


def test_what_costs_nothing_is_told() -> None:
    told = samples.fails(
        "session/test-1", "", outcome=Outcome.PASSED, notes=("The prompt differs; nothing is deducted.",)
    )
    assert "· The prompt differs; nothing is deducted." in student_text(samples.record("x", told))


def test_only_one_line() -> None:
    text = student_text(SPECIAL[4], only="style")
    assert "Coding standard" in text
    assert "Game" not in text
    assert student_text(SPECIAL[4], only="deal").split() == ["✓", "Deal", "the", "castle", "5/5"]


def test_verbose_gives_each_pass_a_row() -> None:
    text = student_text(SPECIAL[0], verbose=True)
    assert len([row for row in text.splitlines() if row.startswith("✓")]) == 8


def test_a_fault_of_ours_is_never_a_zero() -> None:
    text = student_text(SPECIAL[7])
    assert "not graded yet" in text
    assert "Points:" not in text
    row = next(row for row in class_table(SPECIAL).splitlines() if row.startswith("oscar"))
    assert row.split()[1] == "?"


@settings(max_examples=40)
@given(classes)
def test_a_row_for_each_submission(class_: list[Json]) -> None:
    rows = class_table(class_).split("\n")
    assert len([row for row in rows[2:] if row.strip()]) - len(rows[rows.index("", 2) + 1 :]) == len(class_)
    assert rows[rows.index("", 2) + 1].startswith(f"{len(class_)} submission")


@given(records())
def test_any_text_is_harmless_in_a_terminal(record: Json) -> None:
    for audience in ("staff", "student"):
        text = student_text(record, audience=audience)
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u200b\ud800-\udfff]", text)
        assert not any(line.strip().startswith("::") for line in text.split("\n"))
        assert student_text(record, ascii_only=True).isascii()


def test_lines_fit_the_width_unless_a_block_is_wider() -> None:
    for record in SPECIAL[:9]:
        for line in student_text(record, width=88).split("\n"):
            assert width_of(line) <= 88
