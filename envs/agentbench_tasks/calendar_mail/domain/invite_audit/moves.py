"""How a careful assistant audits an invitation: the moves that the task's scripted policies are made of."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from agentbench_env.policies.expert import Do
from agentbench_tasks.calendar_mail.domain.invite_audit.answer import (
    AgreedClaim,
    Change,
    ChangeClaim,
    InviteTimes,
    KindName,
    LocalClaim,
    LocalTime,
    Mismatch,
)
from agentbench_tasks.calendar_mail.domain.invite_audit.case import InviteCase
from agentbench_tasks.calendar_mail.domain.invites import CalReadInvite, InviteText
from agentbench_tasks.calendar_mail.domain.mail_read import MailGetThread
from agentbench_tasks.commons.contacts import ContactsSearch
from agentbench_tasks.commons.messages import Head, MailGetMessage, MailSearchMessages
from agentbench_tasks.commons.zones import ClockZoneInfo


class Moves:
    """Reads what was agreed and what the invitation says, and writes the answer."""

    def __init__(self, case: InviteCase, do: Do) -> None:
        self.case, self.do = case, do
        self.invite: InviteText | None = None
        self.facts: list[str] = []
        """Ids of the zone facts read: the organiser's zone, then the user's."""
        self._shown: list[str] = []
        """The starts of the meeting in the user's zone, as reckoned from what was looked up."""

    def search(self) -> list[Head]:
        """Find the organiser's mails about the meeting."""
        case = self.case
        found = self.do(MailSearchMessages(query=case.built.letters.topic, sender=case.built.organiser.address))
        return found.messages

    def read(self) -> InviteText:
        """Read the invitation's file, and the threads of the meeting."""
        rows = {row.message_id: row for row in self.search()}
        invite = self.read_file()
        for thread in dict.fromkeys(rows[id].thread_id for id in (self.case.mail_id, self.case.anchor_id)):
            self.do(MailGetThread(thread_id=thread))
        return invite

    def read_file(self) -> InviteText:
        """Read the invitation's file."""
        self.invite = self.do(CalReadInvite(message_id=self.case.mail_id))
        return self.invite

    def read_singly(self) -> None:
        """Read the invitation and the agreement by themselves."""
        for id in (self.case.mail_id, self.case.anchor_id):
            self.do(MailGetMessage(message_id=id))

    def look_up(self) -> None:
        """Look up where the organiser is and what clocks show there and here, and reckon with it."""
        agreed = self.case.built.setup.agreed
        card = self.do(ContactsSearch(query=self.case.built.organiser.address)).contacts[0]
        there = self.do(ClockZoneInfo(zone=card.zone, at=agreed.local))
        here = self.do(ClockZoneInfo(zone=self.case.zone))
        self.facts = [there.fact_id, here.fact_id]
        first = date.fromisoformat(agreed.local[:10])
        for week in range(agreed.weeks):
            local = f"{(first + timedelta(7 * week)).isoformat()}{agreed.local[10:]}"
            if there.next_change.at and local >= there.next_change.local_after:
                there = self.do(ClockZoneInfo(zone=card.zone, at=local))
            ahead = _minutes(here.utc_offset) - _minutes(there.utc_offset)
            start = datetime.fromisoformat(local) + timedelta(minutes=ahead)
            self._shown.append(start.isoformat(timespec="minutes"))

    # --- the answer

    def stated(self, *sources: str) -> LocalClaim:
        """What the file states."""
        shown = self.invite.start if self.invite else ""
        local = shown if isinstance(shown, str) else shown.local
        return LocalClaim(value=self.time(local), sources=list(sources) or [self.case.mail_id])

    def correct(self, *sources: str) -> AgreedClaim:
        """What was agreed."""
        local = self._shown[0] if self._shown else ""
        return AgreedClaim(value=self.time(local), sources=list(sources) or [self.case.anchor_id])

    def changes(self, *sources: str) -> ChangeClaim:
        """From when a series is at another local time."""
        moved = [local for local in self._shown if local[11:] != self._shown[0][11:]]
        if not moved:
            return ChangeClaim()
        value = Change(date=moved[0][:10], local_time=moved[0][11:])
        return ChangeClaim(value=value, sources=list(sources) or [self.case.anchor_id])

    def mismatches(self) -> list[Mismatch]:
        """The mistakes, each shown by the invitation and the agreement."""
        return [self.mismatch(kind) for kind in sorted(self.case.goal.kinds)]

    def mismatch(self, kind: KindName, between: Sequence[str] = ()) -> Mismatch:
        """One mistake, shown by two records."""
        return Mismatch(kind=kind, between=list(between) or [self.case.mail_id, self.case.anchor_id])

    def time(self, local: str) -> LocalTime:
        """A time in the user's zone."""
        return LocalTime(local=local, zone=self.case.zone)

    def answer(self) -> InviteTimes:
        """The right answer."""
        return InviteTimes(
            stated_local=self.stated(),
            stated_is_floating=self.invite is not None and self.invite.is_floating,
            mismatches=self.mismatches(),
            correct_local=self.correct(),
            changes_from=self.changes(),
        )

    def deliver(self, **changed: object) -> None:
        """End the episode with the right answer, or with some fields of it changed."""
        self.do(self.answer().model_copy(update=changed))


def _minutes(offset: str) -> int:
    """An offset as zone facts print it, in minutes."""
    return int(f"{offset[0]}1") * (60 * int(offset[1:3]) + int(offset[4:6]))
