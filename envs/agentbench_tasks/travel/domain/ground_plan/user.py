"""How the user of a ground plan decides: nothing is to be booked and nothing sent, whatever the proposal."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.tool import Tool
from agentbench_tasks.commons.drafts import MailSendDraft
from agentbench_tasks.travel.domain.ground import GroundBook
from agentbench_tasks.travel.domain.ground_plan.case import GroundPlanCase


def decide(case: GroundPlanCase, call: Tool, ep: Episode) -> Decision:
    """Deny, with the reason."""
    kind = "deny_not_mine"
    if isinstance(call, GroundBook):
        kind = "deny_booking"
    elif isinstance(call, MailSendDraft):
        kind = "deny_mail"
    return Decision(False, case.words[ep.language].decision(kind))
