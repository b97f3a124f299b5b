"""Cut-offs: the last instant at which something may still be done, counted back from a booking's start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from agentbench_tasks.commons.service_time import add_days, service_instant, service_time

CutoffKind = Literal["hours_before", "days_before_at", "business_days_before_at", "day_start"]
OpenDay = Callable[[str], bool]
"""Whether a venue is open on an ISO date."""
_LONGEST_CLOSURE = 366


class CutoffRule(msgspec.Struct, frozen=True, gc=False):
    """A cut-off as a page prints it. A notice at the instant itself is in time.

    Kinds:
        hours_before: `n` clock hours before the start; 24 times as many for the same minute n days before.
        days_before_at: `n` days before the day of the booking, at `at`.
        business_days_before_at: the n-th day before it on which the venue is open, at `at`.
        day_start: as the day begins that is `n` days before it.
    """

    kind: CutoffKind
    n: int
    at: str = ""

    def instant(self, start: int, zone: str, is_open: OpenDay) -> int:
        """Return the cut-off for a booking that starts at `start`.

        Days are counted from the day of the service, to which a time after midnight belongs.
        """
        if self.kind == "hours_before":
            return start - self.n * 3600
        day = service_time(start, zone).service_date
        if self.kind == "business_days_before_at":
            return service_instant(open_day_before(day, self.n, is_open), self.at, zone)
        clock = self.at if self.kind == "days_before_at" else "00:00"
        return service_instant(add_days(day, -self.n), clock, zone)


def open_day_before(day: str, n: int, is_open: OpenDay) -> str:
    """Return the n-th open day before a day, which is not counted itself."""
    closed_run = 0
    while n:
        day = add_days(day, -1)
        if is_open(day):
            n, closed_run = n - 1, 0
        elif (closed_run := closed_run + 1) > _LONGEST_CLOSURE:
            raise ValueError(f"no open day within {_LONGEST_CLOSURE} days of {day}")
    return day


def moved_to_open_day(day: str, is_open: OpenDay) -> str:
    """Return the day itself if the venue is open on it, else the open day before."""
    return day if is_open(day) else open_day_before(day, 1, is_open)
