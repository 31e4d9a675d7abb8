"""`patience list`: the assignments there are."""

from __future__ import annotations

from pathlib import Path

import click

from harness.cli.common import assignments_option, tree_of


@click.command("list", epilog="Example: patience list")
@assignments_option
def command(assignments: Path | None) -> None:
    """List the assignments there are."""
    from harness.spec import Spec
    from harness.yamlfile import read

    tree = tree_of(assignments)
    for slug in tree.slugs:
        spec = read(tree.spec(slug), Spec).record
        click.echo(f"{slug:<18} {spec.title:<22} {spec.course}")
