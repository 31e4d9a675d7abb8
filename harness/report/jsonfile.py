"""One JSON file with all records, as `docs/report-format.md` describes them; plain ASCII, so that no reader can stumble."""

from __future__ import annotations

import json

from harness.record import FORMAT
from harness.report.model import Report


def render(report: Report) -> dict[str, bytes]:
    """The records as this audience may see them."""
    data = {
        "format": FORMAT,
        "assignment": report.slug,
        "title": report.title,
        "made_at": report.made_at,
        "audience": report.audience,
        "records": list(report.shown),
    }
    return {"results.json": (json.dumps(data, ensure_ascii=True, indent=1, allow_nan=False) + "\n").encode("ascii")}
