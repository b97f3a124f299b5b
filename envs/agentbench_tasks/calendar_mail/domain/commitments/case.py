"""The case of an audit of promises."""

from __future__ import annotations

import msgspec

from agentbench_env.claims import Fact
from agentbench_env.world import World
from agentbench_tasks.calendar_mail.domain.commitments.mails import Mails
from agentbench_tasks.calendar_mail.domain.commitments.plot import Plot
from agentbench_tasks.calendar_mail.domain.commitments.words import Words
from agentbench_tasks.calendar_mail.domain.office import Office
from agentbench_tasks.calendar_mail.domain.people import Person


class Due(msgspec.Struct, frozen=True):
    """An open promise: whose it is, by when, and which of its mails say so."""

    chain: str
    owner: str
    """Id of the owner's card."""
    deadline: str
    promised_in: tuple[str, ...]
    """Ids of the mails in which somebody promises it, the earliest first."""
    dated_by: tuple[str, ...]
    """Ids of the mails that name the day in force, the earliest first."""
    outdated: tuple[str, ...]
    """Ids of the mails that name a day that was in force before."""

    @property
    def needs(self) -> Fact:
        """The fact that a source has to carry: the day in force or, without any, the promise."""
        return (f"deadline.{self.chain}", self.deadline) if self.deadline else (f"promise.{self.chain}", True)

    @property
    def carriers(self) -> tuple[str, ...]:
        """Ids of the mails that carry it."""
        return self.dated_by if self.deadline else self.promised_in


class CommitmentCase(msgspec.Struct, frozen=True):
    """Everything that an instance of the audit fixes."""

    plot: Plot
    office: Office
    people: dict[str, Person]
    mails: Mails
    due: dict[str, Due]
    """The open promises by chain."""
    start: World
    words: dict[str, Words]
    """The user's sentences by language."""

    def due_in(self, message_id: str) -> Due | None:
        """Return the open promise to whose chain a mail belongs, None if it belongs to none."""
        return self.due.get(self.mails.chain_of.get(message_id, ""))
