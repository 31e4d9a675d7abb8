"""Aces Up: the reference keeps every sentence of its handout, the sessions are what it prints, the samples are as filed."""

from __future__ import annotations

import copy
import functools
import itertools
import random
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.assignments import recorder
from tests.assignments.filing import Bench, lost_functions, plays_alike
from tests.assignments.recorder import ROOT, perform, play, replay, supplied_cards

if TYPE_CHECKING:
    from collections.abc import Callable

REFERENCE = ROOT / "reference" / "aces-up" / "proj10.py"
SUPPLIED = ROOT / "reference" / "aces-up" / "cards.py"
SESSIONS = {session.path.stem: session for session in recorder.sessions("aces-up")}
SAMPLES = recorder.samples("aces-up")
HANDOUT = ("test-1", "test-2", "test-3", "test-4")
HELPERS = {
    "init_game": ("deal_to_tableau",),
    "validate_move_to_foundation": (),
    "move_to_foundation": ("validate_move_to_foundation",),
    "validate_move_within_tableau": (),
    "move_within_tableau": ("validate_move_within_tableau",),
    "check_for_win": (),
}
FULL_DECK = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
STRENGTH = "23456789TJQKA"
LETTERS = str.maketrans("♣♦♥♠", "CDHS")
CARDS = supplied_cards(SUPPLIED)
GAME = recorder.load(REFERENCE, CARDS)


def card(code: str) -> Any:
    return CARDS.Card("A23456789TJQK".index(code[0]) + 1, "CDHS".index(code[1]) + 1)


def column(text: str) -> list[Any]:
    return [card(code) for code in text.split()]


def tableau(*columns: str) -> list[list[Any]]:
    return [column(text) for text in columns]


def stock_of(text: str) -> Any:
    """A supplied deck that deals these cards, the first one first."""
    deck = CARDS.Deck()
    deck._Deck__deck = column(text)[::-1]
    return deck


def code(shown: Any) -> str:
    return str(shown).replace("10", "T").translate(LETTERS)


def codes(columns: list[list[Any]]) -> list[list[str]]:
    return [[code(one) for one in pile] for pile in columns]


def flat(piles: list[list[str]]) -> list[str]:
    return list(itertools.chain.from_iterable(piles))


def asked(line: str) -> tuple[Any, str]:
    """What `get_option` returns for a typed line, and what it says."""
    options: list[Any] = []
    played = perform(lambda: options.append(GAME.get_option()), [line])
    return options[0], played.turns[1]


# The sessions


@pytest.mark.parametrize("name", SESSIONS)
def test_the_reference_prints_a_session_byte_for_byte(name: str) -> None:
    session = SESSIONS[name]
    assert replay(REFERENCE, session, SUPPLIED).screen == session.screen


def test_there_are_the_four_sessions_of_the_handout_and_our_own() -> None:
    assert set(SESSIONS) == {*HANDOUT, "win", "errors", "restart", "columns"}
    assert SESSIONS["test-4"].deck == recorder.FRESH


@pytest.mark.parametrize("name", ["test-2", "test-3", "win", "restart"])
def test_nothing_is_shown_after_a_win(name: str) -> None:
    assert SESSIONS[name].screen.endswith("}}\nYou won!\n")


# The game rules and the functions, sentence by sentence


def test_init_game_returns_stock_tableau_and_foundation_as_a_tuple_in_that_order() -> None:
    result = GAME.init_game()
    assert type(result) is tuple
    stock, columns, foundation = result
    assert isinstance(stock, CARDS.Deck)
    assert foundation == []
    assert [len(pile) for pile in columns] == [1, 1, 1, 1]
    assert sorted(flat(codes([*columns, stock._Deck__deck]))) == sorted(FULL_DECK)


def test_four_cards_are_dealt_left_to_right_one_to_each_column() -> None:
    fixed = recorder.load(REFERENCE, supplied_cards(SUPPLIED, "5S TD AC KH 2C 3C 4C 5C"))
    stock, columns, _ = fixed.init_game()
    assert codes(columns) == [["5S"], ["TD"], ["AC"], ["KH"]]
    fixed.deal_to_tableau(stock, columns)
    assert codes(columns) == [["5S", "2C"], ["TD", "3C"], ["AC", "4C"], ["KH", "5C"]]


def test_the_deck_is_shuffled_and_becomes_the_initial_stock() -> None:
    random.seed(1)
    first = codes(GAME.init_game()[1])
    random.seed(2)
    assert codes(GAME.init_game()[1]) != first


def test_deal_to_tableau_returns_none_and_deals_one_card_to_each_column() -> None:
    stock, columns = stock_of("2C 3C 4C 5C 6C"), tableau("AS", "", "KS QS", "")
    assert GAME.deal_to_tableau(stock, columns) is None
    assert codes(columns) == [["AS", "2C"], ["3C"], ["KS", "QS", "4C"], ["5C"]]
    assert len(stock) == 1


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("D", ["D"]),
        ("d", ["D"]),
        ("F 1", ["F", 1]),
        ("f 4", ["F", 4]),
        ("T 1 4", ["T", 1, 4]),
        ("t 3 2", ["T", 3, 2]),
        ("r", ["R"]),
        ("H", ["H"]),
        ("q", ["Q"]),
    ],
)
def test_the_program_will_recognize_the_following_commands_upper_or_lower_case(line: str, option: list[Any]) -> None:
    assert asked(line) == (option, "")


@pytest.mark.parametrize(
    "line", ["D 2", "F D", "F", "F 1 2", "T 1", "T 1 2 3", "T a 1", "X", "3", "F 1.5", "Q 1", "R 2"]
)
def test_incorrect_number_of_arguments_or_incorrect_types_will_return_none(line: str) -> None:
    assert asked(line) == (None, f"Error in option: {line}\n")


@pytest.mark.parametrize(
    ("columns", "from_col"),
    [
        (("2S", "3S", "", ""), 1),
        (("2S", "AS", "", ""), 1),
        (("KS", "AS", "", ""), 1),
        (("", "KH AS", "2D", "QS 9S"), 4),
    ],
)
def test_a_card_can_be_moved_if_a_higher_rank_card_of_the_same_suit_is_at_the_bottom_of_another_column(
    columns: tuple[str, ...], from_col: int
) -> None:
    assert GAME.validate_move_to_foundation(tableau(*columns), from_col) is True


@pytest.mark.parametrize(
    ("columns", "from_col"),
    [
        (("AS", "KS", "QS", "JS"), 1),  # aces are high in this game
        (("2S", "3H", "4D", "5C"), 1),  # the same suit
        (("2S", "3S 4H", "", ""), 1),  # at the bottom, not further up
        (("3S 2S", "", "", ""), 1),  # of another column
        (("9S", "8S", "", ""), 1),
    ],
)
def test_an_invalid_move_to_the_foundation_will_also_print_an_appropriate_error_message(
    columns: tuple[str, ...], from_col: int
) -> None:
    answers: list[bool] = []
    piles = tableau(*columns)
    said = perform(lambda: answers.append(GAME.validate_move_to_foundation(piles, from_col))).screen
    assert answers == [False]
    assert said == f"Error, cannot move {piles[from_col - 1][-1]}.\n"


def test_two_errors_can_be_caught_from_col_is_empty_or_move_is_invalid() -> None:
    said = perform(lambda: GAME.validate_move_to_foundation(tableau("", "KS", "", ""), 1)).screen
    assert said.startswith("Error, ")
    assert GAME.validate_move_to_foundation(tableau("", "KS", "", ""), 1) is False


def test_move_to_foundation_will_update_the_tableau_and_foundation_if_the_move_is_valid() -> None:
    piles, foundation = tableau("AS", "9D KS", "", ""), column("2C")
    assert GAME.move_to_foundation(piles, foundation, 2) is None
    assert codes([*piles, foundation]) == [["AS"], ["9D"], [], [], ["2C", "KS"]]


def test_move_to_foundation_will_do_nothing_to_them_otherwise() -> None:
    piles, foundation = tableau("AS", "9D KS", "", ""), column("2C")
    GAME.move_to_foundation(piles, foundation, 1)
    GAME.move_to_foundation(piles, foundation, 3)
    assert codes([*piles, foundation]) == [["AS"], ["9D", "KS"], [], [], ["2C"]]


def test_any_card_at_the_bottom_of_another_column_can_be_moved_to_the_empty_column() -> None:
    piles = tableau("2C", "9D KS", "", "AH")
    assert GAME.validate_move_within_tableau(piles, 2, 3) is True
    assert GAME.move_within_tableau(piles, 2, 3) is None
    assert codes(piles) == [["2C"], ["9D"], ["KS"], ["AH"]]


@pytest.mark.parametrize(("from_col", "to_col"), [(1, 2), (2, 1), (1, 1), (3, 3), (3, 1)])
def test_you_can_only_move_a_card_to_an_empty_tableau_slot(from_col: int, to_col: int) -> None:
    piles = tableau("2C", "9D KS", "", "AH")
    assert GAME.validate_move_within_tableau(piles, from_col, to_col) is False
    assert perform(lambda: GAME.move_within_tableau(piles, from_col, to_col)).screen == "Invalid move\n"
    assert codes(piles) == [["2C"], ["9D", "KS"], [], ["AH"]]


@pytest.mark.parametrize(
    ("stock", "columns", "won"),
    [
        ("", ("AC", "AD", "AH", "AS"), True),
        ("", ("AS", "AC", "AH", "AD"), True),
        ("2C 3C 4C 5C", ("AC", "AD", "AH", "AS"), False),
        ("", ("AC", "AD", "AH", "KS"), False),
        ("", ("AC", "AD", "AH", "AS KS"), False),
        ("", ("KC", "KD", "KH", "KS"), False),
        ("", ("2C AC", "AD", "AH", "AS"), False),
    ],
)
def test_the_game_is_won_when_the_stock_is_empty_and_the_only_cards_left_are_the_four_aces(
    stock: str, columns: tuple[str, ...], won: bool
) -> None:
    assert GAME.check_for_win(stock_of(stock), tableau(*columns)) is won


def test_restart_displays_the_rules_and_the_menu() -> None:
    turn = SESSIONS["test-1"].screen.split("{{R}}\n")[1]
    assert turn.startswith("=========== Restarting: new game ============\n" + GAME.RULES + "\n" + GAME.MENU + "\n")


def test_rules_are_printed_only_after_r() -> None:
    assert "Aces High" not in SESSIONS["test-1"].screen.split("{{R}}")[0]


def test_a_win_is_announced_and_quitting_says_goodbye() -> None:
    assert SESSIONS["win"].screen.endswith("You won!\n")
    assert SESSIONS["test-4"].screen.endswith("{{q}}\nYou have chosen to quit.\n")


def test_the_end_of_the_input_ends_the_game_politely() -> None:
    played = play(REFERENCE, ["D"], cards=supplied_cards(SUPPLIED))
    assert played.stopped is None
    assert played.screen.endswith("You have chosen to quit.\n")


# Whole games


def read_board(screen: str) -> tuple[bool, list[list[str]], str | None]:
    """The last board on a screen: is there stock, the columns, the card on the foundation."""
    _, _, board = screen.rpartition("foundation\n")
    lines = board.partition("\n\n")[0].splitlines()
    columns: list[list[str]] = [[], [], [], []]
    for line in lines:
        for index in range(4):
            cell = line[8 + 4 * index : 12 + 4 * index].strip()
            columns[index] += [code(cell)] if cell else []
    top = lines[0][24:].strip() if lines else ""
    return bool(lines) and lines[0].startswith("XX"), columns, code(top) if top else None


class WholeGame(RuleBasedStateMachine):
    """The reference's functions in step with a model that knows cards only as two letters."""

    @initialize(deck=st.permutations(FULL_DECK))
    def start(self, deck: list[str]) -> None:
        self.game = recorder.load(REFERENCE, supplied_cards(SUPPLIED, " ".join(deck)))
        self.stock, self.tableau, self.foundation = self.game.init_game()
        self.hidden, self.columns, self.out = deck[4:], [[one] for one in deck[:4]], list[str]()

    @precondition(lambda self: self.hidden)
    @rule()
    def deal(self) -> None:
        self.game.deal_to_tableau(self.stock, self.tableau)
        for pile in self.columns:
            pile.append(self.hidden.pop(0))

    @rule(from_col=st.integers(1, 4))
    def to_foundation(self, from_col: int) -> None:
        pile = self.columns[from_col - 1]
        beaten = bool(pile) and any(
            other[-1][1] == pile[-1][1] and STRENGTH.index(other[-1][0]) > STRENGTH.index(pile[-1][0])
            for other in self.columns
            if other
        )
        assert self.game.validate_move_to_foundation(self.tableau, from_col) is beaten
        self.game.move_to_foundation(self.tableau, self.foundation, from_col)
        if beaten:
            self.out.append(pile.pop())

    @rule(from_col=st.integers(1, 4), to_col=st.integers(1, 4))
    def to_empty_column(self, from_col: int, to_col: int) -> None:
        allowed = bool(self.columns[from_col - 1]) and not self.columns[to_col - 1]
        assert self.game.validate_move_within_tableau(self.tableau, from_col, to_col) is allowed
        self.game.move_within_tableau(self.tableau, from_col, to_col)
        if allowed:
            self.columns[to_col - 1].append(self.columns[from_col - 1].pop())

    @invariant()
    def the_state_is_the_models_so_an_invalid_command_changes_nothing(self) -> None:
        assert codes(self.tableau) == self.columns
        assert codes([self.foundation]) == [self.out]

    @invariant()
    def all_cards_are_conserved(self) -> None:
        piles = codes([*self.tableau, self.foundation, self.stock._Deck__deck])
        assert sorted(flat(piles)) == sorted(FULL_DECK)

    @invariant()
    def a_win_is_a_win(self) -> None:
        left = sorted(flat(self.columns))
        assert self.game.check_for_win(self.stock, self.tableau) is (
            not self.hidden and left == ["AC", "AD", "AH", "AS"]
        )

    @invariant()
    def the_display_agrees_with_the_state(self) -> None:
        screen = perform(lambda: self.game.display(self.stock, self.tableau, self.foundation)).screen
        has_stock, columns, top = read_board(screen)
        assert columns == self.columns
        if any(self.columns):
            assert (has_stock, top) == (bool(self.hidden), self.out[-1] if self.out else None)


WholeGame.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestWholeGame = WholeGame.TestCase

COMMANDS = st.one_of(
    st.sampled_from(["D", "H", "R", "d", "Q 1", ""]),
    st.integers(0, 5).map(lambda number: f"F {number}"),
    st.tuples(st.integers(-1, 5), st.integers(-1, 5)).map(lambda pair: f"t {pair[0]} {pair[1]}"),
    st.text(st.characters(exclude_characters="\r\n{}", exclude_categories=["Cs"]), max_size=8),
)


@given(lines=st.lists(COMMANDS, max_size=20), deck=st.permutations(FULL_DECK))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_program_recovers_from_invalid_commands_whatever_is_typed(lines: list[str], deck: list[str]) -> None:
    played = play(REFERENCE, lines, cards=supplied_cards(SUPPLIED, " ".join(deck)))
    assert played.stopped is None
    assert played.screen.endswith(("You have chosen to quit.\n", "You won!\n"))
    boards = [read_board(turn)[:2] for turn in played.turns]
    for before, after, said in zip(boards, boards[1:], played.turns[1:], strict=False):
        assert not re.search(r"^(Error|Invalid)", said) or after == before


# The sample submissions


def positions() -> list[list[list[Any]]]:
    """Tableaus of a few cards, the simplest first."""
    draw = random.Random(10)
    found = [
        tableau("2S", "3S", "", ""),
        tableau("AS", "KS", "", "2D"),
        tableau("", "", "", "9H"),
        tableau("", "", "", ""),
    ]
    for _ in range(40):
        deck = draw.sample(FULL_DECK, 16)
        found.append([[card(deck.pop()) for _ in range(draw.randrange(4))] for _ in range(4)])
    return found


@functools.cache
def arguments() -> dict[str, list[Callable[[], tuple[Any, ...]]]]:
    """Arguments for each function of the rubric: nothing that the handout leaves open."""
    single = [(piles, x) for piles in positions() for x in range(1, 5)]
    double = [(piles, x, y) for piles, x in single for y in range(1, 5)]
    ends = ["AC AD AH AS", "AS AC AH AD", "AC AD AH 2S", "KC KD KH KS", "AC AD AH 9S"]
    return {
        "init_game": [tuple],
        "validate_move_to_foundation": [functools.partial(copy.deepcopy, one) for one in single],
        "move_to_foundation": [functools.partial(copy.deepcopy, (piles, column("2C"), x)) for piles, x in single],
        "validate_move_within_tableau": [functools.partial(copy.deepcopy, one) for one in double],
        "move_within_tableau": [functools.partial(copy.deepcopy, one) for one in double],
        "check_for_win": [
            functools.partial(copy.deepcopy, (stock_of(stock), tableau(*end.split())))
            for stock in ("", "2C 3C 4C 5C")
            for end in ends
        ],
    }


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Here a shuffle turns the deck over, so that a game which never shuffles shows it."""
    monkeypatch.setattr(CARDS.Deck, "shuffle", lambda self: self._Deck__deck.reverse())
    return Bench(GAME, CARDS, HELPERS, arguments())


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.kind}-{sample.name}")
def test_a_sample_loses_exactly_what_it_is_filed_under(sample: recorder.Sample, bench: Bench) -> None:
    sessions = {name for name in HANDOUT if not plays_alike(sample.program, SESSIONS[name], SUPPLIED)}
    assert sessions | lost_functions(bench, sample.program) == sample.lost - {"coding-standard.automatic"}
    assert (sample.kind == "right") == (not sample.lost)


@pytest.mark.parametrize("sample", [one for one in SAMPLES if one.kind == "right"], ids=lambda sample: sample.name)
def test_a_right_sample_plays_our_own_sessions_too(sample: recorder.Sample) -> None:
    assert [name for name, one in SESSIONS.items() if not plays_alike(sample.program, one, SUPPLIED)] == []
