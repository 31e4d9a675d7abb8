"""JUnit XML as pytest and Jenkins write and read it: a suite per submission, a case per line or part of the rubric.

Lost points are a failure, a fault of ours is an error, and what was not counted or waits for a person is skipped. The
schema allows properties only in the suite, so the points stand there.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

from harness.report.model import Report
from harness.report.sheet import Line, Sheet
from harness.report.terminal import explanation

_KINDS = {"failed": "failure", "partly": "failure", "internal": "error", "skipped": "skipped", "pending": "skipped"}


def render(report: Report) -> dict[str, bytes]:
    """`junit.xml`."""
    suites = [_suite(report, sheet) for sheet in report.sheets]
    root = ET.Element("testsuites", {"name": report.slug, **_sums(suites)})
    root.extend(suites)
    ET.indent(root)
    return {"junit.xml": ET.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"}


def _sums(suites: list[ET.Element]) -> dict[str, str]:
    return {name: str(sum(int(suite.attrib[name]) for suite in suites)) for name in ("tests", "failures", "errors")}


def _suite(report: Report, sheet: Sheet) -> ET.Element:
    leaves = [(f"{line.id}.{leaf.id}" if line.parts else line.id, leaf) for line in sheet.lines for leaf in line.leaves]
    kinds = [_KINDS.get(leaf.state, "") for _, leaf in leaves]
    counts = {"tests": len(leaves), "failures": kinds.count("failure"), "errors": kinds.count("error"),
              "skipped": kinds.count("skipped")}  # fmt: skip
    suite = ET.Element("testsuite", {"name": sheet.label, **{name: str(count) for name, count in counts.items()}})
    properties = ET.SubElement(suite, "properties")
    _property(properties, "total", f"{'?' if sheet.total is None else _number(sheet.total)}/{_number(sheet.max)}")
    for name, leaf in leaves:
        _property(
            properties, f"points.{name}", f"{'?' if leaf.points is None else _number(leaf.points)}/{_number(leaf.max)}"
        )
    for name, leaf in leaves:
        _case(suite, f"{report.slug}.{sheet.label}", name, leaf, sheet)
    return suite


def _property(properties: ET.Element, name: str, value: str) -> None:
    ET.SubElement(properties, "property", {"name": name, "value": value})


def _case(suite: ET.Element, group: str, name: str, leaf: Line, sheet: Sheet) -> None:
    case = ET.SubElement(suite, "testcase", {"name": name, "classname": group, "time": "0"})
    kind = _KINDS.get(leaf.state)
    if kind is not None:
        said = leaf.summary or leaf.outcome.replace("_", " ")
        ET.SubElement(case, kind, {"type": leaf.outcome, "message": said}).text = explanation(leaf, sheet) or said


def _number(points: float) -> str:
    return f"{points:.6f}".rstrip("0").rstrip(".")
