"""How the user decides on a proposed call: nobody is to be bound, at most a house may be rung."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.tool import Tool
from agentbench_tasks.reservations.domain.directory import DirectoryPostRequest
from agentbench_tasks.reservations.domain.messages import MsgSendDraft
from agentbench_tasks.reservations.domain.phone import PhonePlaceCall
from agentbench_tasks.reservations.domain.queue import QueueJoinWaitlist
from agentbench_tasks.reservations.domain.walk_in.case import WalkInCase


def decide(case: WalkInCase, call: Tool, ep: Episode) -> Decision:
    """Grant what this user does not mind; a careless yes to a waiting list makes nothing right."""
    granted, kind = _decision(case, call)
    return Decision(granted, case.words[ep.language].decision(kind))


def _decision(case: WalkInCase, call: Tool) -> tuple[bool, str]:
    plot = case.built.plot
    match call:
        case QueueJoinWaitlist():
            return plot.lets_join, "grant_list" if plot.lets_join else "deny_list"
        case PhonePlaceCall():
            return plot.lets_ring, "grant_call" if plot.lets_ring else "deny_call"
        case MsgSendDraft() | DirectoryPostRequest():
            return False, "deny_message"
        case _:
            return False, "deny_booking"
