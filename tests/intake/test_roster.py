"""Class lists and extensions: whatever their columns are called, strictly, with the line of every fault."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import DataError, UsageError
from harness.intake import take_in
from harness.intake.extensions import read_extensions
from harness.intake.find import Wanted
from harness.intake.roster import read_roster
from harness.intake.table import parse
from harness.outcome import Outcome
from tests.intake.classes import LAYOUTS, make_class

WANTED = Wanted("proj10.py")
ZONE = "America/Detroit"
DUE = datetime(2022, 11, 30, 23, 59, tzinfo=ZoneInfo(ZONE))


def written(tmp_path: Path, text: str, name: str = "roster.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def class_of(tmp_path: Path, *ids: str) -> Path:
    for one in ids:
        (tmp_path / "class" / one).mkdir(parents=True)
        (tmp_path / "class" / one / "proj10.py").write_text(one, encoding="utf-8")
    return tmp_path / "class"


def faults(path: Path) -> list[str]:
    with pytest.raises(DataError) as caught:
        read_roster(path)
    return [str(fault).removeprefix(f"{path}:") for fault in caught.value.faults]


def test_rows_are_the_roster_and_the_folders(tmp_path: Path) -> None:
    roster = read_roster(written(tmp_path, 'id,name\nann,Ann Lee\nbob,"Ray, Bob"\ncy,Cy\n'))
    intake = take_in(class_of(tmp_path, "ann", "cy", "zed"), WANTED, roster=roster)
    rows = {one.id: one for one in intake.submissions}
    assert list(rows) == ["ann", "bob", "cy", "zed"]
    assert (rows["ann"].name, rows["ann"].notes, rows["ann"].outcome) == ("Ann Lee", (), Outcome.PASSED)
    assert (rows["bob"].name, rows["bob"].outcome) == ("Ray, Bob", Outcome.MISSING)
    assert (
        rows["bob"].problem
        == "Nothing was handed in: proj10.py was expected. The class list names this student, but there was no submission."
    )
    assert rows["zed"].notes == ("'zed' is not on the class list.",)
    assert intake.notes == (
        "The class list has 3 students; 1 of them handed in nothing.",
        "Not on the class list: 'zed'.",
    )


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("ID,Name", "17,Ann Lee"),
        ("Student ID;Full name", "17;Ann Lee"),
        ("sid\tfirst_name\tlast_name", "17\tAnn\tLee"),
        ("OrgDefinedId,Username,Last Name,First Name,End-of-Line Indicator", "#17,#alee,Lee,Ann,#"),
        ("Identifier,Full name,Status", "Participant 17,Ann Lee,"),
        ("\ufeffStudent,ID,SIS User ID,SIS Login ID,Section", '"Lee, Ann",17,s1,alee,01'),
    ],
)
def test_the_columns_of_every_system_are_known(header: str, row: str, tmp_path: Path) -> None:
    (student,) = read_roster(written(tmp_path, f"{header}\n{row}\n")).students
    assert (student.id, student.name.replace(",", "").split()) in [("17", ["Ann", "Lee"]), ("17", ["Lee", "Ann"])]
    assert student.line == 2


def test_the_row_of_points_in_a_canvas_export_is_no_student(tmp_path: Path) -> None:
    text = 'Student,ID,Section\n    Points Possible,,\n"Lee, Ann",17,01\n'
    assert [one.id for one in read_roster(written(tmp_path, text)).students] == ["17"]


def test_another_column_or_the_name_will_do(tmp_path: Path) -> None:
    text = "id,name,login,github\n1,Ann Lee,alee,Ann-L\n2,Bob Ray,bray,bobby\n3,Cy Öz,,\n4,Dan Fox,,\n5,Dan Fox,,\n"
    roster = read_roster(written(tmp_path, text))
    folder = tmp_path / "d2l"
    for number, name in ((71, "Cy Öz"), (72, "Dan Fox")):
        (folder / f"{number}-9 - {name} - Nov 30, 2022 1159 PM").mkdir(parents=True)
    found = {one.id: one for one in take_in(folder, WANTED, roster=roster, timezone=ZONE).submissions}
    assert found["3"].notes[0] == "Handed in as '71'; the class list was matched by the name 'Cy Öz'."
    assert "72" in found, "a name that two students have names nobody"
    (folder / "73-9 - Cy Öz - Nov 30, 2022 1159 PM").mkdir()
    ids = {one.id for one in take_in(folder, WANTED, roster=roster, timezone=ZONE).submissions}
    assert {"71", "73"} <= ids, "nor does one that two have who handed in"
    found = {one.id: one for one in take_in(class_of(tmp_path, "ALEE", "bobby"), WANTED, roster=roster).submissions}
    assert (found["1"].source, found["2"].source) == (b"ALEE", b"bobby")
    assert found["1"].notes == ("Handed in as 'ALEE'.",)


def test_repositories_are_matched_by_the_user_s_name_whatever_it_begins_with(tmp_path: Path) -> None:
    for name in ("proj-mary-ann", "proj-mary-lou"):
        (tmp_path / "class" / name / ".git").mkdir(parents=True)
    plain = take_in(tmp_path / "class", WANTED)
    assert [one.id for one in plain.submissions] == ["ann", "lou"]
    roster = read_roster(written(tmp_path, "id,github username\n1,Mary-Ann\n2,mary-lou\n"))
    assert [one.id for one in take_in(tmp_path / "class", WANTED, roster=roster).submissions] == ["1", "2"]


def test_a_student_found_under_two_ids_is_not_graded_by_chance(tmp_path: Path) -> None:
    roster = read_roster(written(tmp_path, "id,login\n1,alee\n"))
    (one,) = take_in(class_of(tmp_path, "1", "alee"), WANTED, roster=roster).submissions
    assert one.outcome is Outcome.AMBIGUOUS


@pytest.mark.parametrize("layout", LAYOUTS)
def test_counts_add_up_in_every_layout(layout: str, tmp_path: Path) -> None:
    made = make_class(layout, tmp_path / "class", "proj10.py", (b"x = 1\n",))
    on_list = [pupil.id for pupil in made[:35]] + ["absent-1", "absent-2"]
    roster = read_roster(written(tmp_path, "id\n" + "\n".join(on_list) + "\n"))
    rows = take_in(tmp_path / "class", WANTED, timezone=ZONE, roster=roster).submissions
    assert {one.id for one in rows} == {pupil.id for pupil in made} | {"absent-1", "absent-2"}
    assert len(rows) == 42
    assert sum("is not on the class list" in "".join(one.notes) for one in rows) == 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "1: the file is empty; its first line names the columns"),
        ("name\nAnn\n", "1: no column says who the students are"),
        ("id,name\n1,Ann\n\n,Bob\n", "4: id: the cell is empty; every student needs an id"),
        ("id,name\nann,A\nbob,B\nANN,C\n", "4: id: 'ANN' stands here for the second time; it is also on line 2"),
        ("id,name\n1,Lee, Ann\n", "2: 3 cells where there are 2 columns; put a name with a comma in quotes"),
        ("id,id\n1,2\n", "1: id: the column stands here twice; remove one"),
        ('id,name\n1,"Ann\n', "2: not CSV"),
        ('id,name\n1,"two\nlines"\n,x\n', "4: id: the cell is empty"),
        ("id,name\n", "1: there are no students in it"),
    ],
)
def test_faults_have_their_line(text: str, expected: str, tmp_path: Path) -> None:
    assert faults(written(tmp_path, text))[0].startswith(expected)


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    assert len(faults(written(tmp_path, "id,name\n,A\n1,B\n1,C\n,D\n"))) == 3


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_bytes(b"id,name\n1,Jos\xe9\n")
    assert faults(tmp_path / "roster.csv") == ["2: this is not UTF-8 text; save it as CSV UTF-8"]
    with pytest.raises(UsageError, match="no such file"):
        read_roster(tmp_path / "nowhere.csv")


@given(st.binary(max_size=80) | st.text(alphabet='id,;\t\n\r"a1 ', max_size=80).map(str.encode))
def test_no_bytes_make_a_table_fail(data: bytes) -> None:
    try:
        table = parse("t.csv", data)
    except DataError:
        return
    assert all(set(row.cells) == set(table.columns) for row in table.rows)


def extended(tmp_path: Path, text: str) -> Path:
    return written(tmp_path, text, "extensions.csv")


def test_an_extension_moves_what_is_on_time(tmp_path: Path) -> None:
    for who, name in (("1", "Ann Lee"), ("2", "Bob Ray")):
        for day in ("Nov 30, 2022 900 PM", "Dec 1, 2022 900 PM"):
            (tmp_path / "class" / f"{who}-9 - {name} - {day}").mkdir(parents=True)
            (tmp_path / "class" / f"{who}-9 - {name} - {day}" / "proj10.py").write_text(day, encoding="utf-8")
    extensions = read_extensions(extended(tmp_path, "id,hours\n1,24\n"), ZONE)
    intake = take_in(tmp_path / "class", WANTED, timezone=ZONE, due=DUE, extensions=extensions)
    ann, bob = intake.submissions
    assert (ann.source, bob.source) == (b"Dec 1, 2022 900 PM", b"Nov 30, 2022 900 PM")
    assert ann.notes[-1] == "This student has more time: until 2022-12-01 23:59 EST."
    assert dict(intake.extensions) == {"1": timedelta(hours=24)}


def test_until_a_time_and_by_the_roster_s_other_ids(tmp_path: Path) -> None:
    roster = read_roster(written(tmp_path, "id,login\n1,alee\n2,bray\n3,cy\n"))
    text = "id,until,hours\nALEE,2022-12-02 23:59,\n2,,1.5\n3,2022-11-01 00:00,\n"
    extensions = read_extensions(extended(tmp_path, text), ZONE)
    intake = take_in(class_of(tmp_path, "1"), WANTED, due=DUE, roster=roster, extensions=extensions)
    assert dict(intake.extensions) == {"1": timedelta(days=2), "2": timedelta(minutes=90), "3": timedelta(0)}


def test_an_extension_for_nobody_is_an_error_with_its_line(tmp_path: Path) -> None:
    extensions = read_extensions(extended(tmp_path, "id,hours\nann,24\n\nbob,2\nann,3\n"))
    with pytest.raises(DataError) as caught:
        take_in(class_of(tmp_path, "ann"), WANTED, due=DUE, extensions=extensions)
    assert [str(fault).partition("extensions.csv:")[2] for fault in caught.value.faults] == [
        "4: id: there is no student 'bob'; the student is neither on the class list nor among the submissions",
        "5: id: 'ann' has two extensions; remove one",
    ]


def test_extensions_need_a_due_time(tmp_path: Path) -> None:
    extensions = read_extensions(extended(tmp_path, "id,hours\nann,24\n"))
    with pytest.raises(UsageError, match="extensions need a due time"):
        take_in(class_of(tmp_path, "ann"), WANTED, extensions=extensions)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id\n1\n", "1: until: the column is missing"),
        ("hours\n1\n", "1: id: the column is missing"),
        ("id,hours,minutes\n1,2,3\n", "1: minutes: unknown column"),
        ("id,hours\n1,-2\n", "2: hours: '-2' is not a number of hours"),
        ("id,hours\n1,0\n", "2: hours: '0' is not"),
        ("id,hours\n1,99999\n", "2: hours: '99999' is not"),
        ("id,hours\n1,1e3\n", "2: hours: '1e3' is not"),
        ("id,hours\n,1\n", "2: id: the cell is empty"),
        ("id,until\n1,tomorrow\n", "2: until: 'tomorrow' is not a time"),
        ("id,until\n1,2022-12-02\n", "2: until: '2022-12-02' is not a time"),
        ("id,until\n1,2022-12-02 10:00\n", "2: until: '2022-12-02 10:00' has no time zone"),
        ("id,until,hours\n1,,\n", "2: until: there is neither"),
        ("id,until,hours\n1,2022-12-02 10:00Z,3\n", "2: until: there is both"),
    ],
)
def test_faults_of_extensions_have_their_line(text: str, expected: str, tmp_path: Path) -> None:
    path = extended(tmp_path, text)
    with pytest.raises(DataError) as caught:
        read_extensions(path)
    assert str(caught.value).removeprefix(f"{path}:").startswith(expected)
