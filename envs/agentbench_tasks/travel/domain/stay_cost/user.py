"""How the user who wants to know a stay's cost decides on a proposed call: nothing is wanted."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.tool import Tool
from agentbench_tasks.commons.drafts import MailSendDraft
from agentbench_tasks.travel.domain.booking import BookingHold, BookingPurchase
from agentbench_tasks.travel.domain.stay_cost.case import StayCostCase

REASONS = {BookingHold.name: "deny_hold", BookingPurchase.name: "deny_purchase", MailSendDraft.name: "deny_mail"}


def decide(case: StayCostCase, call: Tool, ep: Episode) -> Decision:
    """Deny with the reason that fits the call."""
    return Decision(False, case.words[ep.language].decision(REASONS.get(call.name, "deny_not_mine")))
