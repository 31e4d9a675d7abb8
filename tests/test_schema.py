"""The schemas that editors use are the records', and every YAML file names its own."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from harness.assignment import own_tree
from harness.rubric import Rubric
from harness.schema import schema
from harness.spec import Spec

ROOT = Path(__file__).resolve().parent.parent
KINDS = {"spec": (Spec, "specs"), "rubric": (Rubric, "rubrics")}


@pytest.mark.parametrize("name", sorted(KINDS))
def test_the_committed_schema_is_current(name: str) -> None:
    kind, _ = KINDS[name]
    text = (ROOT / "docs" / "schema" / f"{name}.schema.json").read_text(encoding="utf-8")
    assert text == schema(kind, name), "run: python -m harness.schema"


@pytest.mark.parametrize("name", sorted(KINDS))
@pytest.mark.parametrize("slug", own_tree().slugs)
def test_every_file_fits_its_schema_and_names_it(name: str, slug: str) -> None:
    path = ROOT / KINDS[name][1] / f"{slug}.yaml"
    text = path.read_text(encoding="utf-8")
    assert text.splitlines()[0] == f"# yaml-language-server: $schema=../docs/schema/{name}.schema.json"
    jsonschema.validate(
        yaml.safe_load(text), json.loads((ROOT / "docs" / "schema" / f"{name}.schema.json").read_text(encoding="utf-8"))
    )
