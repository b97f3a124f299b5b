"""When a venue is open: its hours, closures and notices, what follows from them for a day, and its own pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from functools import cache
from typing import ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.market import load_country
from agentbench_env.tool import Tool
from agentbench_env.world import Record, World
from agentbench_tasks.commons.pages import Page, PageText, read_page
from agentbench_tasks.commons.service_time import add_days, service_minutes
from agentbench_tasks.reservations.domain.places import Place

Service = Literal["lunch", "dinner", "all_day", "late"]
ClosureKind = Literal["weekly", "weekly_shifted", "nth_weekday", "on_holidays", "period"]
NoticeScope = Literal["all", "lunch", "dinner", "room"]
NoticeReason = Literal["repair", "private_event", "holiday", "staff", "stock"]


class ServiceHours(msgspec.Struct, frozen=True, gc=False):
    """The hours of one service, as service times."""

    service: Service
    open: str
    last_order_food: str
    close: str
    last_order_drinks: str = ""
    last_seating: str = ""

    @property
    def last_start(self) -> str:
        """The latest start of a booking: the last seating or, where none is printed, the last order of food."""
        return self.last_seating or self.last_order_food

    def holds(self, clock: str) -> bool:
        """Whether a service time lies in the service."""
        return service_minutes(self.open) <= service_minutes(clock) < service_minutes(self.close)


class HoursRule(Record, frozen=True, gc=False):
    """Regular hours of a service on some weekdays (ISO, Monday = 1)."""

    venue_id: str
    page_id: str
    weekdays: tuple[int, ...]
    hours: ServiceHours


class SeasonHours(Record, frozen=True, gc=False):
    """Hours of a service in a season, which stand in place of all regular hours and closing days."""

    venue_id: str
    page_id: str
    from_date: str
    to_date: str
    weekdays: tuple[int, ...]
    hours: ServiceHours


class ClosureRule(Record, frozen=True, gc=False):
    """A rule by which a venue is closed.

    Kinds:
        weekly: on `weekdays`.
        weekly_shifted: on `weekdays`; if one is a public holiday, the venue opens and closes the next day.
        nth_weekday: on the first, second ... (`nth`) of `weekdays` in the month.
        on_holidays: on `dates`.
        period: from `from_date` to `to_date`.
    """

    venue_id: str
    page_id: str
    kind: ClosureKind
    weekdays: tuple[int, ...] = ()
    nth: tuple[int, ...] = ()
    dates: tuple[str, ...] = ()
    from_date: str = ""
    to_date: str = ""
    open_on_holidays: bool = False
    """Whether the venue opens if the weekday is a public holiday, without closing another day for it."""


class Notice(Record, frozen=True, gc=False):
    """A notice by which a venue, one of its services or its room is closed from one day to another."""

    venue_id: str
    page_id: str
    from_date: str
    to_date: str
    scope: NoticeScope
    reason: NoticeReason


class Opening(msgspec.Struct, frozen=True, gc=False):
    """Everything that decides when a venue is open."""

    country: str
    hours: Sequence[HoursRule]
    closures: Sequence[ClosureRule] = ()
    notices: Sequence[Notice] = ()
    seasons: Sequence[SeasonHours] = ()

    def services(self, day: str) -> tuple[ServiceHours, ...]:
        """Return the services of a day in their order, none if the venue is closed."""
        return tuple(row.hours for row in self.rows(day))

    def rows(self, day: str) -> tuple[HoursRule | SeasonHours, ...]:
        """Return the rules that give the services of a day, in the order of these; none if the venue is closed.

        A notice goes before seasonal hours, these before the rule for holidays, that before the weekly rule, and that
        before regular hours.
        """
        weekday = date.fromisoformat(day).isoweekday()
        shut = {notice.scope for notice in self.notices if notice.from_date <= day <= notice.to_date}
        if "all" in shut:
            return ()
        seasons = [season for season in self.seasons if season.from_date <= day <= season.to_date]
        if not seasons and self.closures and _is_closed(self.closures, day, self.country):
            return ()
        rows = seasons or self.hours
        found = [row for row in rows if weekday in row.weekdays and row.hours.service not in shut]
        return tuple(sorted(found, key=lambda row: service_minutes(row.hours.open)))

    def is_open(self, day: str) -> bool:
        """Whether the venue opens at all on a day."""
        return bool(self.services(day))


def opening_of(world: World, venue_id: str) -> Opening:
    """Return everything that decides when a venue is open."""
    return Opening(
        world.get(Place, venue_id).country,
        world.where(HoursRule, "venue_id", venue_id),
        world.where(ClosureRule, "venue_id", venue_id),
        world.where(Notice, "venue_id", venue_id),
        world.where(SeasonHours, "venue_id", venue_id),
    )


def effective_service(world: World, venue_id: str, day: str) -> tuple[ServiceHours, ...]:
    """Return the services of a day of a venue in their order, none if it is closed."""
    return opening_of(world, venue_id).services(day)


def room_is_shut(world: World, venue_id: str, day: str) -> bool:
    """Whether a notice closes the private room on a day."""
    notices = world.where(Notice, "venue_id", venue_id)
    return any(n.scope == "room" and n.from_date <= day <= n.to_date for n in notices)


def open_days(world: World, venue_id: str) -> Callable[[str], bool]:
    """Return the function that tells whether a venue opens at all on a day: its own business days."""
    return opening_of(world, venue_id).is_open


def service_at(world: World, venue_id: str, day: str, clock: str) -> ServiceHours | None:
    """Return the service of a day in which a service time lies, None if it lies in none."""
    return next((hours for hours in effective_service(world, venue_id, day) if hours.holds(clock)), None)


def service_from(world: World, venue_id: str, day: str, clock: str) -> ServiceHours | None:
    """Return the service in which a service time lies or, if in none, the next one of that day."""
    later = (h for h in effective_service(world, venue_id, day) if service_minutes(clock) < service_minutes(h.close))
    return next(later, None)


@cache
def public_holidays(country: str) -> frozenset[str]:
    """The ISO dates that are certain to be public holidays of a country."""
    rows = load_country(country).holidays(date.min, date.max)
    return frozenset(r.date.isoformat() for r in rows if r.status == "confirmed" and "private" in r.applies_to)


def _is_closed(rules: Sequence[ClosureRule], day: str, country: str) -> bool:
    if any(_by_date(rule, day) for rule in rules):
        return True
    is_holiday = day in public_holidays(country)
    return any(_by_weekday(rule, day, is_holiday) for rule in rules) or _is_shifted(rules, day, country)


def _by_date(rule: ClosureRule, day: str) -> bool:
    return day in rule.dates or (rule.kind == "period" and rule.from_date <= day <= rule.to_date)


def _by_weekday(rule: ClosureRule, day: str, is_holiday: bool) -> bool:
    on = date.fromisoformat(day)
    if on.isoweekday() not in rule.weekdays:
        return False
    if is_holiday and (rule.open_on_holidays or rule.kind == "weekly_shifted"):
        return False
    return rule.kind != "nth_weekday" or (on.day + 6) // 7 in rule.nth


def _is_shifted(rules: Sequence[ClosureRule], day: str, country: str) -> bool:
    """Whether the weekly closure of the day before moves to this day."""
    before = add_days(day, -1)
    if before not in public_holidays(country) or any(_by_date(rule, before) for rule in rules):
        return False
    weekday = date.fromisoformat(before).isoweekday()
    return any(rule.kind == "weekly_shifted" and weekday in rule.weekdays for rule in rules)


class VenueGetPage(Tool):
    """Read a page of a venue or firm: hours, booking, terms, menu, diet, notices, rooms, walk-in, quotes."""

    latency_s: ClassVar[float] = 0.4

    page_id: str = Field(description="Id of the page.")
    page_token: str = Field(default="", description="The next_page_token of the page before.")

    def run(self, call: Call) -> PageText:
        page = call.world.get(Page, self.page_id, "page_id")
        if not isinstance(call.world.find(page.publisher), Place):
            raise ToolError("unknown_id", field="page_id", hint="a page_id of directory_get_listing")
        return read_page(call, page, page_token=self.page_token)
