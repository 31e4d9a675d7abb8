"""In what way two turns differ. The answer is a set, because one turn can be wrong in several ways."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from harness.compare.align import hunks
from harness.compare.cards import cards_in, without_cards
from harness.compare.difference import Difference
from harness.compare.screen import looks_like, without_blanks
from harness.compare.views import Row, rows_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from harness.compare.views import Unit

Question = tuple[str, ...]


def classify(
    expected: Sequence[Unit], actual: Sequence[Unit], questions: Collection[Question] = ()
) -> frozenset[Difference]:
    """All the ways in which two unequal turns differ; `questions` are the prompts the expected side knows."""
    mine, theirs = rows_of(expected), rows_of(actual)
    if shape := _presentation(mine, theirs):
        return shape
    body = [row for row in mine if not row.prompt]
    other_body = [row for row in theirs if not row.prompt]
    found = _body(body, other_body) | _prompt(question_of(mine), question_of(theirs), questions)
    # Nothing but the place of the prompt differs: it stands before or between other lines.
    return found or frozenset({Difference.WRONG_ORDER})


def question_of(rows: Sequence[Row]) -> Question:
    """The keys of the rows that ask."""
    return tuple(row.key for row in rows if row.prompt)


def _presentation(mine: Sequence[Row], theirs: Sequence[Row]) -> frozenset[Difference]:
    """Invisible characters, blanks or letter case, if nothing else differs; empty otherwise."""
    text, other = ("\n".join(row.key for row in rows) for rows in (mine, theirs))
    if [row.text for row in mine] == [row.text for row in theirs]:
        return frozenset({Difference.INVISIBLE})
    if without_blanks(text) == without_blanks(other):
        return frozenset({Difference.BLANKS})
    if text.casefold() == other.casefold():
        return frozenset({Difference.LETTER_CASE})
    if without_blanks(text).casefold() == without_blanks(other).casefold():
        return frozenset({Difference.LETTER_CASE, Difference.BLANKS})
    return frozenset({Difference.INVISIBLE} if looks_like(text) == looks_like(other) else ())


def _body(mine: Sequence[Row], theirs: Sequence[Row]) -> frozenset[Difference]:
    keys, others = [row.key for row in mine], [row.key for row in theirs]
    if keys == others:
        return frozenset()
    if shape := _presentation(mine, theirs):
        return shape
    if Counter(keys) == Counter(others):
        return frozenset({Difference.WRONG_ORDER})
    if _is_within(keys, others):
        return frozenset({Difference.EXTRA_OUTPUT})
    if _is_within(others, keys):
        return frozenset({Difference.MISSING_OUTPUT})
    return frozenset({Difference.WRONG_CARDS if _cards_differ(mine, theirs) else Difference.OTHER_WORDING})


def _is_within(short: Sequence[str], long: Sequence[str]) -> bool:
    """All of the one is in the other, in its order."""
    rest = iter(long)
    return all(key in rest for key in short)


def _cards_differ(mine: Sequence[Row], theirs: Sequence[Row]) -> bool:
    """Some stretch shows other cards on both sides, or reads the same once its cards are taken out."""
    for hunk in hunks([row.key for row in mine], [row.key for row in theirs]):
        rows, other_rows = mine[hunk.start : hunk.stop], theirs[hunk.other_start : hunk.other_stop]
        cards, others = _cards(rows), _cards(other_rows)
        if cards != others and ((cards and others) or _rest(rows) == _rest(other_rows)):
            return True
    return False


def _rest(rows: Sequence[Row]) -> str:
    return "".join(without_cards(row.text) for row in rows)


def _cards(rows: Sequence[Row]) -> list[str]:
    return [spot.text for row in rows for spot in cards_in(row.text)]


def _prompt(mine: Question, theirs: Question, questions: Collection[Question]) -> frozenset[Difference]:
    if mine == theirs:
        return frozenset()
    if mine and theirs and theirs in questions:
        return frozenset({Difference.OTHER_QUESTION})
    rows, others = ([Row(key, key, prompt=True) for key in keys] for keys in (mine, theirs))
    return _presentation(rows, others) or frozenset({Difference.PROMPT})
