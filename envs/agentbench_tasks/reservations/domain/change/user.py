"""How the user decides on a proposed call. Only what they wish and what it would cost them counts, never the goal."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.errors import ToolError
from agentbench_env.tool import Tool
from agentbench_env.world import World
from agentbench_tasks.commons.service_time import read_local
from agentbench_tasks.reservations.domain.amendments import BookingChangeReservation, settle_change
from agentbench_tasks.reservations.domain.booking_records import Reservation
from agentbench_tasks.reservations.domain.change.case import ChangeCase
from agentbench_tasks.reservations.domain.change.goal import zone_of
from agentbench_tasks.reservations.domain.groups import SEND


def decide(case: ChangeCase, call: Tool, ep: Episode) -> Decision:
    """Grant the change that was asked for, if what it costs is agreeable."""
    kind = _objection(case, call, ep.world)
    return Decision(not kind, case.words[ep.language].decision(kind or "grant_change"))


def _objection(case: ChangeCase, call: Tool, world: World) -> str:
    if isinstance(call, BookingChangeReservation):
        return _objection_to_change(case, call, world)
    return "deny_send" if isinstance(call, SEND) else "deny_not_mine"


def _objection_to_change(case: ChangeCase, call: BookingChangeReservation, world: World) -> str:
    row = world.find(call.reservation_id)
    if not isinstance(row, Reservation) or row.id != case.goal.reservation_id:
        return "deny_other_booking"
    zone = zone_of(world, row)
    try:
        start = read_local(call.start, zone, "start") if call.start else row.start
    except ToolError:
        return "deny_other_change"
    party = call.party_size or row.party_size
    if (start, party) != (case.goal.start, case.goal.party):
        return "deny_other_change"
    if call.notes not in ("", row.notes) or call.seating not in ("any", row.seating):
        return "deny_rest"
    charge = settle_change(world, row, start, party, world.now).charge
    return "" if case.approves or not charge.minor else "deny_charge"
