"""On which days a meeting can stand so that its new date is certain, and what makes that date hard to find."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache, reduce

import msgspec

from agentbench_env.market import load_market, market_codes
from agentbench_env.market.calendars import working_days
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.abroad import place_of
from agentbench_tasks.calendar_mail.domain.market import office_hours
from agentbench_tasks.calendar_mail.domain.slots import Span, holds, hours_on, shared

FIRST_DAY, LAST_DAY = date(2026, 2, 16), date(2026, 11, 27)
WEEK = timedelta(7)
SOON = timedelta(13)
"""A new date lies this many days ahead at most, before a meeting that is held every other week would come again."""
STEP = 30


class MeetingDay(msgspec.Struct, frozen=True):
    """A day for the meeting, and the day that the rule of the first common working day yields."""

    on: date
    offer_on: date
    chained: bool
    """Whether the same day of the next week is a day off for somebody."""
    crosses: bool
    """Whether the clocks of somebody change between the two days."""


def zone_of(place: str) -> str:
    """Return the zone of a market or a place abroad."""
    return load_market(place).zone if place in market_codes() else place_of(place).zone


@lru_cache(maxsize=512)
def meeting_days(home: str, places: tuple[str, ...]) -> tuple[MeetingDay, ...]:
    """Return every day on which people of these places all work and whose new date is settled everywhere."""
    calendars = [working_days(place) for place in (home, *places)]
    days = [FIRST_DAY + timedelta(number) for number in range((LAST_DAY + SOON - FIRST_DAY).days + 1)]
    unsettled = [day for day in days if not all(calendar.is_settled(day) for calendar in calendars)]

    def works(day: date) -> bool:
        return all(calendar.is_open(day) for calendar in calendars)

    def settled(first: date, last: date) -> bool:
        return not any(first <= day <= last for day in unsettled)

    found: list[MeetingDay] = []
    for number in range((LAST_DAY - FIRST_DAY).days + 1):
        day = FIRST_DAY + timedelta(number)
        offer = day + WEEK
        while not works(offer):
            offer += timedelta(1)
        if works(day) and offer - day <= SOON and settled(day, offer):
            found.append(MeetingDay(day, offer, offer != day + WEEK, crosses(home, places, day, offer)))
    return tuple(found)


def crosses(home: str, places: Sequence[str], first: date, last: date) -> bool:
    """Whether noon at home is another hour somewhere on the one day than on the other."""
    zone = zone_of(home)
    return any(_noon(first, zone, zone_of(place)) != _noon(last, zone, zone_of(place)) for place in places)


@lru_cache(maxsize=8192)
def _noon(day: date, zone: str, other: str) -> str:
    return to_local(to_instant(f"{day.isoformat()}T12:00", zone), other)[11:]


def clocks(home: str, places: Sequence[str], days: Sequence[date], minutes: int) -> list[str]:
    """Return the local times at home at which people of all places can meet on all of the days."""
    zone = zone_of(home)
    common = {
        day.isoformat(): reduce(shared, (_hours(place, day) for place in (home, *places)))
        for day in days
    }  # fmt: skip
    return [
        clock
        for clock in (f"{tick // 60:02}:{tick % 60:02}" for tick in range(8 * 60, 19 * 60, STEP))
        if all(
            holds(spans, start := to_instant(f"{day}T{clock}", zone), start + minutes * 60)
            for day, spans in common.items()
        )
    ]


def _hours(place: str, day: date) -> Sequence[Span]:
    return hours_on(office_hours(place).meeting, day, zone_of(place))
