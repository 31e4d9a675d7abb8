"""Reports: one file per format, the same function `render` in each, and this list of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

from harness.errors import UsageError
from harness.report import github, gradebook, gradescope, html, jsonfile, junit, markdown, terminal
from harness.report.audience import for_student
from harness.report.model import Audience, Report

__all__ = ["FORMATS", "Audience", "Report", "for_student", "render"]

FORMATS: Mapping[str, ModuleType] = {
    "terminal": terminal,
    "gradebook": gradebook,
    "html": html,
    "markdown": markdown,
    "json": jsonfile,
    "junit": junit,
    "gradescope": gradescope,
    "github": github,
}


def render(name: str, report: Report) -> dict[str, bytes]:
    """The files of one format, by their name below the results folder."""
    if name not in FORMATS:
        raise UsageError(f"there is no format {name!r}; known: {', '.join(FORMATS)}")
    files: dict[str, bytes] = FORMATS[name].render(report)
    return files
