"""How a long run is shown: a live bar in a terminal, plain lines elsewhere, nothing when asked to be quiet."""

from __future__ import annotations

import os
import sys
from collections import Counter
from types import TracebackType
from typing import TYPE_CHECKING, Any

import click

from harness.cli.common import number

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from harness.record import Json


class Progress:
    """Counts what is done and shows it."""

    def __init__(self, total: int, *, quiet: bool) -> None:
        self.total = total
        self.quiet = quiet
        self.count = 0
        self.counts: Counter[str] = Counter()
        self._bar: Bar | None = None
        self._task: Any = None

    @property
    def live(self) -> bool:
        return not self.quiet and sys.stdout.isatty() and not os.environ.get("CI")

    def say(self, text: str) -> None:
        if not self.quiet:
            click.echo(text)

    def __enter__(self) -> Progress:  # noqa: PYI034 - Self is not in Python 3.10
        if self.live:
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self._bar = Progress(
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[rate]}"),
                TimeRemainingColumn(),
                TextColumn("{task.fields[last]}"),
                transient=True,
            )
            self._bar.start()
            self._task = self._bar.add_task("", total=self.total, rate="", last="")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def done(self, record: Json, how: str) -> None:
        """One more submission is finished."""
        self.count += 1
        self.counts[how] += 1
        if self._bar is not None:
            speed = self._bar.tasks[0].speed
            self._bar.update(self._task, advance=1, last=_last(record), rate=f"{speed:.0f}/s" if speed else "")
        elif not self.quiet and (self.count == self.total or self.count % max(1, self.total // 10) == 0):
            click.echo(f"{self.count}/{self.total}")


def _last(record: Json) -> str:
    from harness.report.escape import visible

    lost = [item["id"] for item in record["items"] if item["outcome"] not in ("passed", "pending")]
    return visible(
        f"{record['submission']['id']}: {number(record['total'])}/{number(record['max'])}{' lost ' + ', '.join(lost[:3]) if lost else ''}"
    )[:60]
