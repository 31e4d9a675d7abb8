"""`patience show SLUG`: signatures, lines, points, dates."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli.common import assignments_option, tree_of

if TYPE_CHECKING:
    from harness.assignment import Assignment
    from harness.policy import Policy
    from harness.rubric import Rubric
    from harness.spec import Function


@click.command("show", epilog="Example: patience show SLUG")
@click.argument("slug")
@assignments_option
def command(slug: str, assignments: Path | None) -> None:
    """Show what assignment SLUG asks for and what it is worth."""
    from harness.workshop import load

    click.echo("\n".join(_lines(load(tree_of(assignments), slug))))


def _lines(assignment: Assignment) -> Iterator[str]:
    spec = assignment.spec
    yield f"{spec.title} ({spec.slug})"
    yield spec.course
    yield ""
    yield from spec.about.rstrip().splitlines()
    yield ""
    supplied = f", with the supplied {', '.join(f'{name}.py' for name in spec.supplied)}" if spec.supplied else ""
    yield f"Hand in {spec.file}{supplied}."
    if spec.policy is not None:
        yield from _dates(spec.policy)
    yield ""
    yield "Functions"
    for name, function in spec.functions.items():
        yield from _signature(name, function)
    yield ""
    yield "Sessions"
    yield from (f"  {name:<12} {session.title}" for name, session in spec.sessions.items())
    yield ""
    yield from _rubric(assignment.rubric)


def _dates(policy: Policy) -> Iterator[str]:
    yield f"Due {policy.due} ({policy.timezone})."
    if policy.early is not None:
        yield f"Early, by {policy.early.by}: +{policy.early.points} points."
    if policy.late is not None:
        cost = f"{policy.late.points} points" if policy.late.points else f"{policy.late.percent}%"
        yield f"Late: -{cost} for each {policy.late.counted} {policy.late.per}."
    if policy.closes is not None:
        yield f"Nothing is accepted after {policy.closes}."


def _signature(name: str, function: Function) -> Iterator[str]:
    note = "  (supplied)" if function.supplied else ""
    if function.kind == "class":
        yield f"  class {name}{note}"
        yield from (f"    {method}({', '.join(wanted.parameters)})" for method, wanted in function.methods.items())
        return
    others = "".join(f" or ({', '.join(names)})" for names in function.also)
    yield f"  {name}({', '.join(function.parameters)}){others}{note}"


def _rubric(rubric: Rubric) -> Iterator[str]:
    yield f"Points: {rubric.total}"
    for item in rubric.items:
        bonus = "  (bonus)" if item.bonus else ""
        yield f"  {item.points!s:>5}  {item.title}{bonus}"
        yield from (f"         {part.points!s:>5}  {part.title or part.id}" for part in item.parts)
    yield from (f"  {line}" for line in rubric.note.rstrip().splitlines())
