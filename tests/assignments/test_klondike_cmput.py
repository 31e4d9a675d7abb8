"""The CMPUT Klondike: its handout sentence by sentence, whole games, the sessions, and the samples as they are filed."""

from __future__ import annotations

import ast
import contextlib
import io
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.assignments import recorder

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = recorder.ROOT
REFERENCE = ROOT / "reference" / "klondike-cmput" / "klondike.py"
FOLDER = ROOT / "fixtures" / "klondike-cmput"
FILES = FOLDER / "files"
SESSIONS = recorder.sessions("klondike-cmput")
SAMPLES = recorder.samples("klondike-cmput")
START = (FILES / "Game1-start.txt").read_text(encoding="utf-8")
SAVED = (FILES / "Game1-saved.txt").read_text(encoding="utf-8")
GAME = recorder.load(REFERENCE)
OTHER_HAND = recorder.load(FOLDER / "submissions" / "right" / "game-class" / "klondike.py")

PACK = sorted(rank + suit for suit in "shdc" for rank in "A23456789TJQK")
NAMES = ["Stock", "Discard", "Spades", "Hearts", "Diamonds", "Clubs", *(f"PILE-{n}" for n in range(1, 8))]
BOARD_LINE = r"(?:Stock|Discard|Spades|Hearts|Diamonds|Clubs|PILE-[1-7]) \[[^\]\n]*\]"
OWNED = {
    "printing": "board cheat",
    "main-program": "game1 win discard-reset illegal part",
    "program-control": "errors",
    "file-io": "save-load damaged",
}
OWNERS = {session: line for line, owned in OWNED.items() for session in owned.split()}
CARD_METHODS = {"isVisibleCard", "faceupCard", "rankCard", "suitCard"}
DECK_METHODS = {"nameDeck", "sizeDeck", "isEmptyDeck", "pushDeck", "popDeck", "peekDeck"}
SPELLINGS = {"isvisibleCard": "isVisibleCard", "isemptyDeck": "isEmptyDeck"}


@contextlib.contextmanager
def folder_with(*files: Path) -> Iterator[Path]:
    """A folder of its own that holds copies of the files."""
    with tempfile.TemporaryDirectory() as name:
        for file in files:
            shutil.copy(file, name)
        yield Path(name)


def game_of(text: str) -> Any:
    game = GAME.Game()
    game.decks = GAME.read_decks(text)
    return game


def told(game: Any, *lines: str) -> str:
    """What a game of the reference's, or one of the other hand's, prints for these commands."""
    screen = io.StringIO()
    with contextlib.redirect_stdout(screen):
        for line in lines:
            game.execute(line) if isinstance(game, OTHER_HAND.Klondike) else GAME.run_command(game, line)
    return screen.getvalue()


def saved(game: Any) -> str:
    return "".join(f"{deck!r}\n" for deck in game.decks.values())


def text_of(**decks: str) -> str:
    """A saved game: the decks given by their commands' names (p1 for pile 1), all cards left over in Discard."""
    held = {key.removeprefix("p"): cards.split() for key, cards in decks.items()}
    placed = {card[:2] for cards in held.values() for card in cards}
    held["discard"] = [card + "-" for card in PACK if card not in placed]
    rows = [[name, "[", *held.get(key, []), "]"] for key, name in GAME.NAMES.items()]
    return "".join(" ".join(row) + "\n" for row in rows)


def line_of(game: Any, name: str) -> str:
    return next(line.strip() for line in told(game, "board").splitlines() if line.split()[0] == name)


# The sessions


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.path.stem)
def test_the_reference_plays_every_session_byte_for_byte(session: recorder.SessionFile) -> None:
    with folder_with(*session.files) as folder:
        played = recorder.replay(REFERENCE, session, folder=folder)
    assert played.stopped is None
    assert played.screen == session.screen


def test_every_session_has_an_owner_and_there_are_samples_of_every_kind() -> None:
    assert {session.path.stem for session in SESSIONS} == set(OWNERS)
    assert {sample.kind for sample in SAMPLES} == {"right", "wrong", "exception", "timeout", "load_error", "missing"}


# One line per board of the handout: what lies face up, with the number of hidden cards under it (Stock, piles 1-7).
# The conversion lost some ??; the sizes follow from 52 cards and from the saved game that the handout prints.
HANDOUT_BOARDS = [
    "7c 23, 9s 0, Qd 1, 5s 2, Td 3, 3d 4, 8d 5, 4d 6",
    "Ac 22, 7c 8d 9s 0, Qd 1, 5s 2, Td 3, 4h 3, As 3, 2c 3d 4d 6",
    "Js 21, 7c 8d 9s 0, Qd 1, 5s 2, Td 3, 4h 3, 6c 2, 3d 4d 6",
    "Js 21,  0, Qd 1, 3d 4d 5s 2, 7c 8d 9s Td 3, 4h 3, 6c 2, 7s 5",
    "5d 20,  0, Qc 0, 3d 4d 5s 2, 7c 8d 9s Td 3, 4h 3, Js Qd Kh 1, 6c 7s 5",
    "8h 19, 7c 8d 9s Td Js Qd Kh 0, Qc 0, 3d 4d 5s 2, Jd 1, 7d 8s 2, Th 0, 4h 5d 6c 7s 5",
    "Tc 16, 7c 8d 9s Td Js Qd Kh 0, Qc 0, 3d 4d 5s 2, Jd 1, 7d 8s 2, Th 0, 4h 5d 6c 7s 5",
]


def test_game1_shows_the_boards_of_the_handout() -> None:
    session = next(session for session in SESSIONS if session.path.stem == "game1")
    boards = [turn for turn in recorder.turns(session.screen) if "Stock [" in turn]
    assert [_drawn(board) for board in boards] == HANDOUT_BOARDS


def _drawn(board: str) -> str:
    rows = [line.split()[2:-1] for line in board.splitlines() if "[ " in line]
    drawn = [(" ".join(card for card in row if card != "??"), row.count("??")) for row in [rows[0], *rows[6:]]]
    return ", ".join(f"{seen} {hidden}" for seen, hidden in drawn)


def test_the_example_of_the_save_format_comes_out_of_game1() -> None:
    """The handout: "Here is the format for load/save", followed by the position its example ends in."""
    session = next(session for session in SESSIONS if session.path.stem == "game1")
    game = game_of(START)
    told(game, *session.typed[1:])
    assert saved(game) == SAVED


# The handout, sentence by sentence


def public(cls: type) -> set[str]:
    return {SPELLINGS.get(name, name) for name in vars(cls) if not name.startswith("_")}


def test_no_additional_methods_in_the_public_interfaces() -> None:
    assert public(GAME.Card) == CARD_METHODS
    assert public(GAME.Deck) == DECK_METHODS


def test_deck_has_two_private_variables_name_and_cards() -> None:
    assert vars(GAME.Deck("Stock")) == {"_Deck__name": "Stock", "_Deck__cards": []}


def test_push_pop_and_peek_work_on_the_top_of_the_deck() -> None:
    deck, ace, king = GAME.Deck("Clubs"), GAME.Card("c", "A"), GAME.Card("c", "K")
    deck.pushDeck(ace)
    deck.pushDeck(king)
    assert (deck.sizeDeck(), deck.peekDeck(), deck.sizeDeck()) == (2, king, 2)
    assert [deck.popDeck(), deck.popDeck()] == [king, ace]
    assert (deck.isEmptyDeck(), deck.sizeDeck(), deck.nameDeck()) == (True, 0, "Clubs")
    with pytest.raises(AssertionError, match="Clubs is empty"):
        deck.popDeck()


def test_a_card_is_built_from_suit_and_rank_and_can_be_turned() -> None:
    card = GAME.Card("d", "T")
    assert (card.suitCard(), card.rankCard()) == ("d", "T")
    for visible, shown, stored in [(True, "Td", "Td+"), (False, "??", "Td-")]:
        card.faceupCard(visible)
        assert (card.isVisibleCard(), str(card), repr(card)) == (visible, shown, stored)


def tree(program: Path) -> ast.Module:
    return ast.parse(program.read_text(encoding="utf-8"))


def breaks_the_rules_of_the_code(program: Path) -> bool:
    """The handout: "You cannot use break/continue, and you cannot import any modules", but for random."""
    nodes = list(ast.walk(tree(program)))
    names = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    names |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return any(isinstance(node, ast.Break | ast.Continue) for node in nodes) or not names <= {"random"}


def test_the_reference_obeys_its_own_handout() -> None:
    source = REFERENCE.read_text(encoding="utf-8")
    functions = [node for node in ast.walk(tree(REFERENCE)) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    assert not breaks_the_rules_of_the_code(REFERENCE)
    assert all(ast.get_docstring(function) for function in functions)
    assert max(len(line) for line in source.splitlines()) <= 80
    assert re.match(r"(#.*\n)*# Author: .*\n# Acknowledgements: ", source)
    parents = [node for node in ast.walk(tree(REFERENCE)) if isinstance(node, ast.FunctionDef)]
    assert not any(isinstance(inner, ast.FunctionDef) for node in parents for inner in ast.walk(node) if inner != node)


def test_importing_does_not_play() -> None:
    assert recorder.perform(lambda: recorder.load(REFERENCE)) == recorder.Played("")


def test_a_king_or_a_sequence_headed_by_a_king_can_move_to_an_empty_pile() -> None:
    game = game_of(text_of(p1="Qh+ Ks+ 2c-", p3="Jc+", stock="Kd+ 3h-"))
    assert told(game, "move 3 2") == "move: illegal move\n"
    assert told(game, "move 1 2", "move stock 4") == ""
    assert [line_of(game, f"PILE-{n}") for n in (1, 2, 4)] == ["PILE-1 [ 2c ]", "PILE-2 [ Qh Ks ]", "PILE-4 [ Kd ]"]
    assert line_of(game, "Stock") == "Stock [ 3h ]"


@pytest.mark.parametrize(("card", "legal"), [("2s+", True), ("As+", False), ("3s+", False), ("2h+", False)])
def test_suits_are_built_up_in_order(card: str, legal: bool) -> None:
    suits = {} if card == "As+" else {"s": "As+"}
    stock = "4s+" if card == "As+" else card
    game = game_of(text_of(stock=f"{stock} Kd-", **suits))
    before = saved(game)
    assert (told(game, "move stock suit") == "") is legal
    assert (saved(game) == before) is not legal


def test_a_pile_takes_the_next_lower_rank_and_any_colour() -> None:
    game = game_of(text_of(p1="4d+ 8c-", p2="5h+", p3="3s+", p4="5c+"))
    assert told(game, "move 2 1", "move 4 3", "move 3 2") == "move: illegal move\n" * 3
    assert told(game, "move 1 2", "move 3 2") == ""
    assert [line_of(game, f"PILE-{n}") for n in (1, 2, 3)] == ["PILE-1 [ 8c ]", "PILE-2 [ 3s 4d 5h ]", "PILE-3 [ ]"]


def test_only_cards_that_are_face_up_move() -> None:
    game = game_of(text_of(p1="4d+ 5h-", p2="6c+"))
    assert told(game, "move 1 2") == "move: illegal move\n"
    assert line_of(game, "PILE-1") == "PILE-1 [ 4d ?? ]"


def test_for_bonus_marks_the_alternating_colour_rule() -> None:
    game = game_of(text_of(p1="4d+", p2="5h+", p3="5c+", p4="3d+ 4s+", p5="5d+"))
    assert told(game, "colours on", "move 1 2") == "move: illegal move\n"
    assert told(game, "move 1 3", "move 4 5", "colours off", "move 5 2") == ""
    assert line_of(game, "PILE-2") == "PILE-2 [ 3d 4s 5h ]"
    assert told(game, "colours maybe") == "colours: arguments incorrect\n"


def test_discard_moves_three_or_less_face_down_and_turns_the_top_stock_card() -> None:
    game = game_of(text_of(stock="8h+ Kd- Qs- Tc- 2c-"))
    game.decks["discard"] = GAME.Deck("Discard")
    told(game, "discard")
    assert saved(game).startswith("Stock [ Tc+ 2c- ]\nDiscard [ Qs- Kd- 8h- ]\n")
    told(game, "discard")
    assert saved(game).startswith("Stock [ ]\nDiscard [ 2c- Tc- Qs- Kd- 8h- ]\n")
    assert told(game, "discard") == "discard: the stock is empty\n"
    assert told(game, "reset", "reset") == "reset: the stock is not empty\n"
    assert saved(game).startswith("Stock [ 2c+ Tc- Qs- Kd- 8h- ]\nDiscard [ ]\n")


def test_cheat_is_the_same_as_the_board_except_that_hidden_cards_are_displayed() -> None:
    game = game_of(SAVED)
    board, cheat = told(game, "board").split(), told(game, "cheat").split()
    assert len(board) == len(cheat)
    assert all(seen in (word, "??") for seen, word in zip(board, cheat, strict=True))
    assert cheat == re.sub(r"[+-](?= )", "", SAVED).split()
    assert saved(game) == SAVED


def test_comment_displays_all_the_text() -> None:
    assert told(GAME.Game(), "comment  two  blanks: kept ") == "two  blanks: kept\n"


@pytest.mark.parametrize("damage", [
    lambda text: text.replace("Hearts [ ]\n", ""),
    lambda text: text.replace("Td+", "1d+"),
    lambda text: text.replace("Td+", "Td"),
    lambda text: text.replace("Td+", "9s+"),
    lambda text: text.replace("Td+ ", ""),
    lambda text: text.replace("Clubs", "Trees"),
    lambda text: text.replace("PILE-2 [", "PILE-2"),
    lambda text: text.replace("Spades [ ]", "Spades [ 2s- ]").replace(" 2s- ]\nPILE-6", " ]\nPILE-6"),
    lambda text: "",
    lambda text: "\udcff",
])  # fmt: skip
def test_a_damaged_file_is_a_format_error_and_changes_nothing(damage: Any, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(damage(START), encoding="utf-8", errors="surrogateescape")
    game = game_of(SAVED)
    assert file.read_text(encoding="utf-8", errors="surrogateescape") != START
    assert told(game, f"load {file}") == "load: format error in file\n"
    assert saved(game) == SAVED
    assert told(game, f"load {tmp_path}", f"load {tmp_path}/none", "load a\0b") == "load: could not open file\n" * 3


def test_the_end_of_the_input_and_bytes_that_are_no_text_do_not_crash() -> None:
    command = [sys.executable, "-X", "utf8", str(REFERENCE)]
    run = subprocess.run(command, input=b"\xff\xfe\n\nboard", capture_output=True, check=True)
    assert run.stderr == b""
    assert run.stdout.endswith(b"> \n")


# Whole games

WORDS = st.sampled_from(["move", "discard", "reset", "board", "stock", "suit", "colours", "on", "1", "8", "-1", "?"])
PLACES = st.sampled_from(["stock", *"1234567"])


class WholeGames(RuleBasedStateMachine):
    """The reference and a program by another hand play the same commands from the same deal."""

    @initialize(seed=st.integers(0, 2**32))
    def deal(self, seed: int) -> None:
        random.seed(seed)
        self.game = GAME.Game()
        told(self.game, "shuffle")
        self.other = OTHER_HAND.Klondike()
        self.both_load()

    def both_load(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            assert told(self.game, f"save {name}/game", f"load {name}/game") == ""
            assert told(self.other, f"load {name}/game") == ""

    def both(self, line: str) -> None:
        before = saved(self.game)
        answer = told(self.game, line)
        refused = re.match(r"\S+: ", answer) is not None
        assert refused == (": " in told(self.other, line))
        assert not refused or saved(self.game) == before
        complete = all(self.game.decks[suit].sizeDeck() == 13 for suit in "shdc")
        assert (answer == "You won!\n") == (not refused and line.startswith("move") and complete)

    @rule(source=PLACES, goal=st.sampled_from(["suit", *"1234567"]))
    def move(self, source: str, goal: str) -> None:
        if source != goal:
            self.both(f"move {source} {goal}")

    @rule(line=st.sampled_from(["discard", "reset"]) | st.builds(" ".join, st.lists(WORDS, min_size=4, max_size=5)))
    def stock_or_nonsense(self, line: str) -> None:
        self.both(line)

    @rule()
    def play_on(self) -> None:
        for line in GAME.choose_plan(GAME.board_lines(self.game.decks), colours=False):
            self.both(line)

    @rule()
    def save_and_load(self) -> None:
        before = saved(self.game)
        self.both_load()
        assert saved(self.game) == before

    @invariant()
    def the_cards_are_all_there_and_rightly_turned(self) -> None:
        decks = {line.split()[0]: line.split()[2:-1] for line in saved(self.game).splitlines()}
        assert list(decks) == NAMES
        assert sorted(card[:2] for cards in decks.values() for card in cards) == PACK
        assert all(card[2] == "-" for card in decks["Discard"] + decks["Stock"][1:])
        for name in ["Stock", *NAMES[6:]]:
            signs = "".join(card[2] for card in decks[name])
            assert re.fullmatch(r"(\++-*)?", signs)

    @invariant()
    def both_boards_show_the_state(self) -> None:
        hidden = re.sub(r"\w\w-(?= )", "??", saved(self.game)).replace("+", "")
        shown = told(self.game, "board")
        assert shown == told(self.other, "board")
        assert [line.strip() for line in shown.splitlines()] == hidden.splitlines()


WholeGames.TestCase.settings = settings(max_examples=50, stateful_step_count=40, deadline=None)
TestWholeGames = WholeGames.TestCase


LINES = st.builds(" ".join, st.lists(WORDS | st.sampled_from(["load", "save", "cheat", "comment", "x\0y"]), max_size=4))
NO_PATHS = st.text(st.characters(exclude_characters="/\\", exclude_categories=["Cs"]), max_size=12)


@settings(max_examples=60, deadline=None)
@given(st.lists(LINES | NO_PATHS, max_size=6))
def test_no_typed_line_stops_the_program(lines: list[str]) -> None:
    with folder_with(FILES / "Game1-start.txt") as folder:
        played = recorder.play(REFERENCE, ["load Game1-start.txt", *lines], folder=folder)
    assert played.stopped is None


# The player


def plays(seed: int, *, colours: bool) -> bool:
    random.seed(seed)
    game = GAME.Game()
    game.colours = colours
    told(game, "shuffle", "play")
    return bool(GAME.is_won(game.decks))


def test_the_player_wins_a_fair_share_of_forty_deals() -> None:
    """Of the 1,000 deals of seeds 1000-1999, none used for tuning, it wins 804, and 114 with alternating colours."""
    assert sum(plays(seed, colours=False) for seed in range(20)) >= 12
    assert sum(plays(seed, colours=True) for seed in range(20)) >= 2


@given(st.randoms(use_true_random=False))
@settings(max_examples=15, deadline=None)
def test_the_player_does_not_look_at_face_down_cards(chance: random.Random) -> None:
    """Hidden cards change places; the player plans the same."""
    cards = re.findall(r"\w\w-(?= )", SAVED)
    mixed = iter(chance.sample(cards, len(cards)))
    games = [game_of(SAVED), game_of(re.sub(r"\w\w-(?= )", lambda _: next(mixed), SAVED))]
    plan, other = (GAME.choose_plan(GAME.board_lines(game.decks), colours=False) for game in games)
    assert plan == other != []


# The samples


def shows(found: list[str], wanted: list[str]) -> bool:
    """The same, or the wanted board first and one more after it, which the handout leaves open."""
    return found == wanted or (bool(wanted) and found[: len(wanted)] == wanted)


def plays_alike(program: Path, session: recorder.SessionFile) -> bool:
    """The program ends by itself and shows, in every graded turn, what the session's view looks for."""
    with folder_with(*session.files) as folder:
        played = recorder.play(program, session.typed, folder=folder, seconds=0.5)
    its = recorder.turns(session.screen)
    if played.stopped is not None or len(played.turns) != len(its):
        return False
    pairs = enumerate(zip(played.turns, its, strict=True))
    view = re.compile(session.header.get("view", f"tokens {BOARD_LINE}").split(" ", 1)[1])
    return all(turn in session.ungraded or shows(view.findall(a), view.findall(b)) for turn, (a, b) in pairs)


def lost_in_the_source(program: Path) -> set[str]:
    """The lines that depend on the classes and on the source."""
    try:
        nodes = list(ast.walk(tree(program)))
    except SyntaxError:
        return {"card-class", "deck-class", "asserts-exceptions", "code-quality"}
    module = recorder.salvage(program)
    card, deck = module.Card("h", "Q"), module.Deck("Hearts")
    kinds = {type(node) for node in nodes}
    moves_all = re.search(r"\.(insert|pop)\(0\b", ast.unparse(nodes[0])) is not None
    found = {
        "card-class": public(module.Card) != CARD_METHODS or (card.suitCard(), card.rankCard()) != ("h", "Q"),
        "deck-class": public(module.Deck) != DECK_METHODS or deck.nameDeck() != "Hearts" or moves_all,
        "asserts-exceptions": not {ast.Assert, ast.Try} <= kinds,
        "code-quality": breaks_the_rules_of_the_code(program),
    }
    return {line for line, lost in found.items() if lost}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.kind}/{sample.name}")
def test_a_sample_loses_the_lines_it_is_filed_under_and_no_other(sample: recorder.Sample) -> None:
    lost = {OWNERS[session.path.stem] for session in SESSIONS if not plays_alike(sample.program, session)}
    assert lost | lost_in_the_source(sample.program) == {name.partition(".")[0] for name in sample.lost}
    assert (sample.kind == "right") == (not sample.lost)
