"""What is right for a reservation: whether the engine changes it, and until when it can be called off for nothing."""

from __future__ import annotations

from typing import Literal

import msgspec

from agentbench_env.world import World
from agentbench_tasks.commons.messages import Channel
from agentbench_tasks.commons.service_time import service_instant, service_time
from agentbench_tasks.reservations.domain.amendments import (
    Settlement,
    change_refusal,
    occasion_of,
    settle_change,
)
from agentbench_tasks.reservations.domain.booking_records import Reservation
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.terms import Terms, free_until, terms_for
from agentbench_tasks.reservations.domain.venue import open_days

Outcome = Literal["updated", "routed"]
BY_ENGINE = ("engine", "aggregator")


class Wish(msgspec.Struct, frozen=True):
    """What the user wants of a booking; what is empty stays as it is."""

    day: str = ""
    clock: str = ""
    party: int = 0

    def of(self, row: Reservation, zone: str) -> tuple[int, int]:
        """Return start and size that a booking is to have."""
        when = service_time(row.start, zone)
        start = service_instant(self.day or when.service_date, self.clock or when.time, zone)
        return start, self.party or row.party_size


class Goal(msgspec.Struct, frozen=True):
    """The right end of an instance."""

    reservation_id: str
    start: int
    party: int
    """Start and size that are wished."""
    outcome: Outcome
    charge: int
    """What the change would take, in minor units."""
    cutoff: int
    """Until when the reservation, as it stands at the end, can be called off for nothing."""
    channel: Channel
    """Where the terms say that changes go."""


def zone_of(world: World, row: Reservation) -> str:
    """Return the zone of a reservation's venue."""
    return world.get(Place, row.venue_id).zone


def charge_of(world: World, row: Reservation, wish: Wish) -> Settlement:
    """Return what the wished change costs now."""
    return settle_change(world, row, *wish.of(row, zone_of(world, row)), world.now)


def is_taken(world: World, row: Reservation, wish: Wish) -> bool:
    """Whether the engine takes the wished change at all."""
    start, party = wish.of(row, zone_of(world, row))
    return row.made_via in BY_ENGINE and not change_refusal(world, row, start, party, row.seating)[0]


def outcome_of(world: World, row: Reservation, wish: Wish, approved: bool) -> Outcome:
    """Return what is to become of a reservation; `approved`: whether the user agrees to what it costs."""
    free = not charge_of(world, row, wish).charge.minor
    return "updated" if is_taken(world, row, wish) and (free or approved) else "routed"


def current_terms(world: World, row: Reservation) -> Terms:
    """Return the terms under which a reservation stands as it is; houses of this plot have some for every booking."""
    terms = terms_for(world, row.venue_id, occasion_of(world, row))
    assert terms is not None
    return terms


def cutoff_of(world: World, row: Reservation) -> int | None:
    """Return until when a reservation can be called off for nothing as it stands, None if it never can."""
    terms = current_terms(world, row)
    return free_until(terms, occasion_of(world, row), open_days(world, row.venue_id))


def channel_of(terms: Terms) -> Channel:
    """Return the channel in which terms ask for changes; what goes by telephone is a note to read out."""
    assert terms.contact is not None
    return "messenger" if terms.contact.kind == "messenger" else "call_note"


def goal_of(world: World, reservation_id: str, wish: Wish, approved: bool) -> Goal:
    """Reckon the goal from the hidden tables."""
    row = world.get(Reservation, reservation_id)
    start, party = wish.of(row, zone_of(world, row))
    outcome = outcome_of(world, row, wish, approved)
    ends = msgspec.structs.replace(row, start=start, party_size=party) if outcome == "updated" else row
    cutoff = cutoff_of(world, ends)
    assert cutoff is not None
    channel = channel_of(current_terms(world, row))
    return Goal(row.id, start, party, outcome, charge_of(world, row, wish).charge.minor, cutoff, channel)
