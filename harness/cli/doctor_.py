"""`patience doctor`: what isolation holds on this machine."""

from __future__ import annotations

import json
import textwrap

import click


@click.command("doctor", epilog="Example: patience doctor")
@click.option("--json", "as_json", is_flag=True, help="Print the table as JSON.")
@click.option(
    "--selftest",
    is_flag=True,
    help="Run the catalogue of hostile programs through the sandbox instead (about half a minute).",
)
def command(as_json: bool, selftest: bool) -> int:
    """Try every promise of the sandbox on this machine and say which hold."""
    if selftest:
        return _selftest(as_json)
    from harness.sandbox import open_sandbox
    from harness.sandbox.doctor import Standing, examine

    promises = examine()
    with open_sandbox(jobs=1, unsandboxed=True) as sandbox:
        rung, layers = sandbox.rung, sandbox.layers
    if as_json:
        table = [
            {"name": one.name, "promise": one.promise, "standing": one.standing.value, "why": one.why}
            for one in promises
        ]
        held = [{"name": layer.name, "held": layer.held, "why": layer.why} for layer in layers]
        click.echo(json.dumps({"rung": rung, "layers": held, "promises": table}, indent=2))
    else:
        click.echo(f"isolation: {rung}")
        for layer in layers:
            click.echo(f"  {'on ' if layer.held else 'off'}  {layer.name:<14} {layer.why}")
        click.echo()
        for one in promises:
            click.echo(f"{one.standing.value:<9} {one.name:<14} {one.promise}")
            click.echo(textwrap.indent(textwrap.fill(one.why, 90), " " * 25))
    return 1 if any(one.standing is Standing.NOT_HELD for one in promises) else 0


def _selftest(as_json: bool) -> int:
    from harness.assignment import own_tree
    from harness.sandbox.catalogue import Standing, selftest

    results = selftest(own_tree().fixtures("hostile"))
    if as_json:
        click.echo(
            json.dumps(
                [{"id": one.id, "title": one.title, "standing": one.standing.value, "why": one.why} for one in results],
                indent=2,
            )
        )
    else:
        for one in results:
            click.echo(f"{one.standing.value:<9} {one.id}  {one.title}")
            if one.standing is not Standing.HELD:
                click.echo(f"               {one.why}")
        held = sum(one.standing is Standing.HELD for one in results)
        click.echo(f"{held} of {len(results)} held")
    return 0 if all(one.standing is not Standing.NOT_HELD for one in results) else 1
