"""A player of Thumb and Pouch: it plays a deck several times, with other choices where there are some, and keeps the best game.

For a win low cards come to lie where they are reached soon, in each new deck a little more. What the handout leaves open is
not typed (a column onto itself, sw or q with a number, no cards to move) or not judged: what is shown after a mistake,
after h, and after the win.
"""

from __future__ import annotations

from random import Random

from harness.players import Game, Line, dealt, woven
from harness.values import RANKS

REFUSED = r"Try again\."
WON = r"You won!"

TYPOS = ("", "ws", "tf", "tf 1", "tf 1 2 3", "tt 1 2", "wf", "wt 1 2", "xyz 1 2", "tf a b", "tf 8 1", "tf 1 5", "tt 0 2 1", "tt 1 8 1", "wf one", "wt 8")  # fmt: skip
COLUMNS, PILES = range(1, 8), range(1, 5)
ROWS = [(row, column) for row in COLUMNS for column in COLUMNS if column >= row]
REACH = [(column - row) / 7 for row, column in ROWS] + [place / 24 for place in range(24)]
GAMES = 10


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
        if name == "r":
            self.__init__(self.deck)  # type: ignore[misc]
        elif name == "sw":
            self.waste.append(self.stock.pop())
        elif name in ("tt", "tf", "wt", "wf"):
            source, target, count = self.piles_of(name, numbers)
            target.extend(source[-count:])
            del source[-count:]
            for number, column in self.columns.items():
                self.hidden[number] = max(0, min(self.hidden[number], len(column) - 1))

    def piles_of(self, name: str, numbers: list[int]) -> tuple[list[str], list[str], int]:
        """From where, to where, and how many."""
        source = self.waste if name[0] == "w" else self.columns[numbers[0]]
        number = numbers[0] if name[0] == "w" else numbers[1]
        return source, (self.columns if name[1] == "t" else self.piles)[number], numbers[2] if name == "tt" else 1

    def legal(self, text: str) -> bool:
        name, numbers = _parsed(text)
        source, target, count = self.piles_of(name, numbers)
        if name == "tt" and count > self.face_up(numbers[0]):
            return False
        return _builds(source[-1], target) if name[1] == "f" else _fits(source[-count], target)

    def face_up(self, number: int) -> int:
        return len(self.columns[number]) - self.hidden[number]

    def commands(self, more: int = 0) -> list[str]:
        """Every move from a pile that holds a card to another pile; `more` cards than lie face up are asked for too."""
        filled = [number for number in COLUMNS if self.columns[number]]
        moves = [f"tf {source} {target}" for source in filled for target in PILES]
        moves += [
            f"tt {source} {target} {count}"
            for source in filled
            for target in COLUMNS
            for count in range(1, self.face_up(source) + more + 1)
            if source != target
        ]
        if self.waste:
            moves += [f"wf {target}" for target in PILES] + [f"wt {target}" for target in COLUMNS]
        return moves

    def wrong(self) -> list[str]:
        return [text for text in self.commands(more=1) if not self.legal(text)]

    def won(self) -> bool:
        return all(len(pile) == len(RANKS) for pile in self.piles.values())


def _parsed(text: str) -> tuple[str, list[int]]:
    name, *words = text.lower().split()
    return name, [int(word) for word in words]


def _builds(card: str, pile: list[str]) -> bool:
    """An ace starts a foundation; then each card follows in its suit."""
    return RANKS.index(card[0]) == len(pile) and (not pile or pile[-1][1] == card[1])


def _fits(card: str, column: list[str]) -> bool:
    """Any card fills an empty column; otherwise it goes onto the next higher one of another suit."""
    if not column:
        return True
    return card[1] != column[-1][1] and RANKS.index(column[-1][0]) == RANKS.index(card[0]) + 1


def _worth(table: Table, text: str) -> float:
    """How good a legal move is; nothing for one that only goes to and fro."""
    name, numbers = _parsed(text)
    if name[1] == "f":
        return 4
    if name == "wt":
        return 2 if table.columns[numbers[0]] else 0.5
    source, target, count = table.piles_of(name, numbers)
    if count == table.face_up(numbers[0]):
        return 0 if not target and count == len(source) else 3 if target else 1.5
    freed = bool(target) and any(_builds(source[-count - 1], pile) for pile in table.piles.values())
    return 3 if freed else 0


def _game(deck: tuple[str, ...], chance: Random) -> tuple[int, list[str]]:
    """Play the deck once: how many cards are not built up in the end, and the moves."""
    table, moves = Table(deck), list[str]()
    while not table.won():
        worth = {text: _worth(table, text) for text in table.commands() if table.legal(text)}
        worth |= {"sw": 1} if table.stock else {}
        good = [text for text, value in worth.items() if value]
        if not good:
            break
        moves.append(max(good, key=lambda text: worth[text] + chance.random()))
        table.play(moves[-1])
    return 52 - sum(len(pile) for pile in table.piles.values()), moves


def play(chance: Random, kindness: float) -> Game:
    """Play one deck, sometimes after a restart, in capital and small letters, with the menu once in between."""
    deck = dealt(chance, kindness, REACH)
    left, moves = min((_game(deck, chance) for _ in range(GAMES)), key=lambda game: game[0])
    lines = [Line(chance.choice((text, text.upper()))) for text in moves]
    if left == 0:
        lines[-1] = Line(lines[-1].text, graded=False)
    early = [*lines[: chance.randrange(1, 12)], Line("r")] if chance.random() < 0.3 else []
    lines.insert(chance.randrange(len(lines)), Line("h", graded=False))
    lines = list(woven(chance, Table(deck), early + lines, TYPOS, graded=False))
    return Game(tuple(lines) if left == 0 else (*lines, Line("q")), left == 0, deck)
