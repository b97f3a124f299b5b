"""How the user of an overbooked house decides on a proposed call: by what they wish, never by which house it is for."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.tool import Tool
from agentbench_tasks.commons.drafts import MailSendDraft
from agentbench_tasks.travel.domain.booking import BookingHold, BookingPurchase
from agentbench_tasks.travel.domain.changes import BookingCommitAction
from agentbench_tasks.travel.domain.claims import ClaimFile
from agentbench_tasks.travel.domain.overbooking.case import OverbookingCase
from agentbench_tasks.travel.domain.records import FareHold, Quote

REASONS = {
    BookingPurchase.name: "deny_purchase",
    BookingCommitAction.name: "deny_offer",
    ClaimFile.name: "deny_claim",
    MailSendDraft.name: "deny_mail",
}


def decide(case: OverbookingCase, call: Tool, ep: Episode) -> Decision:
    """Grant one free hold where this user likes holds; deny the rest."""
    kind = _objection(case, call, ep)
    return Decision(not kind, case.words[ep.language].decision(kind or "grant_hold"))


def _objection(case: OverbookingCase, call: Tool, ep: Episode) -> str:
    if not isinstance(call, BookingHold):
        return REASONS.get(call.name, "deny_not_mine")
    if not case.built.plot.grants_hold:
        return "deny_hold"
    quote = ep.world.find(call.quote_id)
    if call.guarantee_card_id or (isinstance(quote, Quote) and quote.hold != "free"):
        return "deny_card"
    held = (hold for hold in ep.world.all(FareHold) if not hold.by_user and hold.is_active(ep.world.now))
    return "deny_second" if any(held) else ""
