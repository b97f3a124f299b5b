"""How the user of an entry check decides: nothing is to be applied for, handed in or sent."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.tool import Tool
from agentbench_tasks.commons.drafts import MailSendDraft
from agentbench_tasks.travel.domain.entry.case import EntryCase
from agentbench_tasks.travel.domain.portal import PortalStartApplication, PortalUploadDocument


def decide(case: EntryCase, call: Tool, ep: Episode) -> Decision:
    """Deny everything, with the reason."""
    kind = "deny_not_mine"
    if isinstance(call, PortalStartApplication):
        kind = "deny_application"
    elif isinstance(call, PortalUploadDocument):
        kind = "deny_upload"
    elif isinstance(call, MailSendDraft):
        kind = "deny_mail"
    return Decision(False, case.words[ep.language].decision(kind))
