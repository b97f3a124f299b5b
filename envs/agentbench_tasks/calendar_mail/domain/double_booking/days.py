"""On which days two meetings can clash, so that clocks and days off after it are as the traps of an instance want."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

import msgspec

from agentbench_env.market import load_market
from agentbench_env.market.calendars import working_days
from agentbench_env.zones import offset_minutes, to_instant, to_local
from agentbench_tasks.calendar_mail.domain.abroad import place_of, places
from agentbench_tasks.calendar_mail.domain.market import office_hours
from agentbench_tasks.calendar_mail.domain.slots import GRID_S, Span, shared, starts, week_spans

FIRST, LAST = date(2026, 2, 17), date(2026, 12, 4)
ALLOWED = 3
"""Within how many working days a moved meeting has to take place."""
LEAST_STARTS = 4
"""How many half hours a day has in which people here and abroad can meet; one of the days allowed may have fewer."""
Kind = Literal["plain", "home_holiday", "holiday_abroad", "clock_change"]


class Clash(msgspec.Struct, frozen=True):
    """A day on which two meetings clash, the days on which the moved one may take place, and a day off between."""

    on: date
    days: tuple[date, ...]
    place: str
    """The place abroad where somebody takes part, "" if nobody has to."""
    bait: date | None
    """The day that somebody has off although it looks like one of the days allowed."""


@lru_cache(maxsize=64)
def clashes_of(home: str, kind: Kind) -> tuple[Clash, ...]:
    """Return every day that will do."""
    return tuple(_clashes(home, kind))


def shift_s(place: str, earlier: date, later: date) -> int:
    """Return by how many seconds the clocks of a place abroad are moved between two days."""
    zone = place_of(place).zone
    before, after = (to_instant(f"{day.isoformat()}T12:00", zone) for day in (earlier, later))
    return (offset_minutes(zone, after) - offset_minutes(zone, before)) * 60


def stale(spans: Sequence[Span], place: str, on: date) -> list[Span]:
    """Return hours of a place abroad as they look on clocks that are still read as on an earlier day."""
    zone = place_of(place).zone
    ahead = [shift_s(place, on, date.fromisoformat(to_local(start, zone)[:10])) for start, _ in spans]
    return [(start + by, end + by) for (start, end), by in zip(spans, ahead, strict=True)]


def _clashes(home: str, kind: Kind) -> Iterator[Clash]:
    ours, on = working_days(home), FIRST
    while on <= LAST:
        days = tuple(ours.add_open(on, n) for n in range(1, ALLOWED + 1))
        if ours.is_open(on) and _is_plain_day(home, on):
            between = [on + timedelta(n) for n in range((days[-1] - on).days + 1)]
            off = [day for day in between if day.isoweekday() < 6 and not ours.is_open(day)]
            if all(ours.is_settled(day) for day in between) and bool(off) == (kind == "home_holiday"):
                yield from _with_places(home, kind, on, days, off)
        on += timedelta(1)


def _is_plain_day(home: str, day: date) -> bool:
    """Whether people meet as long on that day as on most."""
    return day.isoweekday() not in load_market(home).short_days


def _with_places(home: str, kind: Kind, on: date, days: tuple[date, ...], off: list[date]) -> Iterator[Clash]:
    if kind in ("plain", "home_holiday"):
        yield Clash(on, days, "", off[0] if off else None)
        return
    for place in places():
        theirs = working_days(place.code)
        changed = shift_s(place.code, on, days[-1]) != 0
        closed = [day for day in days if not theirs.is_open(day)]
        if not theirs.is_open(on) or not all(theirs.is_settled(day) for day in days):
            continue
        if changed != (kind == "clock_change") or len(closed) not in ((1,) if kind == "holiday_abroad" else (0, 1)):
            continue
        usable = [day for day in (on, *days) if len(_half_hours(home, place.code, day)) >= LEAST_STARTS]
        if kind == "clock_change" and not any(_misread(home, place.code, on, day) for day in days):
            continue
        if on in usable and len(usable) > ALLOWED - 1:
            yield Clash(on, days, place.code, closed[0] if closed else None)


def _half_hours(home: str, place: str, day: date, read_on: date | None = None) -> list[int]:
    """When people here and abroad can meet on a day, or seem to if clocks abroad are read as on an earlier day."""
    near = [day + timedelta(n) for n in (-1, 0, 1)]
    ours = week_spans(office_hours(home).meeting, load_market(home).zone, home, [day])
    theirs = week_spans(office_hours(place).meeting, place_of(place).zone, place, near)
    return starts(shared(ours, stale(theirs, place, read_on) if read_on else theirs), GRID_S)


def _misread(home: str, place: str, on: date, day: date) -> bool:
    """Whether by the clocks of an earlier day people seem to be able to meet when they cannot."""
    return not set(_half_hours(home, place, day, on)) <= set(_half_hours(home, place, day))
