"""The controls do not rot unseen: with a layer switched off, a fixture of the catalogue turns red.

Mounts, network and identity are not here: switched off alone, another layer still stops every fixture that was tried.
"""

from __future__ import annotations

import pytest

from harness.sandbox import catalogue, open_sandbox
from harness.sandbox.catalogue import Standing, selftest
from tests.hostile.entries import CATALOGUE, entry

REDS = [
    (("rlimits",), "C23", "longer-than-memory"),
    (("no_new_privs",), "H27", "vsock"),
    (("landlock",), "H29", "list"),
    (("seccomp",), "H27", "io-uring"),
    (("landlock", "mounts"), "H31", "site"),
]


def problem(without: tuple[str, ...], number: str, variant: str) -> str:
    fixture = next(one for one in entry(number).fixtures if one.variant == variant)
    with open_sandbox(unsandboxed=True, without=without) as sandbox:
        honest = catalogue._honest(CATALOGUE / "assignment", sandbox)
        return catalogue.run_fixture(fixture, sandbox, honest)[0]


@pytest.mark.slow
@pytest.mark.parametrize(("without", "number", "variant"), REDS)
def test_without_its_layer_a_fixture_turns_red(
    without: tuple[str, ...], number: str, variant: str, sandboxed: bool
) -> None:
    if not sandboxed:
        pytest.skip("tier T1, a sandbox, is not to be had on this machine")
    assert problem((), number, variant) == ""
    assert problem(without, number, variant) != ""


@pytest.mark.slow
def test_the_selftest_holds_here(sandboxed: bool) -> None:
    results = selftest(CATALOGUE)
    assert len(results) == len([one for number in catalogue.tiers(CATALOGUE) if (one := entry(number)).fixtures])
    assert [one for one in results if one.standing is Standing.NOT_HELD] == []
    assert sandboxed == all(one.standing is Standing.HELD for one in results)
