"""How the user of a pre-order decides on a proposed call: everybody is asked once more before anything goes out."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.tool import Tool
from agentbench_tasks.reservations.domain.group_preorder.case import PreorderCase
from agentbench_tasks.reservations.domain.messages import MsgSendDraft
from agentbench_tasks.reservations.domain.preorder import PreorderSubmitSheet


def decide(case: PreorderCase, call: Tool, ep: Episode) -> Decision:
    """Grant nothing: the user sends the message, and the table stays as it is."""
    words = case.words[ep.language]
    if isinstance(call, MsgSendDraft):
        return Decision(False, words.decision("deny_send"))
    return Decision(False, words.decision("deny_order" if isinstance(call, PreorderSubmitSheet) else "deny_other"))
