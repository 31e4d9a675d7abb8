"""Late rules are data; the time comes from the submission."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from fractions import Fraction

import pytest

from harness.policy import Early, Late, Policy, adjustments

POLICY = Policy(
    due="2022-11-30 23:59",
    timezone="America/Detroit",
    late=Late(per="hour", points=Fraction(1)),
    early=Early(by="2022-11-29 23:59", points=Fraction(2)),
    closes="2022-12-01 23:59",
)


def change(policy: Policy, local: str, earned: int = 50, extension: timedelta = timedelta(0)) -> tuple[Fraction, str]:
    offset = timezone(timedelta(hours=-5))
    moment = datetime.strptime(local, "%Y-%m-%d %H:%M").replace(tzinfo=offset)
    found = adjustments(policy, moment, earned=Fraction(earned), maximum=Fraction(55), extension=extension)
    return (found[0].points, found[0].sentence) if found else (Fraction(0), "")


@pytest.mark.parametrize(
    ("local", "points"),
    [
        ("2022-11-29 23:59", 2),
        ("2022-11-30 00:00", 0),
        ("2022-11-30 23:59", 0),
        ("2022-12-01 00:30", 0),
        ("2022-12-01 00:59", -1),
        ("2022-12-01 12:59", -13),
        ("2022-12-01 23:59", -24),
        ("2022-12-02 00:00", -50),
    ],
)
def test_a_point_an_hour_two_for_a_day_early_and_nothing_after_the_close(local: str, points: int) -> None:
    assert change(POLICY, local)[0] == points


def test_lateness_never_takes_more_than_was_earned() -> None:
    assert change(POLICY, "2022-12-01 20:59", earned=3)[0] == -3


def test_an_extension_moves_due_and_close() -> None:
    assert change(POLICY, "2022-12-01 23:00", extension=timedelta(days=1))[0] == 0
    assert change(POLICY, "2022-12-02 23:59", extension=timedelta(days=1))[0] == -24


def test_started_units_percent_and_most() -> None:
    policy = Policy(
        "2022-11-30 23:59",
        "America/Detroit",
        late=Late(per="day", percent=Fraction(10), counted="started", most=Fraction(8)),
    )
    assert change(policy, "2022-12-01 00:30")[0] == Fraction(-11, 2)
    assert change(policy, "2022-12-03 00:30")[0] == -8


def test_grace_and_free_late_days() -> None:
    policy = Policy(
        "2022-11-30 23:59",
        "America/Detroit",
        grace_minutes=10,
        late=Late(per="day", points=Fraction(5), counted="started"),
        late_days=1,
    )
    assert change(policy, "2022-12-01 00:08")[0] == 0
    assert change(policy, "2022-12-01 20:00")[0] == 0
    assert change(policy, "2022-12-02 20:00")[0] == -5


def test_the_sentence_says_how_late_and_what_it_cost() -> None:
    assert change(POLICY, "2022-12-01 03:04")[1] == "Handed in 3 hours 5 minutes late: 3 hours charged, -3 points."


def test_without_a_time_nothing_changes() -> None:
    assert adjustments(POLICY, None, earned=Fraction(50), maximum=Fraction(55)) == ()
