"""Reading and writing session files, and each complaint about a bad one."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import DataError
from harness.observation import Read, SessionSeen
from harness.outcome import Outcome
from harness.session import (
    FRESH,
    SessionScript,
    View,
    parse_session,
    parse_view,
    read_session,
    seen_of,
    transcript_of,
    write_session,
)
from harness.values import DECK

PATH = Path("fixtures/game/sessions/test-1.txt")
GOOD = """\
# a comment
title: Deal: then quit
deck: AS KS TD
view: lines ^\\s*\\d:
seed: 7
ungraded: 2 1

---

board\x20
Choice: {{D}}
more
Choice: {{}}
Bye"""


def test_a_session_is_read_as_written() -> None:
    assert parse_session(GOOD, PATH) == SessionScript(
        name="test-1",
        title="Deal: then quit",
        transcript="\nboard \nChoice: {{D}}\nmore\nChoice: {{}}\nBye",
        deck=("AS", "KS", "TD"),
        view=View("lines", r"^\s*\d:"),
        seed=7,
        ungraded=(1, 2),
    )
    assert parse_session(GOOD, PATH).inputs == ("D", "")


def test_what_is_left_out_has_a_default() -> None:
    script = parse_session("title: t\n---\nx\n", PATH)
    assert (script.deck, script.view, script.seed, script.files, script.ungraded) == (None, None, 0, (), ())
    assert script.inputs == ()


def test_a_fresh_deck_deals_the_king_of_spades_first() -> None:
    deck = parse_session("title: t\ndeck: fresh\n---\nx\n", PATH).deck
    assert deck == FRESH
    assert deck[:2] == ("KS", "QS")
    assert sorted(deck) == sorted(DECK)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("title: t\ndek: AS\n---\nx\n", "test-1.txt:2: dek: unknown key, did you mean deck?; known: title, deck, "),
        ("title: t\nzzz: 1\n---\nx\n", "test-1.txt:2: zzz: unknown key; known: title"),
        ("title: t\ntitle: u\n---\nx\n", "test-1.txt:2: title: was given already in line 1; keep one of the two"),
        ("title: t\nhello\n---\nx\n", "test-1.txt:2: 'hello' is not a header line; write `key: value`"),
        ("seed: 1\n---\nx\n", "test-1.txt:1: title: is missing; say in one line what this session shows"),
        ("title:\n---\nx\n", "test-1.txt:1: title: is empty; say in one line"),
        ("title: t\ndeck: AS 1S QX\n---\nx\n", "test-1.txt:2: deck: 1S, QX: no such card; a rank of A23456789TJQK"),
        ("title: t\ndeck: AS KS AS\n---\nx\n", "test-1.txt:2: deck: AS: dealt more than once; a deck holds each"),
        ("title: t\ndeck:\n---\nx\n", "test-1.txt:2: deck: is empty; list the cards"),
        ("title: t\nseed: x\n---\nx\n", "test-1.txt:2: seed: 'x' is not a whole number; such as 0"),
        ("title: t\nview: sreen\n---\nx\n", "test-1.txt:2: view: there is no view 'sreen', did you mean screen?"),
        ("title: t\nview: lines\n---\nx\n", "test-1.txt:2: view: the view lines needs a pattern after it"),
        ("title: t\nview: state x\n---\nx\n", "test-1.txt:2: view: the view state takes no pattern, but 'x' follows"),
        ("title: t\nview: tokens (\n---\nx\n", "test-1.txt:2: view: '(' is not a regular expression: missing )"),
        ("title: t\nfiles: ../x\n---\nx\n", "test-1.txt:2: files: ../x: not a plain file name; files lie directly"),
        ("title: t\nfiles:\n---\nx\n", "test-1.txt:2: files: is empty; name files"),
        ("title: t\nfiles: a.txt\n---\nx\n", "test-1.txt:2: files: there is no file a.txt; it belongs into "),
        ("title: t\nungraded: two\n---\nx\n", "test-1.txt:2: ungraded: 'two' is not a list of turns; numbers such as"),
        ("title: t\nungraded: 1\n---\nx\n", "test-1.txt:2: ungraded: there is no turn 1; the last turn is 0"),
        ("title: t\nx\n", "test-1.txt: there is no line --- between header and screen; put one after the header"),
        ("title: t\n---\n \n", "test-1.txt:3: the screen is empty; paste what the program prints"),
        ("title: t\n---\n\n? {{D}} x\n", "test-1.txt:4: }} is not at the end of the line; a typed line is {{text}}"),
        ("title: t\n---\n? {{D\n", "test-1.txt:3: {{ without }}; a typed line is {{text}}"),
        ("title: t\n---\n? D}}\n", "test-1.txt:3: }} without {{; a typed line"),
        ("title: t\n---\n? {{D}}{{E}}\n", "test-1.txt:3: two typed lines in one line; a typed line"),
    ],
)
def test_a_complaint_says_where_what_and_what_would_be_right(text: str, complaint: str) -> None:
    with pytest.raises(DataError) as caught:
        parse_session(text, PATH)
    assert complaint in str(caught.value)


def test_all_faults_are_reported_at_once_in_order() -> None:
    text = "titel: t\ndeck: 1S\nseed: x\nungraded: 9\n---\n? {{a}}\n? {{b\n"
    with pytest.raises(DataError) as caught:
        parse_session(text, PATH)
    assert [(fault.line, fault.key) for fault in caught.value.faults] == [
        (1, "titel"), (1, "title"), (2, "deck"), (3, "seed"), (4, "ungraded"), (7, ""),
    ]  # fmt: skip


def test_a_file_is_read_with_its_line_ends_and_the_files_it_needs(tmp_path: Path) -> None:
    path = tmp_path / "sessions" / "load.txt"
    path.parent.mkdir()
    path.write_bytes("title: t\r\nfiles: a.txt\r\n---\r\n5♠\r\n".encode())
    with pytest.raises(DataError, match=r"there is no file a\.txt"):
        read_session(path)
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.txt").write_text("x")
    script = read_session(path)
    assert (script.name, script.files, script.transcript) == ("load", ("a.txt",), "5♠\n")


def test_a_file_that_is_not_utf_8_is_a_fault_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(b"title: t\n---\n\xff\n")
    with pytest.raises(DataError, match=r"bad\.txt:3: this is not UTF-8 text"):
        read_session(path)


@pytest.mark.parametrize("text", ["screen", "exact", "state", "lines ^a b$", r"tokens \d"])
def test_a_view_is_written_as_it_is_read(text: str) -> None:
    assert str(parse_view(text)) == text


WORD = st.text(alphabet="ab 5♠.", max_size=8)
LINES = st.one_of(WORD, WORD.map(lambda word: f"? {{{{{word}}}}}"))
TRANSCRIPTS = st.lists(LINES, max_size=8).map(lambda lines: "\n".join(["start", *lines]) + "\n")
SCRIPTS = st.builds(
    SessionScript,
    name=st.just("test-1"),
    title=st.sampled_from(["One", "Deal: then quit", "# not a comment"]),
    transcript=TRANSCRIPTS,
    deck=st.one_of(st.none(), st.just(FRESH), st.permutations(DECK).map(lambda deck: tuple(deck[:5]))),
    view=st.one_of(st.none(), st.sampled_from([View("exact"), View("lines", "^a: b")])),
    seed=st.integers(-5, 5),
)


@given(SCRIPTS)
def test_what_is_written_is_read_back(script: SessionScript) -> None:
    assert parse_session(write_session(script), PATH) == script


@given(TRANSCRIPTS)
def test_a_transcript_told_as_a_run_gives_the_transcript_again(transcript: str) -> None:
    script = SessionScript("test-1", "t", transcript)
    seen = seen_of(script)
    assert transcript_of(seen) == transcript
    assert tuple(read.line for read in seen.reads) == script.inputs
    assert "{{" not in seen.output


def test_a_run_is_written_as_its_terminal_looked() -> None:
    reads = (Read(0, 2, "D"), Read(7, 7, "a\nb\n"), Read(11, 13, None))
    seen = SessionSeen("x", Outcome.EXCEPTION, "? more\nyes\n? end", reads)
    assert transcript_of(seen) == "? {{D}}\nmore\n{{a}}\n{{b}}\nyes\n? end"
