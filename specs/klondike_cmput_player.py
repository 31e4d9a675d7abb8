"""A player of the CMPUT Klondike: it writes a dealt game to a file, loads it, plays it several times and keeps the best game.

The board is looked at after every few commands, and only those turns are judged: all else on the screen is free. What the
handout leaves open is not typed: the suits as a source, a pile onto itself, an empty pile as a source, reset and discard
where they cannot work, a blank line, capital letters.
"""

from __future__ import annotations

import zlib
from random import Random

from harness.players import Game, Line, dealt, woven
from harness.values import RANKS

REFUSED = r": (?:could not open file|illegal command|incorrect number of arguments|arguments incorrect|illegal move)"
WON = r"You won!"

TYPOS = ("frobnicate", "frobnicate 1 2", "load nowhere.txt", "load", "board now", "discard 3", "reset now", "move", "move 1", "move 1 2 3", "move 8 1", "move 0 1", "move x 1", "move stock x")  # fmt: skip
PILES = tuple("1234567")
SUITS = {"S": "Spades", "H": "Hearts", "D": "Diamonds", "C": "Clubs"}
DEALT = [pile for pile in PILES for _ in range(int(pile))]
REACH = [(int(pile) - 1 - place) / 7 for pile in PILES for place in range(int(pile))] + [
    place / 24 for place in range(24)
]
GAMES = 8
IN_VAIN = 25
"""Draws from the stock without another move, after which a game is given up."""


class Table:
    """The decks by the words of the commands, the last card on top, and how many cards of each pile lie face down."""

    def __init__(self, deck: tuple[str, ...]) -> None:
        self.decks: dict[str, list[str]] = {name: [] for name in (*PILES, "stock", "discard")}
        for card, pile in zip(deck, DEALT, strict=False):
            self.decks[pile].append(card)
        self.decks["stock"] = list(reversed(deck[len(DEALT) :]))
        self.hidden = {pile: int(pile) - 1 for pile in PILES}
        self.built = dict.fromkeys(SUITS, 0)

    def play(self, text: str) -> None:
        name, *words = text.split()
        stock, discard = self.decks["stock"], self.decks["discard"]
        if name == "discard":
            for _ in range(min(3, len(stock))):
                discard.append(stock.pop())
        elif name == "reset":
            self.decks["stock"], self.decks["discard"] = discard, stock
        elif name == "move":
            self._move(*words)

    def _move(self, source: str, target: str) -> None:
        count, cards = self.count(source, target), self.decks[source]
        if target == "suit":
            self.built[cards[-1][1]] += 1
        else:
            self.decks[target].extend(cards[-count:])
        del cards[-count:]
        if source in self.hidden:
            self.hidden[source] = max(0, min(self.hidden[source], len(cards) - 1))

    def count(self, source: str, target: str) -> int:
        """How many cards such a move takes: as many as fit, 0 if it is against the rules."""
        cards = self.decks[source]
        if target == "suit":
            return int(RANKS.index(cards[-1][0]) == self.built[cards[-1][1]])
        most = 1 if source == "stock" else len(cards) - self.hidden[source]
        pile = self.decks[target]
        wanted = RANKS.index(pile[-1][0]) - 1 if pile else len(RANKS) - 1
        return next((count for count in range(1, most + 1) if RANKS.index(cards[-count][0]) == wanted), 0)

    def commands(self) -> list[tuple[str, str]]:
        """Every move from a deck that holds a card to another one."""
        filled = [name for name in (*PILES, "stock") if self.decks[name]]
        return [(source, target) for source in filled for target in (*PILES, "suit") if source != target]

    def wrong(self) -> list[str]:
        return [f"move {source} {target}" for source, target in self.commands() if not self.count(source, target)]

    def won(self) -> bool:
        return all(count == len(RANKS) for count in self.built.values())


def _worth(table: Table, source: str, target: str) -> float:
    """How good a legal move is; nothing for one that only goes to and fro."""
    if target == "suit":
        return 3
    if source == "stock":
        return 1
    count, cards = table.count(source, target), table.decks[source]
    if count == len(cards) - table.hidden[source]:
        return 2 if count < len(cards) or table.decks[target] else 0
    below = cards[-count - 1]
    return 2 if RANKS.index(below[0]) == table.built[below[1]] else 0


def _game(deck: tuple[str, ...], chance: Random) -> tuple[int, list[str]]:
    """Play the deck once: how many cards are not built up in the end, and the moves."""
    table, moves, draws = Table(deck), list[str](), 0
    while not table.won() and draws < IN_VAIN:
        worth = {pair: _worth(table, *pair) for pair in table.commands() if table.count(*pair)}
        good = [pair for pair, value in worth.items() if value]
        if good:
            move = "move " + " ".join(max(good, key=lambda pair: worth[pair] + chance.random()))
        elif table.decks["stock"] or table.decks["discard"]:
            move = "discard" if table.decks["stock"] else "reset"
        else:
            break
        draws = 0 if good else draws + 1
        moves.append(move)
        table.play(move)
    return 52 - sum(table.built.values()), moves[: len(moves) - draws] if draws else moves


def _saved(deck: tuple[str, ...]) -> bytes:
    """The game before its first move as the program saves it."""
    decks, suits = Table(deck).decks, list(SUITS.values())
    named = {"Stock": decks["stock"], "Discard": []} | {suit: [] for suit in suits}
    named |= {f"PILE-{pile}": decks[pile] for pile in PILES}
    lines = []
    for name, cards in named.items():
        words = [f"{card[0]}{card[1].lower()}{'-' if place else '+'}" for place, card in enumerate(reversed(cards))]
        lines.append(" ".join([name, "[", *words, "]"]) + "\n")
    return "".join(lines).encode()


def play(chance: Random, kindness: float) -> Game:
    """Deal a game into a file, load and play it, and look at the board every few commands."""
    deck = dealt(chance, kindness, REACH)
    left, moves = min((_game(deck, chance) for _ in range(GAMES)), key=lambda game: game[0])
    lines = [Line("board")]
    for place, move in enumerate(moves):
        lines.append(Line(move, graded=False))
        if chance.random() < 0.2 or place == len(moves) - 1:
            lines.append(Line("board"))
    file, data = f"deal-{zlib.crc32(_saved(deck)):08x}.txt", _saved(deck)
    started = Line(f"load {file}", graded=False)
    lines = [started, *woven(chance, Table(deck), lines, TYPOS, graded=False), Line("done", graded=False)]
    return Game(tuple(lines), left == 0, files=((file, data),))
