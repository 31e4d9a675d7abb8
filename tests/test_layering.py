"""Imports point down. A module may import from its own room and from rooms below it, never from above."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "harness"

ROOMS = (
    ("__main__",),
    ("cli",),
    ("batch", "verify", "play", "audit", "pack", "players", "shrink"),
    ("banking",),
    ("workshop",),
    ("pipeline",),
    ("evidence",),
    ("export",),
    ("report",),
    ("store",),
    ("record",),
    ("score",),
    ("verdict",),
    ("compare",),
    ("rules",),
    ("observe",),
    ("sandbox",),
    ("standin",),
    ("plan",),
    ("assignment",),
    ("bank", "intake"),
    ("schema",),
    ("submission", "rubric", "stub"),
    ("spec",),
    ("policy", "session"),
    ("yamlfile",),
    ("observation",),
    ("values", "outcome", "errors", "__init__"),
)
LEVEL = {room: len(ROOMS) - index for index, rooms in enumerate(ROOMS) for room in rooms}


def room_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (
                [f"harness.{alias.name}" for alias in node.names] if node.module == "harness" else [node.module]
            )


def turned_round(path: Path, root: Path) -> list[str]:
    """The imports of one file that point up."""
    own = path.relative_to(root).parts[0].removesuffix(".py")
    found = []
    for name in imports(path):
        if name.startswith("harness.") and name != "harness.__version__":
            other = room_of(name)
            if other != own and LEVEL[other] >= LEVEL[own]:
                found.append(f"{path.relative_to(root)} imports {name}")
    return found


FILES = sorted(path for path in PACKAGE.rglob("*.py") if "assignments" not in path.relative_to(PACKAGE).parts)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    assert turned_round(path, PACKAGE) == []


def test_an_import_that_is_turned_round_is_seen(tmp_path: Path) -> None:
    (tmp_path / "spec.py").write_text("from harness.score import score\n", encoding="utf-8")
    (tmp_path / "score.py").write_text("from harness.spec import Spec\n", encoding="utf-8")
    assert turned_round(tmp_path / "spec.py", tmp_path) == ["spec.py imports harness.score"]
    assert turned_round(tmp_path / "score.py", tmp_path) == []


ALLOWED = {
    "click": ("cli",),
    "yaml": ("yamlfile",),
    "rich": ("cli", "report"),
    "jinja2": ("report",),
    "hypothesis": ("banking", "audit", "shrink"),
}


@pytest.mark.parametrize("library", sorted(ALLOWED))
def test_a_library_stays_in_its_room(library: str) -> None:
    outside = [
        path.relative_to(PACKAGE).as_posix()
        for path in FILES
        if any(name.partition(".")[0] == library for name in imports(path))
        and path.relative_to(PACKAGE).parts[0].removesuffix(".py") not in ALLOWED[library]
    ]
    assert outside == []


def test_no_module_names_an_assignment() -> None:
    slugs = [path.stem for path in (PACKAGE.parent / "specs").glob("*.yaml")]
    assert slugs
    named = [f"{path.name}: {slug}" for path in FILES for slug in slugs if slug in path.read_text(encoding="utf-8")]
    assert named == []
