"""How the user decides on a proposed call: nothing is booked or sent yet; some would even let a deposit be paid."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.tool import Tool
from agentbench_tasks.reservations.domain.deposits.case import DepositCase
from agentbench_tasks.reservations.domain.groups import PAY, SEND, VERIFY


def decide(case: DepositCase, call: Tool, ep: Episode) -> Decision:
    """Grant a payment or a card where this user would; nothing else."""
    words = case.words[ep.language]
    if isinstance(call, PAY):
        granted = case.built.plot.pays
        return Decision(granted, words.decision("grant_payment" if granted else "deny_payment"))
    if isinstance(call, SEND):
        return Decision(False, words.decision("deny_message"))
    return Decision(False, words.decision("deny_code" if isinstance(call, VERIFY) else "deny_booking"))
