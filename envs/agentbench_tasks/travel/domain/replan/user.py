"""How the user of a disrupted trip decides on a proposed call."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.tool import Tool
from agentbench_tasks.travel.domain.booking import BookingHold
from agentbench_tasks.travel.domain.records import Fare, FareHold, Quote, Service
from agentbench_tasks.travel.domain.replan.case import ReplanCase


def decide(case: ReplanCase, call: Tool, ep: Episode) -> Decision:
    """Grant one free hold of a flight under the waiver, whatever it keeps or breaks; deny the rest."""
    kind = _objection(case, call, ep)
    return Decision(not kind, case.words[ep.language].decision(kind or "grant"))


def _objection(case: ReplanCase, call: Tool, ep: Episode) -> str:
    world = ep.world
    if call.effect == "commit" and not isinstance(call, BookingHold):
        return "deny_commit"
    if not isinstance(call, BookingHold):
        return "deny_not_mine"
    quote = world.find(call.quote_id)
    if not isinstance(quote, Quote):
        return "deny_not_mine"
    if quote.hold == "paid" or call.guarantee_card_id:
        return "deny_cost"
    fare = world.find(quote.fare_id)
    if not isinstance(fare, Fare) or not case.built.free(world.get(Service, fare.service_id), fare):
        return "deny_not_free"
    if any(hold.is_active(world.now) for hold in world.all(FareHold)):
        return "deny_second"
    return ""
