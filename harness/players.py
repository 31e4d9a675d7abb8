"""Fresh sessions: a player chooses the moves, the reference answers, and what was typed and shown becomes a new session file.

`specs/<slug>_player.py` (with `_` for `-`) is the player of an assignment:

    play(chance, kindness) -> Game   one game over a deck of the player's own, the same for the same `chance`
    REFUSED, WON                     what the reference shows after a line that it refuses, and after the win (patterns)

`kindness` says how far luck may be helped: at 0 the deck is shuffled and no more, towards 1 it all but plays itself.
A player keeps a small model of its game. Nothing rests on that model being right: the reference replays the game in the
sandbox, and a line that it takes where the player expected a refusal, or the other way round, is an error of ours.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import random
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from harness.assignment import Assignment
from harness.errors import DataError, Fault, HarnessError
from harness.observation import SessionSeen
from harness.outcome import Outcome
from harness.plan import Program, Session
from harness.sandbox import open_sandbox
from harness.session import SessionScript, transcript_of, typed_lines
from harness.values import DECK, RANKS
from harness.workshop import observer

ATTEMPTS = 40
"""Decks that are tried for a game that is won."""

LEAST_MISTAKES = 3
MOVES_PER_MISTAKE = 8


@dataclasses.dataclass(frozen=True)
class Line:
    """A line to type; `graded` is False if a handout leaves open what comes back, `refused` is True for a mistake."""

    text: str
    graded: bool = True
    refused: bool = False


@dataclasses.dataclass(frozen=True)
class Game:
    """A game as a player means to play it: the deck or the files it starts from, what is typed, and whether that wins."""

    lines: tuple[Line, ...]
    won: bool
    deck: tuple[str, ...] | None = None
    files: tuple[tuple[str, bytes], ...] = ()


@dataclasses.dataclass(frozen=True)
class Player:
    """What `specs/<slug>_player.py` defines."""

    play: Callable[[random.Random, float], Game]
    refused: re.Pattern[str]
    won: re.Pattern[str]


@dataclasses.dataclass(frozen=True)
class Fresh:
    """A new session and the files it finds in its folder."""

    script: SessionScript
    files: tuple[tuple[str, bytes], ...]
    won: bool
    mistakes: int


def player_path(assignment: Assignment) -> Path:
    """Where the player of an assignment lies: beside its spec."""
    return assignment.tree.root / "specs" / f"{assignment.spec.slug.replace('-', '_')}_player.py"


def read_player(path: Path) -> Player:
    """Load a player; what it does not define is a fault of its file."""
    if not path.is_file():
        raise DataError([Fault(path, 0, "", "the file is missing", "it plays the games of fresh sessions")])
    spec = importlib.util.spec_from_file_location(f"_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up by name
    spec.loader.exec_module(module)
    missing = [name for name in ("play", "REFUSED", "WON") if not hasattr(module, name)]
    if missing:
        raise DataError([Fault(path, 0, name, "is not defined", "a player needs it") for name in missing])
    return Player(module.play, re.compile(module.REFUSED), re.compile(module.WON))


def fresh_session(
    assignment: Assignment, seed: int, *, name: str, win: bool = False, unsandboxed: bool = False
) -> Fresh:
    """Play a new game of an assignment and write down what the reference shows; the same for the same seed."""
    player = read_player(player_path(assignment))
    game = choose_game(player, assignment.spec.slug, seed, win=win)
    with open_sandbox(jobs=1, unsandboxed=unsandboxed) as sandbox:
        seen = observer(sandbox, assignment)()(_unit(assignment, game))
    assert isinstance(seen, SessionSeen)
    if problem := disagreement(player, game, seen):
        raise HarnessError(f"{player_path(assignment)}: the reference disagrees with this player: {problem}")
    script = SessionScript(
        name=name,
        title=f"A game from seed {seed}, {'played until it is won' if game.won else 'given up in the end'}",
        transcript=transcript_of(seen),
        deck=game.deck,
        files=tuple(file for file, _ in game.files),
        ungraded=tuple(turn for turn, line in enumerate(game.lines, 1) if not line.graded),
    )
    return Fresh(script, game.files, game.won, sum(line.refused for line in game.lines))


def choose_game(player: Player, slug: str, seed: int, *, win: bool) -> Game:
    """The player's game for a seed; for a win, further decks are tried, each a little kinder than the one before."""
    for attempt in range(ATTEMPTS if win else 1):
        chance = random.Random(f"{slug} {seed} {attempt}")  # noqa: S311 - a game, no secret
        game = player.play(chance, attempt / ATTEMPTS)
        if game.won or not win:
            return game
    raise HarnessError(f"the player of {slug} wins none of {ATTEMPTS} decks from seed {seed}; try another seed")


def _unit(assignment: Assignment, game: Game) -> Session:
    return Session(
        id="session/fresh",
        program=Program(assignment.spec.file, assignment.reference.source, assignment.supplied),
        inputs=tuple(line.text for line in game.lines),
        deck=game.deck,
        files=game.files,
    )


def disagreement(player: Player, game: Game, seen: SessionSeen) -> str:
    """What the reference did otherwise than the player expected, in one sentence; empty if nothing."""
    if seen.end is not Outcome.PASSED:
        return f"it ended with {seen.end.value} instead of finishing"
    if [typed_lines(read) for read in seen.reads] != [(line.text,) for line in game.lines]:
        return f"it read {len(seen.reads)} lines, and {len(game.lines)} were meant to be typed"
    answers = _answers(seen)
    for turn, (line, answer) in enumerate(zip(game.lines, answers, strict=True), 1):
        if bool(player.refused.search(answer)) != line.refused:
            return f"turn {turn}: {line.text!r} was {'taken' if line.refused else 'refused'}"
    if any(player.won.search(answer) for answer in answers) != game.won:
        return "the game is not won" if game.won else "the game is won"
    return ""


def _answers(seen: SessionSeen) -> list[str]:
    """What was shown after each typed line, up to the next question."""
    ends = [read.start for read in seen.reads[1:]] + [len(seen.output)]
    return [seen.output[read.end : end] for read, end in zip(seen.reads, ends, strict=True)]


class Board(Protocol):
    """A player's model of its game: it takes commands and names some that are against the rules."""

    def play(self, text: str) -> None: ...

    def wrong(self) -> list[str]: ...


def woven(
    chance: random.Random, board: Board, moves: Sequence[Line], typos: Sequence[str], *, graded: bool = True
) -> tuple[Line, ...]:
    """Good moves with mistakes between them, by turns a typing error and a move against the rules of that moment."""
    count = max(LEAST_MISTAKES, len(moves) // MOVES_PER_MISTAKE)
    places = sorted(chance.randrange(len(moves)) for _ in range(count)) if moves else []
    lines: list[Line] = []
    typing = True
    for place, move in enumerate(moves):
        for _ in range(places.count(place)):
            choices = list(typos) if typing else board.wrong() or list(typos)
            lines.append(Line(chance.choice(choices), graded, refused=True))
            typing = not typing
        lines.append(move)
        board.play(move.text)
    return tuple(lines)


def dealt(chance: random.Random, kindness: float, reach: Sequence[float] = ()) -> tuple[str, ...]:
    """A shuffled deck. `reach` says how late the first, second, ... card dealt can be played: kindness puts low cards where it is soon."""
    keys = {card: kindness * RANKS.index(card[0]) / len(RANKS) + (1 - kindness) * chance.random() for card in DECK}
    places = sorted(range(len(DECK)), key=lambda place: (reach[place] if reach else 0, chance.random()))
    deck = [""] * len(DECK)
    for place, card in zip(places, sorted(DECK, key=keys.__getitem__), strict=True):
        deck[place] = card
    return tuple(deck)
