"""`patience bank SLUG`: draw cases and keep the few that find every bug."""

from __future__ import annotations

import time
from pathlib import Path

import click

from harness.cli.common import assignments_option, tree_of


@click.command("bank", epilog="Example: patience bank SLUG --seed 4711 --out hidden.jsonl")
@click.argument("slug")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Another seed draws other cases.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where the bank goes [default: fixtures/SLUG/cases.jsonl].",
)
@click.option(
    "--pool", type=click.IntRange(1), help="How many cases to draw for each function [default: as the assignment says]."
)
@click.option(
    "--times", type=click.IntRange(1, 100), default=3, show_default=True, help="How often each bug must be found."
)
@click.option(
    "--jobs", type=click.IntRange(1, 256), help="How many processes run at the same time [default: one per core]."
)
@click.option("--unsandboxed", is_flag=True, help="Run without isolation.")
@assignments_option
def command(
    slug: str,
    seed: int,
    out: Path | None,
    pool: int | None,
    times: int,
    jobs: int | None,
    unsandboxed: bool,
    assignments: Path | None,
) -> None:
    """Draw a pool of cases for SLUG, run the mutants of the reference over it, and write the bank that finds them all."""
    from harness.audit.banks import make_bank
    from harness.banking import bank_text
    from harness.cli.ticker import Ticker
    from harness.store import write_whole
    from harness.workshop import cores

    tree = tree_of(assignments)
    started = time.monotonic()
    with Ticker("mutants") as ticker:
        made = make_bank(
            tree,
            slug,
            seed=seed,
            count=pool,
            times=times,
            jobs=jobs or cores(),
            unsandboxed=unsandboxed,
            on_mutant=ticker.tick,
        )
    path = out or tree.fixtures(slug) / "cases.jsonl"
    write_whole(path, bank_text(made.cases).encode())
    matrix = made.matrix
    click.echo(
        f"{matrix.cases} cases drawn, {matrix.mutants} mutants; kill matrix {len(matrix.kills)} x {matrix.cases} = {matrix.size:,}"
    )
    for function, (kept, drawn, noticed, rows) in made.counts.items():
        click.echo(f"  {function:<32} {kept:>4} of {drawn:<5} cases, {noticed:>4} of {rows} mutants noticed")
    click.echo(
        f"{len(made.cases)} cases in {path} ({path.stat().st_size / 1024:.0f} kB), {time.monotonic() - started:.1f} s"
    )
