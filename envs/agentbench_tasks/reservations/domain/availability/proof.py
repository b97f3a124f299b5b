"""The proof of what is right: reads the venue's records and reckons days, services and tables by itself."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import combinations

from agentbench_env.market import load_country
from agentbench_env.world import World
from agentbench_env.zones import to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.reservations.domain.availability.goal import Asked, Goal
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.surface import Surface
from agentbench_tasks.reservations.domain.tables import Custom, SeatingBlock, Table
from agentbench_tasks.reservations.domain.venue import (
    ClosureRule,
    HoursRule,
    Notice,
    SeasonHours,
    ServiceHours,
)

_DAY = timedelta(1)
_JOINED = 3
"""How many tables are put together at most."""


def prove(world: World, asked: Asked, goal: Goal) -> None:
    """Raise NoFit unless the goal follows from what the venue keeps."""
    venue = _Venue(world, asked.venue_id)
    day, last = date.fromisoformat(asked.first), date.fromisoformat(asked.last)
    closed: list[str] = []
    while day <= last:
        if not venue.services(day):
            closed.append(day.isoformat())
        day += _DAY
    on, clock = date.fromisoformat(asked.day), _minutes(asked.clock)
    following = [hours for hours in venue.services(on) if clock < _minutes(hours.close)]
    order = f"{asked.day} {following[0].last_order_food}" if following else ""
    said = f"{goal.last_order.service_date} {goal.last_order.time}" if goal.last_order else ""
    if (tuple(closed), order, venue.reason(on, clock, asked.party)) != (goal.closed, said, goal.reason):
        raise NoFit


class _Venue:
    """What a venue keeps, and what follows from it."""

    def __init__(self, world: World, venue_id: str) -> None:
        self._world, self._id = world, venue_id
        self._place = world.get(Place, venue_id)
        self._now = datetime.fromisoformat(to_local(world.now, self._place.zone))
        self._surface = world.where(Surface, "venue_id", venue_id)[0]
        self._notices = world.where(Notice, "venue_id", venue_id)

    def services(self, day: date, noticed: bool = True) -> list[ServiceHours]:
        """The services of a day by their opening; `noticed`: as notices have it."""
        text = day.isoformat()
        shut = {row.scope for row in self._notices if noticed and row.from_date <= text <= row.to_date}
        seasons = [
            row for row in self._world.where(SeasonHours, "venue_id", self._id) if row.from_date <= text <= row.to_date
        ]
        if "all" in shut or (not seasons and self._rests(day)):
            return []
        rows = seasons or self._world.where(HoursRule, "venue_id", self._id)
        found = [row.hours for row in rows if day.isoweekday() in row.weekdays and row.hours.service not in shut]
        return sorted(found, key=lambda hours: _minutes(hours.open))

    def _rests(self, day: date) -> bool:
        return any(self._rule_holds(rule, day) for rule in self._world.where(ClosureRule, "venue_id", self._id))

    def _rule_holds(self, rule: ClosureRule, day: date) -> bool:
        on_weekday = day.isoweekday() in rule.weekdays
        match rule.kind:
            case "weekly":
                return on_weekday and not (rule.open_on_holidays and self._is_holiday(day))
            case "weekly_shifted":
                before = day - _DAY
                moved = before.isoweekday() in rule.weekdays and self._is_holiday(before)
                return moved or (on_weekday and not self._is_holiday(day))
            case "nth_weekday":
                return on_weekday and sum((day - 7 * n * _DAY).month == day.month for n in range(5)) in rule.nth
            case "on_holidays":
                return day.isoformat() in rule.dates
            case "period":
                return rule.from_date <= day.isoformat() <= rule.to_date

    def _is_holiday(self, day: date) -> bool:
        rows = load_country(self._place.country).holidays(day, day)
        return any(row.status == "confirmed" and "private" in row.applies_to for row in rows)

    def reason(self, day: date, clock: int, party: int) -> str:
        """The first reason for which the party gets no table, `none` if it gets one."""
        services = self.services(day)
        on = _in(services, clock)
        if on is None and _in(self.services(day, noticed=False), clock):
            return "closed_by_notice"
        if not services:
            return "closed_weekly_or_holiday"
        if on is None:
            return "between_services"
        if clock > _minutes(on.last_seating or on.last_order_food):
            return "past_last_seating"
        ahead = self._surface.window.days_ahead
        if ahead and self._now < datetime.combine(day, datetime.min.time()) - ahead * _DAY:
            return "outside_booking_window"
        route = next(route for route in self._surface.routes if _takes(route.party.min, route.party.max, party))
        if route.mode != "instant":
            return "party_not_taken_online"
        return "none" if self._seats(day, clock, party) else "full_for_party"

    def _seats(self, day: date, clock: int, party: int) -> bool:
        custom = self._world.where(Custom, "venue_id", self._id)[0]
        if day.isoformat() not in custom.settled:
            raise NoFit
        start = datetime.combine(day, datetime.min.time()) + timedelta(minutes=clock)
        end = start + timedelta(minutes=self._surface.turn_minutes)
        free = [table for table in self._world.where(Table, "venue_id", self._id) if self._is_free(table, start, end)]
        alone = any(table.seats_min <= party <= table.seats_max for table in free)
        joined = (tables for count in range(2, _JOINED + 1) for tables in combinations(free, count))
        return alone or any(_join(tables, party) for tables in joined)

    def _is_free(self, table: Table, start: datetime, end: datetime) -> bool:
        spans = [
            (datetime.fromisoformat(to_local(block.start, self._place.zone)), to_local(block.end, self._place.zone))
            for block in self._world.where(SeatingBlock, "table_id", table.id)
        ]
        return not any(first < end and start < datetime.fromisoformat(until) for first, until in spans)


def _in(services: Sequence[ServiceHours], clock: int) -> ServiceHours | None:
    return next((hours for hours in services if _minutes(hours.open) <= clock < _minutes(hours.close)), None)


def _takes(least: int, most: int, party: int) -> bool:
    return least <= party and (most == 0 or party <= most)


def _join(tables: tuple[Table, ...], party: int) -> bool:
    together = all(one.id in other.combinable_with for one, other in combinations(tables, 2))
    return together and max(table.seats_max for table in tables) < party <= sum(table.seats_max for table in tables)


def _minutes(clock: str) -> int:
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)
