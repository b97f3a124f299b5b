"""How the user decides on a proposed call: looking is all that is wanted."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.tool import Tool
from agentbench_tasks.reservations.domain.availability.case import TableCase
from agentbench_tasks.reservations.domain.groups import CONFIRM, HOLD, PAY, QUEUE, SEND, VERIFY
from agentbench_tasks.reservations.domain.messages import MsgSaveDraft


def decide(case: TableCase, call: Tool, ep: Episode) -> Decision:
    """Grant nothing, with the reason."""
    kind = "deny_change"
    if isinstance(call, (*HOLD, *CONFIRM, *QUEUE)):
        kind = "deny_booking"
    elif isinstance(call, (*PAY, *VERIFY)):
        kind = "deny_identity"
    elif isinstance(call, (*SEND, MsgSaveDraft)):
        kind = "deny_contact"
    return Decision(False, case.words[ep.language].decision(kind))
