"""Several versions of one student's work: one is graded, and the record says which and why."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import UsageError
from harness.intake import take_in
from harness.intake.find import Wanted
from harness.intake.handin import HandIn
from harness.intake.items import gathered
from harness.intake.times import day_first, iso_time, month_first
from harness.intake.versions import RULES, Rule, Version, choose
from harness.outcome import Outcome
from harness.submission import Submission

WANTED = Wanted("proj10.py")
ZONE = "America/Detroit"
DUE = datetime(2022, 11, 30, 23, 59, tzinfo=ZoneInfo(ZONE))
TIMES = ("Nov 29, 2022 800 AM", "Nov 30, 2022 1159 PM", "Dec 1, 2022 1200 AM")


def d2l(folder: Path, *times: str, files: tuple[str, ...] = ("proj10.py",) * 9) -> None:
    for text, file in zip(times, files, strict=False):
        path = folder / f"1-2 - Ann Lee - {text}" / file
        path.parent.mkdir()
        path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("rule", "due", "taken", "why"),
    [
        (
            "last-on-time",
            DUE,
            1,
            "that of 2022-11-30 23:59 EST was graded: the last one on time (due 2022-11-30 23:59 EST).",
        ),
        ("last-on-time", None, 2, "that of 2022-12-01 00:00 EST was graded: the last one."),
        ("last", DUE, 2, "that of 2022-12-01 00:00 EST was graded: the last one, as told."),
        ("first", DUE, 0, "that of 2022-11-29 08:00 EST was graded: the first one, as told."),
    ],
)
def test_which_of_three_is_graded(rule: Rule, due: datetime | None, taken: int, why: str, tmp_path: Path) -> None:
    d2l(tmp_path, *TIMES)
    (one,) = take_in(tmp_path, WANTED, timezone=ZONE, versions=rule, due=due).submissions
    assert one.source == TIMES[taken].encode()
    assert one.notes == (f"3 versions were handed in; {why}",)


def test_if_none_is_on_time_the_last_is_taken(tmp_path: Path) -> None:
    d2l(tmp_path, "Dec 1, 2022 100 AM", "Dec 1, 2022 200 AM")
    (one,) = take_in(tmp_path, WANTED, timezone=ZONE, due=DUE).submissions
    assert one.source == b"Dec 1, 2022 200 AM"
    assert "the last one, for none was on time (due 2022-11-30 23:59 EST)" in one.notes[0]


def test_a_version_without_the_file_does_not_count(tmp_path: Path) -> None:
    d2l(tmp_path, *TIMES[:2], files=("proj10.py", "readme.txt"))
    (one,) = take_in(tmp_path, WANTED, timezone=ZONE, due=DUE).submissions
    assert one.source == TIMES[0].encode()
    assert one.notes[0].endswith("1 of the others has no proj10.py.")


def test_versions_are_ordered_by_time_and_not_by_name(tmp_path: Path) -> None:
    d2l(tmp_path, "Nov 9, 2022 900 PM", "Nov 10, 2022 900 AM", "Nov 9, 2022 1000 AM")
    (one,) = take_in(tmp_path, WANTED, timezone=ZONE).submissions
    assert one.source == b"Nov 10, 2022 900 AM"
    (one,) = take_in(tmp_path, WANTED).submissions
    assert one.source == b"Nov 10, 2022 900 AM", "an order needs no zone"


def test_two_at_the_same_moment_are_ambiguous() -> None:
    hand_ins = [HandIn("ann", gathered("x", ()), name, time=DUE) for name in ("a", "b")]
    chosen = choose([Version(one, Submission("ann", "proj10.py", source=b"x")) for one in hand_ins], "last", None)
    assert (chosen.outcome, chosen.source) == (Outcome.AMBIGUOUS, b"")
    assert "'a', 'b'" in chosen.problem


@pytest.mark.parametrize(
    "names",
    [
        ("attempt1", "attempt2", "attempt10"),
        ("1", "2", "10"),
        ("v1", "v2", "v10"),
        ("2022-11-09 10-00", "2022-11-30 09-00", "2022-12-01T08:00"),
    ],
)
def test_folders_named_like_versions_are_versions(names: tuple[str, ...], tmp_path: Path) -> None:
    for name in names:
        (tmp_path / "ann" / name).mkdir(parents=True)
        (tmp_path / "ann" / name / "proj10.py").write_text(name, encoding="utf-8")
    (one,) = take_in(tmp_path, WANTED, timezone=ZONE).submissions
    assert one.source.decode() == names[-1]
    assert one.notes[0].startswith("3 versions were handed in")


def test_other_folders_are_no_versions(tmp_path: Path) -> None:
    for name in ("part1", "part2"):
        (tmp_path / "ann" / name).mkdir(parents=True)
        (tmp_path / "ann" / name / "proj10.py").touch()
    (one,) = take_in(tmp_path, WANTED).submissions
    assert one.outcome is Outcome.AMBIGUOUS


def test_an_unknown_rule_and_a_due_time_without_zone_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not a rule for versions; did you mean `last`"):
        take_in(tmp_path, WANTED, versions="lst")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="has no time zone"):
        take_in(tmp_path, WANTED, due=datetime(2022, 1, 1))  # noqa: DTZ001 - that is the point


@given(
    st.lists(st.datetimes(datetime(2022, 11, 1), datetime(2022, 12, 30)), min_size=1, max_size=8, unique=True),  # noqa: DTZ001 - given a zone below
    st.sampled_from(RULES),
)
def test_the_choice_does_not_depend_on_the_order(times: list[datetime], rule: Rule) -> None:
    zoned = [time.replace(tzinfo=ZoneInfo("UTC")) for time in times]
    versions = [
        Version(
            HandIn("a", gathered("x", ()), str(time), time=time),
            Submission("a", "f", source=str(time).encode(), submitted_at=time),
        )
        for time in zoned
    ]
    chosen = choose(versions, rule, DUE)
    assert chosen == choose(versions[::-1], rule, DUE)
    punctual = [time for time in zoned if time <= DUE]
    expected = {"last": max(zoned), "first": min(zoned), "last-on-time": max(punctual or zoned)}[rule]
    assert chosen.submitted_at == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nov 30, 2022 1159 PM", "2022-11-30T23:59:00"),
        ("November 3, 2022 1200 AM", "2022-11-03T00:00:00"),
        ("Nov 30, 2022 1:05 AM", "2022-11-30T01:05:00"),
        ("Nov 31, 2022 1159 PM", None),
        ("Nov 30, 2022 1359 PM", None),
        ("Foo 30, 2022 1159 PM", None),
        ("Nov 30, 2022 1175 PM", None),
    ],
)
def test_brightspace_times(text: str, expected: str | None) -> None:
    found = month_first(text)
    assert (found.isoformat() if found else None) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wednesday, 30 November 2022, 11:59 PM", "2022-11-30T23:59:00"),
        ("30 Nov 2022, 23:59", "2022-11-30T23:59:00"),
        ("mercredi 30 novembre 2022", None),
        ("-", None),
    ],
)
def test_moodle_times(text: str, expected: str | None) -> None:
    found = day_first(text)
    assert (found.isoformat() if found else None) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2022-11-30 23:59", "2022-11-30T23:59:00"),
        ("2022-11-30T23-59-07", "2022-11-30T23:59:07"),
        ("2022-11-30 23:59:07.123456789 Z", "2022-11-30T23:59:07+00:00"),
        ("2022-11-30 23:59-05:00", "2022-11-30T23:59:00-05:00"),
        ("2022-11-30T23:59:00 +0530", "2022-11-30T23:59:00+05:30"),
        ("2022-02-30 10:00", None),
        ("2022-11-30", None),
        ("2022-11-30 23:59 +99:99", None),
    ],
)
def test_iso_times(text: str, expected: str | None) -> None:
    found = iso_time(text)
    assert (found.isoformat() if found else None) == expected
