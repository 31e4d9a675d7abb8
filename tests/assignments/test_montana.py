"""Montana: the reference keeps every sentence of its handout, and the sessions are what it prints."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.assignments import recorder
from tests.assignments.montana_boards import (
    EXAMPLE,
    FULL_DECK,
    GAME,
    HANDOUT,
    LOST_BOARDS,
    RANKS,
    REFERENCE,
    SESSIONS,
    SUPPLIED,
    WON,
    Board,
    boards_on,
    cards,
    codes,
    is_legal,
    keeps_promise,
    rows,
    sequence,
    with_blanks,
)
from tests.assignments.recorder import perform, play, replay, supplied_cards

# The sessions


@pytest.mark.parametrize("name", SESSIONS)
def test_the_reference_prints_a_session_byte_for_byte(name: str) -> None:
    session = SESSIONS[name]
    assert replay(REFERENCE, session, SUPPLIED).screen == session.screen


def test_there_are_the_three_sessions_of_the_handout_and_our_own() -> None:
    assert set(SESSIONS) == {*HANDOUT, "win", "errors", "again"}


@pytest.mark.parametrize(
    ("name", "shuffle", "line"),
    [
        ("test-2", 0, "  4:  2♥  3♥  4♥      Q♣  Q♥ 10♥  6♥  J♠  K♠  J♥  9♥  9♠"),
        ("test-2", 0, "  2:  2♠  3♠  4♠  5♠  6♠  7♠     10♠  K♥  K♦  5♥  K♣  8♥"),
        ("test-2", 1, "  4:  2♥  3♥  4♥  5♥  6♥      9♠ 10♥  J♠  9♥  K♥ 10♠  K♣"),
        ("test-2", 1, "  2:  2♠  3♠  4♠  5♠  6♠  7♠  8♠      7♥  8♥  J♥  Q♥  K♠"),
        ("test-3", 0, "  2:  2♠  3♠  4♠  5♠  6♠      Q♣  Q♠  K♣  Q♥  7♠  K♦ 10♥"),
        ("test-3", 0, "  4:  2♥      8♠  J♦  J♠  Q♦  8♥  K♥  3♥  9♠  J♥  6♥  7♥"),
        ("test-3", 1, "  2:  2♠  3♠  4♠  5♠  6♠      Q♦  K♠  K♥  J♠ 10♥  8♠  7♥"),
        ("test-3", 1, "  4:  2♥      K♦  6♥  Q♠  3♥  7♠  J♦ 10♠  4♥  K♣  5♥  8♥"),
    ],
)
def test_the_shuffles_that_the_handout_prints_come_out_card_for_card(name: str, shuffle: int, line: str) -> None:
    screen = SESSIONS[name].screen
    turns = [turn for typed, turn in zip(SESSIONS[name].typed, recorder.turns(screen)[1:], strict=True) if typed == "s"]
    assert line in turns[shuffle].splitlines()


def test_the_aces_of_the_test_deck_end_in_rows_of_other_suits() -> None:
    """So that a win check which wrongly looks at the suit of an ace is found out by the handout's first session."""
    game = recorder.load(REFERENCE, supplied_cards(SUPPLIED, SESSIONS["test-1"].deck))
    tableau = game.initialize()
    for line in SESSIONS["test-1"].typed[:-1]:
        assert game.move(tableau, *(int(word) - 1 for word in line.split()))
    assert game.check_win(tableau)
    assert all(row[0].suit() != row[-1].suit() for row in tableau)


# The game rules and the functions, sentence by sentence


def test_the_tableau_is_a_list_of_4_lists_each_list_containing_13_cards() -> None:
    tableau = GAME.initialize()
    assert type(tableau) is list
    assert [type(row) for row in tableau] == [list] * 4
    assert [len(row) for row in tableau] == [13] * 4
    assert sorted(itertools.chain.from_iterable(codes(tableau))) == sorted(FULL_DECK)


def test_cards_are_dealt_left_to_right_filling_the_top_row_first() -> None:
    fixed = recorder.load(REFERENCE, supplied_cards(SUPPLIED, " ".join(FULL_DECK)))
    assert codes(fixed.initialize()) == rows(FULL_DECK)


def test_the_deck_is_shuffled() -> None:
    assert codes(GAME.initialize()) != codes(GAME.initialize())


def test_aces_are_displayed_as_blank_spaces() -> None:
    board = rows(FULL_DECK)
    screen = perform(lambda: GAME.display(cards(board))).screen
    assert screen.splitlines()[0] == "    " + "".join(f"{n:3d} " for n in range(1, 14))
    assert screen.splitlines()[1] == "  1:      2♣  3♣  4♣  5♣  6♣  7♣  8♣  9♣ 10♣  J♣  Q♣  K♣"
    assert [with_blanks(one) for one in boards_on(screen)] == [with_blanks(board)]


def place(code: str) -> tuple[int, int]:
    return next((r, c) for r, row in enumerate(EXAMPLE) for c, one in enumerate(row) if one == code)


@pytest.mark.parametrize(
    ("source", "dest", "valid"),
    [
        ("2S", (0, 0), True),  # if the empty destination is the leftmost column and the source card has rank 2
        ("2H", (0, 0), True),
        ("6H", (0, 0), False),  # the card "left" of the leftmost column is not the last one of the row
        ("3S", (0, 0), False),
        ("AC", (0, 0), False),
        ("3S", (1, 1), True),  # the card to the left is the same suit and has a rank that is one less
        ("3H", (1, 1), False),  # another suit
        ("4S", (1, 1), False),  # two more
        ("2S", (1, 1), False),
        ("5H", (3, 4), True),
        ("AC", (2, 1), False),  # nothing follows a king, not even an ace
        ("2S", (2, 1), False),
        ("4C", (3, 0), False),  # the destination is not empty
        ("3H", (3, 2), False),
        ("AS", (3, 4), False),
    ],
)
def test_a_move_is_valid_if_the_destination_is_empty_and_the_card_fits(
    source: str, dest: tuple[int, int], valid: bool
) -> None:
    tableau = cards(EXAMPLE)
    assert GAME.validate_move(tableau, *place(source), *dest) is valid
    assert codes(tableau) == EXAMPLE


def test_nothing_follows_an_empty_space_not_even_the_2_of_the_same_suit() -> None:
    """The handout leaves this open; the reference takes an ace for the blank that the player sees."""
    board = rows(["AC", "AD", "2C", *(code for code in FULL_DECK if code not in {"AC", "AD", "2C"})])
    assert GAME.validate_move(cards(board), 0, 2, 0, 1) is False


def test_if_the_move_is_valid_the_function_will_update_the_tableau_and_return_true() -> None:
    tableau = cards(EXAMPLE)
    assert GAME.move(tableau, *place("5H"), 3, 4) is True
    expected = [list(row) for row in EXAMPLE]
    expected[3][4], expected[0][12] = "5H", "AS"  # swap the source card with the destination card
    assert codes(tableau) == expected


def test_otherwise_it_will_do_nothing_to_it_and_return_false() -> None:
    tableau = cards(EXAMPLE)
    assert GAME.move(tableau, *place("6H"), 0, 0) is False
    assert codes(tableau) == EXAMPLE


@pytest.mark.parametrize("aces", list(itertools.permutations("CDHS")))
def test_the_ace_may_be_of_any_suit_and_any_suit_may_be_in_any_row(aces: tuple[str, ...]) -> None:
    assert GAME.check_win(cards([[*row[:12], "A" + ace] for row, ace in zip(WON, aces, strict=True)])) is True
    assert GAME.check_win(cards([WON["CSDH".index(suit)] for suit in aces])) is True


@pytest.mark.parametrize("sentence", LOST_BOARDS)
def test_the_game_is_not_won_without(sentence: str) -> None:
    assert GAME.check_win(cards(LOST_BOARDS[sentence])) is False


def test_cards_in_a_sequence_are_left_in_place_and_all_other_cards_are_shuffled() -> None:
    loose = [code for code in FULL_DECK if code not in {*WON[0][:5], *WON[1][:3]}]
    before = [[*WON[0][:5], *loose[:8]], [*WON[1][:3], *loose[8:18]], loose[18:31], loose[31:44]]
    tableau = cards(before)
    assert GAME.shuffle_tableau(tableau) is None
    assert keeps_promise(before, codes(tableau))
    assert with_blanks(codes(tableau)) != with_blanks(before)


def test_the_cards_outside_the_sequences_come_back_in_another_order_each_time() -> None:
    boards = []
    for _ in range(3):
        tableau = cards(EXAMPLE)
        GAME.shuffle_tableau(tableau)
        boards.append(with_blanks(codes(tableau)))
    assert boards[0] != boards[1] != boards[2]


def answer(line: str) -> str:
    """What the program says to one typed line, without the prompt that follows."""
    played = play(REFERENCE, [line], cards=supplied_cards(SUPPLIED, SESSIONS["test-1"].deck))
    return played.turns[1].partition("Enter choice:")[0]


@pytest.mark.parametrize("line", ["", "a", "1 a 3 4", "1.5 2 3 13", "2336", "4 13 1", "4 13 1 10 1", "a b c d"])
def test_letters_fractions_and_a_wrong_number_of_words_are_invalid_input(line: str) -> None:
    assert answer(line) == "Error: invalid input.  Please try again.\n"


@pytest.mark.parametrize(
    "numbers", ["0 1 1 10", "5 1 1 10", "1 0 1 10", "1 14 1 10", "1 1 0 10", "1 1 5 10", "1 1 1 0", "1 1 1 14"]
)
def test_row_numbers_are_1_to_4_and_column_numbers_1_to_13(numbers: str) -> None:
    assert answer(numbers) == "Error: row and/or column out of range. Please Try again.\n"


@pytest.mark.parametrize("numbers", ["4 13 3 10", "1 1 1 1", "4 13 4 13", "1 13 1 10"])
def test_the_tableau_will_not_be_altered_by_an_invalid_command(numbers: str) -> None:
    assert answer(numbers) == "Error: invalid move.  Please try again.\n"
    played = play(REFERENCE, [numbers, "4 13 1 10"], cards=supplied_cards(SUPPLIED, SESSIONS["test-1"].deck))
    assert played.turns[2].startswith(answer("4 13 1 10"))


def test_commands_are_recognized_in_upper_or_lower_case() -> None:
    assert {"s", "S"} <= set(SESSIONS["again"].typed)
    assert "Q" in SESSIONS["errors"].typed


def test_every_message_has_its_blanks_and_capitals() -> None:
    errors = SESSIONS["errors"].screen
    assert "}}\nError: invalid input.  Please try again.\nEnter choice:\n (q)uit, (s)huffle" in errors
    assert "}}\nError: invalid move.  Please try again.\nEnter choice:\n (q)uit" in errors
    assert "}}\nError: row and/or column out of range. Please Try again.\nEnter choice:\n" in errors
    assert "{{s}}\nNo more shuffles remain.\nEnter choice:\n" in SESSIONS["test-2"].screen
    assert SESSIONS["win"].screen.endswith(
        "\nYou won!\nDo you want to play again (y/n)?{{n}}\nThank you for playing.\n"
    )


def test_then_ask_if_the_user_wants_another_game_with_two_shuffles_of_its_own() -> None:
    first, second = SESSIONS["again"].screen.split("{{y}}\n")
    assert second.startswith("Montana Solitaire.\n")
    for game in (first, second):
        assert game.lower().count("{{s}}\n      1") == 2
        assert game.count("No more shuffles remain.") == 1


def test_the_end_of_the_input_ends_the_game_politely() -> None:
    played = play(REFERENCE, ["s"], cards=supplied_cards(SUPPLIED))
    assert played.stopped is None
    assert played.screen.endswith("Thank you for playing.\n")


# Whole games


@st.composite
def decks(draw: st.DrawFn) -> Board:
    """A board with sequences of any length, and the rest in any order."""
    suits = draw(st.permutations("CDHS"))
    kept = [[rank + suit for rank in RANKS[1 : 1 + draw(st.integers(0, 12))]] for suit in suits]
    used = set(itertools.chain.from_iterable(kept))
    loose = draw(st.permutations([code for code in FULL_DECK if code not in used]))
    pile = iter(loose)
    return [[*row, *itertools.islice(pile, 13 - len(row))] for row in kept]


class WholeGame(RuleBasedStateMachine):
    """The reference's functions in step with a model that knows cards only as two letters."""

    @initialize(board=decks())
    def start(self, board: Board) -> None:
        order = " ".join(itertools.chain.from_iterable(board))
        self.game = recorder.load(REFERENCE, supplied_cards(SUPPLIED, order))
        self.tableau = self.game.initialize()
        self.board = [list(row) for row in board]

    def try_move(self, source: tuple[int, int], dest: tuple[int, int]) -> None:
        code = self.board[source[0]][source[1]]
        legal = is_legal(self.board, code, *dest)
        assert self.game.validate_move(self.tableau, *source, *dest) is legal
        assert self.game.move(self.tableau, *source, *dest) is legal
        if legal:
            self.board[source[0]][source[1]] = self.board[dest[0]][dest[1]]
            self.board[dest[0]][dest[1]] = code

    @rule(
        source=st.tuples(st.integers(0, 3), st.integers(0, 12)), dest=st.tuples(st.integers(0, 3), st.integers(0, 12))
    )
    def any_move(self, source: tuple[int, int], dest: tuple[int, int]) -> None:
        self.try_move(source, dest)

    @rule(suit=st.integers(0, 3), pick=st.integers(0, 51))
    def move_to_a_gap(self, suit: int, pick: int) -> None:
        everywhere = [(row, col) for row in range(4) for col in range(13)]
        dest = next(at for at in everywhere if self.board[at[0]][at[1]] == "A" + "CDHS"[suit])
        fitting = [at for at in everywhere if is_legal(self.board, self.board[at[0]][at[1]], *dest)]
        self.try_move((fitting or everywhere)[pick % len(fitting or everywhere)], dest)

    @rule()
    def shuffle(self) -> None:
        assert self.game.shuffle_tableau(self.tableau) is None
        assert keeps_promise(self.board, codes(self.tableau))
        self.board = codes(self.tableau)

    @invariant()
    def the_state_is_the_models_so_an_invalid_command_changes_nothing(self) -> None:
        assert codes(self.tableau) == self.board

    @invariant()
    def the_52_cards_are_conserved(self) -> None:
        assert sorted(itertools.chain.from_iterable(codes(self.tableau))) == sorted(FULL_DECK)

    @invariant()
    def a_win_is_a_win(self) -> None:
        assert self.game.check_win(self.tableau) is (sum(map(sequence, self.board)) == 48)

    @invariant()
    def the_display_agrees_with_the_state(self) -> None:
        screen = perform(lambda: self.game.display(self.tableau)).screen
        assert [with_blanks(board) for board in boards_on(screen)] == [with_blanks(self.board)]


WholeGame.TestCase.settings = settings(max_examples=30, stateful_step_count=25, deadline=None)
TestWholeGame = WholeGame.TestCase

COMMANDS = st.one_of(
    st.sampled_from(["s", "S", "q", "y", "n", ""]),
    st.lists(st.integers(-1, 14), min_size=3, max_size=5).map(lambda numbers: " ".join(map(str, numbers))),
    st.lists(st.sampled_from(["1", "13", "x", "1.5", "-2", "²"]), min_size=4, max_size=4).map(" ".join),
    st.text(st.characters(exclude_characters="\r\n{}", exclude_categories=["Cs"]), max_size=8),
)


@given(lines=st.lists(COMMANDS, max_size=15), board=decks())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_program_will_detect_report_and_recover_whatever_is_typed(lines: list[str], board: Board) -> None:
    order = " ".join(itertools.chain.from_iterable(board))
    played = play(REFERENCE, lines, cards=supplied_cards(SUPPLIED, order))
    assert played.stopped is None
    assert played.screen.endswith("Thank you for playing.\n")
    assert all(
        ("Error" in turn) != ("  1:" in turn)
        for turn in played.turns
        if "Enter choice" in turn and "No more" not in turn
    )
