"""Playing the reference in a terminal: our own code, so it runs here and not in the sandbox."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from harness.assignment import Assignment
from harness.errors import UsageError
from harness.session import deck_of

_START = """\
import random, sys
sys.path.insert(0, {folder!r})
sys.argv = [{file!r}]
_seed, _deck = {seed!r}, {deck!r}
if _seed is not None:
    random.seed(_seed)
    random.seed = lambda *_: None
if _deck is not None:
    import cards
    def _fixed(self):
        self._Deck__deck = [cards.Card("A23456789TJQK".index(code[0]) + 1, "CDHS".index(code[1]) + 1) for code in reversed(_deck)]
    cards.Deck.__init__ = _fixed
    cards.Deck.shuffle = lambda self: None
import runpy
try:
    runpy.run_path({path!r}, run_name="__main__")
except (KeyboardInterrupt, EOFError):
    print()
"""


def play(assignment: Assignment, deck: Path | None, seed: int | None) -> None:
    """Run the reference with this terminal as its own, on a given deck or seed if there is one."""
    order = _order(deck) if deck is not None else None
    if order is not None and not assignment.supplied:
        raise UsageError(f"{assignment.spec.slug} deals no supplied deck; its games are files, see fixtures")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for module, text in assignment.supplied:
            (folder / f"{module}.py").write_text(text, encoding="utf-8")
        path = folder / assignment.spec.file
        path.write_bytes(assignment.reference.source)
        for file, data in assignment.files.items():
            (folder / file).write_bytes(data)
        start = folder / "_start.py"
        start.write_text(
            _START.format(folder=name, file=assignment.spec.file, seed=seed, deck=order, path=str(path)),
            encoding="utf-8",
        )
        subprocess.run([sys.executable, "-X", "utf8", "-B", str(start)], cwd=folder, check=False)


def _order(path: Path) -> tuple[str, ...]:
    """The cards of a session's header, or of a plain text."""
    text = path.read_text(encoding="utf-8")
    header = re.search(r"^deck:(.*)$", text.partition("\n---")[0], re.MULTILINE)
    try:
        return deck_of((header[1] if header else text).strip())
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None
