"""How the user of a double booking decides on a proposed call. Only wishes count, never the goal."""

from __future__ import annotations

from datetime import date

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.text.facts.moments import states_moment
from agentbench_env.text.fold import fold
from agentbench_env.tool import Tool
from agentbench_tasks.calendar_mail.domain.cal_write import CalUpdateEvent
from agentbench_tasks.calendar_mail.domain.double_booking.case import DoubleBookingCase
from agentbench_tasks.commons.contacts import contact_at
from agentbench_tasks.commons.drafts import Draft, MailSendDraft


def decide(case: DoubleBookingCase, call: Tool, ep: Episode) -> Decision:
    """Grant quiet changes of the two meetings, and notes to their guests as far as this user wants them sent now."""
    kind = _decision(case, call, ep)
    return Decision(kind.startswith("grant"), case.words[ep.language].decision(kind))


def _decision(case: DoubleBookingCase, call: Tool, ep: Episode) -> str:
    match call:
        case MailSendDraft():
            draft = ep.world.find(call.draft_id)
            return _sending(case, draft, ep) if isinstance(draft, Draft) else "deny_other"
        case CalUpdateEvent():
            if call.event_id not in {meeting.id for meeting in case.built.both}:
                return "deny_other"
            return "grant_own" if call.send_updates == "none" else "deny_notices"
        case _:
            return "deny_other"


def _sending(case: DoubleBookingCase, draft: Draft, ep: Episode) -> str:
    guests = {fold(person.address) for meeting in case.built.both for _, person in meeting.people}
    everybody = [*draft.to, *draft.cc, *draft.bcc]
    if not everybody or not set(map(fold, everybody)) <= guests:
        return "deny_recipients"
    match case.built.plan.story.sending:
        case "send":
            return "grant"
        case "leave":
            return "deny_send"
        case "old_time":
            return "grant" if _tells_the_old_time(case, draft, ep) else "deny_old_time"


def _tells_the_old_time(case: DoubleBookingCase, draft: Draft, ep: Episode) -> bool:
    """Whether a note says when either of the two meetings was to be."""
    reader = contact_at(ep.world, draft.to[0] if draft.to else "")
    text, today = f"{draft.subject}\n{draft.body}", date.fromisoformat(ep.world.today)
    return any(
        states_moment(
            text,
            meeting.start,
            written_on=today,
            reader_zone=reader.zone if reader else case.zone,
            writer_zone=case.zone,
        )
        for meeting in case.built.both
    )
