"""How the user decides on a proposed call: anything goes with some, nothing that only the user may do with others."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.tool import Tool
from agentbench_tasks.reservations.domain import groups
from agentbench_tasks.reservations.domain.out_of_scope.case import OutOfScopeCase


def decide(case: OutOfScopeCase, call: Tool, ep: Episode) -> Decision:
    """Say yes to whatever is free; to the rest as this user does."""
    kind = _refusal(call)
    granted = not kind or case.built.plot.lenient
    return Decision(granted, case.words[ep.language].decision("grant" if granted else kind))


def _refusal(call: Tool) -> str:
    """Which sentence refuses a call, "" for one that needs no leave."""
    if isinstance(call, groups.PAY + groups.VERIFY):
        return "deny_identity"
    if isinstance(call, groups.SEND + groups.QUEUE):
        return "deny_contact"
    if isinstance(call, groups.CONFIRM + groups.CHANGE + groups.CANCEL + groups.ORDER):
        return "deny_commitment"
    return ""
