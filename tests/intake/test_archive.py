"""Archives of students and of classes: looked into, never unpacked, refused when they are not what they should be."""

from __future__ import annotations

import io
import stat
import struct
import warnings
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import UsageError
from harness.intake import take_in
from harness.intake.archive import student_archive
from harness.intake.find import Wanted
from harness.intake.items import Item, Kind, UnreadableError
from harness.outcome import Outcome
from harness.submission import Submission

WANTED = Wanted("proj10.py")


def packed(*members: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w", method) as archive:
        warnings.simplefilter("ignore")
        for name, data in members:
            archive.writestr(name, data)
    return stream.getvalue()


def special(name: str, form: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = (form | 0o777) << 16
    return info


def student(tmp_path: Path, data: bytes, name: str = "proj10.zip") -> Submission:
    (tmp_path / "class" / "alice").mkdir(parents=True, exist_ok=True)
    (tmp_path / "class" / "alice" / name).write_bytes(data)
    (one,) = take_in(tmp_path / "class", WANTED, "folders").submissions
    return one


def test_a_student_s_archive_is_looked_into(tmp_path: Path) -> None:
    one = student(tmp_path, packed(("work/proj10.py", b"x = 1\n"), ("__MACOSX/work/._proj10.py", b"\0")))
    assert (one.outcome, one.source, one.files) == (Outcome.PASSED, b"x = 1\n", ("proj10.zip/work/proj10.py",))
    assert one.notes == ("The file was taken from the archive 'proj10.zip'.",)


def test_a_near_miss_in_an_archive_with_windows_separators(tmp_path: Path) -> None:
    one = student(tmp_path, packed(("work\\Proj10.py", b"x = 1\n")))
    assert (one.outcome, one.files) == (Outcome.PASSED, ("proj10.zip/work/Proj10.py",))


def test_an_archive_per_student_in_one_folder(tmp_path: Path) -> None:
    for name in ("ann", "bob"):
        (tmp_path / f"{name}.zip").write_bytes(packed(("proj10.py", name.encode())))
    intake = take_in(tmp_path, WANTED)
    assert (intake.layout, [(one.id, one.source) for one in intake.submissions]) == (
        "flat",
        [("ann", b"ann"), ("bob", b"bob")],
    )


def test_a_canvas_upload_that_is_an_archive(tmp_path: Path) -> None:
    (tmp_path / "leeann_11_500_work.zip").write_bytes(packed(("proj10.py", b"x = 1\n")))
    (one,) = take_in(tmp_path, WANTED).submissions
    assert (one.id, one.outcome) == ("11", Outcome.PASSED)


@pytest.mark.parametrize(
    "name",
    [
        "../proj10.py",
        "a/../../proj10.py",
        "/proj10.py",
        "C:\\proj10.py",
        "c:proj10.py",
        "..\\proj10.py",
        "\\\\host\\proj10.py",
        "/out-evil/proj10.py",
    ],
)
def test_a_name_that_leads_out_refuses_the_archive(name: str, tmp_path: Path) -> None:
    before = sorted(tmp_path.parent.iterdir())
    one = student(tmp_path, packed(("ok.py", b""), (name, b"x = 1\n")))
    assert (one.outcome, one.source) == (Outcome.REJECTED, b"")
    assert "would lie outside of its folder" in one.problem
    assert sorted(tmp_path.parent.iterdir()) == before


@pytest.mark.parametrize("form", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_links_and_other_oddities_refuse_the_archive(form: int, tmp_path: Path) -> None:
    one = student(tmp_path, packed((special("proj10.py", form), b"/etc/passwd")))
    assert (one.outcome, one.source) == (Outcome.REJECTED, b"")
    assert "is a link or something else" in one.problem


def test_links_in_a_virtual_environment_do_not_matter(tmp_path: Path) -> None:
    one = student(
        tmp_path, packed((special("venv/bin/python", stat.S_IFLNK), b"/usr/bin/python"), ("proj10.py", b"x = 1\n"))
    )
    assert one.outcome is Outcome.PASSED


@pytest.mark.parametrize("twins", [("proj10.py", "Proj10.py"), ("proj10.py", "proj10.py"), ("a/x.txt", "A/x.txt")])
def test_twins_refuse_the_archive(twins: tuple[str, str], tmp_path: Path) -> None:
    one = student(tmp_path, packed(*((name, b"x = 1\n") for name in twins)))
    assert (one.outcome, one.source) == (Outcome.REJECTED, b"")
    assert "letter case aside" in one.problem


def test_a_bomb_is_refused_without_being_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = packed(("proj10.py", b"\0" * 90_000_000))

    def forbidden(*_: object) -> None:
        raise AssertionError("nothing of it may be unpacked")

    monkeypatch.setattr(zipfile.ZipFile, "open", forbidden)
    one = student(tmp_path, data)
    assert one.outcome is Outcome.REJECTED
    assert "unpacked it would have 90,000,000 bytes" in one.problem


def test_a_file_that_says_it_is_small_is_cut_off(tmp_path: Path) -> None:
    data = bytearray(packed(("proj10.py", b"a" * 5_000_000)))
    for signature, offset in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        at = data.find(signature) + offset
        data[at : at + 4] = struct.pack("<L", 10)
    one = student(tmp_path, bytes(data))
    assert (one.outcome, len(one.source)) == (Outcome.REJECTED, 0)
    assert "is damaged" in one.problem


def test_too_many_entries_are_refused(tmp_path: Path) -> None:
    one = student(tmp_path, packed(*((f"{number}.txt", b"") for number in range(5_001)), method=zipfile.ZIP_STORED))
    assert "it holds 5,001 files" in one.problem


def test_a_million_entries_are_refused_before_they_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = 46 * 1_000_000
    end = b"PK\x05\x06" + struct.pack("<HHHHLLH", 0, 0, 0xFFFF, 0xFFFF, directory, 0, 0)
    long_form = b"PK\x06\x06" + struct.pack("<QHHLLQQQQ", 44, 45, 45, 0, 0, 10**6, 10**6, directory, 0)
    locator = b"PK\x06\x07" + struct.pack("<LQL", 0, 0, 1)

    def forbidden(*_: object) -> None:
        raise AssertionError("the library must not see it")

    monkeypatch.setattr(zipfile, "ZipFile", forbidden)
    for data in (end, long_form + locator + end):
        one = student(tmp_path, data)
        assert one.outcome is Outcome.REJECTED
        assert "is not opened: it holds" in one.problem


def test_an_archive_in_an_archive_is_refused(tmp_path: Path) -> None:
    one = student(tmp_path, packed(("inner.zip", packed(("proj10.py", b"x = 1\n")))))
    assert (one.outcome, one.problem) == (
        Outcome.REJECTED,
        "The archive proj10.zip holds another archive, and no proj10.py.",
    )


def test_two_archives_are_ambiguous(tmp_path: Path) -> None:
    student(tmp_path, packed(("proj10.py", b"1")), "a.zip")
    assert student(tmp_path, packed(("proj10.py", b"2")), "b.zip").outcome is Outcome.AMBIGUOUS


def test_an_encrypted_archive_is_refused(tmp_path: Path) -> None:
    data = bytearray(packed(("proj10.py", b"x = 1\n")))
    for signature, offset in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        data[data.find(signature) + offset] |= 1
    one = student(tmp_path, bytes(data))
    assert (one.outcome, one.problem) == (
        Outcome.REJECTED,
        "The archive proj10.zip is not opened: it is protected by a password.",
    )


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unusual_packing_is_refused(method: int, tmp_path: Path) -> None:
    one = student(tmp_path, packed(("proj10.py", b"x = 1\n"), method=method))
    assert one.outcome is Outcome.REJECTED
    assert "packed in a way that cannot be read here" in one.problem


def test_a_file_damaged_in_the_archive_is_refused(tmp_path: Path) -> None:
    data = bytearray(packed(("proj10.py", b"x = 1\n" * 9), method=zipfile.ZIP_STORED))
    data[data.find(b"x = 1") + 4] ^= 3
    one = student(tmp_path, bytes(data))
    assert (one.outcome, one.problem) == (Outcome.REJECTED, "proj10.py is damaged in the archive.")


def test_names_in_utf8_without_saying_so_are_read(tmp_path: Path) -> None:
    data = packed(("Zoé/proj10.py", b"x = 1\n"))
    plain = bytearray(data)
    for signature, offset in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        at = plain.find(signature) + offset
        plain[at : at + 2] = struct.pack("<H", 0)
    (tmp_path / "class.zip").write_bytes(bytes(plain))
    (one,) = take_in(tmp_path / "class.zip", WANTED).submissions
    assert one.id == "Zoé"


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200), st.integers(0, 300), st.integers(0, 255))
def test_no_bytes_make_an_archive_fail(noise: bytes, at: int, value: int) -> None:
    changed = bytearray(packed(("a/proj10.py", b"x = 1\n" * 20), ("b.txt", b"")))
    changed[at % len(changed)] = value
    for data in (noise, b"PK\x03\x04" + noise, bytes(changed), bytes(changed[:at])):
        item = Item("w.zip", Kind.FILE, reads=lambda _, data=data: data)  # type: ignore[misc]
        try:
            opened = student_archive(item)
            for one in opened.lists(100):
                one.reads(1000)
        except UnreadableError as error:
            sentence = str(error)
        else:
            sentence = "It was read."
        assert sentence.endswith(".")


def class_zip(tmp_path: Path, *members: tuple[str | zipfile.ZipInfo, bytes]) -> dict[str, Submission]:
    (tmp_path / "class.zip").write_bytes(packed(*members))
    return {one.id: one for one in take_in(tmp_path / "class.zip", WANTED).submissions}


def test_one_student_s_bomb_does_not_stop_the_class(tmp_path: Path) -> None:
    found = class_zip(tmp_path, ("alice/proj10.py", b"\0" * 50_000_000), ("bob/proj10.py", b"x = 1\n"))
    assert (found["alice"].outcome, found["bob"].outcome) == (Outcome.REJECTED, Outcome.PASSED)
    assert "50,000,000 bytes" in found["alice"].problem


def test_what_is_wrong_in_one_student_s_folder_is_refused_there(tmp_path: Path) -> None:
    found = class_zip(
        tmp_path,
        ("alice/proj10.py", b"x = 1\n"),
        ("alice/../../evil.py", b"x = 1\n"),
        ("bob/proj10.py", b"x = 1\n"),
        (special("cy/proj10.py", stat.S_IFLNK), b"../bob/proj10.py"),
        ("dan/Proj10.py", b"1"),
        ("dan/proj10.py", b"2"),
    )
    assert {name: one.outcome.value for name, one in found.items()} == {
        "alice": "rejected",
        "bob": "passed",
        "cy": "rejected",
        "dan": "ambiguous",
    }


@pytest.mark.parametrize("name", ["../evil.py", "/etc/evil.py", "C:\\evil.py"])
def test_a_class_archive_that_leads_out_at_the_top_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="would lie outside of its folder"):
        class_zip(tmp_path, ("alice/proj10.py", b"x = 1\n"), (name, b""))


def test_a_class_archive_with_archives_of_students(tmp_path: Path) -> None:
    found = class_zip(
        tmp_path,
        ("alice/w.zip", packed(("proj10.py", b"a"))),
        ("bob/w.zip", packed(("w.zip", packed(("proj10.py", b"b"))))),
    )
    assert (found["alice"].source, found["bob"].outcome) == (b"a", Outcome.REJECTED)


def test_long_names_in_an_archive(tmp_path: Path) -> None:
    found = class_zip(tmp_path, ("é" * 300 + "/proj10.py", b"x = 1\n"), ("bob/proj10.py", b""))
    assert found["é" * 300].outcome is Outcome.PASSED


def test_a_class_archive_with_a_password_is_refused(tmp_path: Path) -> None:
    data = bytearray(packed(("alice/proj10.py", b"x = 1\n")))
    data[data.find(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "class.zip").write_bytes(bytes(data))
    with pytest.raises(UsageError, match="protected by a password"):
        take_in(tmp_path / "class.zip", WANTED)


def test_a_name_of_a_hundred_folders_is_refused(tmp_path: Path) -> None:
    assert "lies in too many folders" in student(tmp_path, packed(("d/" * 100 + "proj10.py", b""))).problem


def test_an_archive_of_too_many_bytes_is_not_read(tmp_path: Path) -> None:
    student(tmp_path, b"")
    with (tmp_path / "class" / "alice" / "proj10.zip").open("wb") as file:
        file.truncate(30_000_000)
    (one,) = take_in(tmp_path / "class", WANTED, "folders").submissions
    assert one.problem == "proj10.zip has 30,000,000 bytes or more; at most 20,000,000 are accepted."
