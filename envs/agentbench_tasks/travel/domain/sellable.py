"""What can be sold now, a seat at a fare or a room at a rate, and how it is taken off sale."""

from __future__ import annotations

import msgspec

from agentbench_env.errors import ToolError
from agentbench_env.world import World
from agentbench_tasks.travel.domain.carriers import not_on_sale
from agentbench_tasks.travel.domain.messages import message
from agentbench_tasks.travel.domain.rates import room_gone, sellable_rate
from agentbench_tasks.travel.domain.records import Fare, Quote, Service, Tariff
from agentbench_tasks.travel.domain.records_stays import Channel, Rate


def sellable(world: World, quote: Quote) -> Fare | Rate:
    """Return what a quote is of, if it can still be sold to its party; refuse it otherwise."""
    persons = quote.adults + len(quote.child_ages)
    if isinstance(world.find(quote.fare_id), Rate):
        return sellable_rate(world, quote.fare_id, persons)
    return sellable_fare(world, quote.fare_id, persons)[0]


def sellable_fare(world: World, fare_id: str, persons: int) -> tuple[Fare, Service]:
    """Return a fare that can be sold to a party now, and its service; refuse one that cannot."""
    fare = world.find(fare_id)
    if not isinstance(fare, Fare):
        raise ToolError("unknown_id", message(world, "unknown_fare"), "object_id", "a fare_id from carrier_get_service")
    service = world.get(Service, fare.service_id)
    if not fare.open:
        raise ToolError("fare_gone", message(world, "fare_gone"), "", next_fares(world, fare))
    if service.on_sale_from > world.now:
        raise not_on_sale(world, service)
    if fare.seats < persons:
        raise ToolError("sold_out", message(world, "seats_left", n=str(fare.seats)), "", next_fares(world, fare))
    return fare, service


def next_fares(world: World, fare: Fare) -> str:
    """The ids of the service's fares that are still open."""
    rows = world.where(Fare, "service_id", fare.service_id)
    return ", ".join(other.id for other in rows if other.open and other.id != fare.id)


def tariff_of(world: World, carrier: str, currency: str) -> Tariff:
    """Return a carrier's tariff in a currency."""
    return next(tariff for tariff in world.where(Tariff, "carrier", carrier) if tariff.currency == currency)


def gone_now(world: World, offer: Fare | Rate) -> ToolError:
    """The refusal of a fare or rate that somebody else takes at this moment."""
    if isinstance(offer, Rate):
        return room_gone(world, offer, now=True)
    return ToolError(
        "fare_gone",
        message(world, "fare_gone"),
        "",
        next_fares(world, offer),
        meanwhile=lambda world: world.put(msgspec.structs.replace(offer, open=False)),
    )


def hold_hours(world: World, offer: Fare | Rate) -> int:
    """Return for how many hours a fare or rate is held."""
    if isinstance(offer, Rate):
        return world.get(Channel, offer.channel_id).hold_hours
    return tariff_of(world, offer.carrier, offer.base.currency).hold_hours


def take(world: World, offer: Fare | Rate, persons: int) -> None:
    """Take what was sold off sale: a seat for each person, or one room."""
    if isinstance(offer, Rate):
        world.put(msgspec.structs.replace(offer, rooms_left=offer.rooms_left - 1))
    else:
        world.put(msgspec.structs.replace(offer, seats=offer.seats - persons))
