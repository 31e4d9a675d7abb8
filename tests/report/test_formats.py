"""Markdown, JSON, JUnit, Gradescope and GitHub; and that every format counts everybody."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt

from harness.errors import UsageError
from harness.record import Json
from harness.report import FORMATS, Report, for_student, render
from harness.report.github import SUMMARY_BYTES
from tests.report import samples
from tests.report.strategies import classes, records

ROOT = Path(__file__).resolve().parent.parent.parent
STAFF = Report(samples.TITLE, samples.SLUG, samples.special())
STUDENTS = Report(samples.TITLE, samples.SLUG, samples.special(), audience="student")
SCHEMA = json.loads((ROOT / "docs" / "schema" / "record.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
Golden = Callable[[str, str], None]


def text_of(name: str, report: Report, file: str) -> str:
    return render(name, report)[file].decode("utf-8")


def test_an_unknown_format_is_refused_with_the_list() -> None:
    with pytest.raises(UsageError, match="known: terminal, gradebook, html"):
        render("pdf", STAFF)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("report", [STAFF, STUDENTS, Report("T", "t", [])], ids=["staff", "students", "nobody"])
def test_every_format_renders_everything_twice_the_same(name: str, report: Report) -> None:
    files = render(name, report)
    assert files == render(name, report)
    assert all(re.fullmatch(r"(?:[a-z]+/)?[a-z0-9.-]+", file) for file in files)


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=15)
@given(class_=classes)
def test_every_format_takes_any_text(name: str, class_: list[Json]) -> None:
    for audience in ("staff", "student"):
        for content in render(name, Report("T", "t", class_, audience=audience)).values():
            assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202e\u200b]", content.decode("utf-8"))


def test_class_markdown(golden: Golden) -> None:
    golden("summary.md", text_of("markdown", STAFF, "summary.md"))


def test_student_markdown(golden: Golden) -> None:
    golden("student.md", text_of("markdown", STUDENTS, "students/eve-85262adf74.md"))


@given(records())
def test_no_markup_comes_out_of_a_students_text(record: Json) -> None:
    report = Report("T", "t", [record], audience="student")
    (content,) = render("markdown", report).values()
    tokens = MarkdownIt("commonmark").enable("table").parse(content.decode("utf-8"))
    kinds = {token.type for one in tokens for token in (one, *(one.children or []))}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "code_block"}
    assert len([token for token in tokens if token.type == "table_open"]) == 1


def test_json_holds_every_record_as_it_is() -> None:
    data = json.loads(text_of("json", STAFF, "results.json"))
    assert data["records"] == json.loads(json.dumps(STAFF.records))
    assert data["format"] == 1
    assert json.loads(text_of("json", STUDENTS, "results.json"))["records"] == [
        json.loads(json.dumps(for_student(record))) for record in STAFF.records
    ]


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@given(records())
def test_records_follow_the_schema(record: Json) -> None:
    VALIDATOR.validate(record)
    VALIDATOR.validate(for_student(record))


@pytest.mark.parametrize("record", samples.special(), ids=lambda record: str(record["items"][0]["outcome"]))
def test_sample_records_follow_the_schema(record: Json) -> None:
    VALIDATOR.validate(record)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("format",), 2),
        (("total",), "12"),
        (("surprise",), 1),
        (("items", 0, "outcome"), "fine"),
        (("submission", "sha256"), "abc"),
        (("verdicts", 0), {"evidence": "x"}),
    ],
)
def test_the_schema_refuses_what_is_not_a_record(path: tuple[Any, ...], value: object) -> None:
    record = json.loads(json.dumps(samples.record("x")))
    place = record
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert not VALIDATOR.is_valid(record)


def test_the_documentation_names_every_field() -> None:
    text = (ROOT / "docs" / "report-format.md").read_text(encoding="utf-8")
    for name, definition in SCHEMA["$defs"].items():
        for field in definition.get("properties", ()):
            assert f"`{field}`" in text, f"{name}.{field} is not documented"
    for outcome in SCHEMA["$defs"]["outcome"]["enum"]:
        assert f"`{outcome}`" in text
    for name in FORMATS:
        assert f"| `{name}` |" in text


ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped"},
    "testcase": {"name", "classname", "time"},
    "property": {"name", "value"},
}
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase"},
    "properties": {"property"},
    "testcase": {"failure", "error", "skipped"},
}


def check_junit(content: bytes) -> ET.Element:
    """The shape of JUnit's XML, and counts that are right."""
    root = ET.fromstring(content)
    for element in root.iter():
        assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())
        assert set(element.attrib) == ATTRIBUTES.get(element.tag, set(element.attrib))
    for suite in root:
        cases = suite.findall("testcase")
        assert int(suite.attrib["tests"]) == len(cases)
        for count, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.attrib[count]) == len(suite.findall(f"testcase/{tag}"))
    return root


@settings(max_examples=40)
@given(classes)
def test_junit_parses_for_any_text(class_: list[Json]) -> None:
    root = check_junit(render("junit", Report("T", "t", class_))["junit.xml"])
    assert len(root) == len(class_)


def test_junit_follows_its_schema() -> None:
    xmlschema = pytest.importorskip("xmlschema")
    schema = xmlschema.XMLSchema(str(Path(__file__).with_name("junit-10.xsd")))
    content = render("junit", STAFF)["junit.xml"].decode("utf-8")
    schema.validate(content)
    assert not schema.is_valid(content.replace("<testcase ", "<test ").replace("</testcase>", "</test>"))


def test_junit_says_what_happened() -> None:
    suites = {suite.attrib["name"]: suite for suite in check_junit(render("junit", STAFF)["junit.xml"])}
    assert suites["ada"].attrib["failures"] == "0"
    assert [case.attrib["name"] for case in suites["bela"].findall("testcase[failure]")] == ["is_legal"]
    assert suites["oscar"].attrib["errors"] == "7"
    assert [case.attrib["name"] for case in suites["grace"].findall("testcase[skipped]")] == ["comments", "undo"]
    points = {one.attrib["name"]: one.attrib["value"] for one in suites["eve"].findall("properties/property")}
    assert points["total"] == "22/40"
    assert points["points.move.boolean"] == "0/3"
    failure = suites["bela"].find("testcase/failure")
    assert failure is not None
    assert "True     ≠ False" in (failure.text or "")


def results(record: Json) -> Json:
    data: Json = json.loads(render("gradescope", Report("T", "t", [record]))["results.json"])
    return data


def test_gradescope_of_a_class_is_a_file_each() -> None:
    assert len(render("gradescope", STAFF)) == len(STAFF.records)


@given(records())
def test_gradescope_adds_up(record: Json) -> None:
    data = results(record)
    assert {test["visibility"] for test in data["tests"]} <= {"hidden", "visible"}
    assert set(data) <= {"score", "output", "output_format", "test_output_format", "test_name_format", "visibility",
                         "stdout_visibility", "tests", "extra_data"}  # fmt: skip
    if "score" in data:
        assert data["score"] == record["total"]
        assert sum(test.get("score", 0) for test in data["tests"]) == record["points"]


def test_gradescope_gives_no_score_for_a_fault_of_ours() -> None:
    fault = next(record for record in samples.special() if "fault" in record)
    assert "score" not in results(fault)


@pytest.mark.parametrize(
    ("level", "visibility", "told"),
    [
        ("everything", "visible", True),
        ("message", "visible", False),
        ("outcome", "visible", False),
        ("nothing", "hidden", True),
    ],
)
def test_gradescope_visibility(level: str, visibility: str, *, told: bool) -> None:
    test = next(
        test for test in results(samples.record("x", samples.BLANKS, hidden=level))["tests"] if "Game 2" in test["name"]
    )
    assert test["visibility"] == visibility
    assert ("Thank·you" in test["output"]) is told
    assert ("only the blanks differ" in test["output"]) is (level != "outcome")


def test_github(golden: Golden) -> None:
    golden("annotations.txt", text_of("github", STUDENTS, "annotations.txt"))
    golden("annotations-staff.txt", text_of("github", STAFF, "annotations.txt"))


COMMAND = re.compile(r"::(?:error|warning|notice) (?:(?:file|line|title)=[^,:\r\n]*,?)+::[^\r\n]*")


@settings(max_examples=40)
@given(classes)
def test_every_annotation_is_one_command_of_ours(class_: list[Json]) -> None:
    for audience in ("staff", "student"):
        report = Report("T", "t", class_, audience=audience)
        lines = render("github", report)["annotations.txt"].decode("utf-8").split("\n")
        assert lines[-1] == ""
        assert all(COMMAND.fullmatch(line) for line in lines[:-1])


def test_a_summary_is_never_too_large_for_github() -> None:
    long = samples.fails("calls/deal", "x" * 3000)
    many = [samples.record(f"s{number}", long, name="n" * 500) for number in range(400)]
    for audience in ("staff", "student"):
        summary = render("github", Report("T", "t", many, audience=audience))["summary.md"]
        assert 0 < len(summary) <= SUMMARY_BYTES
