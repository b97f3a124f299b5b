"""When the venue that is asked about opens: its hours, closing rules and notices, and what it once published."""

from __future__ import annotations

import msgspec

from agentbench_env.draw import Draw
from agentbench_tasks.commons.service_time import add_days, service_clock, service_minutes
from agentbench_tasks.reservations.domain.availability.plot import Plot
from agentbench_tasks.reservations.domain.availability.schedule import Schedule
from agentbench_tasks.reservations.domain.availability.services import STEP, Services
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.openings import moved
from agentbench_tasks.reservations.domain.venue import ClosureRule, NoticeScope, ServiceHours

POSTED = (1, 9)
"""How many days ago a notice was put up."""
STOOD = (120, 300)
"""How many days the page of hours stood that was replaced."""
ONE_SERVICE = 0.4
"""The share of misleading notices that speak of one service alone, where there are two."""
LATER_DAY = 0.3
"""The share of notices that go on for a second day."""


def open_house(draw: Draw, house: House, plot: Plot, schedule: Schedule, services: Services) -> str:
    """Let a house open as a plot has it; return the id of the page of hours that was replaced, "" if none was."""
    house.open_for(services.usual, services.usual_days)
    if services.apart:
        other_days = house.hours
        house.open_for(services.apart, services.apart_days)
        house.hours = [*other_days, *house.hours]
    house.closures = [
        msgspec.structs.replace(rule, id=house.ids.id("cls"), venue_id=house.place.id, page_id=house.page_id("hours"))
        for rule in schedule.rules
    ]
    house.draw_board(draw)
    if "notice" in plot.traps:
        _announce(draw, house, plot, schedule, services)
    if not plot.remains:
        return ""
    _announce_other_days(draw, house, schedule)
    return _leave_replaced_page(draw, house, "superseded_hours" in plot.traps, schedule.weekday)


# --- notices


def _announce(draw: Draw, house: House, plot: Plot, schedule: Schedule, services: Services) -> None:
    """Put up a notice that closes the day that is asked for or, if that is to be open, another day of the period."""
    scope: NoticeScope = "all"
    both = len(services.usual) > 1 and plot.closure_trap != "season_hours"
    if plot.reason == "closed_by_notice":
        if both and draw.chance(0.5):
            asked = next(hours for hours in services.on(schedule.weekday) if hours.holds(services.clock))
            scope = "lunch" if asked.service == "lunch" else "dinner"
        first = schedule.day
    else:
        if both and draw.chance(ONE_SERVICE):
            scope = draw.choice(("lunch", "dinner"))
        first = draw.choice([day for day in schedule.days() if day != schedule.day and day not in schedule.closed])
    next_day = add_days(first, 1)
    goes_on = next_day not in (schedule.day, *schedule.closed) and draw.chance(LATER_DAY)
    posted = add_days(schedule.today, -draw.int(*POSTED))
    house.announce(posted, first, next_day if goes_on else first, scope)


def _announce_other_days(draw: Draw, house: House, schedule: Schedule) -> None:
    """Put up a notice that closes a day before today or after the period."""
    days = [add_days(schedule.today, -ago) for ago in range(2, 12)]
    days += [add_days(schedule.last, ahead) for ahead in range(2, 12)]
    day = draw.choice([day for day in days if house.opening.is_open(day)])
    house.announce(add_days(min(day, schedule.today), -draw.int(*POSTED)), day)


# --- the page of hours that was replaced


def _leave_replaced_page(draw: Draw, house: House, misleads: bool, weekday: int) -> str:
    """Leave the page of hours up that the present one replaces; it differs in what matters only where it misleads."""
    rows = [msgspec.structs.replace(row, hours=_once(row.hours, misleads)) for row in house.hours]
    rules = [_once_closed(draw, rule, weekday) for rule in house.closures] if misleads else house.closures
    return house.leave_hours(rows, rules, draw.int(*STOOD))


def _once(hours: ServiceHours, misleads: bool) -> ServiceHours:
    """Return the hours that a service once had: closing later or, where they mislead, last orders earlier."""
    if not misleads:
        return moved(hours, close=_by(hours.close, STEP))
    last = _by(hours.last_order_food, -STEP)
    return moved(hours, last_order_food=last, last_seating=min(hours.last_seating, last))


def _once_closed(draw: Draw, rule: ClosureRule, weekday: int) -> ClosureRule:
    """Return a rule as it once was: on another weekday, and not on that which is asked for."""
    if not rule.weekdays:
        return rule
    free = [day for day in range(1, 6) if day not in rule.weekdays and day != weekday]
    return msgspec.structs.replace(rule, weekdays=(draw.choice(free),))


def _by(clock: str, minutes: int) -> str:
    return service_clock(service_minutes(clock) + minutes)
