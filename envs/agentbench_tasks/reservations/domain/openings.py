"""When the houses of a town open: services, closing rules and notices, drawn from what is usual in the market."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from agentbench_env.draw import Draw
from agentbench_tasks.reservations.domain.market import (
    ClosurePattern,
    Hours,
    NoticePattern,
    ReservationMarket,
    ServicePatterns,
)
from agentbench_tasks.reservations.domain.venue import ClosureRule, NoticeReason, Service, ServiceHours

EVERY_DAY = (1, 2, 3, 4, 5, 6, 7)
_KINDS: dict[tuple[Service, ...], float] = {("lunch", "dinner"): 65, ("dinner",): 15, ("all_day",): 12, ("late",): 8}


def service_hours(service: Service, hours: Hours, last_seating: str = "") -> ServiceHours:
    """Return the hours of a service as venues keep them."""
    return ServiceHours(service, hours.open, hours.last_food, hours.close, hours.last_drinks, last_seating)


def draw_services(draw: Draw, patterns: ServicePatterns, kinds: Sequence[Service] = ()) -> list[ServiceHours]:
    """Draw the services of a house with their hours: those of `kinds`, or what a house here usually has."""
    kinds = kinds or draw.weighted(_KINDS)
    return [service_hours(kind, draw.choice(patterns.options(kind))) for kind in kinds]


def draw_closure(
    draw: Draw, market: ReservationMarket, venue_id: str, page_id: str, id: str, kinds: Sequence[str] = ()
) -> ClosureRule:
    """Draw the closing rule of a house, of one of `kinds` if any are named."""
    rows = [row for row in market.closures if not kinds or row.kind in kinds]
    return closure_of(draw.weighted({place: row.weight for place, row in enumerate(rows)}), rows, venue_id, page_id, id)


def closure_of(place: int, rows: Sequence[ClosurePattern], venue_id: str, page_id: str, id: str) -> ClosureRule:
    """Return the rule that a house keeps after a pattern."""
    row = rows[place]
    return ClosureRule(
        id,
        venue_id,
        page_id,
        row.kind,
        row.weekdays,
        row.nth,
        row.dates,
        row.from_date,
        row.to_date,
        row.open_on_holidays,
    )


def draw_reason(draw: Draw, rows: Sequence[NoticePattern], reasons: Sequence[NoticeReason] = ()) -> NoticeReason:
    """Draw why a house closes out of turn."""
    weights: dict[NoticeReason, float] = {
        row.reason: row.weight for row in rows if not reasons or row.reason in reasons
    }
    return draw.weighted(weights)


def moved(hours: ServiceHours, **changes: str) -> ServiceHours:
    """Return hours with some of them changed."""
    return msgspec.structs.replace(hours, **changes)
