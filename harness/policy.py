"""Due dates, late rules, early bonuses and extensions, as data; the time always comes from the submission."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from datetime import datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from harness.errors import Fault
from harness.yamlfile import Where, key

_FORM = "%Y-%m-%d %H:%M"
_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)


@dataclasses.dataclass(frozen=True)
class Late:
    """What lateness costs."""

    per: Literal["hour", "day"] = key("The unit of lateness that is charged.", example="hour")
    points: Fraction = key("Points taken for each unit.", default=Fraction(0), example="1", least=0)
    percent: Fraction = key(
        "Percent of the full marks taken for each unit.", default=Fraction(0), example="10", least=0
    )
    counted: Literal["full", "started"] = key(
        "Whether only full units count, or each one that has begun.", default="full", example="started"
    )
    most: Fraction | None = key("The most that lateness can cost, in points.", default=None, example="20", least=0)


@dataclasses.dataclass(frozen=True)
class Early:
    """What handing in early earns."""

    by: str = key("Handed in by this time, in the policy's time zone.", example='"2022-11-29 23:59"')
    points: Fraction = key("Points added.", example="2", least=0)


@dataclasses.dataclass(frozen=True)
class Policy:
    """When an assignment is due and what lateness costs."""

    due: str = key("The due time, in the policy's time zone.", example='"2022-11-30 23:59"')
    timezone: str = key("The time zone of all times of this policy.", example="America/Detroit")
    grace_minutes: int = key(
        "Minutes after the due time that are not counted as late.", default=0, example="10", least=0
    )
    late: Late | None = key("What lateness costs; without it lateness is told and costs nothing.", default=None)
    early: Early | None = key("What handing in early earns.", default=None)
    closes: str | None = key("Nothing is accepted after this time.", default=None, example='"2022-12-01 23:59"')
    late_days: int = key("Days of lateness that each student may use freely.", default=0, example="2", least=0)

    @classmethod
    def faults(cls, policy: Policy, where: Where, at: str = "policy") -> Iterator[Fault]:
        """What the types cannot say: times that are times, a zone that exists, an order that makes sense."""
        if not _zone_exists(policy.timezone):
            yield where.fault(
                f"{at}.timezone", f"{policy.timezone!r} is not a time zone", 'for example "America/Detroit"'
            )
            return
        named = {"due": policy.due, "closes": policy.closes, "early.by": policy.early.by if policy.early else None}
        for name, text in named.items():
            if text is not None and _moment(text, policy.timezone) is None:
                yield where.fault(f"{at}.{name}", f"{text!r} is not a time", 'write "2022-11-30 23:59"')
        if policy.closes and _moments_ordered(policy) is False:
            yield where.fault(f"{at}.closes", "the assignment closes before it is due", "use a time after `due`")

    @property
    def due_at(self) -> datetime:
        return _certain(self.due, self.timezone)

    @property
    def closes_at(self) -> datetime | None:
        return _certain(self.closes, self.timezone) if self.closes else None


@dataclasses.dataclass(frozen=True)
class Adjustment:
    """A change of the total that has nothing to do with the program, and the sentence that explains it."""

    kind: str
    points: Fraction
    sentence: str


@lru_cache(maxsize=64)
def _zone_exists(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def _moment(text: str, zone: str) -> datetime | None:
    try:
        return datetime.strptime(text, _FORM).replace(tzinfo=ZoneInfo(zone))
    except ValueError:
        return None


def _certain(text: str, zone: str) -> datetime:
    moment = _moment(text, zone)
    assert moment is not None, "checked when the policy was read"
    return moment


def _moments_ordered(policy: Policy) -> bool | None:
    due, closes = _moment(policy.due, policy.timezone), _moment(policy.closes or "", policy.timezone)
    return None if due is None or closes is None else closes >= due


def adjustments(
    policy: Policy | None,
    submitted_at: datetime | None,
    *,
    earned: Fraction,
    maximum: Fraction,
    extension: timedelta = timedelta(0),
) -> tuple[Adjustment, ...]:
    """What the time of the submission adds to or takes from the points it earned; never below zero."""
    if policy is None or submitted_at is None:
        return ()
    due = policy.due_at + extension
    if policy.closes_at is not None and submitted_at > policy.closes_at + extension:
        return (
            Adjustment(
                "closed", -earned, f"Handed in after the assignment closed ({_said(policy.closes_at + extension)})."
            ),
        )
    if submitted_at > due + timedelta(minutes=policy.grace_minutes):
        return _lateness(policy, submitted_at - due, earned, maximum)
    if policy.early is not None and submitted_at <= _certain(policy.early.by, policy.timezone):
        bonus = policy.early.points
        return (
            Adjustment(
                "early",
                bonus,
                f"Handed in early, by {_said(_certain(policy.early.by, policy.timezone))}: {_signed(bonus)}.",
            ),
        )
    return ()


def _lateness(policy: Policy, late_by: timedelta, earned: Fraction, maximum: Fraction) -> tuple[Adjustment, ...]:
    free = timedelta(days=policy.late_days)
    charged = max(late_by - free, timedelta(0))
    by = _lasting(late_by)
    if policy.late is None:
        return (Adjustment("late", Fraction(0), f"Handed in {by} late; this assignment takes no points for that."),)
    if not charged:
        return (Adjustment("late", Fraction(0), f"Handed in {by} late, within the {policy.late_days} free late days."),)
    unit = _HOUR if policy.late.per == "hour" else _DAY
    count = charged // unit if policy.late.counted == "full" else -(-charged // unit)
    cost = count * (policy.late.points + policy.late.percent * maximum / 100)
    if policy.late.most is not None:
        cost = min(cost, policy.late.most)
    cost = min(cost, earned)
    return (
        Adjustment(
            "late",
            -cost,
            f"Handed in {by} late: {count} {policy.late.per}{'' if count == 1 else 's'} charged, {_signed(-cost)}.",
        ),
    )


def _lasting(span: timedelta) -> str:
    minutes = int(span.total_seconds() // 60)
    days, rest = divmod(minutes, 24 * 60)
    hours, minutes = divmod(rest, 60)
    parts = [(days, "day"), (hours, "hour"), (minutes, "minute")]
    words = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in parts if count]
    return " ".join(words) or "less than a minute"


def _said(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} {moment.tzname()}"


def _signed(points: Fraction) -> str:
    number = f"{float(points):+g}" if points else "0"
    return f"{number} point{'' if abs(points) == 1 else 's'}"
