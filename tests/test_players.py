"""Fresh sessions: what a player types is what the reference answers to, mistakes included, and right programs pass it."""

from __future__ import annotations

import dataclasses
import functools
import re
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from harness.assignment import Assignment, own_tree
from harness.cli.session_ import command
from harness.errors import DataError, HarnessError
from harness.evidence import Expected, Run, _game, observe_plan
from harness.observation import Read, SessionSeen
from harness.outcome import Outcome
from harness.plan import Session, make_plan
from harness.players import (
    Fresh,
    Game,
    Line,
    Player,
    choose_game,
    dealt,
    disagreement,
    fresh_session,
    player_path,
    read_player,
)
from harness.sandbox import open_sandbox
from harness.session import read_session, transcript_of, write_session
from harness.spec import Session as Listed
from harness.submission import Submission
from harness.values import DECK
from harness.workshop import load, observer

SLUGS = own_tree().slugs
SEEDS = (1, 2)


@functools.cache
def assignment_of(slug: str) -> Assignment:
    return load(own_tree(), slug)


@functools.cache
def fresh_of(slug: str, seed: int, win: bool = False) -> Fresh:
    return fresh_session(assignment_of(slug), seed, name="fresh", win=win)


def with_fresh(slug: str, fresh: Fresh) -> Assignment:
    """The assignment with the new session as its only one."""
    assignment = assignment_of(slug)
    spec = dataclasses.replace(assignment.spec, sessions={"fresh": Listed(title="fresh")})
    return dataclasses.replace(
        assignment, spec=spec, scripts={"fresh": fresh.script}, files=dict(fresh.files), cases=()
    )


def judged(slug: str, fresh: Fresh, sample: Path) -> tuple[Outcome, str]:
    """What a program gets for the new session."""
    assignment = with_fresh(slug, fresh)
    source = (sample / assignment.spec.file).read_bytes()
    submission = Submission(id="sample", file=assignment.spec.file, source=source)
    with open_sandbox(jobs=1) as sandbox:
        run = Run(observer(sandbox, assignment), lambda _: pytest.fail("no source is checked"), sandbox.rung)
        expected = Expected(observe_plan(make_plan(assignment, assignment.reference), run))
        seen = observe_plan(make_plan(assignment, submission), run).sessions["fresh"]
        verdict = _game(assignment, "fresh", expected, seen, run)
    return verdict.outcome, verdict.sentence


def replayed(slug: str, fresh: Fresh) -> str:
    assignment = with_fresh(slug, fresh)
    unit = make_plan(assignment, assignment.reference).sessions[0]
    assert isinstance(unit, Session)
    with open_sandbox(jobs=1) as sandbox:
        seen = observer(sandbox, assignment)()(unit)
    assert isinstance(seen, SessionSeen)
    return transcript_of(seen)


def check_replay(slug: str, fresh: Fresh, folder: Path) -> None:
    """The file reads back as the same session, and the reference shows the same bytes again."""
    path = folder / "sessions" / "fresh.txt"
    for place, data in [
        (path, write_session(fresh.script).encode()),
        *((folder / "files" / n, d) for n, d in fresh.files),
    ]:
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(data)
    assert read_session(path) == fresh.script
    assert replayed(slug, fresh) == fresh.script.transcript


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("slug", SLUGS)
def test_a_fresh_session_replays_byte_for_byte(slug: str, seed: int, tmp_path: Path) -> None:
    check_replay(slug, fresh_of(slug, seed), tmp_path)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_session_to_win_ends_in_the_win(slug: str) -> None:
    fresh = fresh_of(slug, 1, win=True)
    assert fresh.won
    assert "You won!" in fresh.script.transcript


@pytest.mark.parametrize("slug", SLUGS)
def test_mistakes_are_typed_and_refused(slug: str) -> None:
    player = read_player(player_path(assignment_of(slug)))
    game = choose_game(player, slug, 1, win=False)
    refused = [line.text for line in game.lines if line.refused]
    transcript = fresh_of(slug, 1).script.transcript
    assert len(refused) >= 3
    assert len(player.refused.findall(transcript)) >= len(refused)


@pytest.mark.parametrize("slug", SLUGS)
def test_the_seed_decides(slug: str) -> None:
    player = read_player(player_path(assignment_of(slug)))
    assert choose_game(player, slug, 1, win=False) == choose_game(player, slug, 1, win=False)
    assert choose_game(player, slug, 1, win=False) != choose_game(player, slug, 2, win=False)


def right_samples(slug: str) -> list[Path]:
    return sorted((own_tree().fixtures(slug) / "submissions" / "right").iterdir())


@pytest.mark.parametrize("slug", SLUGS)
def test_a_right_program_passes(slug: str) -> None:
    for sample in right_samples(slug)[:2]:
        assert judged(slug, fresh_of(slug, 1), sample) == (Outcome.PASSED, ""), sample.name


@pytest.mark.slow
@pytest.mark.parametrize("win", [False, True])
@pytest.mark.parametrize("seed", range(10, 16))
@pytest.mark.parametrize("slug", SLUGS)
def test_every_right_program_passes_many_sessions(slug: str, seed: int, win: bool, tmp_path: Path) -> None:
    fresh = fresh_of(slug, seed, win)
    check_replay(slug, fresh, tmp_path)
    assert fresh.won or not win
    failed = [sample.name for sample in right_samples(slug) if judged(slug, fresh, sample)[0] is not Outcome.PASSED]
    assert failed == []


def test_a_deck_has_every_card_and_kindness_puts_low_ones_in_reach() -> None:
    reach = [-place for place in range(52)]
    assert sorted(dealt(Random(1), 0)) == sorted(DECK)
    assert [card[0] for card in dealt(Random(1), 1, reach)[-4:]] == ["A"] * 4


PLAYER = Player(lambda _, __: Game((), won=False), re.compile("no!"), re.compile("won"))


def seen(output: str, *places: tuple[int, str]) -> SessionSeen:
    return SessionSeen("x", Outcome.PASSED, output, tuple(Read(place, place, line) for place, line in places))


@pytest.mark.parametrize(
    ("line", "output", "won", "said"),
    [
        (Line("a"), "yes", False, ""),
        (Line("a"), "no!", False, "turn 1: 'a' was refused"),
        (Line("a", refused=True), "yes", False, "turn 1: 'a' was taken"),
        (Line("a"), "yes", True, "the game is not won"),
        (Line("a"), "won", False, "the game is won"),
        (Line("b"), "yes", False, "it read 1 lines, and 1 were meant to be typed"),
    ],
)
def test_a_player_that_is_wrong_is_found_out(line: Line, output: str, won: bool, said: str) -> None:
    assert disagreement(PLAYER, Game((line,), won), seen(output, (0, "a"))) == said


def test_a_player_that_never_wins_is_given_up() -> None:
    with pytest.raises(HarnessError, match="wins none of"):
        choose_game(PLAYER, "x", 1, win=True)


def test_a_player_that_lacks_something_is_a_fault_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "x_player.py"
    with pytest.raises(DataError, match="the file is missing"):
        read_player(path)
    path.write_text("WON = 'x'\n", encoding="utf-8")
    with pytest.raises(DataError, match="REFUSED: is not defined"):
        read_player(path)


@pytest.mark.parametrize("slug", ["klondike-cmput", "montana"])
def test_the_command_writes_the_session_and_its_files(slug: str, tmp_path: Path) -> None:
    path = tmp_path / "hidden" / "sessions" / "final.txt"
    result = CliRunner().invoke(command, [slug, "--seed", "1", "--out", str(path)], catch_exceptions=False)
    assert result.exit_code == 0
    assert dataclasses.replace(read_session(path), name="fresh") == fresh_of(slug, 1).script
    assert "mistakes" in result.output
