"""The time of the last commit, read from the objects themselves and never by running git."""

from __future__ import annotations

import os
import shutil
import subprocess
import zlib
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.intake.github import common_prefix, last_commit
from harness.intake.items import on_disk
from tests.intake.classes import commit

AT = datetime(2022, 11, 30, 23, 59, tzinfo=timezone(timedelta(hours=-5)))
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git makes the repositories of these tests")


def git(repository: Path, *arguments: str, at: datetime = AT) -> str:
    moment = f"{int(at.timestamp())} {at:%z}"
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(repository),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_COMMITTER_DATE": moment,
        "GIT_AUTHOR_DATE": "1000000000 +0000",
    }
    for role in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{role}_NAME": "Ann > Lee", f"GIT_{role}_EMAIL": "ann@example.edu"}
    done = subprocess.run(
        ["git", "-C", str(repository), *arguments], env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "proj-ann"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    for number in range(30):
        (folder / "proj10.py").write_text(f"x = {number}\n", encoding="utf-8")
        git(folder, "add", "proj10.py")
        message = "\n".join(
            [f"Change {number}", "", *(f"{line**9} of a moving text" for line in range(6 * number, 6 * number + 30))]
        )
        git(folder, "commit", "-q", "-m", message, at=AT - timedelta(hours=29 - number))
    return folder


@needs_git
def test_loose_objects(repository: Path) -> None:
    assert last_commit(on_disk(repository)) == AT


@needs_git
@pytest.mark.parametrize("back", [0, 1, 15, 29])
@pytest.mark.parametrize("offsets", ["true", "false"])
def test_packed_objects_and_references(back: int, offsets: str, repository: Path) -> None:
    git(repository, "checkout", "-q", "--detach", f"main~{back}")
    git(repository, "-c", f"repack.useDeltaBaseOffset={offsets}", "repack", "-adfq", "--depth=50", "--window=50")
    git(repository, "prune-packed")
    git(repository, "pack-refs", "--all")
    assert not [path for path in (repository / ".git" / "objects").iterdir() if len(path.name) == 2]
    assert last_commit(on_disk(repository)) == AT - timedelta(hours=back)
    git(repository, "checkout", "-q", "main")
    assert last_commit(on_disk(repository)) == AT


@needs_git
def test_the_pack_of_the_test_really_has_deltas(repository: Path) -> None:
    git(repository, "repack", "-adfq", "--depth=50", "--window=50")
    (index,) = (repository / ".git" / "objects" / "pack").glob("*.idx")
    lines = [line.split() for line in git(repository, "verify-pack", "-v", str(index)).splitlines()]
    depths = [int(line[5]) for line in lines if line[1:2] == ["commit"] and len(line) == 7]
    assert max(depths) > 1


@needs_git
def test_a_clone_tells_the_time_of_the_commit_and_not_of_the_clone(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--no-local", str(repository), str(tmp_path / "clone"), at=AT + timedelta(days=9))
    assert last_commit(on_disk(tmp_path / "clone")) == AT


@needs_git
def test_nothing_of_the_repository_s_configuration_is_run(repository: Path, tmp_path: Path) -> None:
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n", encoding="utf-8")
    trap.chmod(0o755)
    for key, value in (
        ("core.fsmonitor", str(trap)),
        ("gpg.program", str(trap)),
        ("log.showSignature", "true"),
        ("core.sshCommand", str(trap)),
    ):
        git(repository, "config", key, value)
    assert last_commit(on_disk(repository)) == AT
    assert not (tmp_path / "sprung").exists()


HEADS = {
    "no reference": b"nothing here\n",
    "in circles": b"ref: HEAD\n",
    "leads out": b"ref: ../../../../etc/passwd\n",
    "noise": b"\xff\x00" * 99,
    "huge": b"a" * 9_000_000,
    "no such commit": b"0" * 40,
}


@pytest.mark.parametrize("what", HEADS)
def test_a_head_that_names_no_commit_has_no_time(what: str, tmp_path: Path) -> None:
    commit(tmp_path, AT)
    assert last_commit(on_disk(tmp_path)) == AT
    (tmp_path / ".git" / "HEAD").write_bytes(HEADS[what])
    assert last_commit(on_disk(tmp_path)) is None


@pytest.mark.parametrize("what", ["gone", "noise", "a link", "a pipe", "a bomb"])
def test_a_commit_that_is_no_ordinary_object_has_no_time(what: str, tmp_path: Path) -> None:
    name = commit(tmp_path, AT)
    loose = tmp_path / ".git" / "objects" / name[:2] / name[2:]
    loose.rename(tmp_path / "kept")
    if what == "a link":
        loose.symlink_to(tmp_path / "kept")
    elif what == "a pipe":
        os.mkfifo(loose)
    elif what != "gone":
        loose.write_bytes(b"noise" if what == "noise" else zlib.compress(b"commit 9\0" + b"\n" * 50_000_000))
    assert last_commit(on_disk(tmp_path)) is None


def test_a_linked_repository_is_not_entered(tmp_path: Path) -> None:
    commit(tmp_path, AT)
    (tmp_path / ".git").rename(tmp_path / "elsewhere")
    (tmp_path / ".git").symlink_to("elsewhere")
    assert last_commit(on_disk(tmp_path)) is None


@pytest.mark.parametrize("written", ["999999999999 +0000", "1 +9999", "-5 +0000", "x +0000"])
def test_an_impossible_time_does_no_harm(written: str, tmp_path: Path) -> None:
    body = f"tree 0\ncommitter A <a> {written}\n\n".encode()
    commit(tmp_path, AT)
    name = (tmp_path / ".git" / "refs" / "heads" / "main").read_text(encoding="ascii").strip()
    (tmp_path / ".git" / "objects" / name[:2] / name[2:]).write_bytes(zlib.compress(b"commit 1\0" + body))
    found = last_commit(on_disk(tmp_path))
    assert found == (datetime.fromtimestamp(1, timezone.utc) if written == "1 +9999" else None)


def test_no_repository_has_no_time(tmp_path: Path) -> None:
    assert last_commit(on_disk(tmp_path)) is None
    (tmp_path / ".git").write_text("gitdir: /somewhere/else\n", encoding="utf-8")
    assert last_commit(on_disk(tmp_path)) is None


@needs_git
@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, 10**6), value=st.integers(0, 255), which=st.sampled_from(["idx", "pack"]))
def test_a_damaged_pack_does_no_harm(at: int, value: int, which: str, packed: Path) -> None:
    (path,) = (packed / ".git" / "objects" / "pack").glob(f"*.{which}")
    whole = path.read_bytes()
    path.chmod(0o600)
    changed = bytearray(whole)
    changed[at % len(changed)] = value
    try:
        for data in (bytes(changed), whole[: at % len(whole)]):
            path.write_bytes(data)
            found = last_commit(on_disk(packed))
            assert found is None or isinstance(found, datetime)
    finally:
        path.write_bytes(whole)


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packed")
    git(folder, "init", "-q", "-b", "main")
    for number in range(8):
        git(folder, "commit", "-q", "--allow-empty", "-m", f"{number}\n\n" + "the same long text\n" * 60)
    git(folder, "repack", "-adfq", "--depth=50", "--window=50")
    return folder


@pytest.mark.parametrize(
    ("names", "prefix"),
    [
        (["proj-ann", "proj-bob"], "proj-"),
        (["proj-ten-ann", "proj-ten-bob-ray"], "proj-ten-"),
        (["proj-ann"], ""),
        (["ann", "bob"], ""),
        (["proj-", "proj-ann"], ""),
        (["proj-ann", "proj-anna"], "proj-"),
    ],
)
def test_the_assignment_is_what_all_names_begin_with(names: list[str], prefix: str) -> None:
    assert common_prefix(names) == prefix
