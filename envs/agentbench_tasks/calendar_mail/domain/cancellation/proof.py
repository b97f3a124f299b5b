"""The proof that one meeting, one list of guests and one new date are meant: reads the records as anybody could."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.market import load_country
from agentbench_env.world import Record
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.cancellation.plot import Offer
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.contacts import Contact
from agentbench_tasks.commons.events import Event, originals
from agentbench_tasks.commons.texts import body_of

_DAY = timedelta(1)


class Goal(msgspec.Struct, frozen=True):
    """What is to be done."""

    event_id: str
    original: str
    """For a series, the reading at which the instance that is meant starts; "" otherwise."""
    guests: tuple[str, ...]
    """The ids of the cards of everybody who is to get a note."""
    start: int
    offer: int
    """The instant to offer, 0 if none."""


class Said(msgspec.Struct, frozen=True):
    """What the user says of the meeting: its title, its local start, and what to offer."""

    user: str
    """The user's address."""
    zone: str
    title: str
    local: str
    offer: Offer


def prove(said: Said, records: Sequence[Record]) -> Goal:
    """Find the one event that the user means, its guests, and the date to offer; raise NoFit if one is not certain."""
    cards = {address: one for one in records if isinstance(one, Contact) for address in one.emails}
    events = [one for one in records if isinstance(one, Event) and one.organizer == said.user]
    found = [(event, original) for event in events for original in _at(event, said)]
    if len(found) != 1:
        raise NoFit
    event, original = found[0]
    people = [guest for guest in event.attendees if guest.role != "resource" and guest.address != said.user]
    guests = [cards[guest.address] for guest in people]
    countries = {cards[said.user].country, *(card.country for card in guests)}
    local = _offered(said, countries)
    if any(to_local(to_instant(f"{local}", said.zone), card.zone)[:10] != local[:10] for card in guests if local):
        raise NoFit
    return Goal(
        event.id,
        original,
        tuple(card.id for card in guests),
        to_instant(said.local, said.zone),
        to_instant(local, said.zone) if local else 0,
    )


def _at(event: Event, said: Said) -> list[str]:
    """The instances of an event at the time that the user says, "" for an event that does not repeat."""
    if body_of(event.title) != said.title or event.start.zone != said.zone:
        return []
    if event.rrule:
        return [original for original in originals(event) if original == said.local]
    return [""] if event.start.local == said.local else []


def _offered(said: Said, countries: Iterable[str]) -> str:
    if said.offer == "none":
        return ""
    day, clock = date.fromisoformat(said.local[:10]) + 7 * _DAY, said.local[10:]
    while said.offer == "common" and not all(_works(country, day) for country in countries):
        day += _DAY
    if not all(_works(country, day) for country in countries):
        raise NoFit
    return f"{day.isoformat()}{clock}"


def _works(country: str, day: date) -> bool:
    """Whether private firms of a country work: no weekend, and no confirmed row that applies to them."""
    place = load_country(country)
    rows = [row for row in place.holidays(day, day) if "private" in row.applies_to]
    if any(row.status == "estimate" for row in rows) and not any(row.status == "confirmed" for row in rows):
        raise NoFit
    return day.isoweekday() not in place.weekend and not any(row.status == "confirmed" for row in rows)
