"""What a careful assistant works out from what the tools printed: which rule decides, and when people can meet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from functools import cache

import msgspec

from agentbench_env.market import shared_table
from agentbench_tasks.calendar_mail.domain.cal_read import EventText
from agentbench_tasks.calendar_mail.domain.double_booking.mails import FILE
from agentbench_tasks.commons.contacts import Card
from agentbench_tasks.commons.events import Attendee
from agentbench_tasks.commons.pages import SectionRow
from agentbench_tasks.commons.values import Zoned

_STEP = timedelta(minutes=30)
_SLOT = re.compile(r"\\\{(\w+)\\\}")


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """A template as a pattern with its slots as groups."""
    seen: set[str] = set()

    def group(match: re.Match[str]) -> str:
        name = match[1]
        again = name in seen
        seen.add(name)
        return f"(?P={name})" if again else f"(?P<{name}>.+?)"

    return re.compile(_SLOT.sub(group, re.escape(template)), re.DOTALL)


def speaks_of_a_deadline(text: str, language: str) -> bool:
    """Whether a description or mail says that a meeting is bound to a date."""
    table = shared_table(f"text/{language}/{FILE}")
    templates = (row for part in ("descriptions", "mails") for kind in ("statutory", "contract")
                 for row in table[part][kind]["variants"])  # fmt: skip
    return any(_pattern(template).search(text) for template in templates)


class Rules(msgspec.Struct, frozen=True):
    """The page of rules as it was read."""

    order: tuple[tuple[str, str], ...]
    """The rules by name, with the ids of their sections."""
    only_room: str
    """The name of the room of which there is only one."""
    days: int
    """Within how many working days a moved meeting has to be held."""


def read_rules(rows: Iterable[SectionRow], language: str) -> Rules:
    """Recognise the sections of the page by their headings."""
    table = shared_table(f"text/{language}/office")["pages"]["priority"]
    names = {part["heading"]: name for name, part in table.items() if isinstance(part, dict)}
    order: list[tuple[str, str]] = []
    only, days = "", 0
    for row in rows:
        name = names[row.heading]
        if name in ("rooms", "later"):
            found = _pattern(table[name]["text"]).fullmatch(row.text)
            assert found is not None
            only, days = (found["only"], days) if name == "rooms" else (only, int(found["n"]))
        elif name not in ("intro", "what_counts"):
            order.append((name, row.section_id))
    return Rules(tuple(order), only, days)


class Seen(msgspec.Struct, frozen=True):
    """One of the two meetings as it was read."""

    event: EventText
    cards: tuple[Card, ...]
    """Of its guests, the user included."""
    organiser: Card
    deadline: str
    """The record that says that it is bound to a date, "" if it is not."""

    @property
    def id(self) -> str:
        """The id of the event or instance."""
        return self.event.event_id

    @property
    def start(self) -> Zoned:
        """When it begins."""
        assert not isinstance(self.event.start, str)
        return self.event.start

    @property
    def end(self) -> Zoned:
        """When it ends."""
        assert not isinstance(self.event.end, str)
        return self.event.end

    @property
    def minutes(self) -> int:
        """How long it takes."""
        return (datetime.fromisoformat(self.end.local) - datetime.fromisoformat(self.start.local)).seconds // 60

    @property
    def people(self) -> list[Attendee]:
        """Its guests without rooms."""
        return [guest for guest in self.event.attendees if guest.role != "resource"]

    @property
    def required(self) -> list[Card]:
        """The cards of those who are required."""
        needed = {guest.address for guest in self.people if guest.role == "required"}
        return [card for card in self.cards if card.emails[0] in needed]

    def room(self, name: str) -> str:
        """The address of a room, "" if the meeting does not have it."""
        return next((one.address for one in self.event.attendees if (one.role, one.name) == ("resource", name)), "")

    def rank(self, rule: str, only_room: str) -> float:
        """How high a rule puts it."""
        match rule:
            case "outside":
                return any(card.relation in ("client", "official") for card in self.cards)
            case "statutory":
                return self.deadline != ""
            case "superior":
                return self.organiser.relation == "superior"
            case "room":
                return self.room(only_room) != ""
            case "required":
                return len(self.required)
            case _:
                return -datetime.fromisoformat(self.event.created_at).timestamp()


def lower_of(rules: Rules, one: Seen, other: Seen) -> tuple[str, str, Seen, Seen]:
    """Return the first rule that separates two meetings with its section's id, then the lower and the upper one."""
    for rule, section in rules.order:
        mine, theirs = (meeting.rank(rule, rules.only_room) for meeting in (one, other))
        if mine != theirs:
            return (rule, section, one, other) if mine < theirs else (rule, section, other, one)
    raise AssertionError("no rule separates the two")


class Calendars:
    """Offsets, days off and busy times as they were read; times are kept in UTC without zone."""

    def __init__(self) -> None:
        self.offsets: dict[tuple[str, str], timedelta] = {}
        """By zone and day."""
        self.days_off: dict[str, set[str]] = {}
        self.busy: list[tuple[datetime, datetime]] = []

    def learn(self, zone: str, day: str, offset: str) -> None:
        """Take note of the offset that a zone has on a day."""
        minutes = int(offset[1:3]) * 60 + int(offset[4:])
        self.offsets[zone, day] = timedelta(minutes=-minutes if offset[0] == "-" else minutes)

    def utc(self, local: str, zone: str) -> datetime:
        """Return the UTC reading of a local one."""
        return datetime.fromisoformat(local) - self.offsets[zone, local[:10]]

    def local(self, utc: datetime, zone: str, day: str) -> str:
        """Return the local reading of a UTC one, by the offset of a day."""
        return (utc + self.offsets[zone, day]).isoformat()[:16]

    def works(self, country: str, day: date) -> bool:
        """Whether a day is a working day in a country."""
        return day.isoweekday() < 6 and day.isoformat() not in self.days_off[country]

    def first_start(self, days: Sequence[date], zone: str, minutes: int, cards: Sequence[Card]) -> str:
        """Return the first local start at which everybody can meet for so long, "" if there is none."""
        for day in days:
            for step in range(48):
                at = self.utc(f"{day.isoformat()}T00:00", zone) + step * _STEP
                end = at + timedelta(minutes=minutes)
                free = not any(first < end and at < last for first, last in self.busy)
                if free and all(self._can_meet(card, at, end, day.isoformat()) for card in cards):
                    return self.local(at, zone, day.isoformat())
        return ""

    def _can_meet(self, card: Card, start: datetime, end: datetime, day: str) -> bool:
        first, last = (self.local(at, card.zone, day) for at in (start, end))
        if first[:10] != last[:10] or not self.works(card.country, date.fromisoformat(first[:10])):
            return False
        weekday = date.fromisoformat(first[:10]).strftime("%a")
        spans = [hours.split("-") for row in card.meeting_hours if row.weekday == weekday for hours in row.hours]
        return any(opens <= first[11:] and last[11:] <= closes for opens, closes in spans)
