"""`patience report RESULTS`: render again, in any format, or score with another rubric; nothing is run."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from harness.cli.common import assignments_option, tree_of


@click.command("report", epilog="Example: patience report results --format junit --out report")
@click.argument("results", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--format",
    "formats",
    multiple=True,
    help="html, gradebook, markdown, json, junit, gradescope, github or terminal; may be given more than once [default: html and gradebook].",
)
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Where the files go [default: the results folder]."
)
@click.option(
    "--rubric",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Score the stored evidence with this rubric; the records are written anew.",
)
@click.option(
    "--audience",
    type=click.Choice(["staff", "student"]),
    default="staff",
    show_default=True,
    help="For whom: what students may not see is left out.",
)
@assignments_option
def command(
    results: Path,
    formats: tuple[str, ...],
    out: Path | None,
    rubric: Path | None,
    audience: str,
    assignments: Path | None,
) -> None:
    """Render the records in RESULTS again."""
    from harness.batch import rescore
    from harness.errors import UsageError
    from harness.report import Report, render
    from harness.store import Store, write_whole
    from harness.workshop import load

    store = Store(results)
    records = list(store.all())
    if not records:
        raise UsageError(f"{results}: there are no records here; `patience grade` writes them")
    assignment = load(tree_of(assignments), records[0]["assignment"], rubric=rubric)
    if rubric is not None:
        records = [rescore(assignment, record) for record in records]
        for record in records:
            store.write(record)
    made_at = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")
    report = Report(assignment.spec.title, assignment.spec.slug, records, made_at, audience)  # type: ignore[arg-type]
    for name in formats or ("html", "gradebook"):
        for file, content in render(name, report).items():
            path = (out or results) / file
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content)
            click.echo(str(path)) if path.parent == (out or results) else None
