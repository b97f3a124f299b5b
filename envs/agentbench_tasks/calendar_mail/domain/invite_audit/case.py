"""The case of an invitation, and what the checks read from the answer."""

from __future__ import annotations

from agentbench_env.episode import Episode
from agentbench_tasks.calendar_mail.domain.invite_audit.answer import InviteTimes
from agentbench_tasks.calendar_mail.domain.invite_audit.build import Built
from agentbench_tasks.calendar_mail.domain.invite_audit.goal import Goal
from agentbench_tasks.calendar_mail.domain.invite_audit.words import Words
from agentbench_tasks.commons.errand import BuiltCase


class InviteCase(BuiltCase[Built, Words], frozen=True):
    """Everything that an instance fixes."""

    @property
    def goal(self) -> Goal:
        """What is right."""
        return self.built.goal

    @property
    def zone(self) -> str:
        """The user's zone."""
        return self.built.office.user.contact.zone

    @property
    def anchor_id(self) -> str:
        """The mail that fixes the time."""
        return self.built.letters.anchor.id

    @property
    def mail_id(self) -> str:
        """The mail of the invitation."""
        return self.built.letters.invitation.id


def answer_of(ep: Episode) -> InviteTimes:
    """The delivered answer."""
    assert isinstance(ep.answer, InviteTimes)
    return ep.answer
