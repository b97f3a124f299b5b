"""What a stay costs as its channel shows it, and whether it can be sold now: the rate's side of quoting and buying."""

from __future__ import annotations

import msgspec

from agentbench_env.errors import ToolError
from agentbench_env.money import Money
from agentbench_env.world import World
from agentbench_env.zones import to_local
from agentbench_tasks.travel.domain.desks import desk_message
from agentbench_tasks.travel.domain.messages import message
from agentbench_tasks.travel.domain.records import QuoteLine
from agentbench_tasks.travel.domain.records_stays import Property, Rate, RoomType


def rate_lines(rate: Rate, persons: int) -> tuple[tuple[QuoteLine, ...], Money]:
    """Return a line a night, as shown and for the whole party, and their sum."""
    lines = tuple(
        QuoteLine("night", night.day, (), night.shown.minor * (persons if night.basis == "per_person" else 1))
        for night in rate.nights
    )
    return lines, Money(sum(line.minor for line in lines), rate.nights[0].shown.currency)


def sellable_rate(world: World, rate_id: str, persons: int) -> Rate:
    """Return a rate that can be sold to a party now; refuse one that cannot."""
    rate = world.get(Rate, rate_id, "object_id")
    guests = world.get(RoomType, rate.room_type_id).max_guests
    if persons > guests:
        raise ToolError("invalid_argument", field="adults", hint=f"at most {guests} guests in this room")
    if rate.sells_from > world.now:
        opens = to_local(rate.sells_from, world.get(Property, rate.property_id).zone)
        raise ToolError("not_on_sale", message(world, "not_on_sale", opens=opens), "", opens)
    if rate.rooms_left < 1:
        raise room_gone(world, rate)
    return rate


def room_gone(world: World, rate: Rate, *, now: bool = False) -> ToolError:
    """The refusal of a room that is not left; with `now` somebody else takes it at this moment."""
    others = ", ".join(other.id for other in world.where(Rate, "stay", rate.stay) if other.rooms_left and other != rate)
    text = desk_message(world, "room_sold_out")
    if not now:
        return ToolError("sold_out", text, "", others)
    return ToolError(
        "sold_out", text, "", others, meanwhile=lambda world: world.put(msgspec.structs.replace(rate, rooms_left=0))
    )
