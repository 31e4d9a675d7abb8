"""`patience play SLUG`: play the reference."""

from __future__ import annotations

from pathlib import Path

import click

from harness.cli.common import assignments_option, tree_of


@click.command("play", epilog="Example: patience play SLUG --seed 7")
@click.argument("slug")
@click.option(
    "--deck",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A session file or a text with cards such as AS TH 2C, in the order they are dealt.",
)
@click.option("--seed", type=int, help="Deal the same game again.")
@assignments_option
def command(slug: str, deck: Path | None, seed: int | None, assignments: Path | None) -> None:
    """Play the reference of assignment SLUG in this terminal."""
    from harness.play import play
    from harness.workshop import load

    play(load(tree_of(assignments), slug), deck, seed)
