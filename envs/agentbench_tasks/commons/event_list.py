"""The list of a calendar's events."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.tool import Tool
from agentbench_env.world import World
from agentbench_tasks.commons.events import (
    Event,
    Instance,
    Occurrence,
    Status,
    events_on,
    occurrences,
    read_span,
    readable_calendar,
)
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.commons.values import ROW, Zoned, fitting

PAGE_SIZE = 25
ROW_FIELDS = frozenset({"title", "start", "end", "location", "organizer", "attendees", "status", "transparency"})
"""What a row prints of an event: the slots of facts that it shows."""


class EventRow(msgspec.Struct, frozen=True):
    """An event or instance as a list prints it, at the time and in the zone in which it is stored."""

    event_id: str
    series_id: str
    """"" for an event that does not repeat."""
    calendar_id: str
    title: str
    start: Zoned | str
    end: Zoned | str
    location: str
    organizer: str
    guests: list[str]
    my_response: str
    """"" where the user is no guest."""
    status: Status
    busy: bool
    rrule: str
    """"" for an instance."""


class Events(msgspec.Struct, frozen=True):
    """What `cal_list_events` returns."""

    calendar_id: str
    zone: str
    events: list[EventRow]
    total: int
    next_page_token: str


class CalListEvents(Tool):
    """List the events of a calendar between two times, by start. Times are printed in the zone that the event has."""

    latency_s: ClassVar[float] = 0.6

    from_at: str = Field(description="Local time in the calendar's zone, YYYY-MM-DDTHH:MM, or a date for its start.")
    to_at: str = Field(description="Local time in the calendar's zone, or a date, which is included.")
    calendar_id: str = Field(default="", description="Id of the calendar; empty for the user's own.")
    expand: bool = Field(default=True, description="Whether a series is listed by its instances, or else once.")
    page_token: str = Field(default="", description="The next_page_token of the page before.")

    def run(self, call: Call) -> Events:
        world = call.world
        calendar = readable_calendar(world, self.calendar_id)
        first, last = read_span(self.from_at, self.to_at, calendar.zone)
        found: list[Occurrence] = []
        for event in events_on(world, calendar):
            inside = occurrences(event, first, last, calendar.zone)
            found += inside if self.expand else inside[:1]
        found.sort(key=lambda one: (one.start, one.id))
        rows, token = fitting(found, self.page_token, lambda one: _row(one, self.expand, world), PAGE_SIZE)
        for row in rows:
            show_row(call, row.event_id, row.series_id)
        return Events(calendar.id, calendar.zone, rows, len(found), token)


def _row(one: Occurrence, as_instance: bool, world: World) -> EventRow:
    event = one.own if as_instance else one.event
    own = event.guest(world.settings["mailbox"].address)
    return EventRow(
        one.id if as_instance else event.id,
        event.id if event.rrule else "",
        event.calendar_id,
        body_of(event.title),
        event.start.wire(),
        event.end.wire(),
        body_of(event.location),
        event.organizer,
        [guest.address for guest in event.attendees],
        own.response if own else "",
        event.status,
        event.transparency == "busy",
        "" if as_instance and one.original else event.rrule,
    )


def show_row(call: Call, id: str, series_id: str) -> None:
    """Say that a row was printed; an instance and its series can both be cited for what it states."""
    event = call.world.get(Event, series_id or id)
    keys = tuple(fact.key for fact in event.stated if fact.slot in ROW_FIELDS) or (ROW,)
    call.show(event.id, *keys)
    if id != event.id:
        call.show(call.world.stamp(Instance(id, event.id)).id, *keys)
