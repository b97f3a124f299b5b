"""A table at a house that has nothing to do with the story, which engines book without any step."""

from __future__ import annotations

from agentbench_env.zones import to_local
from agentbench_tasks.commons.service_time import add_days, service_instant
from agentbench_tasks.reservations.domain.booking_records import Reservation
from agentbench_tasks.reservations.domain.change.case import ChangeCase
from agentbench_tasks.reservations.domain.holds import BookingHoldSlot
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.slots import offered_starts, refusal_of
from agentbench_tasks.reservations.domain.surface import Surface
from agentbench_tasks.reservations.domain.venue import effective_service

PARTY = 2
_DAYS = (3, 12)


def is_open(case: ChangeCase) -> bool:
    """Whether there is such a table."""
    return _find(case) is not None


def hold(case: ChangeCase) -> BookingHoldSlot:
    """Return the call that keeps such a table."""
    found = _find(case)
    assert found is not None
    return found


def _find(case: ChangeCase) -> BookingHoldSlot | None:
    world, name = case.start, case.user.booked_name
    booked = {row.venue_id for row in world.all(Reservation)}
    for surface in world.all(Surface):
        route = surface.routes[0]
        if surface.venue_id in booked or route.mode != "instant" or route.steps or not route.party.holds(PARTY):
            continue
        zone = world.get(Place, surface.venue_id).zone
        for ahead in range(*_DAYS):
            day = add_days(world.today, ahead)
            for hours in effective_service(world, surface.venue_id, day):
                for clock in offered_starts(hours, surface.slot_minutes):
                    start = service_instant(day, clock, zone)
                    if not refusal_of(world, surface, start, PARTY)[0]:
                        return BookingHoldSlot(
                            venue_id=surface.venue_id, start=to_local(start, zone), party_size=PARTY, guest_name=name
                        )
    return None
