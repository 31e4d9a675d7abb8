###########################################################
#  Computer Project #10: Aces Up
#
#  Algorithm
#    start a game: shuffle the deck, deal one card to each column
#    show the menu and the board
#    until the game is won or the player quits
#       ask for an option
#       carry it out; an option that is not understood and a move
#          that the rules forbid are reported and change nothing
#       show the board again
#    say whether the game was won or given up
###########################################################

import cards  # the module that the course supplies

RULES = '''
Aces High Card Game:
     Tableau columns are numbered 1,2,3,4.
     Only the card at the bottom of a Tableau column can be moved.
     A card can be moved to the Foundation only if a higher ranked card
        of the same suit is at the bottom of another Tableau column.
     To win, all cards except aces must be in the Foundation.'''

MENU = '''     \n\
Input options:
    D: Deal to the Tableau (one card on each column).
    F x: Move card from Tableau column x to the Foundation.
    T x y: Move card from Tableau column x to empty Tableau column y.
    R: Restart the game (after shuffling)
    H: Display the menu of choices
    Q: Quit the game        \n'''

PROMPT = "\nInput an option (DFTRHQ): "
BANNER = "=========== Restarting: new game ============"

ARGUMENT_COUNT = {"D": 0, "F": 1, "T": 2, "R": 0, "H": 0, "Q": 0}
COLUMNS = 4   # columns of the tableau; a player counts them from 1
ACES = 4      # aces in a deck
ACE = 1       # the rank of an ace in the cards module
ACE_HIGH = 14   # its rank in this game: above the king, 13


def init_game():
    '''
    Start a game: the shuffled deck becomes the stock, and its first four
    cards are dealt to the columns of the tableau, left to right.
    Receives: nothing.
    Returns: the tuple (stock, tableau, foundation), which is a Deck, a list
        of four lists of one card each, and an empty list.
    '''
    stock = cards.Deck()
    stock.shuffle()
    tableau = [[] for column in range(COLUMNS)]
    deal_to_tableau(stock, tableau)
    return (stock, tableau, [])


def deal_to_tableau(stock, tableau):
    '''
    Deal one card from the stock to the bottom of each column, left to
    right; an empty stock deals nothing.
    Receives: the stock and the tableau, which both change.
    Returns: None.
    '''
    for column in tableau:
        if not stock.is_empty():
            column.append(stock.deal())


def display(stock, tableau, foundation):
    '''
    Show the game: XX for a stock that still holds cards, the columns of
    the tableau side by side, and the last card of the foundation.
    Receives: the stock, the tableau and the foundation.
    Returns: None.
    '''
    print("\n{:<8s}{:^13s}{:s}".format("stock", "tableau", "  foundation"))
    height = max(len(column) for column in tableau)
    for row in range(height):
        on_top = row == 0
        line = "{:<8s}".format("XX" if on_top and len(stock) > 0 else "")
        for column in tableau:
            card = str(column[row]) if row < len(column) else ""
            line += "{:4s}".format(card)
        if on_top and foundation:
            line += "    {}".format(foundation[-1])
        print(line)


def is_column(number):
    '''
    A column number is a whole number from 1 to 4.
    Receives: an int.
    Returns: True or False.
    '''
    return 1 <= number <= COLUMNS


def parse_option(line):
    '''
    Read an option: a letter of the menu in either case, followed by as many
    column numbers as the menu says, with blanks between them.
    Receives: the line that was typed (a string).
    Returns: a list, the capital letter and then the numbers as ints, or
        None if the line does not have this form.
    '''
    words = line.split()
    letter = words[0].upper() if words else ""
    if len(words) - 1 != ARGUMENT_COUNT.get(letter):
        return None
    try:
        numbers = [int(word) for word in words[1:]]
    except ValueError:
        return None
    if not all(is_column(number) for number in numbers):
        return None
    return [letter] + numbers


def get_option():
    '''
    Ask for an option and complain if it does not have the form that the
    menu asks for. The end of the input counts as quitting.
    Receives: nothing.
    Returns: ['D'], ['F', x], ['T', x, y], ['R'], ['H'] or ['Q'], where x
        and y are ints, or None if the input does not have the form.
    '''
    try:
        line = input(PROMPT)
    except EOFError:
        print()
        return ["Q"]
    option = parse_option(line)
    if option is None:
        print("Error in option:", line)
    return option


def high_rank(card):
    '''
    Aces are high: the rank of an ace is above that of any other card.
    Receives: a card.
    Returns: its rank in this game, 2 to 14 (an int).
    '''
    return ACE_HIGH if card.rank() == ACE else card.rank()


def is_beaten(card, other):
    '''
    A card is beaten by a card of the same suit and a higher rank.
    Receives: two cards.
    Returns: True if the first one is beaten by the other one.
    '''
    return card.suit() == other.suit() and high_rank(card) < high_rank(other)


def validate_move_to_foundation(tableau, from_col):
    '''
    The bottom card of a column may go to the foundation if a higher ranked
    card of the same suit is at the bottom of another column. A move that is
    not allowed is reported.
    Receives: the tableau and a column number from 1 to 4 (an int).
    Returns: True if the move is valid, False otherwise.
    '''
    if not is_column(from_col) or not tableau[from_col - 1]:
        print("Error, empty column: {}".format(from_col))
        return False
    card = tableau[from_col - 1][-1]
    if any(is_beaten(card, column[-1]) for column in tableau if column):
        return True
    print("Error, cannot move {}.".format(card))
    return False


def move_to_foundation(tableau, foundation, from_col):
    '''
    Move the bottom card of a column to the foundation if that is a valid
    move, and do nothing otherwise.
    Receives: the tableau and the foundation, which both may change, and a
        column number from 1 to 4 (an int).
    Returns: None.
    '''
    if validate_move_to_foundation(tableau, from_col):
        foundation.append(tableau[from_col - 1].pop())


def validate_move_within_tableau(tableau, from_col, to_col):
    '''
    The bottom card of any column may go to an empty column. A move that is
    not allowed is reported.
    Receives: the tableau and two column numbers from 1 to 4 (ints), from
        where and to where.
    Returns: True if the move is valid, False otherwise.
    '''
    if (is_column(from_col) and is_column(to_col)
            and tableau[from_col - 1] and not tableau[to_col - 1]):
        return True
    print("Invalid move")
    return False


def move_within_tableau(tableau, from_col, to_col):
    '''
    Move the bottom card of a column to an empty column if that is a valid
    move, and do nothing otherwise.
    Receives: the tableau, which may change, and two column numbers from 1
        to 4 (ints), from where and to where.
    Returns: None.
    '''
    if validate_move_within_tableau(tableau, from_col, to_col):
        tableau[to_col - 1].append(tableau[from_col - 1].pop())


def check_for_win(stock, tableau):
    '''
    The game is won when the stock is empty and the only cards left in the
    tableau are the four aces.
    Receives: the stock and the tableau.
    Returns: True if the game is won, False otherwise.
    '''
    ranks = [card.rank() for column in tableau for card in column]
    return stock.is_empty() and ranks == [ACE] * ACES


def deal_or_complain(stock, tableau):
    '''
    Carry out the option D; with an empty stock there is nothing to deal.
    Receives: the stock and the tableau, which both may change.
    Returns: None.
    '''
    if stock.is_empty():
        print("Error, the stock is empty.")
    else:
        deal_to_tableau(stock, tableau)


def play(option, stock, tableau, foundation):
    '''
    Carry out an option that goes on with the same game: D, F, T or H. One
    that was not understood is reported as invalid.
    Receives: the option, as get_option returns it, and the stock, tableau
        and foundation, which all may change.
    Returns: None.
    '''
    if option is None:
        print("Invalid option.")
    elif option[0] == "D":
        deal_or_complain(stock, tableau)
    elif option[0] == "F":
        move_to_foundation(tableau, foundation, option[1])
    elif option[0] == "T":
        move_within_tableau(tableau, option[1], option[2])
    elif option[0] == "H":
        print(MENU)


def main():
    '''
    Play games of Aces Up until one is won or the player quits.
    Receives: nothing.
    Returns: None.
    '''
    stock, tableau, foundation = init_game()
    print(MENU)
    display(stock, tableau, foundation)
    option = get_option()
    while option != ["Q"]:
        if option == ["R"]:
            print(BANNER)
            stock, tableau, foundation = init_game()
            print(RULES)
            print(MENU)
        else:
            play(option, stock, tableau, foundation)
        if check_for_win(stock, tableau):
            print("You won!")
            return
        display(stock, tableau, foundation)
        option = get_option()
    print("You have chosen to quit.")


if __name__ == "__main__":
    main()
