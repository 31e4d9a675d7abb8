###########################################################
#  Computer Project #10: Klondike solitaire, one card at a time
#
#  Algorithm
#    deal the game, show the menu and the board
#    until the player has won or quits
#      prompt for an option and parse it
#      carry it out: a move, a new game, the menu
#      say so if the move is against the rules
#      show the board, and the win if that was the last card
#
#  The rules of the game are two functions, fits_foundation and fits_column.
#  Every move asks one of them before it touches a card, so that a refused
#  move changes nothing.
#
#  MENU, parse_option and display come with the assignment.
###########################################################
from cards import Deck

MENU = '''Prompt the user for an option and check that the input has the 
       form requested in the menu, printing an error message, if not.
       Return:
    TT s d: Move card from end of Tableau pile s to end of pile d.
    TF s d: Move card from end of Tableau pile s to Foundation d.
    WT d: Move card from Waste to Tableau pile d.
    WF d: Move card from Waste to Foundation pile d.
    SW : Move card from Stock to Waste.
    R: Restart the game (after shuffling)
    H: Display this menu of choices
    Q: Quit the game        
    '''

PROMPT = "\nInput an option (TT,TF,WT,WF,SW,R,H,Q): "
INVALID_MOVE = "\nInvalid move!\n"

COLUMNS = 7
FOUNDATIONS = 4
CARDS_IN_SUIT = 13
ACE = 1
KING = 13
RED_SUITS = (2, 3)


def is_red(card):
    """
    Tell the colour of a card: diamonds and hearts are red, the rest black.
    card: a Card
    Returns: True if the card is red, otherwise False
    """
    return card.suit() in RED_SUITS


def fits_foundation(card, pile):
    """
    The rule of the foundations: an ace starts an empty pile; after that
    each card is of the pile's suit and one rank higher than its top card.
    card: the Card to be placed
    pile: one foundation, a list of Cards
    Returns: True if the card may be placed, otherwise False
    """
    if not pile:
        return card.rank() == ACE
    top = pile[-1]
    return card.suit() == top.suit() and card.rank() == top.rank() + 1


def fits_column(card, column):
    """
    The rule of the tableau: a king fills an empty column; otherwise the
    card is of the other colour and one rank lower than the column's last.
    card: the Card to be placed
    column: one column of the tableau, a list of Cards
    Returns: True if the card may be placed, otherwise False
    """
    if not column:
        return card.rank() == KING
    last = column[-1]
    return is_red(card) != is_red(last) and card.rank() == last.rank() - 1


def uncover(column):
    """
    Turn the last card of a column face up, if there is one face down.
    column: one column of the tableau, a list of Cards
    Returns: None
    """
    if column and not column[-1].is_face_up():
        column[-1].flip_card()


def initialize():
    """
    Shuffle a deck and deal a new game. The tableau is dealt row by row:
    row 1 puts a card on each column, row 2 on all but the first, and so
    on. Its cards lie face down, except for the last card of each column.
    Returns: tableau (7 lists), stock (a Deck), foundation (4 lists) and
             waste (a list that holds the stock's first card)
    """
    stock = Deck()
    stock.shuffle()
    tableau = [[] for _ in range(COLUMNS)]
    for row in range(COLUMNS):
        for column in tableau[row:]:
            card = stock.deal()
            card.flip_card()
            column.append(card)
    for column in tableau:
        uncover(column)
    foundation = [[] for _ in range(FOUNDATIONS)]
    waste = [stock.deal()]
    return tableau, stock, foundation, waste


def stock_to_waste(stock, waste):
    """
    Move the stock's top card to the waste, if the stock has one left.
    stock: a Deck
    waste: a list of Cards
    Returns: True if a card was moved, otherwise False
    """
    if stock.is_empty():
        return False
    waste.append(stock.deal())
    return True


def waste_to_foundation(waste, foundation, f_num):
    """
    Move the waste's top card to a foundation, if it fits.
    waste: a list of Cards
    foundation: the four foundations, a list of lists of Cards
    f_num: the index of one of them, from 0
    Returns: True if the card was moved, otherwise False
    """
    if not waste or not fits_foundation(waste[-1], foundation[f_num]):
        return False
    foundation[f_num].append(waste.pop())
    return True


def waste_to_tableau(waste, tableau, t_num):
    """
    Move the waste's top card to a column of the tableau, if it fits.
    waste: a list of Cards
    tableau: the seven columns, a list of lists of Cards
    t_num: the index of one of them, from 0
    Returns: True if the card was moved, otherwise False
    """
    if not waste or not fits_column(waste[-1], tableau[t_num]):
        return False
    tableau[t_num].append(waste.pop())
    return True


def tableau_to_foundation(tableau, foundation, t_num, f_num):
    """
    Move a column's last card to a foundation, if it fits, and turn the
    card that it covered face up.
    tableau: the seven columns, a list of lists of Cards
    foundation: the four foundations, a list of lists of Cards
    t_num: the index of the column, from 0
    f_num: the index of the foundation, from 0
    Returns: True if the card was moved, otherwise False
    """
    source = tableau[t_num]
    if not source or not fits_foundation(source[-1], foundation[f_num]):
        return False
    foundation[f_num].append(source.pop())
    uncover(source)
    return True


def tableau_to_tableau(tableau, t_num1, t_num2):
    """
    Move a column's last card to another column, if it fits, and turn the
    card that it covered face up.
    tableau: the seven columns, a list of lists of Cards
    t_num1: the index of the column the card comes from, from 0
    t_num2: the index of the column it goes to, from 0
    Returns: True if the card was moved, otherwise False
    """
    source = tableau[t_num1]
    if not source or not fits_column(source[-1], tableau[t_num2]):
        return False
    tableau[t_num2].append(source.pop())
    uncover(source)
    return True


def check_win(stock, waste, foundation, tableau):
    """
    The game is won if all cards are in the foundation: thirteen on each
    pile, and none left in the stock, the waste or the tableau.
    stock: a Deck
    waste: a list of Cards
    foundation: the four foundations, a list of lists of Cards
    tableau: the seven columns, a list of lists of Cards
    Returns: True if the game is won, otherwise False
    """
    complete = all(len(pile) == CARDS_IN_SUIT for pile in foundation)
    return complete and stock.is_empty() and not waste and not any(tableau)


def to_number(digits):
    """
    Read a number that the player typed.
    digits: a string of nothing but digits
    Returns: the int, or 0 (no pile has it) for more digits than int reads
    """
    try:
        return int(digits)
    except ValueError:
        return 0


def parse_arguments(option, words):
    """
    Check the pile numbers of an option and report one out of range.
    option: 'TT', 'TF', 'WT' or 'WF'
    words: its arguments, strings of digits: [source,] destination
    Returns: a list of the option and the numbers, or None for an error
    """
    numbers = [to_number(word) for word in words]
    last_pile = FOUNDATIONS if option[1] == 'F' else COLUMNS
    if option[0] == 'T' and not 1 <= numbers[0] <= COLUMNS:
        print("\nError in Source.")
        return None
    if not 1 <= numbers[-1] <= last_pile:
        print("\nError in Destination")
        return None
    return [option] + numbers


def parse_option(in_str):
    """
    Check that an option has one of the forms the menu asks for, and print
    an error message if it has not.
    in_str: the line as it was typed
    Returns: None for an error, otherwise ['R'], ['H'], ['Q'], ['SW'],
             ['WT', d], ['WF', d], ['TT', s, d] or ['TF', s, d], where
             s and d are the numbers that were typed, from 1
    """
    words = in_str.upper().split()
    if len(words) == 1 and words[0][0] in 'RHQ':
        return [words[0][0]]
    if words == ['SW']:
        return words
    argument_counts = {'TT': 2, 'TF': 2, 'WT': 1, 'WF': 1}
    if words and argument_counts.get(words[0]) == len(words) - 1:
        if all(word.isdecimal() for word in words[1:]):
            return parse_arguments(words[0], words[1:])
    print("\nError in option:", in_str)
    return None


def top_text(pile):
    """
    Describe a pile by its top card.
    pile: a list of Cards
    Returns: the text of its last card, or 'empty'
    """
    return str(pile[-1]) if pile else "empty"


def display_tableau(tableau):
    """
    Show the seven columns downwards, below their numbers.
    tableau: the seven columns, a list of lists of Cards
    Returns: None
    """
    print("\t\t\t\t\ttableau")
    numbers = range(1, COLUMNS + 1)
    print("\t\t " + "".join(" {:5d} ".format(number) for number in numbers))
    for row in range(max(len(column) for column in tableau)):
        print("\t\t    ", end="")
        for column in tableau:
            text = str(column[row]) if row < len(column) else ""
            print(" {:5s} ".format(text), end="")
        print()


def display(tableau, stock, foundation, waste):
    """
    Show the state of the game: whether there is a stock, the top cards of
    the waste and the foundations, and every card of the tableau.
    tableau: the seven columns, a list of lists of Cards
    stock: a Deck
    foundation: the four foundations, a list of lists of Cards
    waste: a list of Cards
    Returns: None
    """
    print()
    titles = "{:5s} {:5s} \t\t\t\t\t {}"
    print(titles.format("stock", "waste", "foundation"))
    numbers = range(1, FOUNDATIONS + 1)
    print("\t\t\t\t     "
          + "".join(" {:5d} ".format(number) for number in numbers))
    stock_text = "empty" if stock.is_empty() else "XX"
    print("{:5s} {:5s} \t\t\t\t".format(stock_text, top_text(waste))
          + "".join(" {:5s} ".format(top_text(pile)) for pile in foundation))
    print("\n\n")
    display_tableau(tableau)
    print()


def read_option():
    """
    Prompt for an option and parse it; at the end of the input, quit.
    Returns: a list as parse_option returns it, or None for an error
    """
    try:
        return parse_option(input(PROMPT))
    except EOFError:
        return ['Q']


def make_move(option, tableau, stock, foundation, waste):
    """
    Carry out a move that the player has asked for, if the rules allow it.
    option: a list as parse_option returns it; its pile numbers start at 1
    tableau, stock, foundation, waste: the state of the game
    Returns: True if a card was moved, otherwise False
    """
    name = option[0]
    piles = [number - 1 for number in option[1:]]
    if name == 'SW':
        return stock_to_waste(stock, waste)
    if name == 'WF':
        return waste_to_foundation(waste, foundation, piles[0])
    if name == 'WT':
        return waste_to_tableau(waste, tableau, piles[0])
    if name == 'TF':
        return tableau_to_foundation(tableau, foundation, piles[0], piles[1])
    return tableau_to_tableau(tableau, piles[0], piles[1])


def play_turn(option, tableau, stock, foundation, waste):
    """
    Carry out a move, say what came of it, and show the board.
    option: a list as parse_option returns it, for a move
    tableau, stock, foundation, waste: the state of the game
    Returns: True if the game is won, otherwise False
    """
    moved = make_move(option, tableau, stock, foundation, waste)
    won = moved and check_win(stock, waste, foundation, tableau)
    if not moved:
        print(INVALID_MOVE)
    if won:
        print("You won!")
    display(tableau, stock, foundation, waste)
    return won


def main():
    """
    Play the game until the player has won or quits.
    Returns: None
    """
    tableau, stock, foundation, waste = initialize()
    print(MENU)
    display(tableau, stock, foundation, waste)
    option = read_option()
    while option != ['Q']:
        won = False
        if option is None:
            display(tableau, stock, foundation, waste)
        elif option == ['H']:
            print(MENU)
        elif option == ['R']:
            tableau, stock, foundation, waste = initialize()
            print(MENU)
            display(tableau, stock, foundation, waste)
        else:
            won = play_turn(option, tableau, stock, foundation, waste)
        option = ['Q'] if won else read_option()


if __name__ == '__main__':
    main()
