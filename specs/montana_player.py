"""A player of Montana, which makes a game to win backwards.

From the won board cards are taken out of their rows into gaps, and the moves that bring them home are typed. Any other game
is a shuffled deck, played until it is stuck and shuffled again.

What the handout leaves open is not typed: a 2 to the right of an ace of its suit, negative numbers, whole words. What lies
where after a shuffle is the program's own affair, so the moves typed then lead only to the one gap of each row, right of its
sequence: there the rules leave nothing open, whatever the cards are.
"""

from __future__ import annotations

from random import Random

from harness.players import Game, Line, dealt, woven
from harness.values import RANKS, SUITS

REFUSED = r"Error: |No more shuffles remain"
WON = r"You won!"

TYPOS = (
    "",
    "x",
    "1 2 3",
    "1 2 3 4 5",
    "a b c d",
    "1.5 2 3 4",
    "2336",
    "1 2 3 x",
    "5 1 1 1",
    "1 14 2 1",
    "0 1 2 3",
    "1 1 4 99",
)
WIDTH = 13
PLACES = tuple((row, column) for row in range(4) for column in range(WIDTH))
COURSE_SEED = 100
LONGEST = 60
STEPS_BACK = 90

Place = tuple[int, int]


class Table:
    """Four rows of thirteen; an ace is a gap. Commands number rows and columns from 1."""

    def __init__(self, deck: tuple[str, ...]) -> None:
        self.deck = deck
        self.rows = [list(deck[start : start + WIDTH]) for start in range(0, len(deck), WIDTH)]
        self.luck = Random(COURSE_SEED)  # noqa: S311 - the program's own, as the course seeds it
        self.targets: list[Place] | None = None

    def at(self, place: Place) -> str:
        return self.rows[place[0]][place[1]]

    def gaps(self) -> list[Place]:
        return [place for place in PLACES if self.at(place)[0] == "A"]

    def swap(self, one: Place, other: Place) -> None:
        first, second = self.at(one), self.at(other)
        self.rows[one[0]][one[1]], self.rows[other[0]][other[1]] = second, first

    def play(self, text: str) -> None:
        if text == "s":
            self.shuffle()
        elif text not in ("q", "y", "n"):
            row, column, to_row, to_column = (int(word) - 1 for word in text.split())
            self.swap((row, column), (to_row, to_column))

    def home(self, card: str, gap: Place) -> bool:
        """A gap takes the card that follows the one left of it, and at the left end a 2."""
        row, column = gap
        return card[0] == "2" if column == 0 else _follows(card, self.rows[row][column - 1])

    def moves(self) -> list[str]:
        gaps = [gap for gap in self.gaps() if self.targets is None or gap in self.targets]
        return [_typed(place, gap) for gap in gaps for place in self.sources() if self.home(self.at(place), gap)]

    def wrong(self) -> list[str]:
        """Moves against the rules that are so beyond doubt."""
        targets = PLACES if self.targets is None else self.targets
        return [
            _typed(place, target)
            for target in targets
            for place in self.sources()
            if place != target and not self._taken(place, target) and not self._open(place, target)
        ]

    def sources(self) -> list[Place]:
        return [(row, column) for row, column in PLACES if self.targets is None or column >= self.sequence(row)]

    def _taken(self, place: Place, target: Place) -> bool:
        return self.at(target)[0] == "A" and self.home(self.at(place), target)

    def _open(self, place: Place, target: Place) -> bool:
        """A 2 to the right of an ace."""
        row, column = target
        return self.at(place)[0] == "2" and column > 0 and self.rows[row][column - 1][0] == "A"

    def sequence(self, row: int) -> int:
        """How many cards of a row lie in their final order."""
        cards = self.rows[row]
        length = int(cards[0][0] == "2")
        while 0 < length < WIDTH and _follows(cards[length], cards[length - 1]):
            length += 1
        return length

    def shuffle(self) -> None:
        """Shuffle as the reference does; from now on only the gaps of this moment are played to."""
        lengths = [self.sequence(row) for row in range(4)]
        loose = [card for row, length in zip(self.rows, lengths, strict=True) for card in row[length:]]
        self.luck.shuffle(loose)
        gaps = [card for card in loose if card[0] == "A"]
        others = iter([card for card in loose if card[0] != "A"])
        for row, length in zip(self.rows, lengths, strict=True):
            row[length:] = [gaps.pop(), *(next(others) for _ in range(WIDTH - length - 1))]
        self.targets = [(row, length) for row, length in enumerate(lengths)]


def _follows(card: str, left: str) -> bool:
    return left[0] != "A" and card[1] == left[1] and RANKS.index(card[0]) == RANKS.index(left[0]) + 1


def _typed(place: Place, target: Place) -> str:
    return f"{place[0] + 1} {place[1] + 1} {target[0] + 1} {target[1] + 1}"


def _backwards(chance: Random) -> tuple[tuple[str, ...], list[str]]:
    """A deck that is won, and the moves: a walk back from the won board, in which no ace ends the row of its suit."""
    suits = chance.sample(SUITS, len(SUITS))
    aces = suits[1:] + suits[:1]
    rows = [[*(rank + suit for rank in RANKS[1:]), f"A{ace}"] for suit, ace in zip(suits, aces, strict=True)]
    table = Table(tuple(card for row in rows for card in row))
    moves: list[str] = []
    for _ in range(STEPS_BACK):
        settled = [place for place in PLACES if _settled(table, place)]
        if settled:
            place, gap = chance.choice(settled), chance.choice(table.gaps())
            moves.insert(0, _typed(gap, place))
            table.swap(place, gap)
    return tuple(card for row in table.rows for card in row), moves


def _settled(table: Table, place: Place) -> bool:
    """Whether a card lies where it could have been moved to just now."""
    return table.at(place)[0] != "A" and table.home(table.at(place), place)


def _forwards(deck: tuple[str, ...], chance: Random) -> list[str]:
    """Play a shuffled deck until it is stuck, shuffle twice, and often ask for a third time and for another game."""
    table, typed = Table(deck), list[str]()
    for _ in range(3):
        for _ in range(LONGEST):
            moves = table.moves()
            if not moves:
                break
            typed.append(chance.choice(moves))
            table.play(typed[-1])
        typed.append("s")
        table.play("s")
    return typed[:-1]


def play(chance: Random, kindness: float) -> Game:
    """Any deck with two shuffles if luck is not helped, and otherwise a game made backwards, without a shuffle."""
    if kindness > 0:
        deck, moves = _backwards(chance)
        lines = woven(chance, Table(deck), [Line(text) for text in moves], TYPOS)
        return Game((*lines, Line("n")), won=True, deck=deck)
    deck = dealt(chance, 0)
    moves = _forwards(deck, chance)
    lines = woven(chance, Table(deck), [Line(text) for text in moves], TYPOS)
    return Game((*lines, Line("s", refused=True), Line("q"), Line("n")), won=False, deck=deck)
