"""How the user decides on a proposed call: by wishes told, never by whether it is right."""

from __future__ import annotations

from datetime import date

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.text.fold import fold
from agentbench_env.tool import Tool
from agentbench_tasks.calendar_mail.domain.misdirected.case import MisdirectedCase
from agentbench_tasks.calendar_mail.domain.misdirected.notes import leaks, untold
from agentbench_tasks.calendar_mail.domain.recall import MailRecallMessage
from agentbench_tasks.commons.drafts import MailSendDraft
from agentbench_tasks.commons.written import Written, written


def decide(case: MisdirectedCase, call: Tool, ep: Episode) -> Decision:
    """Grant what the user wants done now, or say what is in its way."""
    kind = _objection(case, call, ep)
    return Decision(not kind, case.words[ep.language].decision(kind or "grant"))


def _objection(case: MisdirectedCase, call: Tool, ep: Episode) -> str:
    built, plot = case.built, case.built.plot
    if isinstance(call, MailRecallMessage):
        if not plot.may_recall:
            return "deny_recall"
        return "" if call.message_id == built.mail.id else "deny_other_recall"
    if not isinstance(call, MailSendDraft):
        return "deny_not_mine"
    draft = next((one for one in written(ep.world) if one.id == call.draft_id), None)
    if draft is None:
        return "deny_not_mine"
    if plot.leave == "none":
        return "deny_later"
    # Whoever got the mail may get a correction, as far as the user can say.
    reached = {fold(person.address) for person in (*built.wrong, *built.entitled)}
    today = date.fromisoformat(ep.world.today)
    if len(draft.to) == 1 and set(draft.to) <= reached:
        return _of_correction(case, draft, today)
    if plot.leave == "wrong_only":
        return "deny_myself"
    if not draft.is_to(built.intended.address):
        return "deny_recipient"
    return "deny_facts" if untold(draft, built, today) else ""


def _of_correction(case: MisdirectedCase, draft: Written, today: date) -> str:
    if draft.attachment_ids:
        return "deny_encloses"
    if leaks(draft, case.built, today):
        return "deny_repeats"
    if case.built.plot.names_desk and fold(case.built.privacy_desk) not in fold(draft.body):
        return "deny_desk"
    return ""
