###########################################################
#  Computer Project #10: Thumb and Pouch solitaire
#
#  Algorithm
#    set up the game, show the board and the menu
#    until the player has won or enters q
#      prompt for a command
#      carry it out: a move, a new game, the menu
#      if it is wrong or against the rules, say why; nothing has changed
#      show the board
#
#  The rules of the game are two functions, valid_fnd_move and
#  valid_tab_move. Whatever is wrong with a command is a RuntimeError that
#  is raised before a card is touched; the driver at the end of this file
#  prints its message.
###########################################################
import cards

MENU = '''
Commands (in upper or lower case):
    tf x y     Move a card from Tableau column x to Foundation y.
    tt x y n   Move a pile of n >= 1 cards from Tableau column x to column y.
    wf x       Move the top card of the Waste to Foundation x.
    wt x       Move the top card of the Waste to Tableau column x.
    sw         Draw a card from the Stock to the Waste.
    r          Restart the game with a re-shuffle.
    h          Display this menu of choices.
    q          Quit the game.
'''

PROMPT = "prompt :> "
QUIT = 'q'

COLUMNS = 7
FOUNDATIONS = 4
CARDS_IN_SUIT = 13
CARDS_IN_DECK = 52
ACE = 1
KING = 13

# The largest number that each argument of a command may have.
ARGUMENTS = {'tf': [COLUMNS, FOUNDATIONS],
             'tt': [COLUMNS, COLUMNS, CARDS_IN_DECK],
             'wf': [FOUNDATIONS],
             'wt': [COLUMNS],
             'sw': [],
             'r': [],
             'h': []}

FOUNDATION_TITLE = "================= FOUNDATION ================="
TABLEAU_TITLE = "==================  TABLEAU  ================="
STOCK_TITLE = "================= STOCK/WASTE ================="


def valid_fnd_move(src_card, dest_card):
    """
    The rule of the foundation: an ace starts an empty pile; after that
    each card is of the same suit and one rank higher than the card below.
    src_card: the Card to be placed
    dest_card: the Card to place it onto, None if the pile is empty
    Returns: True if the move is valid, otherwise False
    """
    if dest_card is None:
        return src_card.rank() == ACE
    return (src_card.suit() == dest_card.suit()
            and src_card.rank() == dest_card.rank() + 1)


def valid_tab_move(src_card, dest_card):
    """
    The rule of the tableau: any card fills an empty column; otherwise a
    card is of another suit and one rank lower than the card below it.
    src_card: the Card to be placed
    dest_card: the Card to place it onto, None if the column is empty
    Returns: True if the move is valid, otherwise False
    """
    if dest_card is None:
        return True
    return (src_card.suit() != dest_card.suit()
            and src_card.rank() == dest_card.rank() - 1)


def top_card(pile):
    """
    Look at the top card of a pile.
    pile: a list of Cards
    Returns: its last Card, or None if the pile is empty
    """
    return pile[-1] if pile else None


def uncover(column):
    """
    Turn the top card of a column face up, if there is one face down.
    column: one column of the tableau, a list of Cards
    Returns: None
    """
    if column and not column[-1].is_face_up():
        column[-1].flip_card()


def setup_game():
    """
    Shuffle a deck and deal a new game. The tableau is dealt row by row
    from left to right, row 1 onto every column, row 2 onto all but the
    first, and so on; the first card of each row lies face up, the others
    face down. The next card is the waste, and the rest is the stock.
    Returns: foundation (4 empty lists), tableau (7 lists), stock (a Deck)
             and waste (a list of one Card), as a tuple
    """
    foundation = [[] for _ in range(FOUNDATIONS)]
    tableau = [[] for _ in range(COLUMNS)]
    stock = cards.Deck()
    stock.shuffle()
    for row in range(COLUMNS):
        for column in tableau[row:]:
            card = stock.deal()
            card.flip_card()
            column.append(card)
        uncover(tableau[row])
    waste = [stock.deal()]
    return foundation, tableau, stock, waste


def display_foundation(foundation):
    """
    Show the top card of each foundation below its name.
    foundation: the four foundations, a list of lists of Cards
    Returns: None
    """
    names = ""
    tops = ""
    for number, pile in enumerate(foundation, 1):
        top = str(pile[-1]) if pile else ""
        names += "{:10s}".format("f" + str(number))
        tops += "{:10s}".format("[{:>3s}]".format(top))
    print(FOUNDATION_TITLE)
    print(names)
    print(tops)


def display_tableau(tableau):
    """
    Show each column of the tableau downwards below its name.
    tableau: the seven columns, a list of lists of Cards
    Returns: None
    """
    cell = "{:>3s}    "
    print(TABLEAU_TITLE)
    numbers = range(1, COLUMNS + 1)
    print("".join(cell.format("t" + str(number)) for number in numbers))
    for row in range(max(len(column) for column in tableau)):
        line = ""
        for column in tableau:
            text = str(column[row]) if row < len(column) else ""
            line += cell.format(text)
        print(line)


def display_game(foundation, tableau, stock, waste):
    """
    Show the state of the game: the top of each foundation, every card of
    the tableau, the number of cards in the stock, and the waste from its
    bottom to its top.
    foundation: the four foundations, a list of lists of Cards
    tableau: the seven columns, a list of lists of Cards
    stock: a Deck
    waste: a list of Cards
    Returns: None
    """
    display_foundation(foundation)
    display_tableau(tableau)
    print(STOCK_TITLE)
    texts = ", ".join("{:>3s}".format(str(card)) for card in waste)
    print("Stock #({}) ==> [{}]".format(len(stock), texts or "  "))


def face_up_group(column, n):
    """
    Find the cards to move when n of them are taken off a column.
    column: one column of the tableau, a list of Cards
    n: the number of cards, at least 1
    Returns: the last n cards as a new list
    Raises: RuntimeError if there are not so many cards face up
    """
    if not 1 <= n <= len(column) or not column[-n].is_face_up():
        raise RuntimeError("Error: insufficient number of cards to move")
    return column[-n:]


def in_sequence(group):
    """
    Tell whether every card of a group lies on the one before by the rule
    of the tableau.
    group: a list of Cards
    Returns: True if the group may be moved as one, otherwise False
    """
    pairs = zip(group[1:], group)
    return all(valid_tab_move(upper, lower) for upper, lower in pairs)


def tableau_to_foundation(tab, fnd):
    """
    Move the top card of a column to a foundation and turn the next card
    of the column face up.
    tab: the column, a list of Cards
    fnd: the foundation, a list of Cards
    Returns: None
    Raises: RuntimeError if the move is invalid
    """
    card = face_up_group(tab, 1)[0]
    if not valid_fnd_move(card, top_card(fnd)):
        raise RuntimeError("Error: invalid move due to mismatched cards")
    fnd.append(tab.pop())
    uncover(tab)


def tableau_to_tableau(tab1, tab2, n):
    """
    Move the top n cards of a column to another column, in their order,
    and turn the next card of the first column face up.
    tab1: the column to take the cards from, a list of Cards
    tab2: the column to place them on, a list of Cards
    n: the number of cards, at least 1
    Returns: None
    Raises: RuntimeError if the move is invalid
    """
    group = face_up_group(tab1, n)
    fits = valid_tab_move(group[0], top_card(tab2))
    if not fits or not in_sequence(group):
        raise RuntimeError("Error: invalid move due to mismatched cards")
    del tab1[-n:]
    tab2.extend(group)
    uncover(tab1)


def waste_to_foundation(waste, fnd, stock):
    """
    Move the top card of the waste to a foundation.
    waste: a list of Cards
    fnd: the foundation, a list of Cards
    stock: a Deck, not needed
    Returns: None
    Raises: RuntimeError if the move is invalid
    """
    if not waste:
        raise RuntimeError("Error: no card in the waste to move")
    if not valid_fnd_move(waste[-1], top_card(fnd)):
        raise RuntimeError("Error: invalid move due to mismatched cards")
    fnd.append(waste.pop())


def waste_to_tableau(waste, tab, stock):
    """
    Move the top card of the waste to a column of the tableau.
    waste: a list of Cards
    tab: the column, a list of Cards
    stock: a Deck, not needed
    Returns: None
    Raises: RuntimeError if the move is invalid
    """
    if not waste:
        raise RuntimeError("Error: no card in the waste to move")
    if not valid_tab_move(waste[-1], top_card(tab)):
        raise RuntimeError("Error: invalid move due to mismatched cards")
    tab.append(waste.pop())


def stock_to_waste(stock, waste):
    """
    Draw a card: move the top card of the stock to the waste.
    stock: a Deck
    waste: a list of Cards
    Returns: None
    Raises: RuntimeError if the stock is empty; there is no second pass
    """
    if stock.is_empty():
        raise RuntimeError("Error: no card in the stock to draw")
    waste.append(stock.deal())


def is_winner(foundation):
    """
    The game is won if each foundation has 13 cards and a king on top.
    foundation: the four foundations, a list of lists of Cards
    Returns: True if the game is won, otherwise False
    """
    return all(len(pile) == CARDS_IN_SUIT and pile[-1].rank() == KING
               for pile in foundation)


def parse_command(line):
    """
    Split a command into its name and its numbers, and check that they are
    what the menu asks for.
    line: the command as it was typed
    Returns: the name in lower case, and a list of ints as they were typed
    Raises: RuntimeError if there is no such command
    """
    words = line.split()
    if not words:
        raise RuntimeError("Error: no command entered")
    name = words[0].lower()
    if name not in ARGUMENTS:
        raise RuntimeError(words[0] + " is an Invalid Command")
    if len(words) - 1 != len(ARGUMENTS[name]):
        raise RuntimeError("Error: wrong number of arguments")
    return name, [parse_number(word, largest)
                  for word, largest in zip(words[1:], ARGUMENTS[name])]


def parse_number(word, largest):
    """
    Read one argument of a command.
    word: the argument as it was typed
    largest: the largest number it may be
    Returns: the int, 1 to largest
    Raises: RuntimeError if it is anything else
    """
    for number in range(1, largest + 1):
        if word == str(number):
            return number
    raise RuntimeError("Error: arguments must be numbers in range")


def make_move(name, numbers, fnd, tab, stock, waste):
    """
    Carry out a command that moves cards.
    name: the command, such as 'tf'
    numbers: its arguments, a list of ints; piles are numbered from 1
    fnd, tab, stock, waste: the state of the game
    Returns: None
    Raises: RuntimeError if the move is invalid
    """
    if name == 'tf':
        tableau_to_foundation(tab[numbers[0] - 1], fnd[numbers[1] - 1])
    elif name == 'tt':
        source, destination, n = numbers
        tableau_to_tableau(tab[source - 1], tab[destination - 1], n)
    elif name == 'wf':
        waste_to_foundation(waste, fnd[numbers[0] - 1], stock)
    elif name == 'wt':
        waste_to_tableau(waste, tab[numbers[0] - 1], stock)
    else:
        stock_to_waste(stock, waste)


def read_command():
    """
    Prompt for a command; the end of the input quits.
    Returns: the command as it was typed, without blanks around it
    """
    try:
        return input(PROMPT).strip()
    except EOFError:
        return QUIT


fnd, tab, stock, waste = setup_game()
display_game(fnd, tab, stock, waste)
print(MENU)
command = read_command()
while command.lower() != QUIT:
    try:
        name, numbers = parse_command(command)
        if name == 'h':
            print(MENU)
        elif name == 'r':
            fnd, tab, stock, waste = setup_game()
        else:
            make_move(name, numbers, fnd, tab, stock, waste)
    except RuntimeError as error_message:
        print(error_message)
        print("Try again.")
    display_game(fnd, tab, stock, waste)
    if is_winner(fnd):
        print("You won!")
        command = QUIT
    else:
        command = read_command()

# Questions
# Q1: 5
# Q2: 3
# Q3: 4
# Q4: 6
