"""Feedback files named for the systems that take them back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from harness.errors import UsageError
from harness.record import Json
from harness.report import Report
from harness.report.bundle import make_bundle
from tests.report import samples
from tests.report.strategies import classes


def named(layout: str, submission_id: str, origin: str = "", name: str = "") -> list[str]:
    report = Report("T", "t", [samples.record(submission_id, name=name)])
    return list(make_bundle(report, layout, {submission_id: origin} if origin else {}).files)


@pytest.mark.parametrize(
    ("layout", "submission_id", "origin", "name", "file"),
    [
        ("plain", "alice", "", "", "alice-2bd806c97f.html"),
        ("moodle", "123", "", "Jane Doe", "Jane Doe_123_assignsubmission_file_feedback.html"),
        ("moodle", "123", "", "", "Participant_123_assignsubmission_file_feedback.html"),
        ("moodle", "123", "", "a/../b", "a-..-b_123_assignsubmission_file_feedback.html"),
        ("moodle", "jdoe", "Jane Doe_77_assignsubmission_file", "J", "Jane Doe_77_assignsubmission_file_feedback.html"),
        ("moodle", "9", "Jo_9_assignsubmission_file_proj10.py", "", "Jo_9_assignsubmission_file_feedback.html"),
        ("canvas", "991", "doejane_991_4242_proj10.py", "doejane", "doejane_991_4242_proj10.html"),
        ("canvas", "991", "doejane_LATE_991_4242_proj10-1.py", "", "doejane_LATE_991_4242_proj10-1.html"),
    ],
)
def test_the_name_is_one_that_the_system_knows(
    layout: str, submission_id: str, origin: str, name: str, file: str
) -> None:
    assert named(layout, submission_id, origin, name) == [file]


@pytest.mark.parametrize(("layout", "submission_id"), [("moodle", "jdoe"), ("canvas", "991"), ("canvas", "jdoe")])
def test_no_name_is_guessed(layout: str, submission_id: str) -> None:
    bundle = make_bundle(Report("T", "t", [samples.record(submission_id)]), layout)
    assert not bundle.files
    assert bundle.unnamed == (submission_id,)


def test_an_unknown_layout_is_refused() -> None:
    with pytest.raises(UsageError, match="known: plain, moodle, canvas"):
        make_bundle(Report("T", "t", []), "blackboard")


@settings(max_examples=40)
@given(classes)
def test_everybody_has_a_file_or_is_listed(class_: list[Json]) -> None:
    for layout in ("plain", "moodle", "canvas"):
        bundle = make_bundle(Report("T", "t", class_), layout)
        assert len(bundle.files) + len(bundle.unnamed) == len(class_)
        assert not any("/" in name or "\\" in name or "\n" in name for name in bundle.files)
