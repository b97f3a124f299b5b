"""How the user decides on a proposed call: looking is all that is wanted."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.tool import Tool
from agentbench_tasks.reservations.domain import groups
from agentbench_tasks.reservations.domain.shortlist.case import ShortlistCase


def decide(case: ShortlistCase, call: Tool, ep: Episode) -> Decision:
    """Grant nothing."""
    kind = "deny_enquiry" if isinstance(call, groups.SEND + groups.DRAFT) else "deny_booking"
    return Decision(False, case.words[ep.language].decision(kind))
