"""What was agreed: a time of day in the organiser's city, once or weekly, drawn so that it shows what a plot needs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market.calendars import working_days
from agentbench_env.task import Setting
from agentbench_env.zones import offset_minutes, to_instant, to_local, zone_row
from agentbench_tasks.calendar_mail.domain.abroad import place_of
from agentbench_tasks.calendar_mail.domain.invite_audit.plot import Plot
from agentbench_tasks.commons.attempts import NoFit

FIRST_DAY, LAST_DAY = date(2026, 2, 2), date(2026, 12, 7)
LAST_IN_WORLD = "2026-12-31"
EARLIEST, LATEST = "06:00", "23:00"
"""Between these times the meeting begins for the user."""
AHEAD = (3, 24)
"""How many days ahead the meeting lies."""
MOST_TRIES = 4_000
_DAY_WALLS = [f"{half // 2:02}:{half % 2 * 30:02}" for half in range(15, 41)]
_EVENING_WALLS = [f"{half // 2:02}:{half % 2 * 30:02}" for half in range(34, 46)]


class Agreement(msgspec.Struct, frozen=True):
    """A time of day in a zone, from a first day on."""

    zone: str
    local: str
    """The first start, as the clocks of the zone show it."""
    weeks: int
    minutes: int

    @property
    def starts(self) -> tuple[int, ...]:
        """The instants at which the meeting starts."""
        first = date.fromisoformat(self.local[:10])
        days = ((first + timedelta(7 * week)).isoformat() for week in range(self.weeks))
        return tuple(to_instant(f"{day}{self.local[10:]}", self.zone) for day in days)

    @property
    def start(self) -> int:
        """The first instant."""
        return to_instant(self.local, self.zone)

    @property
    def crosses(self) -> bool:
        """Whether the clocks change during the series."""
        starts = self.starts
        return offset_minutes(self.zone, starts[0]) != offset_minutes(self.zone, starts[-1])


class Setup(msgspec.Struct, frozen=True):
    """When the user asks, what was agreed, and an earlier time that the organiser recalls."""

    now: int
    agreed: Agreement
    example: int
    """The instant of an earlier call at the same time of day in the other season, 0 if there was none."""


def draw_setup(draw: Draw, setting: Setting, plot: Plot) -> Setup:
    """Draw the times of a plot; raise NoFit if none of many draws shows what it needs."""
    for _ in range(MOST_TRIES):
        setup = _attempt(draw, setting, plot)
        if setup is not None:
            return setup
    raise NoFit


def _attempt(draw: Draw, setting: Setting, plot: Plot) -> Setup | None:
    market = setting.market
    here, open_here = market.zone, working_days(market.code)
    there = place_of(plot.place).zone if plot.place else here
    today = draw.day(FIRST_DAY, LAST_DAY)
    if not (open_here.is_open(today) and open_here.is_settled(today)):
        return None
    day = today + timedelta(draw.int(*AHEAD))
    wall = draw.choice(_EVENING_WALLS if "date_shift" in plot.kinds else _DAY_WALLS)
    agreed = Agreement(there, f"{day.isoformat()}T{wall}", plot.weeks, draw.choice((30, 60, 90)))
    open_there = working_days(plot.place or market.code)
    local = to_local(agreed.start, here)
    local_day = date.fromisoformat(local[:10])
    if not (open_here.is_open(local_day) and open_here.is_settled(local_day) and open_there.is_open(day)):
        return None
    if not all(EARLIEST <= to_local(start, here)[11:] <= LATEST for start in agreed.starts):
        return None
    if to_local(agreed.starts[-1], here) > LAST_IN_WORLD or agreed.crosses != plot.crossing:
        return None
    if "date_shift" in plot.kinds and local[:10] == agreed.local[:10]:
        return None
    now = to_instant(f"{today.isoformat()}T{draw.int(9, 16):02}:{draw.int(0, 59):02}", here)
    example = 0
    if "old_example" in plot.sides:
        example = _example(draw, agreed, now, open_there.is_open)
        if not example:
            return None
    return Setup(now, agreed, example)


def _example(draw: Draw, agreed: Agreement, now: int, is_open: Callable[[date], bool]) -> int:
    """The start of a call some weeks before, at the same time of day and in the other season; 0 if there is none."""
    first = date.fromisoformat(agreed.local[:10])
    found: list[int] = []
    for week in range(1, 8):
        day = first - timedelta(7 * week)
        start = to_instant(f"{day.isoformat()}{agreed.local[10:]}", agreed.zone)
        differs = offset_minutes(agreed.zone, start) != offset_minutes(agreed.zone, agreed.start)
        if differs and is_open(day) and now - 40 * 86_400 < start < now - 12 * 86_400:
            found.append(start)
    return draw.choice(found) if found else 0


def changes_clocks(zone: str) -> bool:
    """Whether the clocks of a zone change in the course of the year."""
    row = zone_row(zone, to_instant("2026-07-01T00:00", "UTC"))
    return (row.next or row.previous) is not None


def other_season(zone: str, instant: int) -> tuple[int, str]:
    """Return offset in minutes and abbreviation that a zone has in the other half of the year."""
    row = zone_row(zone, instant)
    change = row.next or row.previous
    if change is None:
        raise NoFit
    at = change.instant if change is row.next else change.instant - 1
    other = zone_row(zone, at)
    return other.offset_minutes, other.abbreviation
