"""How the user decides on a proposed call: looking is all that is wanted."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.tool import Tool
from agentbench_tasks.calendar_mail.domain.files import FilesSaveCopy
from agentbench_tasks.calendar_mail.domain.mail_write import MailDeleteMessage, MailMoveMessage, MailSetAutoreply
from agentbench_tasks.calendar_mail.domain.versions.case import VersionsCase


def decide(case: VersionsCase, call: Tool, ep: Episode) -> Decision:
    """Grant nothing."""
    match call:
        case FilesSaveCopy():
            kind = "deny_save"
        case MailMoveMessage() | MailDeleteMessage() | MailSetAutoreply():
            kind = "deny_mailbox"
        case _:
            kind = "deny_send"
    return Decision(False, case.words[ep.language].decision(kind))
