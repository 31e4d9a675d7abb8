"""Records with any text in any place."""

from __future__ import annotations

import hypothesis.strategies as st

from harness.outcome import Outcome
from harness.record import Json
from harness.verdict import Detail
from tests.report import samples

NASTY = (
    "<script>alert(1)</script>", "</pre><img src=x onerror=alert(1)>", "\x1b[2J", "\x9b31m", "\r", "\u202e", "\u200b",
    "```", "````\n</details>", "]]>", "\ud800", "\x00", "\ufffe", "::error::x", "\n::set-output name=a::b", "##[error]x",
    "=1+1", "@SUM(A1)", "\t=2", "![x](http://evil/)", "[a](javascript:x)", "| a | b |", "# h", "http://evil/", "`", "&amp;",
    "{{ 7*7 }}", "{% raw %}", "%0A::error::", "'", '"', "",
)  # fmt: skip
texts = st.lists(st.sampled_from(NASTY) | st.text(max_size=20), max_size=6).map("".join)
outcomes = st.sampled_from(
    [Outcome.WRONG, Outcome.EXCEPTION, Outcome.TIMEOUT, Outcome.LOAD_ERROR, Outcome.MISSING, Outcome.INTERNAL]
)
levels = st.sampled_from(["everything", "message", "outcome", "nothing"])


@st.composite
def changes(draw: st.DrawFn) -> samples.Change:
    evidence = draw(st.sampled_from([name for name, _, _ in samples.EVIDENCE]))
    detail = Detail(
        draw(texts), draw(texts), draw(texts), draw(texts), draw(st.integers(1, 99) | st.none()), draw(texts)
    )
    return samples.fails(
        evidence,
        draw(texts),
        outcome=draw(outcomes),
        detail=draw(st.sampled_from([detail, None])),
        notes=tuple(draw(st.lists(texts, max_size=2))),
        followed=draw(st.booleans()),
    )


@st.composite
def records(draw: st.DrawFn) -> Json:
    return samples.record(
        draw(texts),
        *draw(st.lists(changes(), max_size=4)),
        name=draw(texts),
        manual=draw(st.sampled_from([None, 0, 2, 4])),
        notes=draw(st.lists(texts, max_size=2)),
        hidden=draw(levels),
        problem=draw(st.just("") | texts),
        files=(draw(texts),),
    )


classes = st.lists(records(), max_size=4, unique_by=lambda record: record["submission"]["id"])
