"""The user's address book: who people are, how they write and are written to, and when they work."""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.text.fold import fold
from agentbench_env.tool import Tool
from agentbench_env.world import Record, World
from agentbench_tasks.commons.values import fitting

PAGE_SIZE = 10
Relation = Literal[
    "self", "client", "official", "superior", "provider", "vendor", "peer", "subordinate", "friend", "family"
]
"""What somebody is to the user; `self` is the user's own card."""


class DayHours(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """The hours of a weekday, Monday = 1, as spans from HH:MM to HH:MM; a weekday without any is left out of a week."""

    weekday: int
    spans: tuple[tuple[str, str], ...]


Week = tuple[DayHours, ...]


class Contact(Record, frozen=True, gc=False, cache_hash=True):
    """A person's card."""

    display_name: str
    native_name: str
    latin_name: str
    organisation: str
    department: str
    title: str
    emails: tuple[str, ...]
    languages: tuple[str, ...]
    relation: Relation
    register_due: tuple[str, ...]
    """The registers of which one is due to this person."""
    address_forms: tuple[str, ...]
    """The accepted forms of address."""
    zone: str
    country: str
    """The code under which the days off of the person's place are listed."""
    working_week: Week
    meeting_hours: Week
    is_internal: bool
    mail_system: str = ""
    """The name of the mail system that the person's address is on, "" if unknown."""
    assistant_of: str = ""
    note: str = ""
    reading: str = ""
    org_id: str = ""

    @property
    def address(self) -> str:
        """The address that mail to this person goes to."""
        return self.emails[0]

    def facts(self, world: World) -> dict[str, object]:
        """Where the person is, what they are to the user, and their address."""
        return {
            f"contact.{self.id}.zone": self.zone,
            f"contact.{self.id}.relation": self.relation,
            f"contact.{self.id}.address": self.address,
        }


class Hours(msgspec.Struct, frozen=True):
    """The hours of one weekday as a card prints them."""

    weekday: str
    hours: list[str]


class Card(msgspec.Struct, frozen=True):
    """A person's card as `contacts_search` prints it."""

    contact_id: str
    display_name: str
    native_name: str
    latin_name: str
    reading: str
    organisation: str
    department: str
    title: str
    emails: tuple[str, ...]
    languages: tuple[str, ...]
    relation: str
    register_due: tuple[str, ...]
    address_forms: tuple[str, ...]
    zone: str
    country: str
    working_week: list[Hours]
    meeting_hours: list[Hours]
    is_internal: bool
    mail_system: str
    assistant_of: str
    note: str


class Cards(msgspec.Struct, frozen=True):
    """What `contacts_search` returns."""

    contacts: list[Card]
    total: int
    next_page_token: str


class ContactsSearch(Tool):
    """Look people up in the user's address book by name in any script, address, organisation or title.

    Every word must occur on the card.
    """

    latency_s: ClassVar[float] = 0.4

    query: str = Field(description="Words; empty for everybody.", max_length=400)
    page_token: str = Field(default="", description="The next_page_token of the page before.")

    def run(self, call: Call) -> Cards:
        words = fold(self.query).split()
        found = [card for card in call.world.all(Contact) if all(word in _folded(card) for word in words)]
        found.sort(key=lambda card: (card.latin_name, card.id))
        rows, token = fitting(found, self.page_token, _card, PAGE_SIZE)
        for row in rows:
            call.show(row.contact_id)
        return Cards(rows, len(found), token)


_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def hours_of(week: Week) -> list[Hours]:
    """Return a week as tools print it."""
    return [
        Hours(_WEEKDAYS[day.weekday - 1], [f"{start}-{end}" for start, end in day.spans]) for day in week if day.spans
    ]


@lru_cache(maxsize=4096)
def _folded(card: Contact) -> str:
    names = (card.display_name, card.native_name, card.latin_name, card.reading)
    return fold("\n".join((*names, card.organisation, card.department, card.title, *card.emails, *card.address_forms)))


def _card(card: Contact) -> Card:
    return Card(
        card.id,
        card.display_name,
        card.native_name,
        card.latin_name,
        card.reading,
        card.organisation,
        card.department,
        card.title,
        card.emails,
        card.languages,
        card.relation,
        card.register_due,
        card.address_forms,
        card.zone,
        card.country,
        hours_of(card.working_week),
        hours_of(card.meeting_hours),
        card.is_internal,
        card.mail_system,
        card.assistant_of,
        card.note,
    )


def contact_at(world: World, address: str) -> Contact | None:
    """Return the card with this address, None if there is none."""
    wanted = fold(address)
    return next((card for card in world.all(Contact) if wanted in map(fold, card.emails)), None)
