"""What is right about a booking that only the guest can make, from what the house keeps."""

from __future__ import annotations

import msgspec

from agentbench_env.claims import Fact
from agentbench_env.zones import to_local
from agentbench_tasks.reservations.domain import holds
from agentbench_tasks.reservations.domain.blocking import MEANING, BlockingStep, ChannelKind, NextStep, blocking_step
from agentbench_tasks.reservations.domain.booking_page import HaveReady, route_scope, step_key
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.surface import first_moment, fitting_route
from agentbench_tasks.reservations.domain.terms_facts import deposit_key, deposit_value, terms_scope

_VALUED: frozenset[ChannelKind] = frozenset({"phone", "messenger"})


class Errand(msgspec.Struct, frozen=True):
    """The booking that the user wants."""

    venue_id: str
    party: int
    day: str
    clock: str
    now: int


class Goal(msgspec.Struct, frozen=True):
    """The right outcome."""

    step: BlockingStep
    channel: ChannelKind
    contact: str
    """The number or account of the channel, "" where it has none."""
    next_step: NextStep
    first_open: str
    """The local time at which the channel opens, "" where nothing keeps the user waiting."""
    have_ready: frozenset[HaveReady]
    way: int
    """Which of the house's ways of booking it is."""
    proofs: tuple[Fact, ...]
    """The facts of which each proves the step: that of the page and surface, of a hold, of the terms."""


def goal_of(house: House, errand: Errand) -> Goal:
    """Return what is right about a booking at a house."""
    zone = house.place.zone
    services = house.opening.services(errand.day)
    service = next(hours.service for hours in services if hours.holds(errand.clock))
    routes = [route for route, _ in house.routes]
    route = fitting_route(routes, errand.party, errand.day, service)
    assert route is not None
    number = routes.index(route)
    step, terms = blocking_step(route), house.terms[number]
    next_step, channel, _ = MEANING[step]
    proofs: list[Fact] = [
        (step_key(house.place.id, route_scope(route)), step),
        (holds.step_key(house.place.id, errand.day, errand.party), step),
    ]
    if terms.deposit.kind != "none":
        proofs.append((deposit_key(house.place.id, terms_scope(terms)), deposit_value(terms)))
    earliest = max(errand.now, house.window.opens(errand.day, zone) or 0)
    if route.contact and route.contact.hours:
        opens = first_moment(route.contact, house.opening.is_open, earliest, zone)
        assert opens is not None
        earliest = opens
    return Goal(
        step,
        channel,
        route.contact.value if route.contact and channel in _VALUED else "",
        next_step,
        to_local(earliest, zone) if earliest > errand.now else "",
        frozenset(house.routes[number][1]),
        number,
        tuple(proofs),
    )
