"""How the user decides on proposals during an audit."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.tool import Tool
from agentbench_tasks.calendar_mail.domain.commitments.case import CommitmentCase


def decide(case: CommitmentCase, call: Tool, ep: Episode) -> Decision:
    """Grant nothing: only a list is wanted."""
    kind = "deny_send" if call.effect == "send" else "deny_touch"
    return Decision(False, case.words[ep.language].decision(kind))
