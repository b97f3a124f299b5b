"""When a booking is asked for and for which day, the channel's hours, the house's closing day, and the window."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.service_time import service_clock, service_minutes
from agentbench_tasks.reservations.domain.market import ReservationMarket, reservation_market
from agentbench_tasks.reservations.domain.openings import EVERY_DAY
from agentbench_tasks.reservations.domain.out_of_scope.plot import Closed, Plot
from agentbench_tasks.reservations.domain.surface import BookingWindow, ContactSpan

FIRST_DAY, LAST_DAY = date(2026, 2, 2), date(2026, 12, 11)
_FARTHEST = 20
"""Days ahead for which one books where bookings are open."""
_LONGEST_WINDOW = 60
_GUARD = 20
"""Minutes that a beginning or an end of hours is away from now at least."""
_EARLIEST, _LATEST = 8 * 60, 21 * 60 + 30


class When(msgspec.Struct, frozen=True):
    """The times of a story."""

    now: int
    today: date
    day: date
    """The day that is to be booked."""
    window: BookingWindow
    span: ContactSpan | None
    """When the channel answers, None where it prints no hours."""
    closure: int
    """The weekday on which the house closes, 0 where any rule will do."""


def draw_when(draw: Draw, setting: Setting, plot: Plot) -> When:
    """Draw the times of a plot."""
    market = setting.market
    rules = reservation_market(market.code)
    span = _span(draw, rules) if plot.hours else None
    today, day, window = _days(draw, rules, plot, span)
    clock = service_clock(_minute(draw, span, plot.closed))
    opens = window.opens(day.isoformat(), market.zone)
    opening_day = date.fromisoformat(to_local(opens, market.zone)[:10]) if opens else today
    return When(
        to_instant(f"{today.isoformat()}T{clock}", market.zone),
        today,
        day,
        window,
        span,
        _closure(draw, plot.closed, today, day, opening_day) if span else 0,
    )


def _span(draw: Draw, rules: ReservationMarket) -> ContactSpan:
    opens, closes = draw.choice(rules.routes.contact_hours).split("-")
    return ContactSpan(EVERY_DAY, opens, closes)


def _days(
    draw: Draw, rules: ReservationMarket, plot: Plot, span: ContactSpan | None
) -> tuple[date, date, BookingWindow]:
    """Draw today, the day to be booked, and when bookings for a day open."""
    lead = draw.choice((60, 120))
    if "opening_date" not in plot.traps:
        window = BookingWindow(draw.choice(rules.routes.window_days), lead_minutes=lead)
        today = draw.day(FIRST_DAY, LAST_DAY - timedelta(_FARTHEST))
        days = [today + timedelta(number) for number in range(3, _FARTHEST + 1)]
        # Neither the weekday of today nor the next one, on which the house may be closed.
        return today, draw.choice([day for day in days if (day - today).days % 7 > 1]), window
    # The channel takes bookings as soon as they open, so that both together have one first moment.
    opening, wait = rules.routes.month_opening, draw.int(2, 12)
    if opening:
        # Bookings for a month open with the coming one.
        ahead = opening.months_ahead
        today = draw.day(FIRST_DAY, date(2026, LAST_DAY.month - 1 - ahead, 28))
        month = today.month + 1 + ahead
        day = date(2026, month, draw.int(1, min(LAST_DAY, date(2026, month, 28)).day))
        return today, day, BookingWindow(0, ahead, opening.day, span.opens if span else opening.at, lead)
    ahead = draw.choice([days for days in rules.routes.window_days if days <= _LONGEST_WINDOW])
    today = draw.day(FIRST_DAY, LAST_DAY - timedelta(ahead + wait))
    at = span.opens if span else draw.choice(("09:00", "10:00", "12:00"))
    return today, today + timedelta(ahead + wait), BookingWindow(ahead, opens_at=at, lead_minutes=lead)


def _minute(draw: Draw, span: ContactSpan | None, closed: Closed) -> int:
    """Draw the minute of the day that it is now."""
    if span is None:
        return draw.int(_EARLIEST, _LATEST)
    opens, closes = service_minutes(span.opens), service_minutes(span.closes)
    if closed == "before":
        return draw.int(_EARLIEST, opens - _GUARD)
    if closed in ("after", "eve"):
        return draw.int(closes + _GUARD, _LATEST)
    return draw.int(opens + _GUARD, closes - _GUARD)


def _closure(draw: Draw, closed: Closed, today: date, day: date, opening_day: date) -> int:
    """Draw the weekday on which the house closes so that it is closed when it has to be, and open otherwise."""
    tomorrow = today + timedelta(1)
    if closed in ("closure", "eve"):
        return (today if closed == "closure" else tomorrow).isoweekday()
    busy = {one.isoweekday() for one in (today, tomorrow, day, opening_day)}
    return draw.choice([weekday for weekday in range(1, 8) if weekday not in busy])
