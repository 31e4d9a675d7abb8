"""`patience check SLUG [FILE]`: a student checks one file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli.common import assignments_option, tree_of

if TYPE_CHECKING:
    from harness.assignment import Assignment
    from harness.record import Json
    from harness.submission import Submission


@click.command("check", epilog="Example: patience check SLUG proj10.py")
@click.argument("slug")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("-v", "--verbose", is_flag=True, help="Explain passed lines too.")
@click.option("--only", metavar="ITEM", help="Show only this line of the rubric.")
@click.option("--json", "as_json", is_flag=True, help="Print the record as JSON.")
@assignments_option
def command(
    slug: str, file: Path | None, verbose: bool, only: str | None, as_json: bool, assignments: Path | None
) -> int:
    """Check FILE (found by itself in this folder) against assignment SLUG, line by line."""
    from harness.workshop import load

    assignment = load(tree_of(assignments), slug)
    record = _record(assignment, _submission(assignment, file))
    if as_json:
        click.echo(json.dumps(record, ensure_ascii=False, indent=2))
    else:
        click.echo(_text(record, verbose=verbose, only=only))
    return 0 if _full(record) else 1


def _submission(assignment: Assignment, file: Path | None) -> Submission:
    from harness.errors import UsageError
    from harness.intake.find import Wanted, load, near_miss
    from harness.submission import Submission

    wanted = Wanted(assignment.spec.file)
    if file is None:
        here = Path.cwd()
        exact = here / wanted.file
        near = sorted(path for path in here.iterdir() if near_miss(path.name, wanted.file))
        if not exact.exists() and not near:
            raise UsageError(
                f"there is no {wanted.file} in {here}; go to the folder it is in, or name the file: patience check {assignment.spec.slug} FILE"
            )
        if not exact.exists() and len(near) > 1:
            raise UsageError(f"several files could be meant: {', '.join(path.name for path in near)}; name one of them")
        file = exact if exact.exists() else near[0]
    if not file.exists():
        raise UsageError(f"{file}: there is no such file")
    return load(file, Submission(file.stem, wanted.file), file.name)


def _record(assignment: Assignment, submission: Submission) -> Json:
    from harness.outcome import Outcome
    from harness.pipeline import examine, settle
    from harness.report.audience import for_student
    from harness.workshop import cores, opened

    with opened(assignment, jobs=min(2, cores()), unsandboxed=True) as (run, expected):
        verdicts, notes = examine(assignment, submission, expected, run)
        if any(verdict.outcome is Outcome.WRONG and verdict.evidence.startswith("calls/") for verdict in verdicts):
            from harness.shrink import with_smallest

            verdicts = with_smallest(assignment, submission, verdicts, run.observer)
        return for_student(settle(assignment, submission, verdicts, notes, run.isolation, {}))


def _text(record: Json, *, verbose: bool, only: str | None) -> str:
    from harness.errors import UsageError
    from harness.report.terminal import student_text

    names = [item["id"] for item in record["items"]]
    if only is not None and only not in names:
        raise UsageError(f"there is no line {only!r}; the lines are: {', '.join(names)}")
    ascii_only = (sys.stdout.encoding or "").lower() not in ("utf-8", "utf8")
    return student_text(record, verbose=verbose, only=only, ascii_only=ascii_only)


def _full(record: Json) -> bool:
    parts = [part for item in record["items"] if not item["bonus"] for part in item.get("parts", [item])]
    return all(part["points"] is None or part["points"] >= part["max"] for part in parts)
