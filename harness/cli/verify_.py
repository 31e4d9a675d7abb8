"""`patience verify [SLUG]`: try whether an assignment is sound."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import click

from harness.cli.common import assignments_option, tree_of


@click.command("verify", epilog="Example: patience verify SLUG")
@click.argument("slugs", nargs=-1, metavar="[SLUG]...")
@click.option(
    "--jobs", type=click.IntRange(1, 256), help="How many processes run at the same time [default: one per core]."
)
@click.option(
    "--repetitions",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help="How often marks are compared with themselves.",
)
@click.option("--unsandboxed", is_flag=True, help="Run without isolation.")
@click.option("--json", "as_json", is_flag=True, help="Print the promises as JSON.")
@assignments_option
def command(
    slugs: tuple[str, ...],
    jobs: int | None,
    repetitions: int,
    unsandboxed: bool,
    as_json: bool,
    assignments: Path | None,
) -> int:
    """Try every promise that an assignment makes; all assignments if no SLUG is given."""
    from harness.verify import verify
    from harness.workshop import cores

    tree = tree_of(assignments)
    broken = False
    found = []
    for slug in slugs or tree.slugs:
        for promise in verify(tree, slug, jobs=jobs or cores(), unsandboxed=unsandboxed, repetitions=repetitions):
            broken = broken or not promise.kept
            found.append(promise)
            if not as_json:
                click.echo(
                    f"{'ok ' if promise.kept else 'NO '} {slug:<18} {promise.name}{f'  ({promise.counted})' if promise.counted else ''}"
                )
                for problem in promise.problems:
                    click.echo(f"      {problem}")
    if as_json:
        click.echo(json.dumps([{**dataclasses.asdict(promise), "kept": promise.kept} for promise in found], indent=2))
    return 1 if broken else 0
