"""When the table is booked for, until when it is called off for nothing, and when the errand comes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import load_country
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.service_time import add_days, service_clock, service_instant, service_minutes
from agentbench_tasks.reservations.domain.cancellation.market import Limit
from agentbench_tasks.reservations.domain.cancellation.plot import Plot
from agentbench_tasks.reservations.domain.keeping import Keeping
from agentbench_tasks.reservations.domain.market import reservation_market
from agentbench_tasks.reservations.domain.openings import draw_closure, draw_services
from agentbench_tasks.reservations.domain.venue import Service, ServiceHours

FIRST, LAST = date(2026, 2, 16), date(2026, 12, 11)
EARLIEST, LATEST = "08:00", "21:30"
"""Between which hours of the market the errand comes."""
LAST_CLOCK = "20:30"
GUARD_S = 1_200
"""Nothing that an answer rests on changes within these seconds of the start."""
_EVENINGS: tuple[tuple[Service, ...], ...] = (("lunch", "dinner"), ("lunch", "dinner"), ("dinner",))


class When(msgspec.Struct, frozen=True):
    """The times of an instance."""

    keeping: Keeping
    day: str
    clock: str
    start: int
    now: int


def draw_keeping(draw: Draw, setting: Setting) -> Keeping:
    """Draw when a house that serves dinner is open."""
    market = reservation_market(setting.market.code)
    services = draw_services(draw, market.hours, draw.choice(_EVENINGS))
    return Keeping(tuple(services), draw_closure(draw, market, "", "", ""))


def draw_clock(draw: Draw, services: Sequence[ServiceHours]) -> str:
    """Draw when a party sits down to dinner: not among the first, so that others may have come before."""
    dinner = next((hours for hours in services if hours.service == "dinner"), None)
    if dinner is None:
        raise NoFit
    first, last = service_minutes(dinner.open) + 60, service_minutes(min(dinner.last_start, LAST_CLOCK))
    return service_clock(draw.choice(range(first, last + 1, 30)))


def draw_when(draw: Draw, setting: Setting, plot: Plot, limit: Limit) -> When:
    """Draw the times; raise NoFit if this attempt leads to none."""
    code, zone = setting.market.code, setting.market.zone
    keeping = draw_keeping(draw, setting)
    opening = keeping.opening(code)
    day = draw.day(FIRST, LAST).isoformat()
    clock = draw_clock(draw, opening.services(day))
    start = service_instant(day, clock, zone)
    until = limit.until.instant(start, zone, opening.is_open)
    if limit.until.kind == "business_days_before_at" and _unsettled(code, to_local(until, zone)[:10], day):
        raise NoFit
    now = _now(draw, plot, until, start, zone)
    edges = [start, until]
    edges += [limit.half.instant(start, zone, opening.is_open)] if limit.half else []
    if now + GUARD_S > start or any(now <= edge < now + GUARD_S for edge in edges):
        raise NoFit
    return When(keeping, day, clock, start, now)


def _unsettled(code: str, first: str, last: str) -> bool:
    """Whether a day that is not yet certain to be a public holiday could decide what is an open day."""
    before = date.fromisoformat(add_days(first, -1))
    rows = load_country(code).holidays(before, date.fromisoformat(last))
    return any(row.status == "estimate" for row in rows)


def _now(draw: Draw, plot: Plot, until: int, start: int, zone: str) -> int:
    """The instant of the errand: about so long before the limit or, where it has passed, after it; by day."""
    passed, margin = plot.kind == "cutoff_passed", plot.margin_minutes * 60
    wanted = to_local(until + min(margin, (start - until) // 2) if passed else until - margin, zone)
    day, clock = wanted[:10], wanted[11:16]
    if EARLIEST <= clock <= LATEST:
        return to_instant(f"{day}T{clock}", zone)
    minute = draw.int(0, 29)
    if passed:
        return to_instant(f"{add_days(day, clock > LATEST)}T08:{minute:02}", zone)
    return to_instant(f"{add_days(day, -(clock < EARLIEST))}T21:{minute:02}", zone)
