"""Runs written by hand in the notation of the session files; `{{^D}}` is a read at the end of the input."""

from __future__ import annotations

import textwrap
from typing import Any

from harness.observation import Read, SessionSeen, Shown
from harness.outcome import Outcome
from harness.values import cards

BOARD = "  1:  2♣  3♣  4♣\n  2:  5♥  6♥\n  3: 10♦  J♦  Q♦\n"
OTHER = "  1:  2♣  3♣  4♣\n  2:  5♥  6♥  7♥\n  3: 10♦  J♦\n"
MENU = "Input options:\n    D: Deal to the Tableau\n    F x: Move card from column x\n    Q: Quit the game        \n"
ASK = "\nInput an option (DFQ): "


def run(text: str, end: Outcome = Outcome.PASSED, **more: Any) -> SessionSeen:
    """A run that looks like the text; the prompt is the line that is not ended when something is typed."""
    output, reads = "", []
    for line in text.splitlines(keepends=True):
        prompt, typed, rest = line.partition("{{")
        if not typed:
            output += line
            continue
        got = rest.strip("\n").removesuffix("}}")
        reads.append(Read(len(output), len(output) + len(prompt), None if got == "^D" else got))
        output += prompt
    return SessionSeen("game", end, output, tuple(reads), **more)


def game(*answers: str, ask: str = ASK, typed: tuple[str, ...] = ("D", "F 2", "Q")) -> str:
    """A game of an opening, the answer to each typed line, and no question after the last."""
    asked = [f"{answer}{ask}{{{{{line}}}}}\n" for answer, line in zip(answers[:-1], typed, strict=True)]
    return "".join([*asked, answers[-1]])


def plain(text: str) -> str:
    return textwrap.dedent(text).lstrip("\n")


def shown(at: int, codes: str) -> Shown:
    return Shown(at, "display", (cards(codes),))


RIGHT = game("Aces\n" + BOARD, OTHER, "Invalid move.\n" + OTHER, "You have chosen to quit.\n")
