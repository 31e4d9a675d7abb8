# klondike.py: the solitaire game Klondike (CMPUT 175, Assignment 2)
#
# Author: the course staff (reference solution)
# Acknowledgements: the Deck class is built like the Stack class shown in
#   class; the rules are those of the handout. No other collaborators.
#
# The program reads one command a line:
#   load FILE, save FILE       read or write a game
#   board, cheat               show the game; cheat shows hidden cards too
#   comment TEXT               show TEXT
#   move FROM TO               stock or 1-7, to suit or 1-7
#   discard, reset             up to three cards away; all of them back
#   done                       leave
# and, as extensions,
#   colours on, colours off    the alternating colour rule (the bonus);
#                              a program starts with the rule off
#   shuffle                    a new game
#   play                       the program plays on by itself
#
# Nothing is printed except what a command asks for, one line for an error
# ("command: what is wrong"), and "You won!" after the move that wins. Before
# the first load or shuffle all thirteen decks are empty. A blank line and the
# end of the input are no errors: the first does nothing, the second is "done".
#
# Outline: Card and Deck are the two classes of the handout. A Game is its
# thirteen decks, by the names that commands use: "stock", "discard", the
# suits "s" "h" "d" "c", the piles "1" to "7". Each command is one function,
# found in the table COMMANDS. Asserts guard what the user types and what a
# file holds; a GameError is a command that cannot be carried out. Both end in
# run_command, the one place where errors are printed.

import random

RANKS = tuple("A23456789TJQK")
SUITS = tuple("shdc")
RED_SUITS = ("h", "d")
PILES = tuple("1234567")
NAMES = {"stock": "Stock", "discard": "Discard", "s": "Spades",
         "h": "Hearts", "d": "Diamonds", "c": "Clubs", "1": "PILE-1",
         "2": "PILE-2", "3": "PILE-3", "4": "PILE-4", "5": "PILE-5",
         "6": "PILE-6", "7": "PILE-7"}

HIDDEN = "??"
FACE_UP = "+"
FACE_DOWN = "-"
NAME_WIDTH = 8
CARDS_DISCARDED = 3
ANY_TEXT = -1
PROMPT = "> "
UNREADABLE = "?"

# What the player looks at, and what it likes, from the worst to the best.
SOURCES = PILES + ("stock",)
BOARDS_LOOKED_AT = 30
RESETS_IN_VAIN = 2
SAFE_LEAD = 2
IN_VAIN, FOR_SUIT, USES_STOCK, TURNS_A_CARD, SAFE_FOR_SUIT = range(5)

NO_FILE = "could not open file"
BAD_FILE = "format error in file"
NO_COMMAND = "illegal command"
BAD_COUNT = "incorrect number of arguments"
BAD_ARGUMENTS = "arguments incorrect"
BAD_MOVE = "illegal move"
STOCK_EMPTY = "the stock is empty"
STOCK_NOT_EMPTY = "the stock is not empty"
NO_IDEA = "no useful move is left"


class GameError(Exception):
    """A command that cannot be carried out; its text tells why."""


class Card:
    """A playing card, which lies face down until it is turned."""

    def __init__(self, suit, rank):
        """Make the card of a suit (s h d c) and a rank (A 2-9 T J Q K)."""
        assert suit in SUITS, "no such suit"
        assert rank in RANKS, "no such rank"
        self.__suit = suit
        self.__rank = rank
        self.__visible = False

    def __str__(self):
        """Return the card as a player sees it: 7c, or ?? if face down."""
        return self.__rank + self.__suit if self.__visible else HIDDEN

    def __repr__(self):
        """Return the card as it is saved: 7c+ face up, 7c- face down."""
        side = FACE_UP if self.__visible else FACE_DOWN
        return self.__rank + self.__suit + side

    def isVisibleCard(self):
        """Return True if the card lies face up."""
        return self.__visible

    def faceupCard(self, visible):
        """Turn the card face up (True) or face down (False)."""
        self.__visible = visible

    def rankCard(self):
        """Return the rank, one of A 2-9 T J Q K."""
        return self.__rank

    def suitCard(self):
        """Return the suit, one of s h d c."""
        return self.__suit


class Deck:
    """A named stack of cards; the top is the end of the list."""

    def __init__(self, name):
        """Make an empty deck."""
        self.__name = name
        self.__cards = []

    def __str__(self):
        """Return the deck's line of the board, from top to bottom."""
        return self.__line(self.__name.rjust(NAME_WIDTH), str)

    def __repr__(self):
        """Return the deck's line of a saved game, from top to bottom."""
        return self.__line(self.__name, repr)

    def __line(self, name, written):
        """Return name and cards, each card as the function writes it."""
        words = [written(card) for card in reversed(self.__cards)]
        return " ".join([name, "["] + words + ["]"])

    def nameDeck(self):
        """Return the name."""
        return self.__name

    def sizeDeck(self):
        """Return the number of cards."""
        return len(self.__cards)

    def isEmptyDeck(self):
        """Return True if there are no cards."""
        return self.__cards == []

    def pushDeck(self, card):
        """Put a card on top."""
        self.__cards.append(card)

    def popDeck(self):
        """Remove the top card and return it."""
        assert not self.isEmptyDeck(), self.__name + " is empty"
        return self.__cards.pop()

    def peekDeck(self):
        """Return the top card and leave it where it is."""
        assert not self.isEmptyDeck(), self.__name + " is empty"
        return self.__cards[-1]


class Game:
    """The thirteen decks, and how they are played."""

    def __init__(self):
        """Make a game without cards, played without the colour rule."""
        self.decks = empty_decks()
        self.colours = False
        self.over = False


def empty_decks():
    """Return the thirteen decks without cards, by the commands' names."""
    return {key: Deck(name) for key, name in NAMES.items()}


# The rules of the game


def may_follow(card, upper, colours):
    """
    In a pile a card lies on one that is the next higher rank; with the
    alternating colour rule it must also be of the other colour.
    """
    step = RANKS.index(upper.rankCard()) - RANKS.index(card.rankCard())
    return step == 1 and not (colours and is_red(card) == is_red(upper))


def is_red(card):
    """Hearts and diamonds are red, spades and clubs are black."""
    return card.suitCard() in RED_SUITS


def may_join_pile(card, top, colours):
    """
    A card, with those lying on it, may be put on a pile if it may follow the
    pile's top card; on an empty pile (top is None) only a king may be put.
    """
    if top is None:
        return card.rankCard() == RANKS[-1]
    return may_follow(card, top, colours)


def may_join_suit(card, built):
    """
    Each suit is built up one card at a time, from ace to king: the card that
    comes next is known by the number of cards already built.
    """
    return RANKS.index(card.rankCard()) == built


def is_won(decks):
    """The game is won when all four suits are built up to the king."""
    return all(decks[suit].sizeDeck() == len(RANKS) for suit in SUITS)


# Moving cards


def top_card(deck):
    """Return the top card of a deck, None if the deck is empty."""
    return None if deck.isEmptyDeck() else deck.peekDeck()


def turn_up(deck):
    """Turn the top card of a deck face up, if there is one."""
    if not deck.isEmptyDeck():
        deck.peekDeck().faceupCard(True)


def pour(source, target):
    """Move all cards one by one, so that they end in the reverse order."""
    while not source.isEmptyDeck():
        target.pushDeck(source.popDeck())


def move_to_suit(source, decks):
    """Move the top card of a deck to its suit; return whether it may go."""
    suit = decks[source.peekDeck().suitCard()]
    legal = may_join_suit(source.peekDeck(), suit.sizeDeck())
    if legal:
        suit.pushDeck(source.popDeck())
    return legal


def move_from_stock(stock, pile, colours):
    """Move the top card of the stock to a pile; return whether it may go."""
    legal = may_join_pile(stock.peekDeck(), top_card(pile), colours)
    if legal:
        pile.pushDeck(stock.popDeck())
    return legal


def move_sequence(source, pile, colours):
    """
    Move the top cards of one pile to another, just as many as fit: cards are
    taken in hand while they are in sequence, until the last one taken may be
    put on the other pile. If none may, all go back. Return whether one may.
    """
    hand = Deck("hand")
    hand.pushDeck(source.popDeck())
    while (not may_join_pile(hand.peekDeck(), top_card(pile), colours)
           and is_sequence(hand.peekDeck(), top_card(source), colours)):
        hand.pushDeck(source.popDeck())
    legal = may_join_pile(hand.peekDeck(), top_card(pile), colours)
    pour(hand, pile if legal else source)
    return legal


def is_sequence(card, below, colours):
    """Return True if the card below is there, face up, and card follows."""
    return (below is not None and below.isVisibleCard()
            and may_follow(card, below, colours))


# Reading and writing decks


def card_words(deck):
    """Return the cards of a deck as they are saved, from top to bottom."""
    return repr(deck).split()[2:-1]


def read_card(code):
    """Return the card that is saved as code; complain if it is none."""
    rank, suit, side = code
    assert side in (FACE_UP, FACE_DOWN), BAD_FILE
    card = Card(suit, rank)
    card.faceupCard(side == FACE_UP)
    return card


def read_deck(name, line):
    """Return the deck that is saved in a line; complain if it is none."""
    words = line.split()
    assert words[:2] == [name, "["], BAD_FILE
    assert words[2:] and words[-1] == "]", BAD_FILE
    deck = Deck(name)
    for code in reversed(words[2:-1]):
        deck.pushDeck(read_card(code))
    return deck


def read_decks(text):
    """Return the decks of a saved game; complain if it is none."""
    lines = text.rstrip("\n").split("\n")
    assert len(lines) == len(NAMES), BAD_FILE
    decks = {key: read_deck(name, line)
             for (key, name), line in zip(NAMES.items(), lines)}
    check_cards(decks)
    for key in PILES + ("stock",):
        turn_up(decks[key])
    return decks


def check_cards(decks):
    """Complain unless all cards are there once and the suits in order."""
    pack = sorted(rank + suit for suit in SUITS for rank in RANKS)
    found = sorted(word[:2] for deck in decks.values()
                   for word in card_words(deck))
    assert found == pack, BAD_FILE
    for suit in SUITS:
        built = [word[:2] for word in reversed(card_words(decks[suit]))]
        assert built == [rank + suit for rank in RANKS[:len(built)]], BAD_FILE


def board_lines(decks):
    """Return the thirteen lines of the board."""
    return [str(deck) for deck in decks.values()]


def cheat_line(deck):
    """Return the deck's line of the board with all hidden cards shown."""
    cards = [word[:2] for word in card_words(deck)]
    return " ".join([deck.nameDeck().rjust(NAME_WIDTH), "["] + cards + ["]"])


# The commands: each gets the game and the words that were typed after it


def load(game, filename):
    """Go on with the game in a file; a damaged file changes nothing."""
    text = read_file(filename)
    try:
        game.decks = read_decks(text)
    except (AssertionError, ValueError):
        raise GameError(BAD_FILE)


def read_file(filename):
    """Return the text in a file; complain if there is none to be had."""
    try:
        with open(filename, encoding="utf-8") as file:
            return file.read()
    except UnicodeDecodeError:
        raise GameError(BAD_FILE)
    except (OSError, ValueError):
        raise GameError(NO_FILE)


def save(game, filename):
    """Write the game to a file, one line for each deck."""
    try:
        with open(filename, "w", encoding="utf-8") as file:
            for deck in game.decks.values():
                file.write(repr(deck) + "\n")
    except (OSError, ValueError):
        raise GameError(NO_FILE)


def board(game):
    """Show the game as a player sees it."""
    print("\n".join(board_lines(game.decks)))


def cheat(game):
    """Show the game with all its cards."""
    print("\n".join(cheat_line(deck) for deck in game.decks.values()))


def comment(game, text=""):
    """Show the text."""
    print(text)


def move(game, source, target):
    """Move a card to its suit, or one or more cards to a pile."""
    assert source in PILES + ("stock",), BAD_ARGUMENTS
    assert target in PILES + ("suit",), BAD_ARGUMENTS
    deck = game.decks[source]
    if deck.isEmptyDeck() or source == target:
        raise GameError(BAD_MOVE)
    if target == "suit":
        legal = move_to_suit(deck, game.decks)
    elif source == "stock":
        legal = move_from_stock(deck, game.decks[target], game.colours)
    else:
        legal = move_sequence(deck, game.decks[target], game.colours)
    if not legal:
        raise GameError(BAD_MOVE)
    turn_up(deck)
    if is_won(game.decks):
        print("You won!")


def discard(game):
    """Move three cards, or as many as there are, from stock to discard."""
    stock = game.decks["stock"]
    if stock.isEmptyDeck():
        raise GameError(STOCK_EMPTY)
    for _ in range(min(CARDS_DISCARDED, stock.sizeDeck())):
        card = stock.popDeck()
        card.faceupCard(False)
        game.decks["discard"].pushDeck(card)
    turn_up(stock)


def reset(game):
    """Move all discarded cards to the empty stock; they keep their order."""
    stock = game.decks["stock"]
    if not stock.isEmptyDeck():
        raise GameError(STOCK_NOT_EMPTY)
    hand = Deck("hand")
    pour(game.decks["discard"], hand)
    pour(hand, stock)
    turn_up(stock)


def done(game):
    """Leave the program; nothing is saved."""
    game.over = True


def set_colours(game, setting):
    """Switch the alternating colour rule on or off."""
    assert setting in ("on", "off"), BAD_ARGUMENTS
    game.colours = setting == "on"


def shuffle(game):
    """Start a new game with shuffled cards."""
    pack = [Card(suit, rank) for suit in SUITS for rank in RANKS]
    random.shuffle(pack)
    game.decks = empty_decks()
    for pile in PILES:
        for _ in range(int(pile)):
            game.decks[pile].pushDeck(pack.pop())
        turn_up(game.decks[pile])
    for card in pack:
        game.decks["stock"].pushDeck(card)
    turn_up(game.decks["stock"])


def play(game):
    """
    Play on until the game is won or two times through the stock have brought
    nothing new. Each command is shown as if it had been typed.
    """
    resets = 0
    while not is_won(game.decks):
        plan = choose_plan(board_lines(game.decks), game.colours)
        if plan:
            resets = 0
        else:
            plan = next_cards(game.decks, resets)
            resets += plan.count("reset")
        for line in plan:
            print(line)
            obey(game, line)


def next_cards(decks, resets):
    """Return the command that shows another stock card, as a plan."""
    if not decks["stock"].isEmptyDeck():
        return ["discard"]
    if decks["discard"].isEmptyDeck() or resets == RESETS_IN_VAIN:
        raise GameError(NO_IDEA)
    return ["reset"]


# The player. It is given the lines of the board, as a person sees them, and
# so cannot know a hidden card. It pictures a board as two tuples: columns
# (the piles and, last, the stock), each a count of hidden cards and the
# visible ones from bottom to top; and how far each suit is built. It looks a
# few moves ahead, as far as no hidden card is turned up.


def choose_plan(lines, colours):
    """Return the moves that bring most, [] if all would be in vain."""
    best = (IN_VAIN, [])
    start = picture(lines)
    boards = [(start, [])]
    known = {start}
    looked_at = 0
    while (looked_at < min(len(boards), BOARDS_LOOKED_AT)
           and best[0] < TURNS_A_CARD):
        now, path = boards[looked_at]
        looked_at += 1
        for source, target, after in possible_moves(now, colours):
            plan = path + ["move " + source + " " + target]
            worth = value(now, source, target, after)
            if worth > best[0]:
                best = (worth, plan)
            if after not in known and not turns_card(after):
                known.add(after)
                boards.append((after, plan))
    return best[1]


def picture(lines):
    """Return the player's picture of a board: columns and built suits."""
    words = [line.split()[2:-1] for line in lines]
    columns = tuple((column.count(HIDDEN), seen_cards(column))
                    for column in words[6:] + words[:1])
    return columns, tuple(len(suit) for suit in words[2:6])


def seen_cards(words):
    """Return the visible cards among the words, from bottom to top."""
    return tuple(Card(word[1], word[0])
                 for word in reversed(words) if word != HIDDEN)


def value(now, source, target, after):
    """
    Return what a move is worth: most of all a card for its suit that no
    other card will need to lie on, then a card turned up in a pile, then a
    card from the stock, then any other card for its suit.
    """
    columns, built = now
    cards = columns[SOURCES.index(source)][1]
    if target == "suit":
        rank = RANKS.index(cards[-1].rankCard())
        if rank <= min(built) + SAFE_LEAD:
            return SAFE_FOR_SUIT
    if source == "stock":
        return USES_STOCK
    if turns_card(after):
        return TURNS_A_CARD
    return FOR_SUIT if target == "suit" else IN_VAIN


def turns_card(after):
    """Return True if a hidden card must now be turned up."""
    return any(hidden and not cards for hidden, cards in after[0])


def possible_moves(now, colours):
    """Return the moves, each as source, target and the picture after it."""
    moves = []
    for source in SOURCES:
        if now[0][SOURCES.index(source)][1]:
            moves += moves_to_suit(now, source)
            for target in PILES:
                moves += moves_to_pile(now, source, target, colours)
    return moves


def moves_to_suit(now, source):
    """Return the move of a top card to its suit in a list, [] if illegal."""
    columns, built = now
    place = SOURCES.index(source)
    card = columns[place][1][-1]
    suit = SUITS.index(card.suitCard())
    if not may_join_suit(card, built[suit]):
        return []
    built = built[:suit] + (built[suit] + 1,) + built[suit + 1:]
    return [(source, "suit", (changed(columns, place, 1, ()), built))]


def moves_to_pile(now, source, target, colours):
    """Return the move between two columns in a list, [] if illegal."""
    columns, built = now
    hidden, cards = columns[SOURCES.index(source)]
    pile = columns[SOURCES.index(target)][1]
    count = fitting(cards, pile[-1] if pile else None, colours)
    only_swaps_places = (source != "stock" and hidden == 0
                         and count == len(cards) and not pile)
    if source == target or count == 0 or only_swaps_places:
        return []
    columns = changed(columns, SOURCES.index(source), count, ())
    columns = changed(columns, SOURCES.index(target), 0, cards[-count:])
    return [(source, target, (columns, built))]


def fitting(cards, top, colours):
    """Return how many of the cards may be put on a pile's top card."""
    count = 1
    while (count < len(cards)
           and not may_join_pile(cards[-count], top, colours)
           and may_follow(cards[-count], cards[-count - 1], colours)):
        count += 1
    return count if may_join_pile(cards[-count], top, colours) else 0


def changed(columns, place, taken, added):
    """Return the columns with cards taken from one, or added to it."""
    hidden, cards = columns[place]
    column = (hidden, cards[:len(cards) - taken] + added)
    return columns[:place] + (column,) + columns[place + 1:]


# The program


COMMANDS = {"load": (load, 1), "save": (save, 1), "board": (board, 0),
            "cheat": (cheat, 0), "comment": (comment, ANY_TEXT),
            "move": (move, 2), "discard": (discard, 0), "reset": (reset, 0),
            "done": (done, 0), "colours": (set_colours, 1),
            "shuffle": (shuffle, 0), "play": (play, 0)}


def obey(game, line):
    """Carry out a command; complain if it cannot be done."""
    words = line.split()
    assert words[0] in COMMANDS, NO_COMMAND
    command, count = COMMANDS[words[0]]
    if count == ANY_TEXT:
        words = line.strip().split(None, 1)
    else:
        assert len(words) == count + 1, BAD_COUNT
    command(game, *words[1:])


def run_command(game, line):
    """Carry out a command, or print what is wrong with it."""
    words = line.split()
    if words:
        try:
            obey(game, line)
        except (AssertionError, GameError) as error:
            print("%s: %s" % (words[0], error))


def read_line():
    """Return the next line; the end of the input stands for done."""
    try:
        return input(PROMPT)
    except EOFError:
        print()
        return "done"
    except UnicodeDecodeError:
        return UNREADABLE


def main():
    """Read commands and carry them out, until one of them is done."""
    game = Game()
    while not game.over:
        run_command(game, read_line())


if __name__ == "__main__":
    main()
