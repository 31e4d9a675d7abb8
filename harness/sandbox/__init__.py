"""Runs untrusted code and tells what happened: `open_sandbox`, `Sandbox.run`, `Reply`.

The controller (this process) holds what nobody may see; student code runs in other processes, one per unit, behind as many
layers as the machine can give. `docs/isolation.md` says which and why.
"""

from __future__ import annotations

from harness.sandbox.controller import Layer, Sandbox
from harness.sandbox.ladder import open_sandbox
from harness.sandbox.reply import Reply

__all__ = ["Layer", "Reply", "Sandbox", "open_sandbox"]
