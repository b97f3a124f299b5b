"""Times of a service that runs past midnight: the hours of its own day go on to 29:59."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import cache, lru_cache

import msgspec

from agentbench_env.errors import ToolError
from agentbench_env.zones import to_instant, to_local

NIGHT_ENDS = 6 * 60
"""Minutes after midnight until which a time belongs to the service of the day before."""
_CLOCK = re.compile(r"([0-2][0-9]):([0-5][0-9])(?::00)?")


class ServiceTime(msgspec.Struct, frozen=True, gc=False):
    """A time of the service of a day: "25:30" of a Friday is half past one on Saturday."""

    service_date: str
    time: str
    zone: str

    @property
    def instant(self) -> int:
        """The instant; another writing of the same time has the same."""
        return service_instant(self.service_date, self.time, self.zone)


@cache
def service_minutes(clock: str) -> int:
    """Return the minutes of a service time "HH:MM", hours 00 to 29; raise ValueError for anything else."""
    found = _CLOCK.fullmatch(clock)
    if not found:
        raise ValueError(f"service time is {clock!r}, not like 18:30 or 25:30")
    return int(found[1]) * 60 + int(found[2])


@lru_cache(maxsize=4096)
def service_clock(minutes: int) -> str:
    """Write minutes as a service time."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


@lru_cache(maxsize=8192)
def add_days(day: str, days: int) -> str:
    """Return the ISO date so many days later."""
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


def service_instant(service_date: str, clock: str, zone: str) -> int:
    """Return the instant of a service time."""
    days, minutes = divmod(service_minutes(clock), 24 * 60)
    return to_instant(f"{add_days(service_date, days)}T{service_clock(minutes)}", zone)


def service_time(instant: int, zone: str) -> ServiceTime:
    """Return the instant as a service time; before six in the morning the service of the day before is still on."""
    local = to_local(instant, zone)
    day, minutes = local[:10], service_minutes(local[11:])
    if minutes < NIGHT_ENDS:
        day, minutes = add_days(day, -1), minutes + 24 * 60
    return ServiceTime(day, service_clock(minutes), zone)


def read_service_clock(text: str, field: str) -> str:
    """Read an argument that is a service time; refuse the call otherwise."""
    try:
        return service_clock(service_minutes(text))
    except ValueError:
        raise ToolError("invalid_argument", field=field, hint="a service time HH:MM, hours 00 to 29") from None


def read_local(text: str, zone: str, field: str) -> int:
    """Read an argument that is a local time, whose hours may go on to 29; refuse the call otherwise."""
    try:
        day, clock = text.split("T")
        return service_instant(date.fromisoformat(day).isoformat(), clock, zone)
    except ValueError:
        raise ToolError("invalid_argument", field=field, hint="a local time, YYYY-MM-DDTHH:MM") from None
