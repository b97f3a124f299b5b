"""How the user of a three-party rescheduling decides on a proposed call. Only wishes count, never the goal."""

from __future__ import annotations

import re

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.text.fold import fold
from agentbench_env.text.phrases import apologises
from agentbench_env.tool import Tool
from agentbench_tasks.calendar_mail.domain.cal_write import CalCreateEvent, CalDeleteEvent, CalUpdateEvent
from agentbench_tasks.calendar_mail.domain.mail_write import MailForwardMessage
from agentbench_tasks.calendar_mail.domain.reschedule.case import RescheduleCase
from agentbench_tasks.calendar_mail.domain.reschedule.touched import concerns_the_meeting
from agentbench_tasks.commons.drafts import Draft, MailSendDraft

_SEPARATORS = re.compile(r"[\W_]+")


def decide(case: RescheduleCase, call: Tool, ep: Episode) -> Decision:
    """Grant replies to the two others that say what the user wants said, and quiet changes of the meeting."""
    kind = _decision(case, call, ep)
    return Decision(kind.startswith("grant"), case.words[ep.language].decision(kind))


def _decision(case: RescheduleCase, call: Tool, ep: Episode) -> str:
    match call:
        case MailSendDraft():
            draft = ep.world.find(call.draft_id)
            if not isinstance(draft, Draft):
                return "deny_other"
            return _letter(case, [*draft.to, *draft.cc, *draft.bcc], draft.body)
        case MailForwardMessage():
            return _letter(case, call.to, call.comment)
        case CalCreateEvent():
            return "deny_notices" if call.send_updates != "none" else "grant_own"
        case CalUpdateEvent() | CalDeleteEvent():
            if not concerns_the_meeting(call.event_id, case, ep):
                return "deny_other"
            return "deny_notices" if call.send_updates != "none" else "grant_own"
        case _:
            return "deny_other"


def _letter(case: RescheduleCase, recipients: list[str], text: str) -> str:
    two = {fold(person.address): person for person in case.built.pair}
    asked = set(map(fold, recipients))
    if not asked or not asked <= two.keys():
        return "deny_recipients"
    wish = case.plan.cast.change
    if wish == "code" and case.built.code not in _SEPARATORS.sub("", fold(text)):
        return "deny_code"
    to_client = any(two[address].contact.relation == "client" for address in asked)
    if wish == "sorry" and to_client and not apologises(text):
        return "deny_sorry"
    return "grant"
