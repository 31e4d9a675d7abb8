"""Real sandboxes, opened once: every test here runs student code in processes of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.sandbox import Sandbox, open_sandbox


@pytest.fixture(scope="session")
def best() -> Iterator[Sandbox]:
    """The best this machine gives."""
    with open_sandbox(jobs=2, unsandboxed=True) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def plain() -> Iterator[Sandbox]:
    """The rung that every machine gives."""
    with open_sandbox(jobs=1, unsandboxed=True, plain=True) as sandbox:
        yield sandbox


@pytest.fixture(params=["best", "plain"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Each rung in turn."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Sandbox)
    return found


@pytest.fixture
def sandboxed(best: Sandbox) -> Sandbox:
    if not best.sandboxed:
        pytest.skip("this machine gives no sandbox")
    return best
