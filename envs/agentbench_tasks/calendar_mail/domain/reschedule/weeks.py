"""Which weeks a meeting can be moved into: those in which clocks and days off are as the traps of an instance want."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache

import msgspec

from agentbench_env.market import load_market
from agentbench_env.market.calendars import working_days
from agentbench_env.zones import offset_minutes, to_instant
from agentbench_tasks.calendar_mail.domain.abroad import place_of, places
from agentbench_tasks.calendar_mail.domain.market import office_hours
from agentbench_tasks.calendar_mail.domain.slots import shared, starts, week_spans
from agentbench_tasks.commons.contacts import Week

FIRST_MONDAY, LAST_MONDAY = date(2026, 2, 16), date(2026, 12, 7)
LEAST_STARTS = 4
"""How many half hours a working day has in which both sides can meet."""
LEAST_DAYS = 3
CALENDAR_TRAPS = ("dst_shift", "our_holiday", "their_holiday")
"""Traps that need a week of their own kind; an instance has one of them at most."""


class Target(msgspec.Struct, frozen=True):
    """A week to move into, and the place abroad that takes part.

    `bait` is the day on which one side does not work, or not for as long as on other days; None where none is needed.
    """

    place: str
    monday: date
    bait: date | None = None

    @property
    def days(self) -> tuple[date, ...]:
        """Monday to Friday."""
        return week_days(self.monday)


def week_days(monday: date) -> tuple[date, ...]:
    """Return Monday to Friday of a week."""
    return tuple(monday + timedelta(n) for n in range(5))


def longest_hours(place: str, day: date) -> Week:
    """Return the meeting hours of a place with those of its longest weekday on the weekday of `day`."""
    week = office_hours(place).meeting
    longest = max(week, key=lambda row: sum(int(end[:2]) - int(start[:2]) for start, end in row.spans))
    return (msgspec.structs.replace(longest, weekday=day.isoweekday()),)


def shift_s(place: str, earlier: date, later: date) -> int:
    """Return by how many seconds the clocks of a place abroad were moved between two days."""
    zone = place_of(place).zone
    before, after = (to_instant(f"{day.isoformat()}T12:00", zone) for day in (earlier, later))
    return (offset_minutes(zone, after) - offset_minutes(zone, before)) * 60


@lru_cache(maxsize=64)
def targets(home: str, trap: str) -> tuple[Target, ...]:
    """Return the weeks for a calendar trap, or those without clock changes for ""."""
    return tuple(_targets(home, trap))


def _targets(home: str, trap: str) -> Iterator[Target]:
    for place in places():
        monday = FIRST_MONDAY
        while monday <= LAST_MONDAY:
            before = week_days(monday - timedelta(7))
            moved = shift_s(place.code, before[1], monday) != 0
            if moved == (trap == "dst_shift") and _is_usable(home, place.code, monday):
                if trap in ("our_holiday", "their_holiday"):
                    baits = _baits(home, place.code, monday, trap == "our_holiday")
                    yield from (Target(place.code, monday, day) for day in baits)
                else:
                    yield Target(place.code, monday)
            monday += timedelta(7)


def _is_usable(home: str, place: str, monday: date) -> bool:
    days = (*week_days(monday - timedelta(7)), *week_days(monday))
    if not all(working_days(code).is_settled(day) for code in (home, place) for day in days):
        return False
    usable = [day for day in week_days(monday) if len(_half_hours(home, place, day)) >= LEAST_STARTS]
    return len(usable) >= LEAST_DAYS


def _half_hours(home: str, place: str, day: date) -> list[int]:
    days = [day + timedelta(n) for n in (-1, 0, 1)]
    ours = week_spans(office_hours(home).meeting, load_market(home).zone, home, [day])
    theirs = week_spans(office_hours(place).meeting, place_of(place).zone, place, days)
    return starts(shared(ours, theirs), 1_800)


def _baits(home: str, place: str, monday: date, ours: bool) -> list[date]:
    closing, other = (home, place) if ours else (place, home)
    short = load_market(home).short_days if ours else ()
    return [
        day
        for day in week_days(monday)
        if (not working_days(closing).is_open(day) or day.isoweekday() in short) and working_days(other).is_open(day)
    ]
