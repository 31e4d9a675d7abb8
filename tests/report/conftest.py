"""Golden files: what people read, kept beside the tests so that a change of it is seen and meant."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "report"


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with its golden file; renew the file with --update-golden or UPDATE_GOLDEN=1."""
    update = bool(request.config.getoption("--update-golden", default=False)) or "UPDATE_GOLDEN" in os.environ

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
        assert path.exists(), f"{path} is not there; run: UPDATE_GOLDEN=1 pytest {request.node.nodeid}"
        with path.open(encoding="utf-8", newline="") as file:
            assert text == file.read(), (
                f"{name} differs; if that is meant, run: UPDATE_GOLDEN=1 pytest {request.node.nodeid}"
            )

    return compare
