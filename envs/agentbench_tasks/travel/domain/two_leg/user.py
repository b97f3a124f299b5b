"""How the user of a two-leg journey decides on a proposed call. Only what the user wishes counts, never the goal."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.tool import Tool
from agentbench_tasks.travel.domain.booking import BookingHold, BookingPurchase
from agentbench_tasks.travel.domain.records import Fare, FareHold, Quote, Service
from agentbench_tasks.travel.domain.two_leg.case import TwoLegCase, fits


def decide(case: TwoLegCase, call: Tool, ep: Episode) -> Decision:
    """Grant a free hold that meets every wish; deny the rest with the first reason, or leave it unanswered."""
    wish = case.wish
    if isinstance(call, BookingHold) and wish.mode == "hold" and wish.reaction == "silence":
        return Decision(False, answered=False)
    kind = _objection(case, call, ep)
    return Decision(not kind, case.words[ep.language].decision(kind or "grant"))


def _objection(case: TwoLegCase, call: Tool, ep: Episode) -> str:
    wish, world = case.wish, ep.world
    if isinstance(call, BookingPurchase):
        return "deny_purchase"
    if not isinstance(call, BookingHold):
        return "deny_not_mine"
    if wish.mode == "quote":
        return "deny_quotes_only"
    if wish.reaction == "no":
        return "deny_changed_mind"
    quote = world.find(call.quote_id)
    if not isinstance(quote, Quote):
        return "deny_not_mine"
    fare = world.get(Fare, quote.fare_id)
    service = world.get(Service, fare.service_id)
    leg = case.leg_of(service)
    if not leg:
        return "deny_wrong_leg"
    wrong = fits(quote, fare, wish, world)
    if wrong:
        return f"deny_wrong_{wrong}"
    if quote.hold == "paid" or call.guarantee_card_id:
        return "deny_paid_lock"
    active = [hold for hold in world.all(FareHold) if hold.is_active(world.now)]
    legs = {case.leg_of(world.get(Service, world.get(Fare, hold.fare_id).service_id)): hold for hold in active}
    if leg in legs:
        return "deny_second_hold"
    home = case.built.rates.to_home
    if home(quote.total).minor + sum(home(hold.price).minor for hold in legs.values()) > wish.budget.minor:
        return "deny_over_budget"
    if wish.excluded_point and wish.excluded_point in (service.origin, service.dest):
        return "deny_airport"
    if wish.not_before and service.dep_local[11:] < wish.not_before:
        return "deny_before_time"
    return ""
