"""What several verbs share: the options and the way assignments are opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from harness.assignment import Tree

Command = TypeVar("Command", bound=Callable[..., Any])


def assignments_option(command: Command) -> Command:
    return click.option(
        "--assignments",
        type=click.Path(path_type=Path, file_okay=False),
        help="A folder with specs/, rubrics/, reference/ and fixtures/ of your own.",
    )(command)


def tree_of(assignments: Path | None) -> Tree:
    """The tree that was asked for, or the one that came with the command."""
    from harness.assignment import Tree, own_tree

    return Tree(assignments) if assignments is not None else own_tree()


def number(value: float | None) -> str:
    """Points as people write them."""
    return "-" if value is None else f"{value:g}" if value == round(value, 2) else f"{value:.2f}"
