"""When dinner is, when the errand comes, and until when dishes are ordered."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from agentbench_env.draw import Draw
from agentbench_env.market import load_country
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.service_time import add_days, service_clock, service_instant, service_minutes
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.group_preorder.market import Habits
from agentbench_tasks.reservations.domain.group_preorder.plot import Plot
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.openings import draw_services
from agentbench_tasks.reservations.domain.venue import Service, ServiceHours

FIRST, LAST = date(2026, 2, 16), date(2026, 11, 20)
"""Between which days the errand comes."""
LAST_DINNER = "2026-12-11"
EARLIEST, LATEST = 8 * 60, 20 * 60 + 30
"""Between which minutes of the day the errand comes."""
LAST_CLOCK = "20:00"
LEFT_S = 4 * 3600
"""At least how long before the deadline the errand comes."""
_WITHIN_DAYS = 12
_EVENINGS: tuple[tuple[Service, ...], ...] = (("lunch", "dinner"), ("lunch", "dinner"), ("dinner",))
_SHIFTABLE = ("weekly", "weekly_shifted", "nth_weekday")
"""Closing rules that a deadline may run into."""


class Evening(NamedTuple):
    """A dinner and until when its dishes are ordered."""

    day: str
    clock: str
    start: int
    deadline: int


class Limit(NamedTuple):
    """Until when dishes are ordered, and whether that moves to the open day before a closing day."""

    rule: CutoffRule
    shifted: bool

    def falls_on(self, start: int, house: House) -> tuple[str, str]:
        """The local day and time that the rule gives, before anything moves."""
        day, clock = to_local(
            self.rule.instant(start, house.place.zone, house.opening.is_open), house.place.zone
        ).split("T")
        return day, clock


def draw_now(draw: Draw, setting: Setting) -> int:
    """Draw when the errand comes."""
    day = draw.day(FIRST, LAST).isoformat()
    return to_instant(f"{day}T{service_clock(draw.int(EARLIEST, LATEST))}", setting.market.zone)


def draw_limit(draw: Draw, habits: Habits, plot: Plot) -> Limit:
    """Draw a deadline."""
    if "deadline_shift" in plot.traps:
        return Limit(draw.choice([rule for rule in habits.deadlines if rule.kind != "business_days_before_at"]), True)
    rule = draw.choice(habits.deadlines)
    return Limit(rule, rule.kind != "business_days_before_at" and draw.chance(0.5))


def keep_hours(draw: Draw, house: House, plot: Plot) -> None:
    """Let a house serve dinner, and close on days that a deadline can fall on if that is the trap."""
    house.open_for(draw_services(draw, house.rules.hours, draw.choice(_EVENINGS)))
    house.keep_closure(*(_SHIFTABLE if "deadline_shift" in plot.traps else ()))


def draw_evening(draw: Draw, house: House, limit: Limit, plot: Plot, now: int) -> Evening:
    """Draw a dinner whose deadline is still to come; raise NoFit if there is none in the next days."""
    zone = house.place.zone
    today = to_local(now, zone)[:10]
    for days in draw.shuffled(range(2, _WITHIN_DAYS + 3)):
        day = add_days(today, days)
        dinner = next((hours for hours in house.opening.services(day) if hours.service == "dinner"), None)
        if dinner is None or day > LAST_DINNER:
            continue
        clock = _clock(draw, dinner)
        start = service_instant(day, clock, zone)
        due, at = limit.falls_on(start, house)
        closed = not house.opening.is_open(due)
        if closed != ("deadline_shift" in plot.traps) or _unsettled(house.place.country, add_days(due, -8), day):
            continue
        while closed and not house.opening.is_open(due):
            due = add_days(due, -1)
        deadline = to_instant(f"{due}T{at}", zone)
        if deadline >= now + LEFT_S:
            return Evening(day, clock, start, deadline)
    raise NoFit


def _clock(draw: Draw, dinner: ServiceHours) -> str:
    """When the party sits down: not among the first, so that others may have come before."""
    first, last = service_minutes(dinner.open) + 30, service_minutes(min(dinner.last_start, LAST_CLOCK))
    if first > last:
        raise NoFit
    return service_clock(draw.choice(range(first, last + 1, 30)))


def _unsettled(code: str, first: str, last: str) -> bool:
    """Whether a day that is not yet certain to be a public holiday could decide what is an open day."""
    rows = load_country(code).holidays(date.fromisoformat(first), date.fromisoformat(last))
    return any(row.status == "estimate" for row in rows)
