"""Reading one file that the user named: never blocking, never following a link, and always with a sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.intake.find import load
from harness.outcome import Outcome
from harness.submission import LARGEST_SOURCE, RefusedFileError, Submission, read_plain, read_source


def test_a_file_is_read_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"x = 1\r\n")
    assert read_source(tmp_path / "a.py") == (b"x = 1\r\n", Outcome.PASSED, "")
    loaded = load(tmp_path / "a.py", Submission("ann", "a.py"), "a.py")
    assert (loaded.source, loaded.files, loaded.outcome) == (b"x = 1\r\n", ("a.py",), Outcome.PASSED)


def test_a_file_that_is_not_there_is_missing(tmp_path: Path) -> None:
    assert read_source(tmp_path / "a.py") == (b"", Outcome.MISSING, "There is no file a.py.")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("link", "a.py is a link to another file. Hand in the file itself."),
        ("folder", "a.py is a folder, not a file."),
        ("pipe", "a.py is not an ordinary file."),
        ("huge", "a.py has 1,000,001 bytes or more; at most 1,000,000 are accepted."),
        ("below a file", "a.py cannot be read: Not a directory."),
    ],
)
def test_what_is_no_plain_file_is_rejected(kind: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    if kind == "link":
        path.symlink_to(__file__)
    elif kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "huge":
        path.write_bytes(b"#" * (LARGEST_SOURCE + 1))
    else:
        (tmp_path / "b").touch()
        path = tmp_path / "b" / "a.py"
    assert read_source(path) == (b"", Outcome.REJECTED, words)


def test_a_file_that_grows_while_it_is_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_bytes(b"#" * 50)
    monkeypatch.setattr("harness.submission._refuse", lambda *_: None)
    with pytest.raises(RefusedFileError, match="at most 49 are accepted"):
        read_plain(tmp_path / "a.py", 49)
