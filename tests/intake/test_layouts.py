"""Each layout is recognised by itself, and what goes in comes out: sources, ids, names and times."""

from __future__ import annotations

import dataclasses
import zipfile
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from harness.errors import DataError, UsageError
from harness.intake import LAYOUTS as REGISTRY
from harness.intake import Intake, take_in
from harness.intake.find import Wanted
from harness.outcome import Outcome
from tests.intake.classes import DUE, LAYOUTS, NAMED, TIMED, ZONE, Pupil, make_class, zipped

WANTED = Wanted("proj10.py")
SOURCES = (b"print('one')\n", b"print('two')\n", b"print('\xc3\xa9')\n")


def check(intake: Intake, layout: str, made: list[Pupil]) -> None:
    assert intake.layout == layout
    assert len(intake.submissions) == len(made) == 40
    found = {one.id: one for one in intake.submissions}
    assert list(found) == sorted(pupil.id for pupil in made)
    for pupil in made:
        one = found[pupil.id]
        assert (one.outcome, one.source, one.file) == (Outcome.PASSED, pupil.source, "proj10.py"), one
        assert one.submitted_at == (pupil.at if layout in TIMED else None)
        expected = {"canvas": pupil.squeezed}.get(layout, pupil.name) if layout in NAMED else ""
        assert one.name == expected


def test_every_layout_has_a_maker_and_is_described() -> None:
    assert set(LAYOUTS) == set(REGISTRY)
    page = (Path(__file__).parents[2] / "docs" / "layouts.md").read_text(encoding="utf-8")
    assert [name for name in REGISTRY if f"\n## `{name}`" not in page] == []


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_class_of_forty_comes_out_as_it_went_in(layout: str, tmp_path: Path) -> None:
    made = make_class(layout, tmp_path / "class", "proj10.py", SOURCES)
    check(take_in(tmp_path / "class", WANTED, timezone=ZONE), layout, made)
    check(take_in(tmp_path / "class", WANTED, layout, timezone=ZONE), layout, made)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("inside", ["", "class/"])
def test_a_zip_archive_is_read_like_the_folder(layout: str, inside: str, tmp_path: Path) -> None:
    made = make_class(layout, tmp_path / "class", "proj10.py", SOURCES)
    archive = zipped(tmp_path / "class", tmp_path / "class.zip", inside)
    before = sorted(tmp_path.rglob("*"))
    check(take_in(archive, WANTED, timezone=ZONE), layout, made)
    assert sorted(tmp_path.rglob("*")) == before, "nothing is unpacked"


@pytest.mark.parametrize("layout", ["canvas", "moodle", "d2l", "gradescope", "github", "samples"])
def test_an_export_in_a_folder_of_its_own_is_found(layout: str, tmp_path: Path) -> None:
    made = make_class(layout, tmp_path / "class" / "assignment_1_export", "proj10.py", SOURCES)
    check(take_in(tmp_path / "class", WANTED, timezone=ZONE), layout, made)


def test_the_folder_of_one_student_is_not_taken_for_a_class(tmp_path: Path) -> None:
    _write(tmp_path / "class" / "alice" / "src" / "proj10.py")
    assert [one.id for one in take_in(tmp_path / "class", WANTED).submissions] == ["alice"]
    archive = zipped(tmp_path / "class", tmp_path / "other.zip")
    assert [one.id for one in take_in(archive, WANTED).submissions] == ["alice"]


def test_times_without_a_zone_are_told_and_not_used(tmp_path: Path) -> None:
    make_class("d2l", tmp_path, "proj10.py", SOURCES)
    for one in take_in(tmp_path, WANTED).submissions:
        assert one.submitted_at is None
        assert "has no time zone" in one.notes[0]


def test_a_time_is_read_in_the_zone_of_the_caller(tmp_path: Path) -> None:
    _write(tmp_path / "1-2 - Ann Lee - Jul 4, 2022 1201 AM" / "proj10.py")
    (one,) = take_in(tmp_path, WANTED, timezone="Asia/Tokyo").submissions
    assert one.submitted_at is not None
    assert one.submitted_at.isoformat() == "2022-07-04T00:01:00+09:00"


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../etc/passwd", ""])
def test_a_zone_that_does_not_exist_is_refused(zone: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a time zone"):
        take_in(tmp_path, WANTED, timezone=zone)


def test_an_unknown_layout_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no layout 'canvass'; did you mean `canvas`\?.*gradescope"):
        take_in(tmp_path, WANTED, "canvass")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nowhere", "no such folder"),
        ("a.txt", "this is a file"),
        ("empty", "no submissions here"),
        ("bad.zip", "damaged"),
    ],
)
def test_what_is_no_class_is_refused(name: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"x")
    (tmp_path / "bad.zip").write_bytes(b"PK\x03\x04 and then nothing")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=words):
        take_in(tmp_path / name, WANTED)


def test_a_forced_layout_that_fits_nothing_says_so(tmp_path: Path) -> None:
    _write(tmp_path / "alice" / "proj10.py")
    with pytest.raises(UsageError, match="read as a Canvas download, but nothing was handed in"):
        take_in(tmp_path, WANTED, "canvas")


def test_what_lies_beside_is_named_and_not_graded(tmp_path: Path) -> None:
    _write(tmp_path / "alice" / "proj10.py")
    _write(tmp_path / "grades.csv")
    intake = take_in(tmp_path, WANTED)
    assert intake.notes == ("Left out, not submissions: grades.csv.",)
    assert len(intake.submissions) == 1


def test_a_supplied_module_is_nobody_s_submission(tmp_path: Path) -> None:
    _write(tmp_path / "work" / "proj10.py")
    _write(tmp_path / "work" / "cards.py")
    intake = take_in(tmp_path / "work", dataclasses.replace(WANTED, supplied=("cards.py",)))
    assert [one.id for one in intake.submissions] == ["work"]


def test_canvas_says_late_but_not_when(tmp_path: Path) -> None:
    _write(tmp_path / "leeann_LATE_11_500_proj10.py")
    _write(tmp_path / "raybob_12_501_proj10-1.py")
    intake = take_in(tmp_path, WANTED)
    late, on_time = intake.submissions
    assert (late.id, late.name, late.origin) == ("11", "leeann", "leeann_LATE_11_500_proj10.py")
    assert late.notes == ("Canvas marks it as handed in late and does not say by how much.",)
    assert (on_time.id, on_time.outcome) == ("12", Outcome.PASSED)
    assert "Marked as late" in intake.notes[0]


def test_canvas_takes_the_upload_with_the_highest_number(tmp_path: Path) -> None:
    _write(tmp_path / "leeann_11_500_proj10.py", b"first")
    _write(tmp_path / "leeann_11_777_proj10-1.py", b"second")
    _write(tmp_path / "leeann_LATE_11_800_proj10-2.py", b"late")
    (one,) = take_in(tmp_path, WANTED).submissions
    assert one.source == b"second"
    assert "3 versions were handed in; 'leeann_11_777_proj10-1.py' was graded: the last one on time." in one.notes


def test_canvas_takes_the_last_of_several_archives(tmp_path: Path) -> None:
    for number, name in ((500, "work.zip"), (700, "work-1.zip")):
        with zipfile.ZipFile(tmp_path / f"leeann_11_{number}_{name}", "w") as archive:
            archive.writestr("proj10.py", str(number))
    (one,) = take_in(tmp_path, WANTED).submissions
    assert one.source == b"700"


def test_a_moodle_worksheet_is_read_and_not_left_out(tmp_path: Path) -> None:
    make_class("moodle", tmp_path, "proj10.py", SOURCES)
    assert take_in(tmp_path, WANTED, timezone=ZONE).notes == ()
    (tmp_path / "other.csv").write_bytes(b"a,b\n1,2\n")
    assert take_in(tmp_path, WANTED, timezone=ZONE).notes == ("Left out, not submissions: other.csv.",)


def test_moodle_files_without_folders_and_blind_names(tmp_path: Path) -> None:
    _write(tmp_path / "Ann_Marie Lee_17_assignsubmission_file_proj10.py")
    _write(tmp_path / "Participant_18_assignsubmission_file" / "proj10.py")
    _write(tmp_path / "Bob_19_assignsubmission_onlinetext" / "onlinetext.html")
    one, two, three = take_in(tmp_path, WANTED).submissions
    assert (one.id, one.name, one.source, one.files) == ("17", "Ann_Marie Lee", b"x = 1\n", ("proj10.py",))
    assert (two.id, two.name, two.outcome) == ("18", "", Outcome.PASSED)
    assert (three.id, three.outcome) == ("19", Outcome.REJECTED)
    assert "a web page" in three.problem


@pytest.mark.parametrize("order", ["{who}-500", "500-{who}"])
def test_d2l_takes_the_number_that_tells_the_students_apart(order: str, tmp_path: Path) -> None:
    for who, name in (("31", "Ann - Marie Lee"), ("32", "Bob Ray")):
        for day in (28, 29):
            _write(tmp_path / f"{order.format(who=who)} - {name} - Nov {day}, 2022 915 AM" / "proj10.py", b"%d" % day)
    found = take_in(tmp_path, WANTED, timezone=ZONE).submissions
    assert [(one.id, one.name, one.source) for one in found] == [
        ("31", "Ann - Marie Lee", b"29"),
        ("32", "Bob Ray", b"29"),
    ]


def test_d2l_files_without_folders(tmp_path: Path) -> None:
    _write(tmp_path / "31-500 - Ann Lee - Nov 28, 2022 915 PM - proj10.py")
    _write(tmp_path / "31-500 - Ann Lee - Nov 28, 2022 915 PM - notes - old.txt")
    (one,) = take_in(tmp_path, WANTED, timezone=ZONE).submissions
    assert (one.name, one.files, one.outcome) == ("Ann Lee", ("proj10.py",), Outcome.PASSED)


def test_gradescope_groups_and_what_the_metadata_leave_out(tmp_path: Path) -> None:
    (tmp_path / "submission_metadata.yml").write_text(
        "---\nsubmission_1:\n  :submitters:\n  - :name: Ann\n    :sid: '01'\n    :email: a@x.edu\n"
        "  - :name: Bob\n    :sid: \n    :email: b@x.edu\n  :created_at: &1 2022-12-01 04:59:00.5 Z\n"
        "submission_2:\n  :submitters:\n  - :name: Cy\n    :sid: '03'\n    :email: c@x.edu\n  :created_at: *1\n",
        encoding="utf-8",
    )
    _write(tmp_path / "submission_1" / "proj10.py")
    _write(tmp_path / "submission_9" / "proj10.py")
    ann, cy, bob, nine = take_in(tmp_path, WANTED).submissions
    assert (ann.id, bob.id, ann.source) == ("01", "b@x.edu", bob.source)
    assert ann.notes == ("Handed in together with Bob.",)
    assert ann.submitted_at == DUE.astimezone(ZoneInfo("UTC"))
    assert (cy.id, cy.outcome, cy.submitted_at) == ("03", Outcome.MISSING, ann.submitted_at)
    assert nine.id == "submission_9"
    assert "says nothing about" in nine.notes[0]


def test_gradescope_metadata_that_name_nobody_are_refused(tmp_path: Path) -> None:
    (tmp_path / "submission_metadata.yml").write_text("[]\n", encoding="utf-8")
    with pytest.raises(DataError, match="it names no submissions"):
        take_in(tmp_path, WANTED)


def test_gradescope_without_metadata_is_refused(tmp_path: Path) -> None:
    _write(tmp_path / "alice" / "proj10.py")
    with pytest.raises(DataError, match=r"submission_metadata\.yml: there is no such file in the folder"):
        take_in(tmp_path, WANTED, "gradescope")


def test_gradescope_metadata_that_are_a_link_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "submission_metadata.yml").symlink_to("/etc/passwd")
    with pytest.raises(DataError, match="is a link"):
        take_in(tmp_path, WANTED)


def _write(path: Path, source: bytes = b"x = 1\n") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(source)
