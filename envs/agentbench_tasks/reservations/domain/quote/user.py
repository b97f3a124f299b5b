"""How the user of an enquiry decides on a proposed call. Only what the user wishes counts."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.text.phrases import says
from agentbench_env.tool import Tool
from agentbench_tasks.reservations.domain.directory import DirectoryPostRequest
from agentbench_tasks.reservations.domain.messages import MessageDraft, MsgSendDraft
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.quote.case import QuoteCase


def decide(case: QuoteCase, call: Tool, ep: Episode) -> Decision:
    """Grant sending an enquiry to a firm, if the user does not want to read it first."""
    kind = _objection(case, call, ep)
    return Decision(not kind, case.words[ep.language].decision(kind or "grant_send"))


def _objection(case: QuoteCase, call: Tool, ep: Episode) -> str:
    if isinstance(call, DirectoryPostRequest):
        return "deny_post"
    if not isinstance(call, MsgSendDraft):
        return "deny_not_mine"
    draft = ep.world.find(call.draft_id)
    place = ep.world.find(draft.recipient_id) if isinstance(draft, MessageDraft) else None
    if not isinstance(draft, MessageDraft) or not isinstance(place, Place) or place.kind != "home_service":
        return "deny_other_reader"
    if not says(f"{draft.subject}\n{draft.body}", "shop_phrases.quote"):
        return "deny_no_enquiry"
    return "" if case.built.plot.sends else "deny_read_first"
