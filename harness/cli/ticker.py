"""A count of things done, on one line of a terminal, in a few lines elsewhere."""

from __future__ import annotations

import os
import sys
from types import TracebackType

import click


class Ticker:
    """Says now and then how many of something are done; always on stderr, so that results can be piped."""

    def __init__(self, what: str, *, quiet: bool = False) -> None:
        self.what = what
        self.quiet = quiet
        self.count = 0

    @property
    def live(self) -> bool:
        return sys.stderr.isatty() and not os.environ.get("CI")

    def __enter__(self) -> Ticker:  # noqa: PYI034 - Self is not in Python 3.10
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.live and not self.quiet and self.count:
            click.echo("", err=True)

    def tick(self, _: object = None) -> None:
        """One more is done."""
        self.count += 1
        if self.quiet:
            return
        if self.live:
            click.echo(f"\r{self.count} {self.what}", err=True, nl=False)
        elif self.count % 100 == 0:
            click.echo(f"{self.count} {self.what}", err=True)
