"""Text that a student controls, at every sink."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from markdown_it import MarkdownIt
from markdown_it.token import Token

from harness.report import escape
from tests.report.strategies import texts

RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\ufffe\uffff]")
MARKDOWN = MarkdownIt("commonmark").enable("table")


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("plain text: 10♦ café 山田", "plain text: 10♦ café 山田"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("\x1b[2J", "␛[2J"),
        ("a\rb", "a␍b"),
        ("a\x08b", "a␈b"),
        ("\x9b31m", "<U+009B>31m"),
        ("\x7f", "␡"),
        ("abc\u202egnp.exe", "abc<U+202E>gnp.exe"),
        ("zero\u200bwidth", "zero<U+200B>width"),
        ("\ud800", "<U+D800>"),
        ("\ufffe", "<U+FFFE>"),
        ("\u2028", "<U+2028>"),
        ("\U000e0041", "<U+E0041>"),
    ],
)
def test_what_cannot_be_seen_is_drawn(text: str, drawn: str) -> None:
    assert escape.visible(text) == drawn


@given(texts)
def test_nothing_invisible_is_left_and_drawing_twice_changes_nothing(text: str) -> None:
    drawn = escape.visible(text)
    assert not RAW.search(drawn)
    assert escape.visible(drawn) == drawn
    assert not any(unicodedata.category(char) in ("Cc", "Cs") for char in drawn if char not in "\n\t")
    drawn.encode("utf-8")


@given(texts)
def test_one_line_is_one_line(text: str) -> None:
    assert len(escape.one_line(text).splitlines()) <= 1
    assert len(escape.one_line(text, 10)) <= 10


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("alice", "alice"),
        ("a=b", "a=b"),
        (3, 3),
        (-2.5, -2.5),
        (None, ""),
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-rf", "'-rf"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("  =1", "'  =1"),
        ("\t=1", "'␉=1"),
        ("\r=1", "'␍=1"),
        ("＝1", "'＝1"),  # noqa: RUF001 - what an Asian Excel takes for a formula
        ("a\nb", "a␊b"),
    ],
)
def test_no_cell_is_a_formula_and_numbers_stay_numbers(value: str | float | None, written: str | float) -> None:
    assert escape.cell(value) == written
    assert type(escape.cell(value)) is type(written)


@given(texts)
def test_no_text_cell_starts_like_a_formula(text: str) -> None:
    written = escape.cell(text)
    assert isinstance(written, str)
    assert not re.match(r"\s*[=+\-@]|[\t\r\n]", written)


@given(texts)
def test_markdown_shows_text_as_text(text: str) -> None:
    for written in (escape.markdown(text), escape.markdown_sentence(text)):
        kinds = {token.type for token in _tokens(written)}
        assert kinds <= {"paragraph_open", "paragraph_close", "inline", "text", "code_inline", "text_special"}
        assert "http://" not in re.sub(r"`[^`]*`", "", written)


@given(texts)
def test_markdown_keeps_a_table_a_table(text: str) -> None:
    tokens = _tokens(f"| a | b |\n| --- | --- |\n| {escape.markdown_sentence(text)} | {escape.markdown(text)} |\n")
    assert [token.type for token in tokens].count("td_open") == 2


@given(texts)
def test_markdown_says_what_the_text_says(text: str) -> None:
    shown = "".join(
        token.content for token in _tokens(f"x{escape.markdown(text)}x") if token.type in ("text", "text_special")
    )
    wanted = escape.visible(text).replace("\n", " ").replace("\t", " ")
    assert shown.split() == f"x{wanted}x".split()


@given(texts)
def test_a_fence_holds_everything(text: str) -> None:
    tokens = MARKDOWN.parse(f"before\n\n{escape.fence(text)}\n\nafter\n")
    fences = [token for token in tokens if token.type == "fence"]
    assert [token.content for token in fences] == [escape.visible(text) + "\n"]
    assert not any(token.type == "html_block" for token in tokens)


@given(texts)
def test_no_line_of_a_log_is_a_command(text: str) -> None:
    for line in escape.log_line(text).split("\n"):
        assert not line.strip().startswith("::")
        assert "##[" not in line
        assert "##vso[" not in line


@given(texts)
def test_a_command_stays_on_its_line(text: str) -> None:
    data = escape.command_data(text)
    assert "\n" not in data
    assert "\r" not in data
    assert not {":", ",", "\n"} & set(escape.command_property(text))


@given(texts)
def test_ascii_is_ascii(text: str) -> None:
    assert escape.plain_ascii(escape.visible(text)).isascii()


def test_a_long_block_says_what_it_left_out() -> None:
    assert escape.clipped("a\n" * 1000).endswith("… 801 more lines")
    assert escape.clipped("a" * 30_000).endswith("… 10,000 more characters")
    assert escape.clipped("short") == "short"


def _tokens(text: str) -> list[Token]:
    found: list[Token] = []
    for token in MARKDOWN.parse(text):
        found.append(token)
        found.extend(token.children or [])
    return found
