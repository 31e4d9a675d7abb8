"""`patience grade SLUG FOLDER`: grade a class."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli.common import assignments_option, number, tree_of

if TYPE_CHECKING:
    from harness.cli.progress import Progress
    from harness.intake import Intake
    from harness.record import Json
    from harness.store import Store


@click.command("grade", epilog="Example: patience grade SLUG submissions/ --out results --jobs 4")
@click.argument("slug")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("results"),
    show_default=True,
    help="Where the results go.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 256), help="How many submissions run at the same time [default: one per core]."
)
@click.option("--layout", help="How the folder is laid out, if it is not recognised by itself.")
@click.option(
    "--rubric",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Another rubric than the assignment's own.",
)
@click.option(
    "--bank",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A further case bank, whose cases students never see.",
)
@click.option("--fail-under", type=click.FloatRange(0, 100), help="Exit with 1 if a total is below this many percent.")
@click.option("--unsandboxed", is_flag=True, help="Run student code without isolation. Only for code you trust.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
@assignments_option
def command(
    slug: str,
    folder: Path,
    out: Path,
    jobs: int | None,
    layout: str | None,
    rubric: Path | None,
    bank: Path | None,
    fail_under: float | None,
    unsandboxed: bool,
    quiet: bool,
    assignments: Path | None,
) -> int:
    """Grade the submissions in FOLDER as assignment SLUG and write records and reports."""
    from harness.batch import Batch, locked
    from harness.cli.progress import Progress
    from harness.intake import take_in
    from harness.intake.find import Wanted
    from harness.store import Store
    from harness.workshop import cores, load, opened

    assignment = load(tree_of(assignments), slug, rubric=rubric, bank=bank)
    intake = take_in(folder, Wanted(assignment.spec.file, assignment.spec.depth), layout)
    store = Store(out)
    store.open()
    jobs = jobs or cores()
    progress = Progress(len(intake.submissions), quiet=quiet)
    started = time.monotonic()
    with locked(out), opened(assignment, jobs=jobs, unsandboxed=unsandboxed) as (run, expected):
        progress.say(
            f"{assignment.spec.title}: {len(intake.submissions)} submissions, read as {intake.says}; isolation: {run.isolation}"
        )
        try:
            with progress:
                Batch(assignment, store, run, expected).grade(intake.submissions, progress.done, jobs=jobs)
        except KeyboardInterrupt:
            click.echo(
                f"\nstopped; {progress.count} of {len(intake.submissions)} are finished and kept. The same command goes on from there.",
                err=True,
            )
            return 130
        store.forget({submission.id for submission in intake.submissions})
        records = _reports(store, assignment.spec.title, slug)
    _finish(progress, records, intake, out, time.monotonic() - started)
    return _code(records, fail_under)


def _reports(store: Store, title: str, slug: str) -> list[Json]:
    """Derive every summary from the records on disk."""
    from datetime import datetime

    from harness.report import FORMATS, Report
    from harness.store import write_whole

    records = list(store.all())
    report = Report(title, slug, records, made_at=datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z"))
    for name in ("gradebook", "html"):
        for file, content in FORMATS[name].render(report).items():
            path = store.folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content)
    return records


def _finish(progress: Progress, records: list[Json], intake: Intake, out: Path, seconds: float) -> None:
    from harness.report.terminal import class_table

    if len(records) != len(intake.submissions):
        raise click.ClickException(
            f"{len(intake.submissions)} submissions went in, but {len(records)} records came out"
        )
    progress.say("")
    progress.say(class_table(records))
    kept = progress.counts.get("kept", 0) + progress.counts.get("re-scored", 0)
    again = f", {kept} of them unchanged since the last run" if kept else ""
    progress.say(f"{len(records)} submissions in {number(round(seconds, 1))} s{again}.")
    progress.say(
        f"Open {out / 'index.html'} in a browser; {out / 'grades.csv'} holds the marks, {out / 'records'} everything else."
    )


def _code(records: list[Json], fail_under: float | None) -> int:
    if any(item["outcome"] == "internal" for record in records for item in record["items"]):
        return 3
    if fail_under is not None and any((record["total"] or 0) < fail_under / 100 * record["max"] for record in records):
        return 1
    return 0
