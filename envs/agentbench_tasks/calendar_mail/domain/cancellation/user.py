"""How the user of a cancellation decides on a proposed call. Only what the user wishes counts, never the goal."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.text.fold import fold
from agentbench_env.tool import Tool
from agentbench_tasks.calendar_mail.domain.cal_write import CalDeleteEvent, CalUpdateEvent
from agentbench_tasks.calendar_mail.domain.cancellation.case import CancellationCase, Notices
from agentbench_tasks.calendar_mail.domain.cancellation.notes import tells_too_much
from agentbench_tasks.commons.drafts import Draft, MailSendDraft


def decide(case: CancellationCase, call: Tool, ep: Episode) -> Decision:
    """Grant the removal once there is a note to see, and the sending of notes as far as this user wants it now."""
    kind = _objection(case, call, ep)
    granted = "grant_send" if isinstance(call, MailSendDraft) else "grant_removal"
    return Decision(not kind, case.words[ep.language].decision(kind or granted))


def _objection(case: CancellationCase, call: Tool, ep: Episode) -> str:
    if isinstance(call, CalDeleteEvent) or (isinstance(call, CalUpdateEvent) and call.status == "cancelled"):
        if call.event_id.partition("@")[0] != case.built.goal.event_id:
            return "deny_other_event"
        return "" if Notices(case, ep).all else "deny_notices_first"
    if isinstance(call, MailSendDraft):
        draft = ep.world.find(call.draft_id)
        return _objection_to_sending(case, draft) if isinstance(draft, Draft) else "deny_not_mine"
    return "deny_not_mine"


def _objection_to_sending(case: CancellationCase, draft: Draft) -> str:
    everybody = {fold(address) for address in (*draft.to, *draft.cc, *draft.bcc)}
    guests = {fold(guest.address): guest for guest in case.guests}
    if len(everybody) != 1:
        return "deny_one_each"
    reader = guests.get(everybody.pop())
    if reader is None:
        return "deny_not_guest"
    if tells_too_much(f"{draft.subject}\n{draft.body}", reader, case.built.plot.pair):
        return "deny_confidential"
    sending = case.built.plot.sending
    if sending == "none":
        return "deny_send_none"
    return "" if sending == "all" or reader.is_internal else "deny_send_outside"
