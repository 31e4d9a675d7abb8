"""The result of an audit as text: a table, the survivors, plain data, and the page `docs/audit.md`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from harness.audit.trial import Audit, Result

_HEADS = ("assignment", "mutants", "killed", "may survive", "survivors", "right place")


def _row(audit: Audit) -> tuple[str, ...]:
    excused = len(audit.results) - len(audit.killed) - len(audit.survivors)
    numbers = (len(audit.results), len(audit.killed), excused, len(audit.survivors))
    return (audit.slug, *map(str, numbers), f"{float(audit.localised):.1%}")


def table(audits: Sequence[Audit]) -> str:
    """One line for each assignment."""
    rows = [_HEADS, *map(_row, audits)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def survivors_text(audit: Audit, *, diffs: bool) -> str:
    """What an author has to look at: survivors with their change and the lines that should have noticed, and lists out of date."""
    lines: list[str] = []
    for result in audit.survivors:
        mutant = result.mutant
        lines += ["", f"SURVIVED {mutant.id} (line {mutant.line}, {mutant.fingerprint}): {mutant.description}"]
        if result.should_lose:
            lines.append(f"  should have lost points: {', '.join(result.should_lose)}")
        if diffs:
            lines += [f"    {line}" for line in mutant.diff.splitlines()]
    lines += [f"OUT OF DATE fixtures/{audit.slug}/equivalent.yaml: {complaint}" for complaint in audit.complaints]
    return "".join(f"{line}\n" for line in lines)


def summary_json(audit: Audit) -> dict[str, Any]:
    """Everything about an audit as plain data."""
    excused = {entry.id: entry for entry in audit.listed.mutants}
    return {
        "assignment": audit.slug,
        "mutants": len(audit.results),
        "killed": len(audit.killed),
        "survivors": [result.mutant.id for result in audit.survivors],
        "complaints": list(audit.complaints),
        "localised": round(float(audit.localised), 4),
        "sound": audit.sound,
        "results": [
            {
                "id": result.mutant.id,
                "function": result.mutant.function,
                "operator": result.mutant.operator,
                "line": result.mutant.line,
                "description": result.mutant.description,
                "fingerprint": result.mutant.fingerprint,
                "diff": result.mutant.diff,
                "lost": list(result.lost),
                "should_lose": list(result.should_lose),
                "right_place": result.right_place,
                "excused": excused[result.mutant.id].reason if result.mutant.id in excused else None,
            }
            for result in audit.results
        ],
    }


_BECAUSE = {
    "same": "no input tells it from the reference",
    "open": "only what the handout leaves open tells it from the reference",
    "told": "the student is told, but by the course's rules not charged",
}


def page(audits: Sequence[Audit]) -> str:
    """`docs/audit.md`, the same for the same audits."""
    return "\n".join(_page(audits)) + "\n"


def _page(audits: Sequence[Audit]) -> Iterator[str]:
    yield "# Which bugs would our tests miss?"
    yield ""
    yield "Written by `patience audit --all --write-docs`; do not edit."
    yield ""
    yield "A mutant is the reference with one change, as a student's mistake would make it: a boundary moved, a statement left out,"
    yield "an index from the wrong end, a rank taken for a suit. Each is graded like a submission. *Killed* means that it lost points"
    yield "on a line about behaviour (what a rule of style says does not count). *Right place* is the share of killed mutants where the function that was"
    yield "changed lost points and no other function did."
    yield ""
    yield f"| {' | '.join(_HEADS)} |"
    yield f"| --- |{' ---: |' * (len(_HEADS) - 1)}"
    yield from (f"| {' | '.join(_row(audit))} |" for audit in audits)
    for audit in audits:
        yield from _section(audit)


def _section(audit: Audit) -> Iterator[str]:
    yield ""
    yield f"## {audit.title}"
    yield ""
    yield "| change | mutants | killed |"
    yield "| --- | ---: | ---: |"
    made, killed = (Counter(result.mutant.operator for result in results) for results in (audit.results, audit.killed))
    yield from (f"| {operator} | {count} | {killed[operator]} |" for operator, count in sorted(made.items()))
    yield from _excused(audit)
    yield from _outside(audit)
    yield from _survivors(audit)
    yield from _misplaced(audit)


def _excused(audit: Audit) -> Iterator[str]:
    known = {result.mutant.id: result.mutant for result in audit.results}
    for because, meaning in _BECAUSE.items():
        entries = [entry for entry in audit.listed.mutants if entry.because == because and entry.id in known]
        if entries:
            yield ""
            yield f"May survive because {meaning}:"
            yield ""
            yield from (
                f"- `{entry.id}` (line {known[entry.id].line}): {known[entry.id].description}. {entry.reason}"
                for entry in entries
            )


def _outside(audit: Audit) -> Iterator[str]:
    if audit.listed.outside:
        yield ""
        yield "Not changed, because the assignment does not ask for it:"
        yield ""
        yield from (f"- `{entry.name}`: {entry.reason}" for entry in audit.listed.outside)


def _survivors(audit: Audit) -> Iterator[str]:
    if audit.survivors:
        yield ""
        yield "Survivors that nobody has explained yet:"
        yield ""
        yield from (
            f"- `{result.mutant.id}` (line {result.mutant.line}): {result.mutant.description}"
            for result in audit.survivors
        )


def _misplaced(audit: Audit) -> Iterator[str]:
    if audit.misplaced:
        yield ""
        yield "Killed, but not (only) in the right place:"
        yield ""
        yield from map(_misplaced_line, audit.misplaced)


def _misplaced_line(result: Result) -> str:
    wanted = f"; it should lose {', '.join(result.should_lose)}" if result.should_lose else ""
    return f"- `{result.mutant.id}` (line {result.mutant.line}): {result.mutant.description}. It loses {', '.join(result.lost)}{wanted}."
