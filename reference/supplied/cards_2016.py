"""Playing cards, as the course supplies them (the 2016 edition). Do not modify this file."""

import random

RANKS = ["", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SUITS = ["", "♣", "♦", "♥", "♠"]


class Card:
    """One playing card: rank 1 (ace) to 13 (king), suit 1 (clubs), 2 (diamonds), 3 (hearts) or 4 (spades).

    Anything else makes a blank card, whose rank and suit are 0. A new card lies face up.
    """

    def __init__(self, rank=0, suit=0):
        self.__rank = 0
        self.__suit = 0
        self.__face_up = True
        if type(rank) is int and type(suit) is int and 1 <= rank <= 13 and 1 <= suit <= 4:
            self.__rank = rank
            self.__suit = suit

    def rank(self):
        """Return the rank, 1 to 13, or 0 for a blank card."""
        return self.__rank

    def suit(self):
        """Return the suit, 1 to 4, or 0 for a blank card."""
        return self.__suit

    def value(self):
        """Return the rank, but 10 for the ten and the court cards."""
        return self.__rank if self.__rank < 10 else 10

    def is_face_up(self):
        """Return True if the card lies face up."""
        return self.__face_up

    def flip_card(self):
        """Turn the card over."""
        self.__face_up = not self.__face_up

    def __str__(self):
        """Return rank and suit, or XX for a card that lies face down or is blank."""
        if self.__rank == 0 or not self.__face_up:
            return "XX"
        return RANKS[self.__rank] + SUITS[self.__suit]

    def __repr__(self):
        return self.__str__()

    def __eq__(self, other):
        """Two cards are equal if rank and suit are."""
        return isinstance(other, Card) and self.__rank == other.rank() and self.__suit == other.suit()

    __hash__ = None


class Deck:
    """A pile of cards, 52 at first: clubs, diamonds, hearts, spades, each from ace to king. The king of spades is on top."""

    def __init__(self):
        self.__deck = [Card(rank, suit) for suit in range(1, 5) for rank in range(1, 14)]

    def shuffle(self):
        """Put the cards into a random order."""
        random.shuffle(self.__deck)

    def deal(self):
        """Remove the top card and return it, or return None if there is none."""
        return self.__deck.pop() if self.__deck else None

    def is_empty(self):
        """Return True if no card is left."""
        return not self.__deck

    def __len__(self):
        """Return the number of cards left."""
        return len(self.__deck)

    def __str__(self):
        """Return the cards from the bottom to the top, with commas between them."""
        return ", ".join(str(card) for card in self.__deck)

    def __repr__(self):
        return self.__str__()

    def display(self, cols=13):
        """Print the cards from the bottom to the top, `cols` to a line."""
        for index, card in enumerate(self.__deck):
            if index % cols == 0:
                print()
            print("{:3s} ".format(str(card)), end="")
        print("\n")
