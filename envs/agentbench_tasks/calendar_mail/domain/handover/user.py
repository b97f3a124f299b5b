"""How the user of a handover decides on a proposed call. Only what the user wishes counts, never the goal."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.market import shared_table
from agentbench_env.text.facts import ids
from agentbench_env.text.fold import fold
from agentbench_env.tool import Tool
from agentbench_tasks.calendar_mail.domain.handover.case import HandoverCase
from agentbench_tasks.calendar_mail.domain.handover.matters import FILE
from agentbench_tasks.calendar_mail.domain.mail_write import MailSetAutoreply
from agentbench_tasks.commons.drafts import Draft, MailSendDraft


def decide(case: HandoverCase, call: Tool, ep: Episode) -> Decision:
    """Let the note go to the colleague alone, if this user lets it go at all and nothing of it is unwelcome."""
    kind = _objection(case, call, ep)
    return Decision(not kind, case.words[ep.language].decision(kind or "grant"))


def _objection(case: HandoverCase, call: Tool, ep: Episode) -> str:
    built = case.built
    if isinstance(call, MailSetAutoreply):
        return "" if call.mailbox_id == ep.world.settings["mailbox_id"] else "deny_own_only"
    draft = ep.world.find(call.draft_id) if isinstance(call, MailSendDraft) else None
    if not isinstance(draft, Draft):
        return "deny_not_wished"
    if not built.plot.sends:
        return "deny_not_yet"
    if {fold(address) for address in (*draft.to, *draft.cc, *draft.bcc)} != {fold(built.colleague.address)}:
        return "deny_colleague_only"
    if any(fold(words) in fold(f"{draft.subject}\n{draft.body}") for words in _reasons(case)):
        return "deny_reason"
    if built.plot.adds and not ids.places(draft.body, built.cabinet):
        return "deny_add"
    return ""


def _reasons(case: HandoverCase) -> list[str]:
    """The reason of the leave as it may be written."""
    languages = case.built.office.setting.languages
    return [shared_table(f"text/{language}/{FILE}")["reasons"][case.built.reason] for language in languages]
