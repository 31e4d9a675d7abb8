"""The modules a course supplies: loaded from the trusted copy before any student code, with a deck in a given order if asked."""

from __future__ import annotations

import base64
import builtins
import functools
import marshal
import sys
import types
from typing import Any

from .codec import Kinds

globals()["__builtins__"] = dict(vars(builtins))

_exec = exec


class Supplied:
    """The supplied modules in place; `deck` is the order in which a new Deck deals, None for its own; `shuffles` counts."""

    def __init__(self, sources: list[list[str]]) -> None:
        self.deck: list[str] | None = None
        self.shuffles = 0
        self.modules = {name: _load(name, source, ready) for name, source, ready in sources}
        self.kinds = _find_kinds(self.modules.values())
        if self.kinds.deck is not None:
            self._patch(self.kinds.deck)
        self._before = self._fingerprint()

    def _patch(self, deck: Any) -> None:
        """Count the shuffles, and deal from a given order while there is one."""
        original_init, original_shuffle, kinds = deck.__init__, deck.shuffle, self.kinds

        @functools.wraps(original_init)
        def __init__(this: Any) -> None:  # noqa: N807
            if self.deck is None:
                original_init(this)
            else:
                this._Deck__deck = [kinds.make_card(code) for code in reversed(self.deck)]  # noqa: SLF001

        @functools.wraps(original_shuffle)
        def shuffle(this: Any) -> None:
            self.shuffles += 1
            if self.deck is None:
                original_shuffle(this)

        deck.__init__, deck.shuffle = __init__, shuffle

    def _fingerprint(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for module in self.modules.values():
            for name, value in list(vars(module).items()):
                if type(name) is str and not name.startswith("__"):
                    found[f"{module.__name__}.{name}"] = id(value)
                if type(value) is type:
                    found.update((f"{module.__name__}.{name}.{key}", id(item)) for key, item in vars(value).items())
        return found

    def tampered(self) -> list[str]:
        """What of the supplied modules the student's program has replaced, added or removed."""
        after = self._fingerprint()
        names = sorted(name for name in self._before.keys() | after.keys() if self._before.get(name) != after.get(name))
        return names[:5]


def _load(name: str, source: str, ready: str) -> types.ModuleType:
    """Run the module; `ready` is its code as the controller has compiled it, for the same Python, or empty."""
    module = types.ModuleType(name)
    module.__file__ = f"{name}.py"
    module.__dict__["__builtins__"] = vars(builtins)
    sys.modules[name] = module
    code = marshal.loads(base64.b64decode(ready)) if ready else compile(source, f"{name}.py", "exec", dont_inherit=True)  # noqa: S302
    _exec(code, module.__dict__)
    return module


def _find_kinds(modules: Any) -> Kinds:
    for module in modules:
        card, deck = vars(module).get("Card"), vars(module).get("Deck")
        if isinstance(card, type) and isinstance(deck, type):
            return Kinds(card, deck)
    return Kinds()
