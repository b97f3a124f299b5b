"""How the user decides on a proposed call: looking is all that is wanted."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.tool import Tool
from agentbench_tasks.calendar_mail.domain.agenda.case import AgendaCase
from agentbench_tasks.calendar_mail.domain.files import FilesSaveCopy
from agentbench_tasks.calendar_mail.domain.mail_write import MailDeleteMessage, MailMoveMessage, MailSetAutoreply
from agentbench_tasks.calendar_mail.domain.surface import WRITE_CALENDAR

KEEP_MAILBOX: tuple[type[Tool], ...] = (MailMoveMessage, MailDeleteMessage, MailSetAutoreply, FilesSaveCopy)
"""What would leave the mailbox or a folder other than it was."""


def decide(case: AgendaCase, call: Tool, ep: Episode) -> Decision:
    """Grant nothing."""
    if isinstance(call, WRITE_CALENDAR):
        kind = "deny_event"
    elif isinstance(call, KEEP_MAILBOX):
        kind = "deny_mailbox"
    else:
        kind = "deny_send"
    return Decision(False, case.words[ep.language].decision(kind))
