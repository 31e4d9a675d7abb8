"""`patience session SLUG`: write a new game from a random deck."""

from __future__ import annotations

from pathlib import Path

import click

from harness.cli.common import assignments_option, tree_of


@click.command("session", epilog="Example: patience session SLUG --seed 4711 --win --out hidden/sessions/final.txt")
@click.argument("slug")
@click.option("--seed", type=click.IntRange(0), required=True, help="Another seed deals and plays another game.")
@click.option("--win", is_flag=True, help="Try decks until the game is won.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where the session goes [default: fixtures/SLUG/sessions/fresh-SEED.txt, or win-SEED.txt].",
)
@click.option("--unsandboxed", is_flag=True, help="Run without isolation.")
@assignments_option
def command(slug: str, seed: int, win: bool, out: Path | None, unsandboxed: bool, assignments: Path | None) -> None:
    """Let a player play a new game of SLUG, mistakes and all, and write what the reference shows as a session file.

    Files that the session needs go into the folder files/ beside the folder of the session, where it looks for them.
    """
    from harness.players import fresh_session
    from harness.session import write_session
    from harness.store import write_whole
    from harness.workshop import load

    assignment = load(tree_of(assignments), slug)
    name = f"{'win' if win else 'fresh'}-{seed}"
    path = (out or assignment.tree.fixtures(slug) / "sessions" / f"{name}.txt").absolute()
    fresh = fresh_session(assignment, seed, name=path.stem, win=win, unsandboxed=unsandboxed)
    for file, data in fresh.files:
        place = path.parent.parent / "files" / file
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, data)
        click.echo(f"the game it loads is in {place}")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, write_session(fresh.script).encode())
    ending = "won" if fresh.won else "given up"
    click.echo(f"{len(fresh.script.inputs)} typed lines, {fresh.mistakes} mistakes, {ending}: {path}")
    click.echo(
        f"To judge by it, put {path.name} into fixtures/{slug}/sessions and name {path.stem} in specs/{slug}.yaml"
    )
