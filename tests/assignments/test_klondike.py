"""The klondike reference: every sentence of the handout that can be checked, and whole games against an oracle."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.assignments.recorder import (
    RANKS,
    ROOT,
    SUITS,
    SessionFile,
    load,
    perform,
    play,
    read_session,
    replay,
    sessions,
    supplied_cards,
)
from tests.assignments.table import FULL_DECK, Table, code, codes, dealt, seen

PROGRAM = ROOT / "reference" / "klondike" / "proj10.py"
SUPPLIED = ROOT / "reference" / "klondike" / "cards.py"
FOLDER = ROOT / "fixtures" / "klondike" / "sessions"
SESSIONS = sessions("klondike")
WIN = read_session(FOLDER / "win.txt")
COURSE = read_session(FOLDER / "test-1.txt")

CARDS = supplied_cards(SUPPLIED)
GAME = load(PROGRAM, CARDS)
TABLE = Table(CARDS)
card, pile, piles, columns, deck = TABLE.card, TABLE.pile, TABLE.piles, TABLE.columns, TABLE.deck
CARD = st.sampled_from(FULL_DECK)
PROMPT = "\nInput an option (TT,TF,WT,WF,SW,R,H,Q): "


def new_game(order: str) -> Any:
    """What initialize returns over a fixed deck."""
    return load(PROGRAM, supplied_cards(SUPPLIED, order)).initialize()


def printed(call: Any, *args: Any) -> str:
    return perform(lambda: call(*args)).screen


def game_of(*typed: str, order: str = COURSE.header["deck"]) -> tuple[str, ...]:
    """The turns of a game over a fixed deck."""
    played = play(PROGRAM, typed, cards=supplied_cards(SUPPLIED, order))
    assert played.stopped is None
    return played.turns


# Sessions


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.path.stem)
def test_the_reference_replays_every_session_to_the_byte(session: SessionFile) -> None:
    played = replay(PROGRAM, session, SUPPLIED)
    assert played.stopped is None
    assert played.screen == session.screen


def test_the_fixed_deck_is_the_list_that_seed_100_leaves_inside_a_shuffled_deck() -> None:
    random.seed(100)
    shuffled = CARDS.Deck()
    shuffled.shuffle()
    assert codes(shuffled._Deck__deck) == COURSE.header["deck"].split()
    assert game_of("q")[0].count("5♣") == 1


def test_the_winning_session_shows_every_kind_of_move() -> None:
    names = {line.split()[0] for line in WIN.typed}
    assert names == {"sw", "wf", "wt", "tf", "tt"}
    model = Model(WIN.header["deck"])
    kings = 0
    for line in WIN.typed:
        before = [bool(column) for column in model.tableau]
        assert model.command(line)
        kings += line[1] == "t" and not before[int(line.split()[-1]) - 1]
    assert kings > 1
    assert model.won()


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.path.stem)
def test_no_session_types_what_is_open(session: SessionFile) -> None:
    """No blank line, no draw from an empty stock; a turn of H or R is not judged."""
    model = Model(session.header["deck"])
    for number, line in enumerate(session.typed, 1):
        assert line.strip()
        word = line.split()[0][0].upper()
        assert (word in "HR" and len(line.split()) == 1) == (number in session.ungraded)
        if word == "R" and len(line.split()) == 1:
            model = Model(session.header["deck"])
        assert line.upper() != "SW" or model.stock
        model.command(line)


# The deal


def test_dealt_one_card_in_each_of_the_7_columns_from_left_to_right_and_so_on() -> None:
    tableau, stock, _, waste = new_game(" ".join(FULL_DECK))
    by_rows = [code(column[row])[:2] for row in range(7) for column in tableau[row:]]
    assert by_rows == list(FULL_DECK[:28])
    assert codes(waste) == list(FULL_DECK[28:29])
    assert codes([stock.deal() for _ in range(23)]) == list(FULL_DECK[29:])


def test_the_last_card_placed_in_each_column_is_turned_face_up() -> None:
    tableau = GAME.initialize()[0]
    assert [[one.is_face_up() for one in column] for column in tableau] == [[False] * n + [True] for n in range(7)]


def test_the_remaining_24_cards_become_the_stock_and_its_top_card_the_waste() -> None:
    _, stock, foundation, waste = GAME.initialize()
    assert isinstance(stock, CARDS.Deck)
    assert (len(stock), len(waste), foundation) == (23, 1, [[], [], [], []])
    assert waste[0].is_face_up()


def test_use_lists_to_create_the_structures_and_share_none() -> None:
    tableau, _, foundation, waste = GAME.initialize()
    lists = [tableau, foundation, waste, *tableau, *foundation]
    assert all(type(one) is list for one in lists)
    assert len({id(one) for one in lists}) == len(lists)


def test_you_will_need_to_shuffle_the_stock_when_you_create_it(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    monkeypatch.setattr(CARDS.Deck, "shuffle", lambda self: sizes.append(len(self)))
    GAME.initialize()
    assert sizes == [52]


# The moves


def test_move_one_card_from_the_stock_to_the_waste() -> None:
    stock, waste = deck("5S 6H"), pile("AC")
    assert GAME.stock_to_waste(stock, waste) is True
    assert (codes(waste), len(stock)) == (["AC", "5S"], 1)


def test_check_that_there_are_cards_in_the_stock() -> None:
    waste = pile("AC")
    assert GAME.stock_to_waste(deck(""), waste) is False
    assert codes(waste) == ["AC"]


@given(CARD)
def test_an_ace_and_only_an_ace_becomes_the_first_card_of_any_foundation(first: str) -> None:
    for index in range(4):
        foundation = piles("", "", "", "")
        assert GAME.waste_to_foundation(pile(first), foundation, index) is first.startswith("A")
        assert codes(foundation[index]) == ([first] if first.startswith("A") else [])


@given(CARD, CARD)
@example("KS", "AS")
def test_same_suit_and_exactly_one_higher_than_the_top_of_the_foundation(one: str, top: str) -> None:
    fits = one[1] == top[1] and one[0] + top[0] in RANKS[::-1]
    assert GAME.waste_to_foundation(pile(one), piles("", top, "", ""), 1) is fits
    assert GAME.tableau_to_foundation(columns("", one), piles("", top, "", ""), 1, 1) is fits


@given(CARD, CARD)
@example("QH", "KD")
@example("AH", "KS")
def test_opposite_color_and_exactly_one_rank_lower_than_the_last_card(one: str, last: str) -> None:
    fits = (one[1] in "DH") != (last[1] in "DH") and last[0] + one[0] in RANKS[::-1]
    assert GAME.waste_to_tableau(pile(one), columns("", last), 1) is fits
    assert GAME.tableau_to_tableau(columns(one, last), 0, 1) is fits


@given(CARD)
def test_a_king_is_the_only_card_which_may_be_moved_into_an_empty_column(one: str) -> None:
    assert GAME.waste_to_tableau(pile(one), columns(), 3) is one.startswith("K")
    assert GAME.tableau_to_tableau(columns(one), 0, 3) is one.startswith("K")


def test_a_red_seven_may_be_moved_onto_a_black_eight() -> None:
    assert GAME.waste_to_tableau(pile("7H"), columns("8S"), 0)
    assert not GAME.waste_to_tableau(pile("8S"), columns("7H"), 0)


@pytest.mark.parametrize(("under", "after"), [("KC-", "KC"), ("KC", "KC"), ("2D KC-", "2D KC"), ("2D- KC-", "2D- KC")])
def test_make_sure_to_flip_the_new_last_card_if_the_card_is_not_face_up(under: str, after: str) -> None:
    tableau = columns(under + " AH", "2S")
    assert GAME.tableau_to_foundation(tableau, piles("", "", "", ""), 0, 2)
    assert codes(tableau[0]) == after.split()
    tableau = columns(under + " AH", "2S")
    assert GAME.tableau_to_tableau(tableau, 0, 1)
    assert (codes(tableau[0]), codes(tableau[1])) == (after.split(), ["2S", "AH"])


def test_the_functions_will_accept_the_indices_and_not_the_column_numbers() -> None:
    tableau, foundation = columns("", "", "", "", "", "", "AC"), piles("", "", "", "")
    assert GAME.tableau_to_foundation(tableau, foundation, 6, 0)
    assert codes(foundation[0]) == ["AC"]


@pytest.mark.parametrize(
    ("stock", "waste", "tableau"), [("5S", "", ""), ("", "5S", ""), ("", "", "5S"), ("5S", "6S", "7S")]
)
def test_a_winning_state_has_stock_waste_and_tableau_empty(stock: str, waste: str, tableau: str) -> None:
    full = [pile(" ".join(rank + suit for rank in RANKS)) for suit in SUITS]
    assert GAME.check_win(deck(""), [], full, columns()) is True
    left = f"{stock} {waste} {tableau}".split()
    some = [[one for one in suit if code(one) not in left] for suit in full]
    assert GAME.check_win(deck(stock), pile(waste), some, columns(tableau)) is False


# What the course supplies: parse_option and display


@pytest.mark.parametrize(
    ("line", "option"),
    [
        *[(word, [word[0].upper()]) for word in ("q", "Q", "quit", "r", "Restart", "h", "help ")],
        ("sw", ["SW"]),
        ("  Sw ", ["SW"]),
        *[(f"wt {n}", ["WT", n]) for n in (1, 7)],
        *[(f"WF  {n}", ["WF", n]) for n in (1, 4)],
        ("tt 1 7", ["TT", 1, 7]),
        ("Tf 7 4", ["TF", 7, 4]),
    ],
)
def test_parse_option_returns_the_option_in_upper_case_and_its_numbers(line: str, option: list[object]) -> None:
    assert GAME.parse_option(line) == option


@pytest.mark.parametrize(
    ("line", "message"),
    [
        *[(line, "\nError in Source.\n") for line in ("tt 0 1", "tt 8 1", "tf 8 4", "tf 9 9")],
        *[
            (line, "\nError in Destination\n")
            for line in ("tt 1 0", "tt 1 8", "tf 1 5", "wt 8", "wt 0", "wf 5", "wf 0")
        ],
        *[(line, f"\nError in option: {line}\n") for line in ("mtt 4 6 2", "tt 1", "tt -1 2", "sw 1", "WF x", " x ")],
        *[
            (line, f"\nError in option: {line}\n")
            for line in ("q q", "h 1", "s", "tt 1 2 3", "wt", "tt 1.0 2", "12", "wt ²")
        ],
    ],
)
def test_remember_that_all_errors_return_none_after_printing_the_error_message(line: str, message: str) -> None:
    found = seen(GAME.parse_option, (line,))
    assert (found.end, found.printed, found.returned[0]) == ("returned", message, ("NoneType", "None"))


def test_display_shows_the_board_to_the_blank() -> None:
    board = printed(GAME.display, columns("TD", "5S- 6H"), deck("AC"), piles("AS", "", "", ""), [])
    assert board == (
        "\n"
        "stock waste \t\t\t\t\t foundation\n"
        "\t\t\t\t          1      2      3      4 \n"
        "XX    empty \t\t\t\t  A♠    empty  empty  empty \n"
        "\n\n\n"
        "\t\t\t\t\ttableau\n"
        "\t\t      1      2      3      4      5      6      7 \n"
        "\t\t     10♦     XX" + "   " + " {:5s} ".format("") * 5 + "\n"
        "\t\t    " + " {:5s} ".format("") + "  6♥   " + " {:5s} ".format("") * 5 + "\n"
        "\n"
    )


# The program


def board(turn: str) -> str:
    """The board at the end of a turn, without the prompt."""
    return turn[turn.rindex("\nstock") :].removesuffix(PROMPT)


def test_start_by_displaying_the_menu_and_the_starting_board() -> None:
    first = game_of("q")[0]
    assert first == GAME.MENU + "\n" + board(first) + PROMPT


@pytest.mark.parametrize(
    ("line", "message"),
    [("tt 1 2", "\nInvalid move!\n\n"), ("tt 9 1", "\nError in Source.\n"), ("x", "\nError in option: x\n")],
)
def test_after_an_error_display_the_board_and_reprompt(line: str, message: str) -> None:
    first, second, last = game_of(line, "q")
    assert second == message + board(first) + PROMPT
    assert last == ""


def test_restart_initializes_the_board_and_displays_menu_and_board() -> None:
    turns = game_of("tf 3 1", "sw", "r", "q")
    assert turns[3] == turns[0]
    assert board(turns[2]) != board(turns[0])


def test_help_displays_the_menu_of_choices() -> None:
    assert game_of("h", "q")[1] == GAME.MENU + "\n" + PROMPT


def test_if_the_user_won_print_you_won_display_the_winning_board_and_stop() -> None:
    *_, before, last = game_of(*WIN.typed, order=WIN.header["deck"])
    assert "You won!" not in before
    assert last.startswith("You won!\n\nstock waste")
    assert not last.endswith(PROMPT)
    assert last.count("K") == 4
    assert last.count("empty") == 2


def test_when_the_stock_is_empty_a_draw_is_an_invalid_move() -> None:
    *_, twenty_third, refused, _ = game_of(*["sw"] * 24, "q")
    assert "Invalid" not in twenty_third
    assert refused.startswith("\nInvalid move!\n")


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.from_regex(r"[TtWwSs][TtFfWw] [\d²]+"))
)
@example([""])
@example(["tt " + "9" * 5000 + " 1"])
def test_no_typed_line_and_no_end_of_input_crashes_it(lines: list[str]) -> None:
    assert play(PROGRAM, lines, cards=supplied_cards(SUPPLIED, COURSE.header["deck"])).stopped is None


# Whole games, in lockstep with an oracle that knows cards only as text


class Model:
    """The rules once more, written differently: a game over strings, a face-down card ends in `-`."""

    def __init__(self, order: str) -> None:
        self.tableau, self.waste, self.stock = dealt(order.split())
        self.foundation: list[list[str]] = [[] for _ in range(4)]

    def command(self, line: str) -> bool:
        """Carry out a typed line; False for a refused move and for what is no move at all."""
        name, *words = line.upper().split()
        if name == "SW" and not words and self.stock:
            self.waste.append(self.stock.pop(0))
            return True
        if name not in ("TT", "TF", "WT", "WF") or len(words) != 1 + (name[0] == "T"):
            return False
        places = {"T": self.tableau, "F": self.foundation}[name[1]]
        wells = self.tableau if name[0] == "T" else [self.waste]
        numbers = [word for word in words if word.isdecimal()]
        source, target = int(numbers[0]) if name[0] == "T" else 1, int(numbers[-1]) if numbers == words else 0
        if not (0 < source <= len(wells) and 0 < target <= len(places)):
            return False
        return self._move(wells[source - 1], places[target - 1], up=name[1] == "F")

    def _move(self, source: list[str], target: list[str], *, up: bool) -> bool:
        if not source or source[-1] not in self._wanted(target, up=up):
            return False
        target.append(source.pop())
        source[-1:] = [one.rstrip("-") for one in source[-1:]]
        return True

    def _wanted(self, target: list[str], *, up: bool) -> list[str]:
        """The cards that fit onto a pile, as a list of names."""
        if not target:
            return [("A" if up else "K") + suit for suit in SUITS]
        rank, suit = target[-1][0], target[-1][1]
        ranks = RANKS[RANKS.index(rank) + 1 :][:1] if up else RANKS[: RANKS.index(rank)][-1:]
        suits = suit if up else "CS" if suit in "DH" else "DH"
        return [one + other for one in ranks for other in suits]

    def won(self) -> bool:
        return sum(len(one) for one in self.foundation) == 52


class Games(RuleBasedStateMachine):
    """The reference and the oracle are given the same commands, from the deal or from anywhere in a won game."""

    @initialize(order=st.permutations(FULL_DECK), start=st.none() | st.integers(0, len(WIN.typed) - 1))
    def deal(self, order: list[str], start: int | None) -> None:
        text = " ".join(order) if start is None else WIN.header["deck"]
        self.model = Model(text)
        self.tableau, self.stock, self.foundation, self.waste = new_game(text)
        self.script = list(WIN.typed) if start is not None else []
        for _ in range(start or 0):
            self.play(self.script.pop(0))

    def play(self, line: str) -> None:
        before = self.state()
        option = GAME.parse_option(line)
        moved = GAME.make_move(option, self.tableau, self.stock, self.foundation, self.waste)
        assert moved is self.model.command(line)
        assert moved == (self.state() != before)

    def state(self) -> tuple[object, ...]:
        stock = codes(reversed(self.stock._Deck__deck))
        return ([codes(one) for one in self.tableau], stock, [codes(one) for one in self.foundation], codes(self.waste))

    @rule()
    def follow_the_won_game(self) -> None:
        self.play(self.script.pop(0) if self.script else "sw")

    @precondition(lambda self: self.script)
    @rule()
    def win(self) -> None:
        while self.script:
            assert not GAME.check_win(self.stock, self.waste, self.foundation, self.tableau)
            self.play(self.script.pop(0))
        assert GAME.check_win(self.stock, self.waste, self.foundation, self.tableau)

    @rule()
    def draw(self) -> None:
        self.script = []
        self.play("sw")

    @rule(source=st.integers(1, 7), goal=st.integers(1, 7), name=st.sampled_from(["tt", "tf", "wt", "wf"]))
    def move(self, source: int, goal: int, name: str) -> None:
        if name[1] == "f":
            goal = (goal + 1) // 2
        self.script = []
        self.play(f"{name} {source} {goal}" if name[0] == "t" else f"{name} {goal}")

    @invariant()
    def the_reference_agrees_with_the_oracle(self) -> None:
        assert self.state() == (self.model.tableau, self.model.stock, self.model.foundation, self.model.waste)

    @invariant()
    def fifty_two_cards_are_conserved(self) -> None:
        every = [self.waste, self.stock._Deck__deck, *self.tableau, *self.foundation]
        assert sorted(code(one)[:2] for cards in every for one in cards) == sorted(FULL_DECK)

    @invariant()
    def a_win_is_a_win(self) -> None:
        assert GAME.check_win(self.stock, self.waste, self.foundation, self.tableau) is self.model.won()

    @invariant()
    def the_display_agrees_with_the_state(self) -> None:
        lines = printed(GAME.display, self.tableau, self.stock, self.foundation, self.waste).splitlines()
        tops = [str(one[-1]).strip() if one else "empty" for one in [self.waste, *self.foundation]]
        assert lines[3].split() == ["XX" if len(self.stock) else "empty", *tops]
        rows = [[line[6:][7 * n :][:7].strip() for n in range(7)] for line in lines[9:-1]]
        shown = [[cell for cell in column if cell] for column in zip(*rows, strict=True)] or [[]] * 7
        assert shown == [[str(one).strip() for one in column] for column in self.tableau]


Games.TestCase.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
TestGames = Games.TestCase
