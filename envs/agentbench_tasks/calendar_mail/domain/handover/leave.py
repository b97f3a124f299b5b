"""Leaves of a market, found by arithmetic over its working days, and the absence that follows from each."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

import msgspec

from agentbench_env.market.calendars import Calendar, working_days
from agentbench_tasks.calendar_mail.domain.market import office_hours, office_market
from agentbench_tasks.commons.contacts import Week
from agentbench_tasks.commons.events import When

FIRST_START, LAST_RETURN = date(2026, 2, 16), date(2026, 12, 30)
LONGEST = 4
"""The most working days that a leave takes."""
_DAY = timedelta(1)
_SATURDAY = 6


class Leave(msgspec.Struct, frozen=True, gc=False):
    """A leave as the personnel office grants it: every working day from `first` to `last`."""

    first: date
    last: date
    half: bool = False
    """Whether only the afternoon of the first day is taken."""

    def back(self, calendar: Calendar) -> date:
        """The day of return."""
        return calendar.add_open(self.last, 1)

    def full_days(self, calendar: Calendar) -> tuple[date, date]:
        """The first and last of the days that are taken as a whole."""
        return (calendar.add_open(self.first, 1) if self.half else self.first), self.last


class Absence(msgspec.Struct, frozen=True, gc=False):
    """When an automatic reply runs, and the day of return."""

    start: When
    end: When
    back: date


def absence_of(leave: Leave, calendar: Calendar, working: Week, half_day: str, zone: str) -> Absence:
    """Return the absence that a leave makes, by the house rule: first period missed to start of work on return."""
    back = leave.back(calendar)
    begins = half_day if leave.half else work_begins(working, leave.first)
    return Absence(
        When(f"{leave.first}T{begins}", zone), When(f"{back}T{work_begins(working, back)}", zone), back
    )  # fmt: skip


def work_begins(working: Week, day: date) -> str:
    """Return when work begins on a working day."""
    return next(hours.spans[0][0] for hours in working if hours.weekday == day.isoweekday())


def work_ends(working: Week, day: date) -> str:
    """Return when work ends on a working day."""
    return next(hours.spans[-1][1] for hours in working if hours.weekday == day.isoweekday())


@cache
def leaves(market: str, *, tail: bool, half: bool) -> tuple[Leave, ...]:
    """Return every leave of the year that suits, in order; all days that decide about it are settled.

    Args:
        market: the code of the market.
        tail: whether public holidays lie between the last day of leave and the return; if not, none is near.
        half: whether the leave begins with an afternoon. Then at least one whole day follows.
    """
    calendar, found = working_days(market), list[Leave]()
    day = FIRST_START
    while day < LAST_RETURN:
        if calendar.is_open(day):
            for length in range(2 if half else 1, LONGEST + 1):
                leave = Leave(day, calendar.add_open(day, length - 1), half)
                if _suits(leave, calendar, market, tail=tail):
                    found.append(leave)
        day += _DAY
    return tuple(found)


def _suits(leave: Leave, calendar: Calendar, market: str, *, tail: bool) -> bool:
    back = leave.back(calendar)
    if back > LAST_RETURN or not all(map(calendar.is_settled, _days(leave.first, back + 7 * _DAY))):
        return False
    if leave.half and _is_short(leave.first, market):
        return False
    if tail:
        return any(_is_holiday(day, calendar) for day in _days(leave.last, back))
    return not any(_is_holiday(day, calendar) for day in _days(leave.first, back + 2 * _DAY))


def _is_short(day: date, market: str) -> bool:
    """Whether work ends before an afternoon off would begin."""
    return work_ends(office_hours(market).working, day) <= office_market(market).absence.pm_half_day


def _is_holiday(day: date, calendar: Calendar) -> bool:
    return day.isoweekday() < _SATURDAY and not calendar.is_open(day)


def _days(first: date, last: date) -> list[date]:
    return [first + n * _DAY for n in range((last - first).days + 1)]
