"""The doctor tells the truth: all is held where there is a sandbox, and much is not where there is none."""

from __future__ import annotations

import pytest

from harness.sandbox import Sandbox
from harness.sandbox.doctor import Standing, examine

OPEN_IN_A_PLAIN_PROCESS = {
    "files",
    "reference",
    "existence",
    "writing",
    "tcp",
    "udp",
    "fork",
    "exec",
    "signals",
    "neighbours",
}
EVERYWHERE = {"processor time", "waiting", "output", "environment"}


@pytest.mark.slow
def test_all_promises_hold_in_the_sandbox(sandboxed: Sandbox) -> None:
    found = examine()
    layers = {layer.name for layer in sandboxed.layers if layer.held}
    spared = set() if "mounts" in layers else {"existence"}
    assert {promise.name for promise in found if promise.standing is Standing.NOT_HELD} <= spared
    assert all(promise.why for promise in found)


@pytest.mark.slow
def test_a_plain_process_is_not_made_better_than_it_is() -> None:
    found = {promise.name: promise.standing for promise in examine(plain=True)}
    assert {name for name in OPEN_IN_A_PLAIN_PROCESS if found[name] is not Standing.NOT_HELD} == set()
    assert {name for name in EVERYWHERE if found[name] is not Standing.HELD} == set()
