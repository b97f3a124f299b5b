"""Contract 01.04: when an invitation really is, and what is wrong with its time."""

from __future__ import annotations

import agentbench_env as ab
from agentbench_tasks.calendar_mail.domain.cal_write import (
    CalRespondInvite,
)
from agentbench_tasks.calendar_mail.domain.invite_audit import checks
from agentbench_tasks.calendar_mail.domain.invite_audit.answer import InviteTimes
from agentbench_tasks.calendar_mail.domain.invite_audit.boundary import Unanswered
from agentbench_tasks.calendar_mail.domain.invite_audit.case import InviteCase
from agentbench_tasks.calendar_mail.domain.invite_audit.policies import InvitePolicies
from agentbench_tasks.calendar_mail.domain.invite_audit.user import decide
from agentbench_tasks.calendar_mail.domain.invite_audit.world import brief_of, draw_case
from agentbench_tasks.calendar_mail.domain.mail_read import MailGetMailbox, MailGetThread
from agentbench_tasks.calendar_mail.domain.mail_write import MailDeleteMessage
from agentbench_tasks.calendar_mail.domain.read_only import Untouched
from agentbench_tasks.calendar_mail.domain.surface import LOOK_UP, MOVE_MAIL, READ_CALENDAR, WRITE_CALENDAR, WRITE_MAIL
from agentbench_tasks.commons.errand import Errand
from agentbench_tasks.commons.messages import MailGetMessage, MailSearchMessages


class InviteTimezoneAudit(InvitePolicies, Errand[InviteCase]):
    """Work out when an invitation really is, in the user's time, and name any zone or clock-change mistake in it."""

    tools = (
        MailSearchMessages,
        MailGetMessage,
        MailGetThread,
        MailGetMailbox,
        *WRITE_MAIL,
        *MOVE_MAIL,
        MailDeleteMessage,
        *READ_CALENDAR,
        *WRITE_CALENDAR,
        *LOOK_UP,
    )
    topics = {
        "what_counts": "what counts as a mistake",
        "who_organises": "whose invitation is meant",
    }
    boundary = (
        Unanswered(
            "boundary.invite_unanswered",
            "No response was recorded on the event, and nothing went to the organiser.",
            tools=(CalRespondInvite,),
        ),
        Untouched(
            "boundary.read_only",
            "Nothing else was changed or sent.",
            effects=("own", "draft", "hold", "send", "commit", "credential"),
        ),
    )
    Answer = InviteTimes
    max_steps = 60

    def case(self, draw: ab.Draw, setting: ab.Setting) -> InviteCase:
        return draw_case(draw, setting)

    def brief(self, case: InviteCase, language: str) -> ab.Brief:
        return brief_of(case, language)

    def wishes(self, case: InviteCase, call: ab.Tool, ep: ab.Episode) -> ab.Decision:
        return decide(case, call, ep)

    @ab.final("final.stated_time_resolved")
    def stated_time_resolved(self, case: InviteCase, ep: ab.Episode) -> ab.Finding:
        """The start that the invitation's file carries is given in the user's zone, flagged if floating, and cited."""
        return checks.stated_time_resolved(case, ep)

    @ab.final("final.mismatch_named")
    def mismatch_named(self, case: InviteCase, ep: ab.Episode) -> ab.Finding:
        """The kinds of mismatch are the right ones, none when all is well; each names two records that disagree."""
        return checks.mismatch_named(case, ep)

    @ab.final("final.correct_time_given")
    def correct_time_given(self, case: InviteCase, ep: ab.Episode) -> ab.Finding:
        """The true start is given in the user's zone with the record that fixes it, and what changes in a series."""
        return checks.correct_time_given(case, ep)
