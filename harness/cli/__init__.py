"""The command line: one file per verb. Arguments in, one call, text out, exit code; no grading knowledge."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping, Sequence

import click

from harness import __version__
from harness.errors import HarnessError

VERBS: Mapping[str, str] = {
    "check": "check a program against an assignment, line by line",
    "grade": "grade a folder of submissions",
    "report": "render results again, or score them with another rubric",
    "verify": "is this assignment sound?",
    "audit": "which bugs would the tests miss? (mutants of the reference)",
    "bank": "draw a case bank: arguments for function tests",
    "session": "write a new game from a random deck",
    "list": "the assignments there are",
    "show": "what an assignment asks for and what it is worth",
    "play": "play the reference",
    "doctor": "what isolation holds on this machine, proved by trying",
}


class _Verbs(click.Group):
    """Loads a verb's file only when it is used, so that --help stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - Click's signature
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in VERBS:
            found: click.Command = importlib.import_module(f"harness.cli.{cmd_name}_").command
            return found
        near = [name for name in VERBS if name.startswith(cmd_name[:2])]
        if near:
            ctx.fail(f"there is no command {cmd_name!r}; did you mean {near[0]!r}?")
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - Click's signature
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


@click.command(
    cls=_Verbs,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: patience grade SLUG submissions/ --out results",
)
@click.version_option(__version__, prog_name="patience")
def patience() -> None:
    """Grade Python programs that people talk to."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; the one place where an error of ours becomes a line and an exit code."""
    try:
        code = patience.main(
            args=None if arguments is None else list(arguments), prog_name="patience", standalone_mode=False
        )
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(130)
    except HarnessError as error:
        click.echo(f"patience: {error}", err=True)
        sys.exit(error.exit_code)
    except Exception as error:
        if os.environ.get("PATIENCE_DEBUG"):
            raise
        click.echo(
            f"patience: a fault of ours: {type(error).__name__}: {error} (PATIENCE_DEBUG=1 shows where)", err=True
        )
        sys.exit(3)
    sys.exit(code if isinstance(code, int) else 0)
