"""The case of a cancellation, and the notes that the assistant has written in it."""

from __future__ import annotations

from datetime import date
from functools import cached_property

import msgspec

from agentbench_env.episode import Episode
from agentbench_env.text.fold import fold
from agentbench_tasks.calendar_mail.domain.cancellation.build import Built
from agentbench_tasks.calendar_mail.domain.cancellation.notes import names_meeting
from agentbench_tasks.calendar_mail.domain.cancellation.words import Words
from agentbench_tasks.commons.contacts import Contact
from agentbench_tasks.commons.errand import BuiltCase
from agentbench_tasks.commons.written import Written, written


class CancellationCase(BuiltCase[Built, Words], frozen=True):
    """Everything that an instance of the cancellation fixes."""

    @property
    def guests(self) -> tuple[Contact, ...]:
        """The cards of everybody who is to get a note."""
        return tuple(self.start.get(Contact, id) for id in self.built.goal.guests)

    @property
    def user(self) -> Contact:
        """The user's own card."""
        return self.built.office.user.contact


class Notice(msgspec.Struct, frozen=True):
    """A note to one guest."""

    reader: Contact
    mail: Written

    @property
    def whole(self) -> str:
        """Subject and text."""
        return f"{self.mail.subject}\n{self.mail.body}"


class Notices:
    """The notes of an episode: mails to one guest alone that name the meeting."""

    def __init__(self, case: CancellationCase, ep: Episode) -> None:
        self._case, self._ep = case, ep

    @cached_property
    def all(self) -> list[Notice]:
        """Every note, those that were sent first."""
        readers = {fold(guest.address): guest for guest in self._case.guests}
        found = [
            Notice(readers[mail.to[0]], mail)
            for mail in written(self._ep.world)
            if len(mail.to) == 1 and mail.to[0] in readers
        ]
        return [notice for notice in found if self._names_meeting(notice)]

    def _names_meeting(self, notice: Notice) -> bool:
        built, today = self._case.built, date.fromisoformat(self._ep.world.today)
        zones = (self._case.user.zone, notice.reader.zone)
        return names_meeting(notice.whole, built.title, built.goal.start, zones, today)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of their mails."""
        return tuple(notice.mail.id for notice in self.all)
