"""The thumb-and-pouch reference: every sentence of the handout that can be checked, and whole games against an oracle."""

from __future__ import annotations

import re
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
    perform,
    play,
    read_session,
    replay,
    salvage,
    sessions,
    supplied_cards,
)
from tests.assignments.table import FULL_DECK, Table, code, codes, dealt

PROGRAM = ROOT / "reference" / "thumb-and-pouch" / "proj10.py"
SUPPLIED = ROOT / "reference" / "thumb-and-pouch" / "cards.py"
FOLDER = ROOT / "fixtures" / "thumb-and-pouch" / "sessions"
SESSIONS = sessions("thumb-and-pouch")
GOOD, BAD, WIN = (read_session(FOLDER / f"test-{number}.txt") for number in (1, 2, 3))

CARDS = supplied_cards(SUPPLIED)
GAME = salvage(PROGRAM, CARDS)
TABLE = Table(CARDS)
card, pile, piles, columns, deck = TABLE.card, TABLE.pile, TABLE.piles, TABLE.columns, TABLE.deck
CARD = st.sampled_from(FULL_DECK)
PROMPT = "prompt :> "


def new_game(order: str) -> Any:
    """What setup_game returns over a fixed deck."""
    return salvage(PROGRAM, supplied_cards(SUPPLIED, order)).setup_game()


def game_of(*typed: str, order: str = BAD.header["deck"]) -> tuple[str, ...]:
    """The turns of a game over a fixed deck."""
    played = play(PROGRAM, typed, cards=supplied_cards(SUPPLIED, order))
    assert played.stopped is None
    return played.turns


def refused(name: str, *arguments: Any) -> None:
    """The call raises a RuntimeError and leaves every pile as it was."""
    before = [codes(one) for one in arguments if isinstance(one, list)]
    with pytest.raises(RuntimeError, match=r"^Error: "):
        getattr(GAME, name)(*arguments)
    assert [codes(one) for one in arguments if isinstance(one, list)] == before


# Sessions


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.path.stem)
def test_the_reference_replays_every_session_to_the_byte(session: SessionFile) -> None:
    played = replay(PROGRAM, session, SUPPLIED)
    assert played.stopped is None
    assert played.screen == session.screen


def test_the_bad_session_shows_every_message_of_the_course() -> None:
    said = {turn.splitlines()[0] for turn in replay(PROGRAM, BAD, SUPPLIED).turns[1:] if "Try again." in turn}
    assert said >= {
        "Error: no command entered",
        "Error: wrong number of arguments",
        "Error: arguments must be numbers in range",
        "Error: insufficient number of cards to move",
        "Error: invalid move due to mismatched cards",
        "ws is an Invalid Command",
    }


def test_the_good_session_has_every_command_and_no_mistake() -> None:
    assert {line.split()[0].lower() for line in GOOD.typed} == {"tf", "tt", "wf", "wt", "sw", "h", "q"}
    assert any(line.lower().startswith("tt") and int(line.split()[3]) > 1 for line in GOOD.typed)
    assert "Try again." not in GOOD.screen


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.path.stem)
def test_no_session_judges_what_is_open(session: SessionFile) -> None:
    """A board after an error or after the menu, and what a win says, are not judged; that `Try again.` follows an error is."""
    turns = replay(PROGRAM, session, SUPPLIED).turns
    for number, line in enumerate(session.typed, 1):
        words = line.lower().split()
        free = words == ["h"] or "Try again." in turns[number] or "You won!" in turns[number]
        assert (number in session.ungraded) == (free and "view" not in session.header)
        assert words[:1] not in (["sw"], ["q"], ["r"], ["h"]) or len(words) == 1
        assert words[:1] != ["tt"] or len(words) != 4 or words[1] != words[2]


# setup_game


def test_the_order_of_dealing_cards_to_the_tableau_is_precisely_defined() -> None:
    _, tableau, stock, waste = new_game(" ".join(FULL_DECK))
    by_rows = [code(column[row])[:2] for row in range(7) for column in tableau[row:]]
    assert by_rows == list(FULL_DECK[:28])
    assert codes(waste) == [FULL_DECK[28]]
    assert codes(stock.deal() for _ in range(23)) == list(FULL_DECK[29:])


def test_the_top_card_in_each_pile_is_dealt_face_up_all_others_are_face_down() -> None:
    tableau = GAME.setup_game()[1]
    assert [[one.is_face_up() for one in column] for column in tableau] == [[False] * n + [True] for n in range(7)]


def test_returns_them_as_a_tuple_with_4_empty_lists_a_deck_of_23_and_one_card_on_the_waste() -> None:
    result = GAME.setup_game()
    foundation, tableau, stock, waste = result
    assert type(result) is tuple
    assert foundation == [[], [], [], []]
    assert isinstance(stock, CARDS.Deck)
    assert (len(stock), len(waste), sum(map(len, tableau))) == (23, 1, 28)
    assert len({id(one) for one in [*foundation, *tableau]}) == 11


def test_restarts_the_game_with_a_re_shuffle(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    monkeypatch.setattr(CARDS.Deck, "shuffle", lambda self: sizes.append(len(self)))
    GAME.setup_game()
    assert sizes == [52]


# The validators


@given(CARD, CARD)
@example("AS", "KS")
def test_same_suit_and_the_rank_of_the_src_card_is_1_greater(one: str, onto: str) -> None:
    fits = one[1] == onto[1] and one[0] + onto[0] in RANKS[::-1]
    assert GAME.valid_fnd_move(card(one), card(onto)) is fits


@given(CARD, CARD)
@example("TS", "JD")
@example("AS", "KD")
def test_the_rank_of_the_dest_card_is_1_greater_and_they_are_from_different_suits(one: str, onto: str) -> None:
    fits = one[1] != onto[1] and onto[0] + one[0] in RANKS[::-1]
    assert GAME.valid_tab_move(card(one), card(onto)) is fits


def test_the_cards_that_could_be_played_on_a_jack_of_diamonds_are_three_tens() -> None:
    assert [one for one in FULL_DECK if GAME.valid_tab_move(card(one), card("JD"))] == ["TC", "TH", "TS"]


def test_the_only_card_that_could_be_played_on_a_queen_of_clubs_is_the_king() -> None:
    assert [one for one in FULL_DECK if GAME.valid_fnd_move(card(one), card("QC"))] == ["KC"]


# The moves


@given(CARD)
def test_if_the_foundation_pile_is_empty_only_an_ace_is_valid(one: str) -> None:
    foundation: list[Any] = []
    if not one.startswith("A"):
        refused("tableau_to_foundation", pile(one), foundation)
        refused("waste_to_foundation", pile(one), foundation, deck(""))
        return
    assert GAME.tableau_to_foundation(pile(one), foundation) is None
    assert GAME.waste_to_foundation(pile("AC"), [], deck("")) is None
    assert codes(foundation) == [one]


@given(CARD)
def test_empty_spaces_in_the_tableau_may_be_filled_by_any_card(one: str) -> None:
    first, second = pile(f"KS {one}"), pile("")
    assert GAME.tableau_to_tableau(first, second, 1) is None
    assert (codes(first), codes(second)) == (["KS"], [one])
    assert GAME.waste_to_tableau(pile(one), [], deck("")) is None


@pytest.mark.parametrize(("under", "after"), [("KC-", "KC"), ("KC", "KC"), ("", ""), ("2D- KC-", "2D- KC")])
def test_if_the_next_card_exists_and_is_face_down_it_needs_to_be_flipped(under: str, after: str) -> None:
    column = pile(under + " AH")
    GAME.tableau_to_foundation(column, [])
    assert codes(column) == after.split()
    column, other = pile(under + " 3C 2H"), pile("4S")
    GAME.tableau_to_tableau(column, other, 2)
    assert (codes(column), codes(other)) == (after.split(), ["4S", "3C", "2H"])


def test_you_can_only_move_a_face_up_card() -> None:
    refused("tableau_to_foundation", pile("AH-"), [])
    refused("tableau_to_tableau", pile("3C- 2H"), pile("4S"), 2)
    refused("tableau_to_tableau", pile("3C 2H"), pile("4S"), 3)


@pytest.mark.parametrize("count", [0, -1])
def test_this_function_moves_n_greater_or_equal_1_number_of_cards(count: int) -> None:
    refused("tableau_to_tableau", pile("3C 2H"), pile("4S"), count)


def test_groups_may_be_moved_if_no_two_consecutive_cards_are_of_the_same_suit() -> None:
    refused("tableau_to_tableau", pile("3C 2C"), pile("4S"), 2)
    refused("tableau_to_tableau", pile("3C 9H"), pile("4S"), 2)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("tableau_to_foundation", ("3H", "AH")),
        ("tableau_to_foundation", ("2S", "AH")),
        ("waste_to_foundation", ("AH", "2H")),
        ("waste_to_tableau", ("2H", "3H")),
        ("waste_to_tableau", ("3H", "2S")),
        ("tableau_to_tableau", ("2H", "3H")),
        *[(name, ("", "AH")) for name in ("tableau_to_foundation", "waste_to_foundation")],
        *[(name, ("", "AH")) for name in ("tableau_to_tableau", "waste_to_tableau")],
    ],
)
def test_if_there_is_an_invalid_move_it_will_raise_a_runtime_error(name: str, arguments: tuple[str, str]) -> None:
    third = {"tableau_to_tableau": [1], "tableau_to_foundation": []}.get(name, [deck("5S")])
    refused(name, pile(arguments[0]), pile(arguments[1]), *third)


def test_only_the_top_card_of_the_waste_is_available() -> None:
    waste, column = pile("9H 2H"), pile("3S")
    assert GAME.waste_to_tableau(waste, column, deck("")) is None
    assert (codes(waste), codes(column)) == (["9H"], ["3S", "2H"])
    refused("waste_to_foundation", pile("AH 2H"), [], deck(""))


def test_move_the_top_card_from_the_stock_and_only_one_pass_is_permitted() -> None:
    stock, waste = deck("5S"), pile("AC")
    assert GAME.stock_to_waste(stock, waste) is None
    assert codes(waste) == ["AC", "5S"]
    refused("stock_to_waste", stock, waste)


def test_a_game_is_a_win_if_all_the_piles_have_13_cards_and_the_top_card_is_a_king() -> None:
    full = [" ".join(rank + suit for rank in RANKS) for suit in SUITS]
    assert GAME.is_winner(piles(*full)) is True
    assert GAME.is_winner(piles(*full[:3], full[3].removesuffix(" KS"))) is False
    assert GAME.is_winner(piles("", "", "", "")) is False


# The display


def test_the_board_looks_as_in_the_course() -> None:
    shown = perform(lambda: GAME.display_game(piles("AC", "", "", ""), columns("5S", "TD- TD"), deck("2C"), [])).screen
    assert shown.splitlines() == [
        "================= FOUNDATION =================",
        "f1        f2        f3        f4        ",
        "[ A♣]     [   ]     [   ]     [   ]     ",
        "==================  TABLEAU  =================",
        " t1     t2     t3     t4     t5     t6     t7    ",
        " 5♠     XX    " + "       " * 5,
        "       10♦    " + "       " * 5,
        "================= STOCK/WASTE =================",
        "Stock #(1) ==> [  ]",
    ]


@pytest.mark.parametrize(("waste", "text"), [("", "[  ]"), ("AC", "[ A♣]"), ("8C 8D", "[ 8♣,  8♦]"), ("TD", "[10♦]")])
def test_all_the_waste_cards_will_be_displayed_in_a_square_bracket(waste: str, text: str) -> None:
    shown = perform(lambda: GAME.display_game([[]] * 4, columns(), deck(""), pile(waste))).screen
    assert shown.endswith(f"Stock #(0) ==> {text}\n")


# The program


def board(turn: str) -> str:
    """The board of a turn, up to the end of its last line."""
    return turn[turn.index("================= FOUNDATION") : turn.index("]", turn.index("Stock #")) + 2]


@pytest.mark.parametrize("line", ["", "ws", "tf 1", "tf 1 x", "wt 0", "tt 1 2 9", "tf 7 1", "wf 1"])
def test_detect_report_and_recover_from_invalid_commands(line: str) -> None:
    first, second, last = game_of(line, "q")
    assert re.fullmatch(
        r"(Error: .*|ws is an Invalid Command)\nTry again\.\n", second.removesuffix(board(first) + PROMPT)
    )
    assert last == ""


@pytest.mark.parametrize("line", ["SW", "sw", "sW", " Sw "])
def test_the_commands_can_be_a_mix_of_upper_and_lower_case(line: str) -> None:
    assert "Stock #(22)" in game_of(line, "Q")[1]


def test_r_resets_everything_and_h_displays_the_menu() -> None:
    first, _, again, menu, _ = game_of("sw", "r", "h", "q")
    assert first == board(first) + GAME.MENU + "\n" + PROMPT
    assert again == board(first) + PROMPT
    assert menu == GAME.MENU + "\n" + board(again) + PROMPT


def test_until_the_user_wins_the_game() -> None:
    *_, before, last = game_of(*WIN.typed, order=WIN.header["deck"])
    assert "You won!" not in before
    assert last.endswith("[  ]\nYou won!\n")


def test_the_five_comment_lines_stand_at_the_bottom_of_the_file() -> None:
    lines = PROGRAM.read_text(encoding="utf-8").splitlines()[-5:]
    assert lines[0] == "# Questions"
    assert all(re.fullmatch(rf"# Q{number}: [1-7]", line) for number, line in enumerate(lines[1:], 1))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.from_regex(r"(tt|wf|wt) [\d²]+")))
@example(["tf " + "9" * 5000 + " 1", "q 1", "sw 1", "tt 1 1 1", "tt 1 2 0", "tt 1 2 -1"])
def test_no_typed_line_and_no_end_of_input_crashes_it(lines: list[str]) -> None:
    assert play(PROGRAM, lines, cards=supplied_cards(SUPPLIED, BAD.header["deck"])).stopped is None


# Whole games, in lockstep with an oracle that knows cards only as text


class Model:
    """The rules once more, written differently: a game over strings, a face-down card ends in `-`."""

    def __init__(self, order: str) -> None:
        self.tableau, self.waste, self.stock = dealt(order.split())
        self.foundation: list[list[str]] = [[] for _ in range(4)]

    def command(self, line: str) -> bool:
        """Carry out a well-formed command; False if it is refused."""
        name, *words = line.split()
        if name == "sw":
            self.waste += self.stock[:1]
            return bool(self.stock and self.stock.pop(0))
        numbers = [int(word) for word in words]
        source = self.tableau[numbers[0] - 1] if name[0] == "t" else self.waste
        target = numbers[1] if name[0] == "t" else numbers[0]
        count = numbers[2] if name == "tt" else 1
        if name[1] == "f":
            return self._move(source, self.foundation[target - 1], count, up=True)
        return self._move(source, self.tableau[target - 1], count, up=False)

    def _move(self, source: list[str], target: list[str], count: int, *, up: bool) -> bool:
        group = source[-count:]
        if len(group) < count or group[0] not in self._wanted(target, up=up):
            return False
        del source[-count:]
        target += group
        source[-1:] = [one.rstrip("-") for one in source[-1:]]
        return True

    def _wanted(self, target: list[str], *, up: bool) -> list[str]:
        """The cards that fit onto a pile, as a list of names."""
        if not target:
            return [one for one in FULL_DECK if one[0] == "A" or not up]
        rank, suit = target[-1][0], target[-1][1]
        ranks = RANKS[RANKS.index(rank) + 1 :][:1] if up else RANKS[: RANKS.index(rank)][-1:]
        return [one + other for one in ranks for other in SUITS if (other == suit) == up]


class Games(RuleBasedStateMachine):
    """The reference and the oracle are given the same commands, from the deal or from anywhere in a won game."""

    @initialize(order=st.permutations(FULL_DECK), start=st.none() | st.integers(0, len(WIN.typed) - 1))
    def deal(self, order: list[str], start: int | None) -> None:
        text = " ".join(order) if start is None else WIN.header["deck"]
        self.model = Model(text)
        self.foundation, self.tableau, self.stock, self.waste = new_game(text)
        self.script = list(WIN.typed) if start is not None else []
        for _ in range(start or 0):
            self.play(self.script.pop(0))

    def play(self, line: str) -> None:
        before = self.state()
        try:
            GAME.make_move(*GAME.parse_command(line), self.foundation, self.tableau, self.stock, self.waste)
            moved = True
        except RuntimeError:
            moved = False
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
            assert not GAME.is_winner(self.foundation)
            self.play(self.script.pop(0))
        assert GAME.is_winner(self.foundation)

    @rule(source=st.integers(1, 7), other=st.integers(1, 6), count=st.sampled_from([1, 1, 2, 3, 5]))
    def between_columns(self, source: int, other: int, count: int) -> None:
        self.script = []
        self.play(f"tt {source} {(source + other - 1) % 7 + 1} {count}")

    @rule(source=st.integers(1, 7), goal=st.integers(1, 4), name=st.sampled_from(["tf", "wf", "wt"]))
    def single_card(self, source: int, goal: int, name: str) -> None:
        self.script = []
        self.play({"tf": f"tf {source} {goal}", "wf": f"wf {goal}", "wt": f"wt {source}"}[name])

    @invariant()
    def the_reference_agrees_with_the_oracle(self) -> None:
        assert self.state() == (self.model.tableau, self.model.stock, self.model.foundation, self.model.waste)

    @invariant()
    def fifty_two_cards_are_conserved(self) -> None:
        every = [self.waste, self.stock._Deck__deck, *self.tableau, *self.foundation]
        assert sorted(code(one)[:2] for cards in every for one in cards) == sorted(FULL_DECK)

    @invariant()
    def a_win_is_a_win(self) -> None:
        empty = not (len(self.stock) or self.waste or any(self.tableau))
        assert GAME.is_winner(self.foundation) is empty

    @invariant()
    def the_display_agrees_with_the_state(self) -> None:
        parts = (self.foundation, self.tableau, self.stock, self.waste)
        lines = perform(lambda: GAME.display_game(*parts)).screen.splitlines()
        tops = [str(one[-1]) if one else "" for one in self.foundation]
        assert [text.strip() for text in re.findall(r"\[(.*?)\]", lines[2])] == tops
        rows = [[line[7 * n :][:7].strip() for n in range(7)] for line in lines[5:-2]]
        shown = [[cell for cell in column if cell] for column in zip(*rows, strict=True)] or [[]] * 7
        assert shown == [[str(one) for one in column] for column in self.tableau]
        count, waste = re.fullmatch(r"Stock #\((\d+)\) ==> \[(.*)\]", lines[-1]).groups()  # type: ignore[union-attr]
        assert (int(count), re.split(r",?\s+", waste.strip())) == (
            len(self.stock),
            [str(one) for one in self.waste] or [""],
        )


Games.TestCase.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
TestGames = Games.TestCase
