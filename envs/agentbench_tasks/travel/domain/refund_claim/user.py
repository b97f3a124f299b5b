"""How the user of a claim decides on a proposed call: filing is theirs, and a request for a confirmation at most."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.tool import Tool
from agentbench_tasks.commons.drafts import Draft, MailSendDraft
from agentbench_tasks.travel.domain.claims import ClaimFile
from agentbench_tasks.travel.domain.refund_claim.case import ClaimCase


def decide(case: ClaimCase, call: Tool, ep: Episode) -> Decision:
    """Grant or deny by the user's wishes, never by whether the draft is right."""
    plot, words = case.plot, case.words[ep.language]
    if isinstance(call, ClaimFile):
        return Decision(plot.files, words.decision("grant_file" if plot.files else "deny_file"))
    if isinstance(call, MailSendDraft):
        draft = ep.world.find(call.draft_id)
        to_desk = isinstance(draft, Draft) and {*draft.to, *draft.cc, *draft.bcc} == {case.papers.desk}
        asks = plot.asks_carrier and to_desk
        return Decision(asks, words.decision("grant_mail" if asks else "deny_mail"))
    return Decision(False, words.decision("deny_not_mine"))
