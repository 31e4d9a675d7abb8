"""The schemas that editors use are the records', and every YAML file names its own."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from harness.assignment import own_tree
from harness.rubric import Rubric
from harness.schema import DOCUMENTED, schema, with_tables
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


def test_every_key_of_spec_and_rubric_is_documented() -> None:
    page = (ROOT / "docs" / "assignments.md").read_text(encoding="utf-8")
    assert with_tables(page) == page, "run: python -m harness.schema"


def test_the_documented_records_are_all_there_are() -> None:
    named = {kind.__name__ for kind in DOCUMENTED}
    for name, (kind, _) in KINDS.items():
        assert set(json.loads(schema(kind, name))["$defs"]) <= named
