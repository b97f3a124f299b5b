"""How the user decides on a proposed call: looking is all that is wanted."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.tool import Tool
from agentbench_tasks.calendar_mail.domain.cal_write import CalRespondInvite
from agentbench_tasks.calendar_mail.domain.invite_audit.case import InviteCase
from agentbench_tasks.calendar_mail.domain.mail_write import MailForwardMessage
from agentbench_tasks.commons.drafts import MailCreateDraft, MailSendDraft, MailUpdateDraft


def decide(case: InviteCase, call: Tool, ep: Episode) -> Decision:
    """Grant nothing."""
    match call:
        case CalRespondInvite():
            kind = "deny_response"
        case MailCreateDraft() | MailUpdateDraft() | MailSendDraft() | MailForwardMessage():
            kind = "deny_mail"
        case _:
            kind = "deny_change"
    return Decision(False, case.words[ep.language].decision(kind))
