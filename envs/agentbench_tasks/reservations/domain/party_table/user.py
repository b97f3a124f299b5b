"""How the user decides on a proposed call: by what was asked for, never by which house is right."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.tool import Tool
from agentbench_tasks.reservations.domain.booking_records import TableHold
from agentbench_tasks.reservations.domain.holds import BookingConfirmHold
from agentbench_tasks.reservations.domain.party_table.case import Kept, PartyCase
from agentbench_tasks.reservations.domain.party_table.fit import is_near, is_on_the_day, is_on_time


def decide(case: PartyCase, call: Tool, ep: Episode) -> Decision:
    """Grant the confirmation that was wished for; which house is safe to eat at is left to the assistant."""
    kind = _objection(case, call, ep)
    return Decision(not kind, case.words[ep.language].decision(kind or "grant_confirm"))


def _objection(case: PartyCase, call: Tool, ep: Episode) -> str:
    if not isinstance(call, BookingConfirmHold):
        return "deny_not_mine"
    hold = ep.world.find(call.hold_id)
    if not isinstance(hold, TableHold) or not hold.is_live(ep.world.now):
        return "deny_not_mine"
    plot, kept = case.plot, Kept.of(hold)
    if not plot.theme.confirms:
        return "deny_self"
    if kept.party_size != plot.party:
        return "deny_party"
    if not is_on_the_day(plot, kept.start, ep.world.zone):
        return "deny_date"
    if not is_on_time(plot, kept.start, ep.world.zone):
        return "deny_time"
    return "" if is_near(ep.world, case.built.landmark_id, kept.venue_id) else "deny_area"
