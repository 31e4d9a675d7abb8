###########################################################
#  Computer Project #10: Montana Solitaire
#
#  Algorithm
#    until the player has had enough
#       deal a tableau of four rows of thirteen cards; the aces stand
#          for the empty spaces
#       show it
#       until the game is won or the player quits
#          ask for a choice: quit, shuffle, or a move
#          carry it out and show the tableau; a choice that is not
#             understood or not allowed is reported and changes nothing
#       ask whether to play again
#    say goodbye
###########################################################

import cards, random  # cards is the module that the course supplies

random.seed(100)  # do not delete this line, it makes the games repeatable

PROMPT = "Enter choice:\n (q)uit, (s)huffle, or space-separated: " \
    + "source_row,source_col,dest_row,dest_col: "
PLAY_AGAIN = "Do you want to play again (y/n)?"

BAD_INPUT = "Error: invalid input.  Please try again."
BAD_MOVE = "Error: invalid move.  Please try again."
OUT_OF_RANGE = "Error: row and/or column out of range. Please Try again."

QUIT = "q"
SHUFFLE = "s"
YES = "y"
NO = "n"

ROWS = 4
COLUMNS = 13
ACE = 1      # an ace stands for an empty space
DEUCE = 2    # a sequence starts with a 2
SHUFFLES = 2  # a player may shuffle so many times in a game
NUMBERS_IN_MOVE = 4


def initialize():
    '''
    Start a game: shuffle the deck and deal all of it into four rows of
    thirteen, left to right, filling the top row first.
    Receives: nothing.
    Returns: the tableau, a list of 4 lists of 13 cards each.
    '''
    deck = cards.Deck()
    deck.shuffle()
    return [[deck.deal() for column in range(COLUMNS)] for row in range(ROWS)]


def display(tableau):
    '''
    Show the tableau with the numbers of its rows and columns; an ace is
    shown as an empty space.
    Receives: the tableau.
    Returns: None.
    '''
    print("{:3s} ".format(' '), end='')
    for number in range(1, COLUMNS + 1):
        print("{:3d} ".format(number), end='')
    print()
    for number, row in enumerate(tableau, 1):
        print("{:3d}:".format(number), end='')
        for card in row:
            print("{:>4s}".format('' if is_gap(card) else str(card)), end='')
        print()


def is_gap(card):
    '''
    An ace stands for an empty space.
    Receives: a card.
    Returns: True if the card is an ace.
    '''
    return card.rank() == ACE


def may_follow(card, left):
    '''
    A card may stand to the right of the card of its own suit that is one
    less in rank. Nothing follows an empty space.
    Receives: a card, and the card to the left of where it would stand.
    Returns: True or False.
    '''
    return (not is_gap(left) and card.suit() == left.suit()
            and card.rank() == left.rank() + 1)


def validate_move(tableau, source_row, source_col, dest_row, dest_col):
    '''
    A card may be moved only to an empty space: to one in the leftmost
    column if it is a 2, to any other one if the card on the left there is
    of the same suit and one less in rank.
    Receives: the tableau and four ints counted from 0, the row and column
        of the card and of the place it should go to.
    Returns: True if the move is valid, False otherwise.
    '''
    card = tableau[source_row][source_col]
    if not is_gap(tableau[dest_row][dest_col]):
        return False
    if dest_col == 0:
        return card.rank() == DEUCE
    return may_follow(card, tableau[dest_row][dest_col - 1])


def move(tableau, source_row, source_col, dest_row, dest_col):
    '''
    Move a card to an empty space if that is a valid move: the card and the
    ace that stands for the empty space change places.
    Receives: the tableau, which may change, and four ints counted from 0,
        the row and column of the card and of the place it should go to.
    Returns: True if the card was moved, False otherwise.
    '''
    if not validate_move(tableau, source_row, source_col, dest_row, dest_col):
        return False
    card = tableau[source_row][source_col]
    tableau[source_row][source_col] = tableau[dest_row][dest_col]
    tableau[dest_row][dest_col] = card
    return True


def sequence_length(row):
    '''
    A row's sequence starts with a 2 in the leftmost column and goes on as
    long as each card is of the same suit and one more in rank.
    Receives: a row of the tableau.
    Returns: the number of cards in its sequence, 0 to 12 (an int).
    '''
    if row[0].rank() != DEUCE:
        return 0
    length = 1
    while length < len(row) and may_follow(row[length], row[length - 1]):
        length += 1
    return length


def check_win(tableau):
    '''
    The game is won when each row is a sequence of one suit from the 2 in
    the leftmost column to the king, followed by an empty space.
    Receives: the tableau.
    Returns: True if the game is won, False otherwise.
    '''
    return all(sequence_length(row) == COLUMNS - 1 for row in tableau)


def shuffle_tableau(tableau):
    '''
    Shuffle the cards that are not part of a sequence and deal them back row
    by row, leaving one empty space in each row, right of its sequence.
    Receives: the tableau, which changes.
    Returns: None.
    '''
    loose = []
    for row in tableau:
        length = sequence_length(row)
        loose.extend(row[length:])
        del row[length:]
    random.shuffle(loose)
    gaps = [card for card in loose if is_gap(card)]
    others = [card for card in loose if not is_gap(card)]
    for row in tableau:
        row.append(gaps.pop())
        missing = COLUMNS - len(row)
        row.extend(others[:missing])
        del others[:missing]


def ask(question, at_end):
    '''
    Ask the player a question.
    Receives: the question, and the answer to assume at the end of the
        input (both strings).
    Returns: the answer without blanks around it, in small letters.
    '''
    try:
        return input(question).strip().lower()
    except EOFError:
        print()
        return at_end


def parse_move(choice):
    '''
    A move is four whole numbers with blanks between them.
    Receives: what the player typed (a string).
    Returns: a list of four ints, or None if it is not a move.
    '''
    words = choice.split()
    if len(words) != NUMBERS_IN_MOVE:
        return None
    try:
        return [int(word) for word in words]
    except ValueError:
        return None


def in_range(row, column):
    '''
    A player counts the rows from 1 to 4 and the columns from 1 to 13.
    Receives: the numbers of a row and a column (ints).
    Returns: True if there is such a place in the tableau.
    '''
    return 1 <= row <= ROWS and 1 <= column <= COLUMNS


def play_move(tableau, choice):
    '''
    Carry out a move and show the tableau, or say what is wrong with it.
    Receives: the tableau, which may change, and what the player typed.
    Returns: None.
    '''
    numbers = parse_move(choice)
    if numbers is None:
        print(BAD_INPUT)
        return
    source_row, source_col, dest_row, dest_col = numbers
    if not (in_range(source_row, source_col) and in_range(dest_row, dest_col)):
        print(OUT_OF_RANGE)
    elif move(tableau, source_row - 1, source_col - 1,
              dest_row - 1, dest_col - 1):
        display(tableau)
    else:
        print(BAD_MOVE)


def play_shuffle(tableau, shuffles):
    '''
    Shuffle and show the tableau if the player still may.
    Receives: the tableau, which may change, and how many shuffles remain.
    Returns: how many shuffles remain afterwards (an int).
    '''
    if shuffles == 0:
        print("No more shuffles remain.")
        return 0
    shuffle_tableau(tableau)
    display(tableau)
    return shuffles - 1


def play_game():
    '''
    Play one game until the player wins or quits.
    Receives: nothing.
    Returns: None.
    '''
    tableau = initialize()
    shuffles = SHUFFLES
    print("Montana Solitaire.")
    display(tableau)
    choice = ask(PROMPT, QUIT)
    while choice != QUIT:
        if choice == SHUFFLE:
            shuffles = play_shuffle(tableau, shuffles)
        else:
            play_move(tableau, choice)
        if check_win(tableau):
            print("You won!")
            return
        choice = ask(PROMPT, QUIT)


def main():
    '''
    Play games of Montana until the player has had enough.
    Receives: nothing.
    Returns: None.
    '''
    play_game()
    while ask(PLAY_AGAIN, NO) == YES:
        play_game()
    print("Thank you for playing.")


if __name__ == "__main__":
    main()
