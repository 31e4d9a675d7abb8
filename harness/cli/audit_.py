"""`patience audit SLUG`: which bugs our tests would miss."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.cli.common import assignments_option, tree_of

if TYPE_CHECKING:
    from harness.assignment import Tree
    from harness.audit.trial import Audit


@click.command("audit", epilog="Example: patience audit SLUG --jobs 4")
@click.argument("slugs", nargs=-1, metavar="[SLUG]...")
@click.option("--all", "every", is_flag=True, help="All assignments.")
@click.option("--json", "as_json", is_flag=True, help="Print every mutant and what it lost as JSON.")
@click.option(
    "--jobs", type=click.IntRange(1, 256), help="How many mutants run at the same time [default: one per core]."
)
@click.option("--diffs/--no-diffs", default=True, show_default=True, help="Show the change of each survivor.")
@click.option(
    "--cache",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(".patience/audit"),
    show_default=True,
    help="Where results are kept, so that a stopped audit goes on.",
)
@click.option("--write-docs", is_flag=True, help="Write docs/audit.md; needs --all.")
@click.option("--unsandboxed", is_flag=True, help="Run without isolation.")
@assignments_option
def command(
    slugs: tuple[str, ...],
    every: bool,
    as_json: bool,
    jobs: int | None,
    diffs: bool,
    cache: Path,
    write_docs: bool,
    unsandboxed: bool,
    assignments: Path | None,
) -> int:
    """Change the reference in one place at a time and see whether each change loses points."""
    from harness.audit.page import summary_json, survivors_text, table

    tree = tree_of(assignments)
    if bool(slugs) == every:
        raise click.UsageError("name an assignment, or ask for --all of them")
    if write_docs and not every:
        raise click.UsageError("--write-docs needs --all: the page is about every assignment")
    audits = [
        _audited(tree, slug, jobs, cache, unsandboxed=unsandboxed, quiet=as_json)
        for slug in (tree.slugs if every else slugs)
    ]
    if as_json:
        click.echo(json.dumps([summary_json(audit) for audit in audits], indent=2, ensure_ascii=False))
    else:
        click.echo(table(audits))
        for audit in audits:
            click.echo(survivors_text(audit, diffs=diffs), nl=False)
    if write_docs:
        _write_docs(tree, audits)
    return 0 if all(audit.sound for audit in audits) else 1


def _audited(tree: Tree, slug: str, jobs: int | None, cache: Path, *, unsandboxed: bool, quiet: bool) -> Audit:
    from harness.audit.trial import audit, hurried
    from harness.cli.ticker import Ticker
    from harness.workshop import cores, load, opened

    assignment = hurried(load(tree, slug))
    wanted = jobs or cores()
    with (
        opened(assignment, jobs=wanted, unsandboxed=unsandboxed) as (run, expected),
        Ticker(f"mutants of {slug}", quiet=quiet) as ticker,
    ):
        return audit(assignment, run, expected, jobs=wanted, on_result=ticker.tick, cache=cache / slug)


def _write_docs(tree: Tree, audits: list[Audit]) -> None:
    from harness.audit.page import page
    from harness.store import write_whole

    path = tree.root / "docs" / "audit.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, page(audits).encode())
    click.echo(f"written: {path}", err=True)
