"""Filling calendars: events with their guests, and beside them the spans that each person and room is busy.

The spans are counted here, day by day, apart from the code that expands series for the tools: proofs rest on them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.world import Record
from agentbench_env.zones import to_instant
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.events import Attendee, Calendar, Event, When
from agentbench_tasks.commons.texts import Stated, Words

Span = tuple[int, int]
Role = Literal["required", "optional", "resource"]
Response = Literal["accepted", "declined", "tentative", "needs_action"]


class Guest(msgspec.Struct, frozen=True, gc=False):
    """A guest of an event: a person, or a room by its calendar."""

    who: Person | Calendar
    role: Role = "required"
    response: Response = "accepted"

    def attendee(self) -> Attendee:
        """The guest as an event lists them."""
        if isinstance(self.who, Person):
            internal = self.who.contact.is_internal
            return Attendee(self.who.address, self.who.shown_name, self.role, self.response, internal)
        return Attendee(self.who.owner, str(self.who.title), "resource", self.response, True)


class Diary:
    """Writes events into `records` and keeps who is busy when, by address, in `busy`.

    Args:
        draw: the stream for ids and times of creation.
        now: the in-world instant; every event was made before it.
    """

    def __init__(self, draw: Draw, now: int) -> None:
        self._draw, self._now = draw, now
        self.records: list[Record] = []
        self.busy: dict[str, list[Span]] = defaultdict(list)

    def calendar(
        self,
        owner: str,
        title: Words,
        zone: str,
        access: Literal["owner", "writer", "freebusy", "none"],
        *,
        is_room: bool = False,
    ) -> Calendar:
        """Add the calendar of a person, a team or a room."""
        calendar = Calendar(self._draw.id("cal"), owner, title, zone, access, is_room)
        self.records.append(calendar)
        return calendar

    def event(
        self,
        calendar: Calendar,
        organiser: str,
        title: Words,
        start: When,
        end: When,
        guests: Sequence[Guest] = (),
        *,
        days: Sequence[str] = (),
        rrule: str = "",
        description: Words = "",
        location: Words = "",
        status: Literal["confirmed", "tentative", "cancelled"] = "confirmed",
        transparency: Literal["busy", "free"] = "busy",
        age_days: int = 0,
        stated: Sequence[Stated] = (),
        zone: str = "",
    ) -> Event:
        """Add an event.

        Args:
            calendar: the calendar that it stands on.
            organiser: the address of who called it.
            title: what it is called.
            start: when it begins.
            end: when it ends; for a whole day, the day after the last.
            guests: who takes part, the organiser included.
            days: for a series, the days of its instances in the zone of its start.
            rrule: for a series, its rule.
            description: the text on it.
            location: where it is.
            status: confirmed, tentative or cancelled.
            transparency: whether it blocks the time of those who take part.
            age_days: how many days ago it was made; 0 for some time drawn.
            stated: the facts that it states.
            zone: the zone in which a floating or whole-day event blocks; its calendar's if not given.
        """
        attendees = tuple(guest.attendee() for guest in guests)
        created = self._now - (age_days or self._draw.int(8, 60)) * 86_400 - self._draw.int(0, 40_000)
        event = Event(
            id=self._draw.id("evt"),
            ical_uid=f"{self._draw.id('uid')[4:]}@calendar.example",
            sequence=0,
            calendar_id=calendar.id,
            organizer=organiser,
            title=title,
            description=description,
            location=location,
            start=start,
            end=end,
            rrule=rrule,
            attendees=attendees,
            status=status,
            transparency=transparency,
            created_at=created,
            updated_at=created,
            stated=tuple(stated),
        )
        self.records.append(event)
        if status != "cancelled" and transparency == "busy":
            blocking = {guest.address for guest in attendees if guest.response != "declined"}
            declining = {guest.address for guest in attendees} - blocking
            spans = spans_of(start, end, zone or calendar.zone, days)
            for address in (blocking | {calendar.owner}) - declining:
                self.busy[address] += spans
        return event


def spans_of(start: When, end: When, zone: str, days: Sequence[str] = ()) -> list[Span]:
    """Return the spans of an event, or of a series' instances on `days`, which are all as long.

    A floating event is read in `zone`.
    """
    clock = start.local[10:] or "T00:00"
    first, last = (
        to_instant(f"{when.local[:10]}{when.local[10:] or 'T00:00'}", when.zone or zone) for when in (start, end)
    )
    begins = (to_instant(f"{day}{clock}", start.zone or zone) for day in days) if days else (first,)
    return [(at, at + last - first) for at in begins]


def is_free(spans: Sequence[Span], start: int, end: int) -> bool:
    """Whether no span overlaps the time from `start` to `end`."""
    return all(last <= start or end <= first for first, last in spans)
