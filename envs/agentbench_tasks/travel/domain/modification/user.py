"""How the user of a booking to be moved decides on a proposed call: nothing is committed; a free hold now and then."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.tool import Tool
from agentbench_tasks.travel.domain.booking import BookingHold, BookingPurchase
from agentbench_tasks.travel.domain.changes import BookingCommitAction
from agentbench_tasks.travel.domain.modification.case import ModificationCase
from agentbench_tasks.travel.domain.records import FareHold, Quote


def decide(case: ModificationCase, call: Tool, ep: Episode) -> Decision:
    """Grant one free hold where the user likes one; deny the rest."""
    kind = _objection(case, call, ep)
    return Decision(not kind, case.words[ep.language].decision(kind or "grant"))


def _objection(case: ModificationCase, call: Tool, ep: Episode) -> str:
    if isinstance(call, BookingCommitAction | BookingPurchase):
        return "deny_commit"
    if not isinstance(call, BookingHold):
        return "deny_not_mine"
    quote = ep.world.find(call.quote_id)
    free = isinstance(quote, Quote) and quote.hold == "free" and not call.guarantee_card_id
    held = any(hold.is_active(ep.world.now) for hold in ep.world.all(FareHold))
    return "" if case.deal.shape.holds and free and not held else "deny_hold"
