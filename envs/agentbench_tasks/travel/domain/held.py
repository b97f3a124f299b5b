"""The holds that are on: how one is printed, and the list of them."""

from __future__ import annotations

import msgspec

from agentbench_env.episode import Call
from agentbench_env.money import Amount
from agentbench_env.tool import Tool
from agentbench_env.world import World
from agentbench_tasks.commons.values import Zoned, zoned
from agentbench_tasks.travel.domain.records import FareHold


class HoldView(msgspec.Struct, frozen=True):
    """A hold as its carrier prints it."""

    hold_id: str
    quote_id: str
    object_id: str
    price: Amount
    fee: Amount
    expires_at: Zoned
    state: str


def hold_view(hold: FareHold, world: World) -> HoldView:
    """Return a hold as it is printed."""
    state = "expired" if hold.state == "active" and not hold.is_active(world.now) else hold.state
    expires = zoned(hold.expires_at, world.zone)
    return HoldView(hold.id, hold.quote_id, hold.fare_id, hold.price.wire(), hold.fee.wire(), expires, state)


class HoldViews(msgspec.Struct, frozen=True):
    """What `booking_list_holds` returns."""

    holds: list[HoldView]


class BookingListHolds(Tool):
    """List the holds that are on, the latest first."""

    def run(self, call: Call) -> HoldViews:
        world = call.world
        held = [hold for hold in reversed(world.all(FareHold)) if hold.is_active(world.now)]
        for hold in held:
            call.show(hold.id)
        return HoldViews([hold_view(hold, world) for hold in held])
