"""`patience doctor`: what isolation holds on this machine."""

from __future__ import annotations

import dataclasses
import json

import click


@click.command("doctor", epilog="Example: patience doctor")
@click.option("--json", "as_json", is_flag=True, help="Print the table as JSON.")
def command(as_json: bool) -> int:
    """Try every promise of the sandbox on this machine and say which hold."""
    from harness.sandbox.doctor import examine

    promises = examine()
    if as_json:
        click.echo(json.dumps([dataclasses.asdict(promise) for promise in promises], indent=2, default=str))
    else:
        for promise in promises:
            click.echo(f"{promise}")
    return 0
