"""Reading one event in full, and who is busy when."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.tool import Tool
from agentbench_env.world import World
from agentbench_env.zones import to_iso
from agentbench_tasks.commons.events import (
    Attendee,
    Calendar,
    Event,
    Instance,
    Occurrence,
    Status,
    Transparency,
    busy,
    calendar_of,
    check_zone,
    instance,
    is_guest,
    is_instance,
    originals,
    own_calendar,
    read_span,
)
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.commons.values import ROW, Zoned, fitting, zoned

MOST_INSTANCES = 60
MOST_BUSY_DAYS = 21
SPANS_A_PAGE = 100


class EventText(msgspec.Struct, frozen=True):
    """An event as `cal_get_event` and `cal_update_event` return it; an instance has no rule of its own."""

    event_id: str
    series_id: str
    """"" for an event that does not repeat."""
    ical_uid: str
    sequence: int
    calendar_id: str
    organizer: str
    title: str
    description: str
    location: str
    start: Zoned | str
    end: Zoned | str
    rrule: str
    exdates: list[Zoned | str]
    instances: list[str]
    """Ids of the first 60 instances of a series."""
    changed_instances: list[str]
    cancelled_instances: list[str]
    attendees: tuple[Attendee, ...]
    status: Status
    transparency: Transparency
    created_at: str
    updated_at: str


class CalGetEvent(Tool):
    """Read one event, one series or one instance of it in full, with guests, rule and exclusions."""

    latency_s: ClassVar[float] = 0.3

    event_id: str = Field(description="Id of the event, series or instance.")

    def run(self, call: Call) -> EventText:
        found = find_event(call.world, self.event_id)
        if not is_visible(call.world, found.event):
            raise ToolError("unknown_id", field="event_id", hint="an id that an earlier result showed")
        return event_text(call, found)


def find_event(world: World, id: str) -> Occurrence:
    """Return the event with this id: the instance of a series for an instance id, the series as such for its own."""
    series_id, at, original = id.partition("@")
    event = world.get(Event, series_id, "event_id")
    zone = own_calendar(world).zone
    if not at:
        return Occurrence(event, "", event.start, event.end, event.start.instant(zone), event.end.instant(zone))
    if not event.rrule or not is_instance(event, original):
        raise ToolError("unknown_id", field="event_id", hint="an id that an earlier result showed")
    return instance(event, original, zone)


def is_visible(world: World, event: Event) -> bool:
    """Whether the user sees what an event is about."""
    calendar = world.find(event.calendar_id)
    readable = isinstance(calendar, Calendar) and calendar.access in ("owner", "writer")
    return readable or is_guest(event, world.settings["mailbox"].address)


def first_instances(event: Event) -> list[str]:
    """Return the ids of the first instances of a series, none for an event that does not repeat."""
    return [f"{event.id}@{start}" for start in originals(event)[:MOST_INSTANCES]] if event.rrule else []


def event_text(call: Call, found: Occurrence) -> EventText:
    """Print an event in full, and say that it was shown."""
    world, event = call.world, found.own
    series = event if event.rrule and not found.original else None
    call.show(event.id)
    if found.original:
        call.show(world.stamp(Instance(found.id, event.id)).id)
    changed = [own.original_start for own in series.overrides] if series else []
    return EventText(
        found.id,
        event.id if event.rrule else "",
        event.ical_uid,
        event.sequence,
        event.calendar_id,
        event.organizer,
        body_of(event.title),
        body_of(event.description),
        body_of(event.location),
        event.start.wire(),
        event.end.wire(),
        series.rrule if series else "",
        [date.wire() for date in series.exdates] if series else [],
        first_instances(series) if series else [],
        [f"{event.id}@{start}" for start in changed[:MOST_INSTANCES]],
        [f"{event.id}@{start}" for start in series.cancelled[:MOST_INSTANCES]] if series else [],
        event.attendees,
        event.status,
        event.transparency,
        to_iso(event.created_at, world.zone),
        to_iso(event.updated_at, world.zone),
    )


class BusySpan(msgspec.Struct, frozen=True):
    """A time at which somebody is busy."""

    start: Zoned
    end: Zoned


class BusyRow(msgspec.Struct, frozen=True):
    """When one person or room is busy, as far as this page has it."""

    address: str
    calendar: str
    """`shared`, or `not_shared` where nothing can be seen."""
    busy: list[BusySpan]


class FreeBusy(msgspec.Struct, frozen=True):
    """What `cal_query_free_busy` returns."""

    calendars: list[BusyRow]
    total: int
    """How many busy times there are on all pages."""
    next_page_token: str


class CalQueryFreeBusy(Tool):
    """Tell when people or rooms are busy, but not with what. A calendar that is not shared is named as such."""

    latency_s: ClassVar[float] = 0.9

    addresses: Annotated[list[Annotated[str, Field(max_length=120)]], Field(min_length=1, max_length=8)] = Field(
        description="Addresses of people or rooms, at most 8."
    )
    from_at: str = Field(description="Local time, YYYY-MM-DDTHH:MM, or a date for its start.")
    to_at: str = Field(description="Local time, or a date, which is included; at most 21 days after from_at.")
    zone: str = Field(
        default="", description="IANA name of the zone of these times and of the result; empty for the own calendar's."
    )
    page_token: str = Field(default="", description="The next_page_token of the page before.")

    def run(self, call: Call) -> FreeBusy:
        world = call.world
        check_zone(self.zone, "zone")
        zone = self.zone or own_calendar(world).zone
        first, last = read_span(self.from_at, self.to_at, zone)
        # An hour more, for the clocks may have gone back.
        if last - first > MOST_BUSY_DAYS * 86_400 + 3_600:
            raise ToolError("range_too_long", field="to_at", hint=f"at most {MOST_BUSY_DAYS} days")
        shared: dict[str, bool] = {}
        spans: list[tuple[str, int, int]] = []
        for address in self.addresses:
            calendar = calendar_of(world, address)
            shared[address] = calendar is not None and calendar.access != "none"
            if calendar is not None and shared[address]:
                call.show(calendar.id, ROW)
                spans += [(address, start, end) for start, end in busy(world, address, first, last)]
        page, token = fitting(
            spans,
            self.page_token,
            lambda span: (span[0], BusySpan(zoned(span[1], zone), zoned(span[2], zone))),
            SPANS_A_PAGE,
        )
        rows = [
            BusyRow(
                address, "shared" if is_shared else "not_shared", [span for whose, span in page if whose == address]
            )
            for address, is_shared in shared.items()
        ]
        return FreeBusy(rows, len(spans), token)
