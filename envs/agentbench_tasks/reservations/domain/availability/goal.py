"""What is right: whether there is a table, why not, the closed days and the last order, from what the venue keeps."""

from __future__ import annotations

import msgspec

from agentbench_env.claims import Fact
from agentbench_env.world import World
from agentbench_tasks.commons.service_time import ServiceTime, service_instant, service_minutes
from agentbench_tasks.reservations.domain.availability.plot import Reason
from agentbench_tasks.reservations.domain.booking_page import route_key, route_scope, window_key, window_value
from agentbench_tasks.reservations.domain.hours_page import (
    HoursFact,
    closure_key,
    closure_value,
    hours_key,
    notice_key,
)
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.slots import Refusal, SlotStatus, refusal_of, slot_key
from agentbench_tasks.reservations.domain.surface import find_surface, route_on
from agentbench_tasks.reservations.domain.venue import HoursRule, Opening, SeasonHours, opening_of

_REASONS: dict[Refusal, Reason] = {
    "": "none",
    "past_last_seating": "past_last_seating",
    "outside_window": "outside_booking_window",
    "party_not_accepted": "party_not_taken_online",
    "slot_gone": "full_for_party",
}
_STATUS: dict[Reason, SlotStatus] = {
    "outside_booking_window": "not_yet",
    "party_not_taken_online": "phone",
    "full_for_party": "full",
}
"""What the surface shows of the start where it is offered but cannot be had."""
_Row = HoursRule | SeasonHours


class Asked(msgspec.Struct, frozen=True):
    """What is asked of which venue; dates are ISO, the hour is a service time."""

    venue_id: str
    day: str
    clock: str
    party: int
    first: str
    last: str
    """The period of which the closed days are asked for, both ends included."""


class Goal(msgspec.Struct, frozen=True):
    """The right outcome, and the facts that show it."""

    reason: Reason
    reason_facts: tuple[tuple[Fact, ...], ...]
    """Sets of facts; each of them shows the reason."""
    closed: tuple[str, ...]
    closed_facts: tuple[Fact, ...]
    last_order: ServiceTime | None
    last_order_fact: Fact | None

    @property
    def available(self) -> bool:
        """Whether there is a table."""
        return self.reason == "none"


def goal_of(world: World, asked: Asked, days: list[str]) -> Goal:
    """Return what is right; `days`: those of the period."""
    opening = opening_of(world, asked.venue_id)
    reason = _reason(world, asked, opening)
    closed = tuple(day for day in days if not opening.is_open(day))
    row = next((row for row in opening.rows(asked.day) if _before(asked.clock, row.hours.close)), None)
    zone = world.get(Place, asked.venue_id).zone
    return Goal(
        reason,
        _facts_of(world, asked, opening, reason),
        closed,
        tuple(dict.fromkeys(_closed_by(opening, asked.venue_id, day) for day in closed)),
        ServiceTime(asked.day, row.hours.last_order_food, zone) if row else None,
        _hours_fact(row, "last_order_food") if row else None,
    )


def _reason(world: World, asked: Asked, opening: Opening) -> Reason:
    """The first reason for which the surface has no such table, `none` if it has one."""
    start = service_instant(asked.day, asked.clock, world.get(Place, asked.venue_id).zone)
    refusal, _, _ = refusal_of(world, find_surface(world, asked.venue_id), start, asked.party)
    if refusal != "closed":
        return _REASONS[refusal]
    if any(hours.holds(asked.clock) for hours in _without_notices(opening).services(asked.day)):
        return "closed_by_notice"
    return "between_services" if opening.is_open(asked.day) else "closed_weekly_or_holiday"


def _without_notices(opening: Opening) -> Opening:
    return msgspec.structs.replace(opening, notices=())


def _facts_of(world: World, asked: Asked, opening: Opening, reason: Reason) -> tuple[tuple[Fact, ...], ...]:
    venue, day = asked.venue_id, asked.day
    match reason:
        case "none":
            return ()
        case "closed_by_notice" | "closed_weekly_or_holiday":
            return ((_closed_by(opening, venue, day),),)
        case "between_services":
            rows = opening.rows(day)
            before = [_hours_fact(row, "close") for row in rows if not _before(asked.clock, row.hours.close)]
            after = [_hours_fact(row, "open") for row in rows if _before(asked.clock, row.hours.open)]
            return ((*before[-1:], *after[:1]),)
        case "past_last_seating":
            row = next(row for row in opening.rows(day) if row.hours.holds(asked.clock))
            return ((_hours_fact(row, "last_seating" if row.hours.last_seating else "last_order_food"),),)
        case "outside_booking_window" | "party_not_taken_online" | "full_for_party":
            shown: Fact = (slot_key(venue, day, asked.clock, asked.party), _STATUS[reason])
            return (_rule_of(world, asked, opening, reason), (shown,)) if reason != "full_for_party" else ((shown,),)


def _rule_of(world: World, asked: Asked, opening: Opening, reason: Reason) -> tuple[Fact, ...]:
    """The rule of the surface by which a party or a day is not taken on the web."""
    surface = find_surface(world, asked.venue_id)
    if reason == "outside_booking_window":
        return ((window_key(asked.venue_id), window_value(surface.window)),)
    service = next(hours.service for hours in opening.services(asked.day) if hours.holds(asked.clock))
    route = route_on(world, surface, asked.party, asked.day, service)
    assert route is not None
    return ((route_key(asked.venue_id, route_scope(route)), route.mode),)


def _closed_by(opening: Opening, venue_id: str, day: str) -> Fact:
    """The notice or the closing rule that closes a day, or one of its services."""
    for notice in opening.notices:
        if notice.from_date <= day <= notice.to_date and notice.scope != "room":
            return notice_key(venue_id, notice.from_date, notice.to_date), notice.scope
    rule = next(rule for rule in opening.closures if not _opening_with(opening, rule).is_open(day))
    return closure_key(venue_id, rule.kind), closure_value(rule)


def _opening_with(opening: Opening, rule: object) -> Opening:
    return msgspec.structs.replace(opening, closures=(rule,), notices=())


def _hours_fact(row: _Row, fact: HoursFact) -> Fact:
    return hours_key(row, fact), getattr(row.hours, fact)


def _before(clock: str, other: str) -> bool:
    return service_minutes(clock) < service_minutes(other)
