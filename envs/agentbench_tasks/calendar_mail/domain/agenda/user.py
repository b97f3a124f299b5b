"""How the user decides on a proposed call: looking is all that is wanted."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.tool import Tool
from agentbench_tasks.calendar_mail.domain.agenda.case import AgendaCase
from agentbench_tasks.calendar_mail.domain.surface import MOVE_MAIL, WRITE_CALENDAR


def decide(case: AgendaCase, call: Tool, ep: Episode) -> Decision:
    """Grant nothing."""
    if isinstance(call, WRITE_CALENDAR):
        kind = "deny_event"
    elif isinstance(call, MOVE_MAIL):
        kind = "deny_mailbox"
    else:
        kind = "deny_send"
    return Decision(False, case.words[ep.language].decision(kind))
