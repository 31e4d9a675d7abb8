"""Files of Canvas, Moodle and Brightspace, filled in without a guess."""

from __future__ import annotations

import csv
import io
from fractions import Fraction

import hypothesis.strategies as st
import pytest
from hypothesis import given

from harness.errors import UsageError
from harness.export import SYSTEMS, fill
from harness.policy import Adjustment
from harness.record import Json
from tests.report import samples

CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,HW9 (12344),HW10 (12345),Final Score\r\n"
    ",,,,,Manual Posting,,\r\n"
    "    Points Possible,,,,,10,40,(read only)\r\n"
    '"Lovelace, Ada",991,,ada,01,7,,88.5\r\n'
    '"Bartók, Béla",992,S-2,bela,01,8,3,70\r\n'
    '"Shaw, Carol",993,,cshaw,01,9,EX,71\r\n'
    '"Nobody, Nina",994,,nina,01,,,0\r\n'
)
MOODLE = (
    "\ufeffIdentifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,Last modified (grade),Feedback comments\n"
    '"Participant 991","Ada Lovelace",ada@u.edu,Submitted,,100.00,Yes,-,\n'
    '"Participant 992","Béla Bartók",bela@u.edu,Submitted,"3.00",100.00,Yes,"Monday, 3 May 2021, 3:00 PM","say ""hi"""\n'
    '"Participant 993","Carol Shaw",carol@u.edu,Submitted,,100.00,No,-,\n'
)
D2L = (
    "\ufeffOrgDefinedId;Username;HW9 Points Grade <Numeric MaxPoints:10>;HW10 Points Grade <Numeric MaxPoints:40 Weight:5>;End-of-Line Indicator\r\n"
    "#1001;#ada;7,5;;#\r\n"
    "#1002;#bela;8;3;#\r\n"
)
FILES = {"canvas": CANVAS, "moodle": MOODLE, "d2l": D2L}
COLUMNS = {"canvas": "12345", "moodle": "Grade", "d2l": "HW10"}


def rows(text: str, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=delimiter))


def half(name: str, **more: object) -> Json:
    """A student with 31.125 points."""
    less = Adjustment("late", Fraction(-79, 8), "Late.")
    return samples.record(name, samples.NO_UNDO, adjustments=[Adjustment("x", Fraction(1), "x"), less], **more)  # type: ignore[arg-type]


def test_canvas_fills_one_column_and_leaves_the_rest() -> None:
    filled = fill("canvas", CANVAS, [samples.record("ada"), half("992")], "12345")
    assert filled.text == CANVAS.replace("ada,01,7,,88.5", "ada,01,7,43,88.5").replace(
        "bela,01,8,3,70", "bela,01,8,31.13,70"
    )
    assert filled.matched == (("ada", "Lovelace, Ada", "43"), ("992", "Bartók, Béla", "31.13"))
    assert filled.unknown_here == ("Shaw, Carol", "Nobody, Nina")
    assert (filled.unknown_there, filled.ambiguous, filled.notes) == ((), (), ())


@pytest.mark.parametrize("column", ["12345", "HW10", "hw10", "HW10 (12345)"])
def test_canvas_knows_a_column_by_number_title_or_heading(column: str) -> None:
    assert len(fill("canvas", CANVAS, [samples.record("ada")], column).matched) == 1


@pytest.mark.parametrize(
    ("submission_id", "name"),
    [("S-2", ""), ("BELA", ""), ("x", "Bartók, Béla"), ("x", "Béla Bartók"), ("x", "Be\u0301la Barto\u0301k")],
)
def test_canvas_finds_a_student_by_any_id_or_the_exact_name(submission_id: str, name: str) -> None:
    filled = fill("canvas", CANVAS, [samples.record(submission_id, name=name)], "12345")
    assert [match[1] for match in filled.matched] == ["Bartók, Béla"]


@pytest.mark.parametrize(
    ("submission_id", "name"), [("bel", ""), ("x", "Béla"), ("x", "Bela Bartok"), ("", ""), ("Points Possible", "")]
)
def test_canvas_does_not_guess(submission_id: str, name: str) -> None:
    filled = fill("canvas", CANVAS, [samples.record(submission_id, name=name)], "12345")
    assert filled.text == CANVAS
    assert filled.unknown_there == (submission_id,)


def test_canvas_keeps_who_is_excused() -> None:
    filled = fill("canvas", CANVAS, [samples.record("993")], "12345")
    assert filled.text == CANVAS
    assert filled.kept == ("Shaw, Carol: excused (EX)",)


def test_canvas_says_if_the_column_is_worth_something_else() -> None:
    assert "out of 10 there and out of 40 here" in fill("canvas", CANVAS, [samples.record("ada")], "HW9").notes[0]


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        (CANVAS, None, "say which column is to be filled: 'HW9 \\(12344\\)', 'HW10 \\(12345\\)'"),
        (CANVAS, "HW1", "no assignment is called 'HW1'"),
        (CANVAS, "Section", "no assignment is called 'Section'"),
        (CANVAS.replace("HW9", "HW10"), "HW10", "several columns are called 'HW10'; name one by its number"),
        (CANVAS.replace(",10,40,", ",10,(read only),"), "12345", "read only"),
        (CANVAS.replace("Points Possible", "x"), "12345", "Points Possible"),
        ("a,b,c,d\n1,2,3,4\n", "12345", "no gradebook of Canvas"),
    ],
)
def test_canvas_refuses(text: str, column: str | None, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        fill("canvas", text, [samples.record("ada")], column)


def test_two_records_for_one_row_fill_neither() -> None:
    filled = fill("canvas", CANVAS, [samples.record("ada"), samples.record("991")], "12345")
    assert filled.text == CANVAS
    assert filled.ambiguous == ("ada", "991")


def test_two_rows_for_one_record_stay_empty() -> None:
    twice = CANVAS.replace("Nobody, Nina", "Lovelace, Ada")
    filled = fill("canvas", twice, [samples.record("x", name="Ada Lovelace")], "12345")
    assert filled.text == twice
    assert filled.ambiguous == ("x",)


def test_moodle_fills_the_worksheet() -> None:
    filled = fill("moodle", MOODLE, [samples.record("991"), half("bela@u.edu"), samples.record("993")])
    assert filled.text == MOODLE.replace("ada@u.edu,Submitted,,", "ada@u.edu,Submitted,43,").replace(
        '"3.00"', '"31.125"'
    )
    assert filled.kept == ("Carol Shaw: Moodle says that the grade cannot be changed",)
    assert "out of 100 there and out of 40 here" in filled.notes[0]


def test_moodle_leaves_out_what_would_stop_its_import() -> None:
    small = MOODLE.replace("100.00", "40.00")
    filled = fill("moodle", small, [samples.record("991")])
    assert filled.text == small
    assert filled.kept == ("Ada Lovelace: 43 is more than the maximum there",)


def test_moodle_writes_a_decimal_comma_where_the_file_has_one() -> None:
    text = "Identifier;Full name;Grade;Maximum grade\nParticipant 7;Jo;;100,00\n"
    assert fill("moodle", text, [half("7")]).text.endswith("Jo;31,125;100,00\n")


def test_moodle_fills_the_gradebook_too() -> None:
    text = "First name,Last name,ID number,Email address,Assignment: HW10 (Real)\nAda,Lovelace,77,ada@u.edu,-\nJo,Doe,78,jo@u.edu,-\n"
    filled = fill("moodle", text, [samples.record("77"), samples.record("x", name="Jo Doe")], "Assignment: HW10 (Real)")
    assert filled.text == text.replace("ada@u.edu,-", "ada@u.edu,43").replace("jo@u.edu,-", "jo@u.edu,43")


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        (MOODLE, "Note", "no column is called 'Note'"),
        ("First name,Email address,HW10\nA,b,c\n", None, "say which column"),
        ("Kennung,Bewertung\nTeilnehmer 1,\n", "Bewertung", "download it in English"),
    ],
)
def test_moodle_refuses(text: str, column: str | None, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        fill("moodle", text, [samples.record("991")], column)


def test_d2l_fills_an_item() -> None:
    filled = fill("d2l", D2L, [samples.record("ada"), half("1002")], "HW10")
    assert filled.text == D2L.replace("7,5;;#", "7,5;43;#").replace("8;3;#", "8;31,13;#")
    assert [match[1] for match in filled.matched] == ["1001", "1002"]


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        (D2L, None, "say which item is to be filled: 'HW9', 'HW10'"),
        (D2L, "HW1", "no item is called 'HW1'; there are: 'HW9', 'HW10'"),
        ("a,b\n1,2\n", "HW1", "no grade book of Brightspace"),
    ],
)
def test_d2l_refuses(text: str, column: str | None, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        fill("d2l", text, [samples.record("ada")], column)


def test_an_unknown_system_is_refused() -> None:
    with pytest.raises(UsageError, match="known: canvas, moodle, d2l"):
        fill("blackboard", CANVAS, [])


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_not_final_is_not_written(system: str) -> None:
    waiting, fault = samples.record("991", manual=None), samples.record("bela", samples.INTERNAL)
    waiting["submission"]["id"] = "ada" if system == "d2l" else "991"
    filled = fill(system, FILES[system], [waiting, fault], COLUMNS[system])
    assert filled.text == FILES[system]
    assert filled.waiting == (waiting["submission"]["id"],)
    assert filled.unscored == ("bela",)
    partial = fill(system, FILES[system], [waiting, fault], COLUMNS[system], partial=True)
    assert [match[2] for match in partial.matched] == ["39"]
    assert partial.unscored == ("bela",)


@pytest.mark.parametrize("system", SYSTEMS)
@given(names=st.lists(st.sampled_from(["991", "992", "ada", "bela", "1001", "x", "=1", "Béla Bartók"]), unique=True))
def test_every_record_and_every_row_is_accounted_for(system: str, names: list[str]) -> None:
    filled = fill(system, FILES[system], [samples.record(name) for name in names], COLUMNS[system])
    assert sorted([*(match[0] for match in filled.matched), *filled.unknown_there, *filled.ambiguous]) == sorted(names)
    delimiter = ";" if system == "d2l" else ","
    before, after = rows(FILES[system], delimiter), rows(filled.text, delimiter)
    changed = [(one, other) for one, other in zip(before, after, strict=True) if one != other]
    assert len(changed) <= len(filled.matched)
    assert all(sum(a != b for a, b in zip(one, other, strict=True)) == 1 for one, other in changed)
