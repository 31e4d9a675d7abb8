"""Plays a program over a fixed deck and typed lines, in this process, and writes down what the screen shows.

It exists so that references, sessions and sample submissions can be tested without the sandbox: trusted code only.
A transcript is the screen with each typed line between `{{` and `}}`, as in `fixtures/<slug>/sessions/*.txt`.
"""

from __future__ import annotations

import builtins
import contextlib
import dataclasses
import io
import os
import random
import signal
import sys
from pathlib import Path
from types import FrameType, ModuleType
from typing import TYPE_CHECKING
from unittest import mock

import yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ROOT = Path(__file__).resolve().parents[2]
RANKS = "A23456789TJQK"
SUITS = "CDHS"
FRESH = "fresh"
"""What a header says for the deck as the supplied module builds it, unshuffled."""


class TimeUpError(BaseException):
    """The program ran for too long. Not an Exception, so that a careless handler does not swallow it."""


@dataclasses.dataclass(frozen=True)
class SessionFile:
    """A session as it lies in fixtures: its header, and the screen with the typed lines in it."""

    path: Path
    header: dict[str, str]
    screen: str

    @property
    def typed(self) -> tuple[str, ...]:
        return typed_lines(self.screen)

    @property
    def deck(self) -> str | None:
        return self.header.get("deck")

    @property
    def seed(self) -> int:
        return int(self.header.get("seed", "0"))

    @property
    def ungraded(self) -> frozenset[int]:
        return frozenset(int(turn) for turn in self.header.get("ungraded", "").split())

    @property
    def files(self) -> tuple[Path, ...]:
        folder = self.path.parent.parent / "files"
        return tuple(folder / name for name in self.header.get("files", "").split())


@dataclasses.dataclass(frozen=True)
class Played:
    """A game that was played: the screen, and what stopped the program if it did not end by itself."""

    screen: str
    stopped: BaseException | None = None

    @property
    def turns(self) -> tuple[str, ...]:
        return turns(self.screen)


def read_session(path: Path) -> SessionFile:
    """The session file at `path`; its header ends at the first line `---`."""
    head, screen = path.read_text(encoding="utf-8").split("---\n", 1)
    pairs = (line.split(":", 1) for line in head.splitlines() if line.strip() and not line.startswith("#"))
    return SessionFile(path, {key.strip(): value.strip() for key, value in pairs}, screen)


def sessions(slug: str) -> tuple[SessionFile, ...]:
    """Every session of an assignment, by name."""
    return tuple(read_session(path) for path in sorted((ROOT / "fixtures" / slug / "sessions").glob("*.txt")))


def typed_lines(screen: str) -> tuple[str, ...]:
    return tuple(part.split("}}\n", 1)[0] for part in screen.split("{{")[1:])


def turns(screen: str) -> tuple[str, ...]:
    """What came back: turn 0 is the screen before the first typed line, turn n what follows the nth."""
    first, *rest = screen.split("{{")
    return (first, *(part.split("}}\n", 1)[1] for part in rest))


def forgiving(screen: str) -> tuple[str, ...]:
    """The lines of a screen without blank lines and without blanks at their ends."""
    return tuple(line.rstrip() for line in screen.splitlines() if line.strip())


@dataclasses.dataclass(frozen=True)
class Sample:
    """A sample submission: the folder it is filed in says what it must get, `lost` which rubric lines suffer."""

    program: Path
    kind: str
    name: str
    why: str
    lost: frozenset[str]


def samples(slug: str) -> tuple[Sample, ...]:
    """Every sample submission of an assignment."""
    programs = sorted((ROOT / "fixtures" / slug / "submissions").glob("*/*/*.py"))
    return tuple(_sample(program) for program in programs)


def _sample(program: Path) -> Sample:
    folder = program.parent
    expected = folder / "expected.yaml"
    said = yaml.safe_load(expected.read_text(encoding="utf-8")) if expected.exists() else {}
    return Sample(program, folder.parent.name, folder.name, said.get("why", ""), frozenset(said.get("lost", ())))


def supplied_cards(path: Path, deck: str | None = None) -> ModuleType:
    """The supplied module at `path`, loaded anew; with a deck, `Deck` deals it in this order and never shuffles."""
    module = ModuleType("cards")
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module.__dict__)
    if deck is not None:
        _fix(module, None if deck == FRESH else tuple(deck.split()))
    return module


def _fix(module: ModuleType, codes: tuple[str, ...] | None) -> None:
    build = module.Deck.__init__

    def fixed(self: object) -> None:
        build(self)
        if codes is not None:
            dealt = [module.Card(RANKS.index(code[0]) + 1, SUITS.index(code[1]) + 1) for code in codes]
            self._Deck__deck = dealt[::-1]  # type: ignore[attr-defined]

    module.Deck.__init__ = fixed
    module.Deck.shuffle = lambda self: None


def load(program: Path, cards: ModuleType | None = None, *, name: str | None = None) -> ModuleType:
    """Import the program at `program` anew, beside `cards` if the course supplies such a module."""
    module = ModuleType(name or program.stem)
    _execute(program, cards, module)
    return module


def salvage(program: Path, cards: ModuleType | None = None) -> ModuleType:
    """Import as far as it goes: a driver at the end of the file finds one empty line and then no more input."""
    module = ModuleType(program.stem)
    perform(lambda: _execute(program, cards, module), ("",))
    return module


def _execute(program: Path, cards: ModuleType | None, module: ModuleType) -> None:
    module.__file__ = str(program)
    supplied = {} if cards is None else {"cards": cards}
    with mock.patch.dict(sys.modules, {module.__name__: module, **supplied}):
        exec(compile(program.read_text(encoding="utf-8"), str(program), "exec"), module.__dict__)


def play(
    program: Path,
    typed: Sequence[str],
    *,
    cards: ModuleType | None = None,
    seed: int = 0,
    folder: Path | None = None,
    seconds: float = 5.0,
) -> Played:
    """Run `program` as a script, type these lines, and tell what the screen shows. After the last line input ends."""
    return perform(lambda: load(program, cards, name="__main__"), typed, seed=seed, folder=folder, seconds=seconds)


def perform(
    action: Callable[[], object],
    typed: Sequence[str] = (),
    *,
    seed: int = 0,
    folder: Path | None = None,
    seconds: float = 5.0,
) -> Played:
    """Do anything that asks and prints, such as calling one function, and tell what the screen shows."""
    screen = io.StringIO()
    with _keyboard(screen, typed), _working_folder(folder), _time_limit(seconds):
        random.seed(seed)
        stopped = _stopped_by(action)
    return Played(screen.getvalue(), stopped)


def _stopped_by(action: Callable[[], object]) -> BaseException | None:
    try:
        action()
    except SystemExit:
        return None
    except (Exception, TimeUpError) as stopped:  # noqa: BLE001 - whatever stops a sample is the result
        return stopped
    return None


def replay(program: Path, session: SessionFile, supplied: Path | None = None, folder: Path | None = None) -> Played:
    """Play a session file's deck and typed lines with a program."""
    cards = None if supplied is None else supplied_cards(supplied, session.deck)
    return play(program, session.typed, cards=cards, seed=session.seed, folder=folder)


def session_text(header: dict[str, str], screen: str) -> str:
    """The text of a session file."""
    return "".join(f"{key}: {value}\n" for key, value in header.items()) + "---\n" + screen


@contextlib.contextmanager
def _keyboard(screen: io.StringIO, typed: Sequence[str]) -> Iterator[None]:
    lines = iter(typed)

    def ask(prompt: object = "", /) -> str:
        screen.write(str(prompt))
        line = next(lines, None)
        if line is None:
            raise EOFError
        screen.write("{{" + line + "}}\n")
        return line

    with mock.patch.object(builtins, "input", ask), contextlib.redirect_stdout(screen):
        yield


@contextlib.contextmanager
def _working_folder(folder: Path | None) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder or before)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Interrupt at the limit and again every tenth of a second, since a bare `except:` may swallow the first one."""

    def up(_number: int, _frame: FrameType | None) -> None:
        raise TimeUpError

    before = signal.signal(signal.SIGALRM, up)
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
