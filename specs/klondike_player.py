"""A player of Klondike: it plays a deck several times, with other choices where there are some, and keeps the best game.

Few shuffled decks can be won one card at a time and once through the stock, so for a win low cards come to lie where they
are reached soon, in each new deck a little more. What the handout leaves open is not typed: a blank line, SW without a stock,
a move from an empty pile or of a column onto itself; what H and R show is not judged.
"""

from __future__ import annotations

from random import Random

from harness.players import Game, Line, dealt, woven
from harness.values import RANKS

REFUSED = r"Invalid move!|Error in "
WON = r"You won!"

TYPOS = ("tt 0 3", "TT 8 3", "tt 3 0", "tf 3 5", "wt 8", "wf 0", "tt 1", "tt 1 2 3", "tf 1 b", "wt", "wf one", "ws", "x", "mtt 4 6 2", "12")  # fmt: skip
COLUMNS, PILES = range(1, 8), range(1, 5)
ROWS = [(row, column) for row in COLUMNS for column in COLUMNS if column >= row]
REACH = [(column - row) / 7 for row, column in ROWS] + [place / 24 for place in range(24)]
GAMES = 30


class Table:
    """The piles as commands number them, the last card on top, and how many cards of each column lie face down."""

    def __init__(self, deck: tuple[str, ...]) -> None:
        self.deck = deck
        self.columns: dict[int, list[str]] = {number: [] for number in COLUMNS}
        for card, (_, column) in zip(deck, ROWS, strict=False):
            self.columns[column].append(card)
        self.hidden = {number: number - 1 for number in COLUMNS}
        self.piles: dict[int, list[str]] = {number: [] for number in PILES}
        self.waste = [deck[len(ROWS)]]
        self.stock = list(reversed(deck[len(ROWS) + 1 :]))

    def play(self, text: str) -> None:
        name, numbers = _parsed(text)
        if name == "R":
            self.__init__(self.deck)  # type: ignore[misc]
        elif name == "SW":
            self.waste.append(self.stock.pop())
        elif name in ("TT", "TF", "WT", "WF"):
            self.target(name, numbers[-1]).append(self.source(name, numbers[0]).pop())
            for number, column in self.columns.items():
                self.hidden[number] = max(0, min(self.hidden[number], len(column) - 1))

    def source(self, name: str, number: int) -> list[str]:
        return self.waste if name[0] == "W" else self.columns[number]

    def target(self, name: str, number: int) -> list[str]:
        return self.columns[number] if name[1] == "T" else self.piles[number]

    def legal(self, text: str) -> bool:
        name, numbers = _parsed(text)
        card, target = self.source(name, numbers[0])[-1], self.target(name, numbers[-1])
        return _builds(card, target) if name[1] == "F" else _fits(card, target)

    def commands(self) -> list[str]:
        """Every move from a pile that holds a card to another pile."""
        filled = [number for number in COLUMNS if self.columns[number]]
        moves = [f"TF {source} {target}" for source in filled for target in PILES]
        moves += [f"TT {source} {target}" for source in filled for target in COLUMNS if source != target]
        if self.waste:
            moves += [f"WF {target}" for target in PILES] + [f"WT {target}" for target in COLUMNS]
        return moves

    def wrong(self) -> list[str]:
        return [text for text in self.commands() if not self.legal(text)]

    def won(self) -> bool:
        return all(len(pile) == len(RANKS) for pile in self.piles.values())


def _parsed(text: str) -> tuple[str, list[int]]:
    name, *words = text.upper().split()
    return name, [int(word) for word in words]


def _builds(card: str, pile: list[str]) -> bool:
    """An ace starts a foundation; then each card follows in its suit."""
    return RANKS.index(card[0]) == len(pile) and (not pile or pile[-1][1] == card[1])


def _fits(card: str, column: list[str]) -> bool:
    """A king fills an empty column; otherwise a card goes onto the next higher one of the other colour."""
    if not column:
        return card[0] == "K"
    red = [one[1] in "DH" for one in (card, column[-1])]
    return red[0] != red[1] and RANKS.index(column[-1][0]) == RANKS.index(card[0]) + 1


def _worth(table: Table, text: str) -> float:
    """How good a legal move is; nothing for one that only goes to and fro."""
    name, numbers = _parsed(text)
    if name[1] == "F":
        return 3
    if name == "WT":
        return 1
    column = table.columns[numbers[0]]
    if len(column) - table.hidden[numbers[0]] == 1:
        return 2 if len(column) > 1 or column[0][0] != "K" else 0
    freed = any(_builds(column[-2], pile) for pile in table.piles.values())
    return 2 if freed else 0


def _game(deck: tuple[str, ...], chance: Random) -> tuple[int, list[str]]:
    """Play the deck once: how many cards are not built up in the end, and the moves."""
    table, moves = Table(deck), list[str]()
    while not table.won():
        choices = [
            (_worth(table, text) + chance.random() * 1.5, text) for text in table.commands() if table.legal(text)
        ]
        choices = [choice for choice in choices if choice[0] >= 1 and _worth(table, choice[1])]
        choices += [(1 + chance.random(), "SW")] if table.stock else []
        if not choices:
            break
        moves.append(max(choices)[1])
        table.play(moves[-1])
    return 52 - sum(len(pile) for pile in table.piles.values()), moves


def play(chance: Random, kindness: float) -> Game:
    """Play one deck, sometimes after a restart, in capital and small letters, with the menu once in between."""
    deck = dealt(chance, kindness, REACH)
    left, moves = min((_game(deck, chance) for _ in range(GAMES)), key=lambda game: game[0])
    lines = [Line(chance.choice((text, text.lower()))) for text in moves]
    lines.insert(chance.randrange(len(lines)), Line("H", graded=False))
    if chance.random() < 0.3:
        lines = [*lines[: chance.randrange(1, 12)], Line("R", graded=False), *lines]
    lines = list(woven(chance, Table(deck), lines, TYPOS))
    return Game(tuple(lines) if left == 0 else (*lines, Line("q")), left == 0, deck)
