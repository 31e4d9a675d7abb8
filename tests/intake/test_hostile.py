"""The intake's part of the catalogue of hostile submissions: links, pipes, devices, odd names, colliding ids."""

from __future__ import annotations

import hashlib
import os
import socket
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import UsageError
from harness.intake import take_in
from harness.intake.find import Wanted
from harness.intake.items import Item, Kind, gathered
from harness.outcome import Outcome
from harness.submission import Submission, shown

WANTED = Wanted("proj10.py")
SECRET = b"secret = 'a token that must never be graded'\n"


@pytest.fixture
def alice(tmp_path: Path) -> Path:
    folder = tmp_path / "class" / "alice"
    folder.mkdir(parents=True)
    bob = tmp_path / "class" / "bob"
    bob.mkdir()
    (bob / "proj10.py").write_bytes(b"x = 'bob'\n")
    (tmp_path / "rubric.yaml").write_bytes(SECRET)
    return folder


def graded(folder: Path) -> Submission:
    """What becomes of alice; bob must be there and untouched whatever she does."""
    found = {one.id: one for one in take_in(folder.parent, WANTED).submissions}
    assert found["bob"].source == b"x = 'bob'\n"
    assert set(found) == {"alice", "bob"}
    assert SECRET not in found["alice"].source
    return found["alice"]


@pytest.mark.parametrize(
    "target", ["../../rubric.yaml", "/etc/passwd", "../bob/proj10.py", "nowhere", "proj10.py", "."]
)
def test_a_link_is_never_followed(target: str, alice: Path) -> None:
    (alice / "proj10.py").symlink_to(target)
    one = graded(alice)
    assert (one.outcome, one.problem) == (Outcome.REJECTED, "proj10.py is a link. Hand in the file itself.")


@pytest.mark.parametrize("target", [".", "..", "../bob", "/"])
def test_a_linked_folder_is_never_entered(target: str, alice: Path) -> None:
    (alice / "src").symlink_to(target)
    assert graded(alice).outcome is Outcome.MISSING


def test_a_student_s_folder_that_is_a_link_is_refused_and_not_overlooked(alice: Path) -> None:
    alice.rmdir()
    alice.symlink_to("bob")
    one = graded(alice)
    assert (one.outcome, one.source) == (Outcome.REJECTED, b"")


def test_a_pipe_does_not_block(alice: Path) -> None:
    os.mkfifo(alice / "proj10.py")
    one = graded(alice)
    assert (one.outcome, one.problem) == (Outcome.REJECTED, "proj10.py is not an ordinary file.")


def test_a_pipe_named_as_an_archive_does_not_block(alice: Path) -> None:
    os.mkfifo(alice / "proj10.zip")
    assert graded(alice).outcome is Outcome.REJECTED


def test_a_socket_is_refused(alice: Path) -> None:
    with tempfile.TemporaryDirectory() as short, socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"{short}/s")
        (Path(short) / "s").rename(alice / "proj10.py")
        assert graded(alice).outcome is Outcome.REJECTED


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can make a device")
def test_a_device_is_refused(alice: Path) -> None:
    try:
        os.mknod(alice / "proj10.py", 0o020666, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("no devices in this container")
    assert graded(alice).outcome is Outcome.REJECTED


def test_a_folder_named_like_the_file_is_refused(alice: Path) -> None:
    (alice / "proj10.py").mkdir()
    one = graded(alice)
    assert (one.outcome, one.problem) == (Outcome.REJECTED, "proj10.py is a folder, not a file.")


@pytest.mark.parametrize("origin", ["../../rubric.yaml", "../bob/proj10.py"])
def test_a_hard_link_is_refused(origin: str, alice: Path) -> None:
    source = (alice / origin).resolve()
    os.link(source, alice / "proj10.py")
    found = {one.id: one for one in take_in(alice.parent, WANTED).submissions}
    assert found["alice"].outcome is Outcome.REJECTED
    assert "hard link" in found["alice"].problem


def test_samples_may_be_hard_links_for_they_are_ours(tmp_path: Path) -> None:
    sample = tmp_path / "samples" / "right" / "one" / "proj10.py"
    sample.parent.mkdir(parents=True)
    (tmp_path / "cache.py").write_bytes(b"x = 1\n")
    os.link(tmp_path / "cache.py", sample)
    (one,) = take_in(tmp_path / "samples", WANTED).submissions
    assert one.outcome is Outcome.PASSED


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Root may read everything, so step down while looking."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("name", ["proj10.py", ""])
def test_what_may_not_be_read_is_refused(name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        alice = Path(folder) / "alice"
        alice.mkdir()
        (alice / "proj10.py").write_bytes(b"x = 1\n")
        Path(folder).chmod(0o755)
        (alice / name).chmod(0)
        with ordinary_user():
            (one,) = take_in(Path(folder), WANTED).submissions
        alice.chmod(0o755)
    assert one.outcome is Outcome.REJECTED
    assert "Permission denied" in one.problem


def test_a_class_folder_that_may_not_be_read_is_the_user_s_matter() -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        (Path(folder) / "class" / "alice").mkdir(parents=True)
        (Path(folder) / "class").chmod(0)
        with ordinary_user(), pytest.raises(UsageError, match="Permission denied"):
            take_in(Path(folder) / "class", WANTED)
        (Path(folder) / "class").chmod(0o755)


ODD = [
    "😀", "שלום", "\u202egnp.exe", 'a"b', "a'b", "-rf", "..a", "%s%n", "x" * 255, "é" * 127, "CON", "NUL.py", "dot.",
    "new\nline", "tab\t", "\x1b[31mred", "a&b;c|d", "=cmd()", "<script>", "a b", "{}", "$HOME", "`id`",
]  # fmt: skip


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("layout", ["folders", "flat"])
def test_odd_names_are_ids_like_others(name: str, layout: str, tmp_path: Path) -> None:
    path = tmp_path / name / "proj10.py" if layout == "folders" else tmp_path / f"{name[:120]}.py"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"x = 1\n")
    (one,) = take_in(tmp_path, WANTED, layout).submissions
    assert (one.outcome, one.source) == (Outcome.PASSED, b"x = 1\n")
    assert one.id == shown(name[:120] if layout == "flat" else name, most=400)
    assert one.id.encode("utf-8")
    assert not any(character in one.id for character in "\n\t\x1b\u202e")


def test_names_that_are_no_utf8_are_written_out(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    (folder / "proj10.py").write_bytes(b"x = 1\n")
    (folder / os.fsdecode(b"\xff.py")).write_bytes(b"x = 2\n")
    (one,) = take_in(tmp_path, WANTED).submissions
    assert (one.id, one.outcome) == ("caf\\xe9", Outcome.PASSED)
    (folder / "proj10.py").unlink()
    (one,) = take_in(tmp_path, WANTED).submissions
    assert one.problem == "There is no proj10.py. There is: \\xff.py."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice", "alice"),
        (unicodedata.normalize("NFC", "josé"), unicodedata.normalize("NFD", "josé")),
        ("ann lee", "ann  lee"),
        ("Straße", "STRASSE"),
    ],
)
def test_ids_that_look_alike_are_refused_before_grading(one: str, other: str, tmp_path: Path) -> None:
    for name in (one, other):
        (tmp_path / name).mkdir()
    with pytest.raises(UsageError, match="cannot be told apart"):
        take_in(tmp_path, WANTED)


def test_two_students_with_one_name_are_kept_apart(tmp_path: Path) -> None:
    for number in (1, 2):
        folder = tmp_path / f"Jane Doe_{number}_assignsubmission_file"
        folder.mkdir()
        (folder / "proj10.py").write_bytes(b"x = 1\n")
    found = take_in(tmp_path, WANTED).submissions
    assert [(one.id, one.name) for one in found] == [("1", "Jane Doe"), ("2", "Jane Doe")]
    assert found[0].sha256 == found[1].sha256


def test_the_snapshot_does_not_change_with_the_file(alice: Path) -> None:
    (alice / "proj10.py").write_bytes(b"before")
    one = graded(alice)
    (alice / "proj10.py").write_bytes(b"after")
    assert one.source == b"before"
    assert one.sha256 == hashlib.sha256(b"before").hexdigest()


def test_good_and_broken_folders_are_all_counted(tmp_path: Path) -> None:
    for number in range(970):
        (tmp_path / f"good{number:03}").mkdir()
        (tmp_path / f"good{number:03}" / "proj10.py").write_bytes(b"x = 1\n")
    for number in range(30):
        folder = tmp_path / f"odd{number:02}"
        folder.mkdir()
        if number % 3:
            (os.mkfifo if number % 3 == 1 else os.mkdir)(folder / "proj10.py")
    found = take_in(tmp_path, WANTED).submissions
    assert len(found) == 1000
    assert sum(one.outcome is Outcome.PASSED for one in found) == 970
    assert all(one.problem for one in found if one.outcome is not Outcome.PASSED)


def test_the_order_of_the_disk_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "dbca":
        (tmp_path / name).mkdir()
        (tmp_path / name / "proj10.py").write_bytes(name.encode())
    for name in ("a/x/proj10.py", "a/y/proj10.py", "one.txt", "two.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    straight = take_in(tmp_path, WANTED)
    assert straight.notes == ("Left out, not submissions: one.txt, two.txt.",)
    assert "proj10.py, x/proj10.py, y/proj10.py" in straight.submissions[0].problem
    real = os.scandir

    @contextmanager
    def backwards(path: Path) -> Iterator[Iterator[os.DirEntry[str]]]:
        with real(path) as entries:
            yield iter(sorted(entries, key=lambda entry: entry.name, reverse=True))

    monkeypatch.setattr(os, "scandir", backwards)
    assert take_in(tmp_path, WANTED) == straight


ITEMS = st.recursive(
    st.builds(
        lambda name, kind, data: Item(
            name, kind, reads=lambda _: data, problem="Refused." if kind is Kind.REFUSED else ""
        ),
        st.text(min_size=1, max_size=20) | st.sampled_from(["proj10.py", "Proj10.py", "proj10.zip", "a.py", "venv"]),
        st.sampled_from([Kind.FILE, Kind.FILE, Kind.FILE, Kind.LINK, Kind.OTHER, Kind.REFUSED]),
        st.binary(max_size=30),
    ),
    lambda below: st.builds(gathered, st.text(min_size=1, max_size=20), st.lists(below, max_size=5)),
    max_leaves=15,
)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(ITEMS, min_size=1, max_size=8, unique_by=lambda item: item.name),
    st.sampled_from([None, "folders", "flat", "canvas", "moodle", "d2l", "github"]),
)
def test_whatever_lies_there_becomes_submissions_or_one_error(items: list[Item], layout: str | None) -> None:
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr("harness.intake.on_disk", lambda _: gathered("class", items))
        try:
            intake = take_in(Path(folder), WANTED, layout)
        except UsageError:
            return
    ids = [one.id for one in intake.submissions]
    assert len(ids) == len(set(ids))
    for one in intake.submissions:
        assert (one.outcome is Outcome.PASSED) == (not one.problem)
        assert one.outcome in (Outcome.PASSED, Outcome.MISSING, Outcome.AMBIGUOUS, Outcome.REJECTED)
        "".join((one.id, one.name, one.problem, one.origin, *one.notes, *one.files)).encode("utf-8")
    if intake.layout == "folders":
        folders = [item for item in items if item.kind is Kind.FOLDER and not item.name.startswith(".")]
        assert len(ids) >= len([item for item in folders if item.name.lower() not in ("__macosx", "__pycache__")])


@given(st.text(max_size=500))
def test_a_shown_name_is_one_line_of_text_and_never_long(name: str) -> None:
    text = shown(name)
    assert len(text) <= 120
    assert "\n" not in text
    text.encode("utf-8")
