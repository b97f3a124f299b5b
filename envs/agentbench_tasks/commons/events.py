"""Calendars and events, their expansion into instances, and who is busy when. The list of events: `event_list`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import lru_cache
from typing import Literal

import msgspec
from pydantic import Field

from agentbench_env.claims import Part
from agentbench_env.errors import ToolError
from agentbench_env.world import Record, World
from agentbench_env.zones import first_instant, last_instant, to_instant, to_local, zone_names
from agentbench_tasks.commons.recurrence import day_of, day_text, read_rule, series
from agentbench_tasks.commons.texts import Stated, Words
from agentbench_tasks.commons.values import Zoned

Role = Literal["required", "optional", "resource"]
Response = Literal["accepted", "declined", "tentative", "needs_action"]
Status = Literal["confirmed", "tentative", "cancelled"]
Transparency = Literal["busy", "free"]


class When(msgspec.Struct, frozen=True, gc=False):
    """A local reading in a zone ("2026-10-30T17:30"), a floating one (no zone), or a whole day ("2026-10-30")."""

    local: str
    zone: str = ""

    @property
    def all_day(self) -> bool:
        """Whether it is a day."""
        return len(self.local) == 10

    @property
    def floating(self) -> bool:
        """Whether it is a reading that holds in whatever zone it is read."""
        return not self.zone and not self.all_day

    def instant(self, viewer_zone: str) -> int:
        """The instant; a floating reading and the start of a day are those of the viewer's zone."""
        return to_instant(f"{self.local}T00:00" if self.all_day else self.local, self.zone or viewer_zone)

    def wire(self) -> Zoned | str:
        """The time as tools print it: a date as a date, a floating one with an empty zone."""
        return self.local if self.all_day else Zoned(self.local, self.zone)


class Time(Part):
    """A local time in a zone, a floating one, or a whole day: the form in which calendar tools take times."""

    local: str = Field(default="", description="Local time, YYYY-MM-DDTHH:MM.")
    zone: str = Field(default="", description="IANA name of its zone; empty for a floating time.")
    date: str = Field(default="", description="For whole days, instead of local: YYYY-MM-DD.")

    def read(self, field: str) -> When | None:
        """Read it, None if it is left out; refuse the call where it is no time that the zone table covers."""
        if self == Time():
            return None
        if bool(self.local) == bool(self.date) or (self.date and self.zone):
            raise ToolError("invalid_argument", field=field, hint="either local, with or without zone, or date")
        check_zone(self.zone, f"{field}.zone")
        read_at(self.date or self.local, f"{field}.{'date' if self.date else 'local'}", self.zone or "UTC")
        if self.date:
            return When(self.date)
        if self.local[16:] not in ("", ":00") or "T" not in self.local:
            raise ToolError("invalid_argument", field=f"{field}.local", hint="whole minutes, YYYY-MM-DDTHH:MM")
        return When(self.local[:16], self.zone)


class Attendee(msgspec.Struct, frozen=True, gc=False):
    """A guest of an event, or a room."""

    address: str
    name: str = ""
    role: Role = "required"
    response: Response = "needs_action"
    internal: bool = False


class Calendar(Record, frozen=True, gc=False):
    """A calendar of a person, a room or a team, as far as the user's own system knows it."""

    owner: str
    """The address of the person, room or team."""
    title: Words
    zone: str
    access: Literal["owner", "writer", "freebusy", "none"]
    """What the user may do with it."""
    is_room: bool = False


class Override(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What one instance of a series has of its own; None is as in the series."""

    original_start: str
    """The local reading at which the series would have it start."""
    start: When | None = None
    end: When | None = None
    title: Words | None = None
    description: Words | None = None
    location: Words | None = None
    attendees: tuple[Attendee, ...] | None = None
    status: Status | None = None
    transparency: Transparency | None = None


class Event(Record, frozen=True, gc=False, kw_only=True):
    """An event, or a series of them, on the calendar of whoever organises it. Its texts are their bodies.

    The slot of a fact in `stated` is the field that states it; a list row shows only those that it prints.
    """

    ical_uid: str
    calendar_id: str
    """"" where the organiser's calendar is on another system."""
    organizer: str
    title: Words
    start: When
    end: When
    """Exclusive, as for days."""
    sequence: int = 0
    description: Words = ""
    location: Words = ""
    rrule: str = ""
    exdates: tuple[When, ...] = ()
    overrides: tuple[Override, ...] = ()
    cancelled: tuple[str, ...] = ()
    """The instances taken out one by one, by the reading at which they would have started."""
    attendees: tuple[Attendee, ...] = ()
    status: Status = "confirmed"
    transparency: Transparency = "busy"
    created_at: int = 0
    updated_at: int = 0
    stated: tuple[Stated, ...] = ()

    def facts(self, world: World) -> dict[str, object]:
        """What it states."""
        return {fact.key: fact.value for fact in self.stated}

    @property
    def length_s(self) -> int:
        """How long it is; every instance of a series takes as long."""
        return self.end.instant("UTC") - self.start.instant("UTC")

    def guest(self, address: str) -> Attendee | None:
        """The guest with this address, None if there is none."""
        return next((guest for guest in self.attendees if same_address(guest.address, address)), None)


class Instance(Record, frozen=True, gc=False):
    """An instance of a series as a result printed it: its id can be cited like that of the series."""

    series_id: str

    def facts(self, world: World) -> dict[str, object]:
        """What the series states."""
        found = world.find(self.series_id)
        return {} if found is None else dict(found.facts(world))


class Occurrence(msgspec.Struct, frozen=True, gc=False):
    """An event, or one instance of a series, at the time at which it takes place."""

    event: Event
    """The series that it belongs to."""
    original: str
    """The reading at which the series has it start, "" for an event that does not repeat."""
    begins: When
    ends: When
    start: int
    end: int
    override: Override | None = None

    @property
    def id(self) -> str:
        """The id by which tools know it."""
        return f"{self.event.id}@{self.original}" if self.original else self.event.id

    @property
    def own(self) -> Event:
        """The event with the fields that this instance has of its own, at its own time."""
        own: dict[str, object] = {"start": self.begins, "end": self.ends}
        if self.override is not None:
            fields = msgspec.structs.asdict(self.override)
            own |= {name: value for name, value in fields.items() if value is not None and name != "original_start"}
        return msgspec.structs.replace(self.event, **own) if self.original else self.event


def same_address(one: str, other: str) -> bool:
    """Whether two addresses are the same mailbox."""
    return one.lower() == other.lower()


# --- expansion


@lru_cache(maxsize=8192)
def series_days(rrule: str, start: When) -> tuple[int, ...]:
    """Return the days of a series before any exclusion, to the end of the zone table."""
    return tuple(series(read_rule(rrule), start.local, start.zone, day_of(to_local(last_instant(), "UTC"))))


def excluded(event: Event) -> frozenset[str]:
    """Return the original starts that are no instances: exclusions that match one, and what was taken out.

    An exclusion matches by value type and instant. A date or a floating time on a series with a zone matches nothing.
    """
    return frozenset(event.cancelled).union(filter(None, (excluded_start(event.start, date) for date in event.exdates)))


def excluded_start(start: When, exdate: When) -> str:
    """Return the original start that an exclusion takes out of a series with this start, "" if it matches none."""
    if (exdate.all_day, exdate.floating) != (start.all_day, start.floating):
        return ""
    if not start.zone:
        return exdate.local
    instant = exdate.instant("UTC")
    local = to_local(instant, start.zone)
    return local if to_instant(local, start.zone) == instant else ""


def originals(event: Event) -> list[str]:
    """Return the original starts of all instances of a series that take place."""
    gone, clock = excluded(event), event.start.local[10:]
    starts = (f"{day_text(day)}{clock}" for day in series_days(event.rrule, event.start))
    return [start for start in starts if start not in gone]


def is_instance(event: Event, original: str) -> bool:
    """Whether a series has an instance with this original start."""
    try:
        day = day_of(original)
    except ValueError:
        return False
    days = series_days(event.rrule, event.start)
    place = bisect_left(days, day)
    named = place < len(days) and days[place] == day and original == f"{day_text(day)}{event.start.local[10:]}"
    return named and original not in excluded(event)


def instance(event: Event, original: str, viewer_zone: str) -> Occurrence:
    """Return the instance of a series with this original start."""
    override = next((own for own in event.overrides if own.original_start == original), None)
    begins, ends = times_at(event, original)
    if override is not None:
        begins, ends = override.start or begins, override.end or ends
    start, end = begins.instant(viewer_zone), ends.instant(viewer_zone)
    return Occurrence(event, original, begins, ends, start, end, override)


def times_at(event: Event, original: str) -> tuple[When, When]:
    """Return start and end that an instance has from its series."""
    begins, zone = When(original, event.start.zone), event.end.zone
    end = to_local(begins.instant("UTC") + event.length_s, zone or "UTC")
    return begins, When(end[:10] if begins.all_day else end, zone)


def occurrences(event: Event, first: int, last: int, viewer_zone: str) -> list[Occurrence]:
    """Return what takes place of an event between two instants, by start; it may begin earlier or end later."""
    if not event.rrule:
        start, end = event.start.instant(viewer_zone), event.end.instant(viewer_zone)
        whole = Occurrence(event, "", event.start, event.end, start, end)
        return [whole] if start < last and end > first else []
    days, zone = series_days(event.rrule, event.start), event.start.zone or viewer_zone
    low = bisect_left(days, day_of(to_local(first - event.length_s, zone)))
    high = bisect_right(days, day_of(to_local(last, zone)))
    clock = event.start.local[10:]
    near = {f"{day_text(day)}{clock}" for day in days[low:high]}
    if event.exdates or event.cancelled:
        near -= excluded(event)
    near.update(own.original_start for own in event.overrides if is_instance(event, own.original_start))
    found = [instance(event, original, viewer_zone) for original in near]
    return sorted((one for one in found if one.start < last and one.end > first), key=lambda one: (one.start, one.id))


# --- calendars


def calendar_of(world: World, address: str) -> Calendar | None:
    """Return the calendar of a person, room or team, None if the system knows none."""
    return next((one for one in world.all(Calendar) if same_address(one.owner, address)), None)


def own_calendar(world: World) -> Calendar:
    """Return the user's own calendar."""
    return world.get(Calendar, world.settings["calendar_id"])


def events_on(world: World, calendar: Calendar) -> list[Event]:
    """Return the events of a calendar: its own, and those that its owner is a guest of."""
    events = world.all(Event)
    return [event for event in events if event.calendar_id == calendar.id or is_guest(event, calendar.owner)]


def is_guest(event: Event, address: str) -> bool:
    """Whether somebody is a guest of an event, or of an instance of it."""
    return event.guest(address) is not None or any(
        same_address(guest.address, address) for own in event.overrides for guest in own.attendees or ()
    )


def busy(world: World, address: str, first: int, last: int) -> list[tuple[int, int]]:
    """Return when somebody, or a room, is busy between two instants: tentative events count, declined ones do not."""
    calendar = calendar_of(world, address)
    zone = calendar.zone if calendar else world.zone
    spans: list[tuple[int, int]] = []
    for event in world.all(Event):
        own = calendar is not None and event.calendar_id == calendar.id
        if own or is_guest(event, address):
            found = occurrences(event, first, last, zone)
            spans += [(one.start, one.end) for one in found if _blocks(one.own, address, own)]
    return _merged(spans, first, last)


def _blocks(event: Event, address: str, on_own_calendar: bool) -> bool:
    guest = event.guest(address)
    takes_part = on_own_calendar if guest is None else guest.response != "declined"
    return takes_part and event.status != "cancelled" and event.transparency == "busy"


def _merged(spans: list[tuple[int, int]], first: int, last: int) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted((max(start, first), min(end, last)) for start, end in spans):
        if merged and start <= merged[-1][1]:
            start, end = merged[-1][0], max(end, merged.pop()[1])
        merged.append((start, end))
    return merged


# --- arguments


def check_zone(zone: str, field: str) -> None:
    """Refuse a zone that is not in the table; none at all is one."""
    if zone and zone not in zone_names():
        raise ToolError("unknown_zone", field=field, hint="an IANA name, Area/City")


def read_at(text: str, field: str, zone: str, ends: bool = False) -> int:
    """Read a local time, or a date, which means its start or, with `ends`, the end of that day."""
    try:
        local = text if "T" in text else f"{day_text(day_of(text) + ends) if len(text) == 10 else text}T00:00"
        instant = to_instant(local, zone)
    except ValueError:
        raise ToolError("invalid_argument", field=field, hint="YYYY-MM-DDTHH:MM or YYYY-MM-DD") from None
    if not first_instant() <= instant <= last_instant():
        known = f"{to_local(first_instant(), zone)} to {to_local(last_instant(), zone)}"
        raise ToolError("invalid_argument", field=field, hint=f"a time from {known}")
    return instant


def read_span(from_at: str, to_at: str, zone: str) -> tuple[int, int]:
    """Read the times `from_at` and `to_at` in a zone; a date as `to_at` includes that day."""
    first, last = read_at(from_at, "from_at", zone), read_at(to_at, "to_at", zone, ends=True)
    if last <= first:
        raise ToolError("invalid_argument", field="to_at", hint="later than from_at")
    return first, last


def readable_calendar(world: World, id: str) -> Calendar:
    """Return the calendar with this id, "" for the user's own; refuse one whose events the user cannot see."""
    calendar = world.get(Calendar, id, "calendar_id") if id else own_calendar(world)
    if calendar.access not in ("owner", "writer"):
        raise ToolError("no_access", field="calendar_id", hint="a calendar whose events you may see")
    return calendar
