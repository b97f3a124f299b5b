"""The services of the venue that is asked about, and the hour for which a table is wanted."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import Market
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.service_time import service_clock, service_minutes
from agentbench_tasks.reservations.domain.availability.plot import Plot
from agentbench_tasks.reservations.domain.availability.schedule import Schedule, days_apart
from agentbench_tasks.reservations.domain.market import ServicePatterns, reservation_market
from agentbench_tasks.reservations.domain.openings import EVERY_DAY, moved, service_hours
from agentbench_tasks.reservations.domain.slots import offered_starts
from agentbench_tasks.reservations.domain.usual import season_hours
from agentbench_tasks.reservations.domain.venue import Service, ServiceHours

STEP = 30
"""Minutes from one start that is offered to the next."""
EARLIEST, LATEST = "18:00", "20:30"
"""When one dines: the starts that are asked for in the evening."""
LATEST_NOON = "13:30"
LATEST_OF_ALL = "23:30"
LAST_SEATED_LATE = "22:00"
MIDNIGHT = "24:00"
APART_MINUTES = 60
SEATED_EARLY = 0.2
"""The share of venues that print a last seating for no special reason."""
_KINDS: dict[tuple[Service, ...], float] = {("lunch", "dinner"): 65, ("dinner",): 15, ("all_day",): 20}
_BOTH: tuple[Service, ...] = ("lunch", "dinner")


class Services(msgspec.Struct, frozen=True):
    """The regular services, those of the weekdays that are kept apart, and the hour that is asked for."""

    usual: tuple[ServiceHours, ...]
    apart: tuple[ServiceHours, ...]
    """Hours of the days in `apart_days`; none where all days are alike."""
    apart_days: tuple[int, ...]
    clock: str
    """The service time for which a table is wanted."""

    @property
    def usual_days(self) -> tuple[int, ...]:
        """The weekdays with usual hours."""
        return tuple(day for day in EVERY_DAY if day not in self.apart_days)

    def on(self, weekday: int) -> tuple[ServiceHours, ...]:
        """Return the services of a weekday, in their order."""
        return self.apart if weekday in self.apart_days else self.usual


def draw_services(draw: Draw, plot: Plot, market: Market, schedule: Schedule) -> Services:
    """Draw services and an hour for which a plot holds; raise NoFit if they do not come out."""
    table = reservation_market(market.code)
    usual = tuple(_detailed(draw, plot, hours) for hours in _kept(draw, plot, table.hours))
    apart: tuple[ServiceHours, ...] = ()
    apart_days: tuple[int, ...] = ()
    if "weekday_hours" in plot.traps:
        apart_days = days_apart(market)
        apart = tuple(_later(hours, opens_later=apart_days == market.short_days) for hours in usual)
    services = Services(usual, apart, apart_days, "")
    on_day = services.on(schedule.weekday)
    if plot.closure_trap == "season_hours":
        on_day = tuple(season_hours(season) for season in table.seasons)
        if plot.reason == "between_services":
            # Asked for lunch, as on any other day: in the season there is none.
            return msgspec.structs.replace(services, clock=_start(draw, usual[:1]))
    return msgspec.structs.replace(services, clock=_asked(draw, plot, on_day))


def _kept(draw: Draw, plot: Plot, patterns: ServicePatterns) -> list[ServiceHours]:
    if "after_midnight" in plot.traps:
        late = [row for row in patterns.options("late") if row.last_food >= MIDNIGHT]
        return [service_hours("late", draw.choice(late))]
    both = plot.reason in ("between_services", "closed_by_notice") or {"notice", "weekday_hours"} & plot.traps
    kinds = _BOTH if both else draw.weighted(_KINDS)
    return [service_hours(kind, draw.choice(patterns.options(kind))) for kind in kinds]


def _detailed(draw: Draw, plot: Plot, hours: ServiceHours) -> ServiceHours:
    """Settle the last order of drinks and the last seating of a service."""
    last = service_minutes(hours.last_order_food)
    drinks = seating = ""
    if "drinks_order" in plot.traps:
        drinks = service_clock(min(last + STEP, service_minutes(hours.close) - STEP // 2))
    past = plot.reason == "past_last_seating"
    if past and hours.service == "late":
        seating = LAST_SEATED_LATE
    elif draw.chance(0.5 if past else SEATED_EARLY):
        seating = service_clock(last - STEP)
    return moved(hours, last_order_drinks=drinks, last_seating=seating)


def _later(hours: ServiceHours, *, opens_later: bool) -> ServiceHours:
    """Return the hours that a service has on days that are kept apart."""
    late = {name: _after(getattr(hours, name)) for name in ("last_order_food", "close", "last_order_drinks")}
    if opens_later and hours.service == "lunch":
        late["open"] = _after(hours.open)
    return moved(hours, **late, last_seating=_after(hours.last_seating))


def _after(clock: str) -> str:
    return service_clock(service_minutes(clock) + APART_MINUTES) if clock else ""


# --- the hour


def _asked(draw: Draw, plot: Plot, services: Sequence[ServiceHours]) -> str:
    match plot.reason:
        case "between_services":
            return _between(draw, services)
        case "past_last_seating":
            hours = services[-1]
            return _chosen(draw, service_minutes(hours.last_start) + 1, service_minutes(hours.close))
        case _:
            inner = "party_split" in plot.traps
            return _start(draw, services if draw.chance(0.25) else services[-1:], inner=inner)


def _between(draw: Draw, services: Sequence[ServiceHours]) -> str:
    """Draw an hour in the break or, where there is none, shortly before opening."""
    if len(services) > 1:
        return _chosen(draw, service_minutes(services[0].close) + 15, service_minutes(services[1].open))
    opens = service_minutes(services[0].open)
    return _chosen(draw, opens - 2 * STEP, opens)


def _chosen(draw: Draw, first: int, end: int) -> str:
    """Draw a full or half hour from `first` on and before `end`."""
    options = [minutes for minutes in range(first, end) if minutes % STEP == 0]
    clocks = [clock for clock in map(service_clock, options) if clock <= LATEST_OF_ALL]
    if not clocks:
        raise NoFit
    return draw.choice(clocks)


def _start(draw: Draw, services: Sequence[ServiceHours], *, inner: bool = False) -> str:
    """Draw a start that one of the services offers; `inner`: not its first or last one."""
    hours = draw.choice(services)
    starts = offered_starts(hours, STEP)
    latest = LATEST_NOON if hours.service == "lunch" else LATEST
    earliest = hours.open if hours.service == "lunch" else EARLIEST
    options = [clock for clock in (starts[1:-1] if inner else starts) if earliest <= clock <= latest]
    if not options:
        raise NoFit
    return draw.choice(options)
