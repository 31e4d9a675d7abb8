"""The time of the last commit, read from the objects themselves and never by running git."""

from __future__ import annotations

import os
import shutil
import subprocess
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
        message = f"Change {number}\n\n" + "the same long text in every message, so that commits become deltas\n" * 40
        git(folder, "commit", "-q", "-m", message, at=AT - timedelta(hours=29 - number))
    return folder


@needs_git
def test_loose_objects(repository: Path) -> None:
    assert last_commit(on_disk(repository)) == AT


@needs_git
@pytest.mark.parametrize("back", [0, 1, 15, 29])
def test_packed_objects_and_references(back: int, repository: Path) -> None:
    git(repository, "checkout", "-q", "--detach", f"main~{back}")
    git(repository, "repack", "-adfq", "--depth=50", "--window=50")
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
    lines = git(repository, "verify-pack", "-v", str(index)).splitlines()
    assert [line for line in lines if " commit " in line and len(line.split()) == 7]


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


def broken(folder: Path, what: str) -> None:
    name = commit(folder, AT)
    inside = folder / ".git"
    loose = inside / "objects" / name[:2] / name[2:]
    actions = {
        "no head": lambda: (inside / "HEAD").unlink(),
        "a head that goes in circles": lambda: (inside / "refs" / "heads" / "main").write_text("ref: refs/heads/main"),
        "a head that leads out": lambda: (inside / "HEAD").write_text("ref: ../../../../etc/passwd"),
        "a head of noise": lambda: (inside / "HEAD").write_bytes(b"\xff\x00" * 99),
        "a huge head": lambda: (inside / "HEAD").write_bytes(b"a" * 9_000_000),
        "no object": loose.unlink,
        "an object of noise": lambda: loose.write_bytes(b"noise"),
        "a linked object": lambda: (loose.rename(folder / "x"), loose.symlink_to(folder / "x")),
        "an object that is a pipe": lambda: (loose.unlink(), os.mkfifo(loose)),
        "a linked repository": lambda: (inside.rename(folder / "elsewhere"), inside.symlink_to("elsewhere")),
    }
    actions[what]()


@pytest.mark.parametrize(
    "what",
    [
        "no head",
        "a head that goes in circles",
        "a head that leads out",
        "a head of noise",
        "a huge head",
        "no object",
        "an object of noise",
        "a linked object",
        "an object that is a pipe",
        "a linked repository",
    ],
)
def test_a_broken_repository_has_no_time_and_does_no_harm(what: str, tmp_path: Path) -> None:
    broken(tmp_path, what)
    assert last_commit(on_disk(tmp_path)) is None


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
