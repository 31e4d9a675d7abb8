"""Times as learning systems write them, whatever the language of this machine."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from harness.errors import UsageError

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[ T_](\d\d)[-:.h]?(\d\d)(?:[-:.]?(\d\d))?(?:\.\d+)?\s*(Z|UTC|[+-]\d\d:?\d\d)?", re.ASCII
)
_MONTH_FIRST = re.compile(r"([A-Za-z]{3,9})\.? (\d{1,2}), (\d{4}) (\d{1,2}):?(\d\d) ?([AP])M", re.ASCII | re.IGNORECASE)
_DAY_FIRST = re.compile(
    r"(?:[A-Za-z]+, )?(\d{1,2}) ([A-Za-z]{3,9}) (\d{4}),? (\d{1,2}):(\d\d)(?: ?([AP])M)?", re.ASCII | re.IGNORECASE
)


def zone_named(name: str | None) -> ZoneInfo | None:
    """The time zone of that name, or a complaint."""
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UsageError(f"{name!r} is not a time zone; for example: America/Detroit") from None


def iso_time(text: str) -> datetime | None:
    """`2022-11-30 23:59`, with seconds, fractions and an offset if there are any."""
    found = _ISO.fullmatch(text.strip())
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    try:
        return datetime(year, month, day, hour, minute, second, tzinfo=_offset(found[7]))
    except ValueError:
        return None


def _offset(text: str | None) -> timezone | None:
    if text is None:
        return None
    if text in ("Z", "UTC"):
        return timezone.utc
    sign = -1 if text[0] == "-" else 1
    return timezone(sign * timedelta(hours=int(text[1:3]), minutes=int(text[-2:])))


def month_first(text: str) -> datetime | None:
    """`Nov 30, 2022 1159 PM`."""
    found = _MONTH_FIRST.fullmatch(text.strip())
    if found is None:
        return None
    month, day, year, hour, minute, half = found.groups()
    return _made(year, month, day, hour, minute, half)


def day_first(text: str) -> datetime | None:
    """`Wednesday, 30 November 2022, 11:59 PM`."""
    found = _DAY_FIRST.fullmatch(text.strip())
    if found is None:
        return None
    day, month, year, hour, minute, half = found.groups()
    return _made(year, month, day, hour, minute, half)


def _made(year: str, month: str, day: str, hour: str, minute: str, half: str | None) -> datetime | None:
    if month[:3].lower() not in _MONTHS:
        return None
    hours = int(hour)
    if half is not None:
        if not 1 <= hours <= 12:
            return None
        hours = hours % 12 + (12 if half.upper() == "P" else 0)
    try:
        return datetime(int(year), _MONTHS.index(month[:3].lower()) + 1, int(day), hours, int(minute))  # noqa: DTZ001 - the system wrote no zone
    except ValueError:
        return None


def in_zone(moment: datetime | None, zone: ZoneInfo | None) -> datetime | None:
    """The moment with a zone: its own, else the one given; None if there is neither."""
    if moment is None or moment.tzinfo is not None:
        return moment
    return None if zone is None else moment.replace(tzinfo=zone)


def said(moment: datetime) -> str:
    """A moment as it stands in a note."""
    return f"{moment:%Y-%m-%d %H:%M} {moment.tzname() or ''}".strip()
