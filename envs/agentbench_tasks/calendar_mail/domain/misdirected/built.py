"""A finished instance: the office around the story, the mail, and the goal."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from agentbench_tasks.calendar_mail.domain.house import HousePage
from agentbench_tasks.calendar_mail.domain.mailbox import Delivery
from agentbench_tasks.calendar_mail.domain.misdirected.contents import Contents, Place
from agentbench_tasks.calendar_mail.domain.misdirected.items import Item, Kind
from agentbench_tasks.calendar_mail.domain.misdirected.plot import Plot
from agentbench_tasks.calendar_mail.domain.office import Office
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.recall import Reason
from agentbench_tasks.commons.messages import Attachment, Message
from agentbench_tasks.commons.outbound import PrivateString


class KeyFact(msgspec.Struct, frozen=True):
    """Something that the mail was to tell beside its items: a reference, a day (ISO) or a link."""

    kind: str
    value: str


class Goal(msgspec.Struct, frozen=True):
    """What is right, computed from the plot."""

    message_id: str
    wrong: tuple[str, ...]
    """The addresses of everybody who got the mail and should not have."""
    intended: str
    items: Mapping[Kind, Place]
    information_class: int
    available: bool
    reasons: frozenset[Reason]


class Built(msgspec.Struct, frozen=True):
    """Everything that was drawn."""

    office: Office
    plot: Plot
    contents: Contents
    mail: Message
    """The mail that went to the wrong person."""
    subject: str
    """Its subject without marks of replies."""
    request: Message
    """The mail of the intended person that it was to answer."""
    intended: Person
    wrong: tuple[Person, ...]
    entitled: tuple[Person, ...]
    """Who got a copy and may have it."""
    items: tuple[Item, ...]
    """The items that got out."""
    facts: tuple[KeyFact, ...]
    """What the mail was to tell beside its items."""
    files: tuple[Attachment, ...]
    """The files that went out with it."""
    deliveries: tuple[Delivery, ...]
    classes_page: HousePage
    help_page: HousePage
    project: str
    privacy_desk: str
    goal: Goal
    private: tuple[PrivateString, ...]

    @property
    def told(self) -> list[Item]:
        """The items of the user's own words: what the reply itself was to tell."""
        return [item for item in self.items if self.goal.items[item.kind] == "own"]

    @property
    def openable(self) -> list[Attachment]:
        """The files that open without a password."""
        return [file for file in self.files if not file.locked]

    def delivery_of(self, address: str) -> Delivery:
        """What became of the mail at a recipient."""
        return next(one for one in self.deliveries if one.recipient == address)
