"""A player of Aces Up: it plays a deck many times, with other choices where there are some, and keeps the best game.

For a win the cards of a suit come to lie together, in each new deck a little more.
What the handout leaves open is not typed: a command for an empty column, a column that is not there, D without a stock,
a blank line. A game stops before four aces are left that do not lie one in each column, and before a deal that would win.
"""

from __future__ import annotations

from random import Random

from harness.players import Game, Line, woven
from harness.values import DECK, SUITS

REFUSED = r"Error in option: .*\nInvalid option\.|Error, cannot move|Invalid move"
WON = r"^You won!$|\nYou won!\n"

TYPOS = ("X", "Z 1", "F", "F a", "F 1 2", "T", "T 1", "T 1 b", "T a 2", "T 1 2 3", "D 2", "7", "1 2", "FT 1")
ORDER = "23456789TJQKA"
COLUMNS = range(1, 5)
GAMES = 100


class Table:
    """The stock and the four columns, which commands number from 1."""

    def __init__(self, deck: tuple[str, ...]) -> None:
        self.deck = deck
        self.stock = list(reversed(deck))
        self.columns: dict[int, list[str]] = {number: [] for number in COLUMNS}
        self.play("D")

    def play(self, text: str) -> None:
        letter, *words = text.split()
        numbers = [int(word) for word in words]
        if letter == "D":
            for number in COLUMNS:
                self.columns[number].append(self.stock.pop())
        elif letter == "F":
            self.columns[numbers[0]].pop()
        elif letter == "T":
            self.columns[numbers[1]].append(self.columns[numbers[0]].pop())
        elif letter == "R":
            self.__init__(self.deck)  # type: ignore[misc]

    def wrong(self) -> list[str]:
        """Moves that the rules forbid, from columns that hold a card."""
        filled = [number for number in COLUMNS if self.columns[number]]
        refused = [f"F {number}" for number in filled if not self.beaten(number)]
        return refused + [f"T {source} {target}" for source in filled for target in filled]

    def beaten(self, number: int) -> bool:
        """Whether a higher card of its suit lies at the bottom of another column."""
        card = self.columns[number][-1]
        tops = [column[-1] for column in self.columns.values() if column]
        return any(top[1] == card[1] and ORDER.index(top[0]) > ORDER.index(card[0]) for top in tops)

    def won(self) -> bool:
        return not self.stock and all(len(column) == 1 and column[0][0] == "A" for column in self.columns.values())

    def unsettled(self) -> bool:
        """Whether only aces are left, but not one in each column, which may be a win or not."""
        left = [card for column in self.columns.values() for card in column]
        return not self.stock and all(card[0] == "A" for card in left) and not self.won()


def _next(table: Table, chance: Random) -> str | None:
    """The next move: away with what is beaten, then to an empty column, then a deal."""
    filled = [number for number in COLUMNS if table.columns[number]]
    beaten = [f"F {number}" for number in filled if table.beaten(number)]
    if beaten:
        return chance.choice(beaten)
    deep = [number for number in filled if len(table.columns[number]) > 1]
    empty = [number for number in COLUMNS if number not in filled]
    if deep and empty:
        source = max(deep, key=lambda number: _worth(table.columns[number]) + chance.random())
        return f"T {source} {chance.choice(empty)}"
    return "D" if table.stock and (filled or len(table.stock) > len(COLUMNS)) else None


def _worth(column: list[str]) -> float:
    """An ace is best moved away, and best from a long column."""
    return (column[-1][0] == "A") * 0.5 + len(column) / 13


def _game(deck: tuple[str, ...], chance: Random) -> tuple[int, list[str]]:
    """Play the deck once: how many cards are left, 0 for a win, and the moves."""
    table, moves = Table(deck), list[str]()
    move = _next(table, chance)
    while move and not table.won():
        table.play(move)
        if table.unsettled():
            return 4, moves
        moves.append(move)
        move = _next(table, chance)
    left = len(table.stock) + sum(len(column) for column in table.columns.values())
    return 0 if table.won() else left, moves


def _dealt(chance: Random, kindness: float) -> tuple[str, ...]:
    """A shuffled deck; kindness brings the cards of a suit together, so that more of them beat each other."""
    suits = chance.sample(SUITS, len(SUITS))
    keys = {card: kindness * suits.index(card[1]) / len(SUITS) + (1 - kindness) * chance.random() for card in DECK}
    return tuple(sorted(DECK, key=keys.__getitem__))


def play(chance: Random, kindness: float) -> Game:
    """Play one deck, often after a restart, with the menu once in between."""
    deck = _dealt(chance, kindness)
    left, moves = min((_game(deck, chance) for _ in range(GAMES)), key=lambda game: game[0])
    typed = list(moves)
    typed.insert(chance.randrange(len(typed)), "H")
    if chance.random() < 0.5:
        typed = [*moves[: chance.randrange(1, 9)], "R", *typed]
    lines = woven(chance, Table(deck), [Line(text) for text in typed], TYPOS)
    return Game(lines if left == 0 else (*lines, Line("Q")), left == 0, deck)
