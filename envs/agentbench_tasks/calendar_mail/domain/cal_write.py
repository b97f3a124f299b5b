"""Making, changing and deleting events, and answering invitations."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.tool import Effect, Tool
from agentbench_env.world import World
from agentbench_env.zones import to_local
from agentbench_tasks.calendar_mail.domain.cal_read import (
    CalGetEvent,
    EventText,
    event_text,
    find_event,
    first_instances,
)
from agentbench_tasks.calendar_mail.domain.event_arguments import (
    EVENT_ID,
    RRULE,
    SCOPE,
    Description,
    Guests,
    RuleText,
    Scope,
    Times,
    Title,
    attendees_of,
    bad_rule,
    changeable,
    check_event,
    read_times,
    scope_of,
)
from agentbench_tasks.calendar_mail.domain.notices import SEND_UPDATES, SendUpdates, content_of, notify
from agentbench_tasks.calendar_mail.domain.series import (
    ended_before,
    excluding,
    moved,
    replace,
    responding,
    shifted,
    starting_at,
    with_instance,
    without_instance,
)
from agentbench_tasks.commons.event_list import CalListEvents, EventRow
from agentbench_tasks.commons.events import (
    Event,
    Occurrence,
    Response,
    Time,
    Transparency,
    When,
    readable_calendar,
    same_address,
)
from agentbench_tasks.commons.outbound import recipient_at, send_out
from agentbench_tasks.commons.recurrence import BadRule, day_of
from agentbench_tasks.commons.values import Done, Prose

if TYPE_CHECKING:
    from agentbench_env.policies.expert import Do

FIRST_WITHIN = timedelta(days=60)
"""A series has its first instance that takes place within so many days."""


class Created(msgspec.Struct, frozen=True):
    """What `cal_create_event` returns."""

    event_id: str
    ical_uid: str
    instances: list[str]
    """Ids of the first 60 instances of a series."""
    notified: list[str]


class CalCreateEvent(Tool):
    """Make an event or a series. `send_updates`: which guests are mailed; default all, as in the web client."""

    effect: ClassVar[Effect] = "send"
    latency_s: ClassVar[float] = 0.8

    calendar_id: str = Field(default="", description="Id of the calendar; empty for the user's own.")
    title: Title = Field(description="Title.")
    start: Time = Field(description="Start.")
    end: Time = Field(description="End, exclusive: for whole days the day after the last one.")
    rrule: RuleText = Field(default="", description=RRULE)
    exdates: Times = Field(default=[], description="Starts of instances that do not take place, at most 40.")
    attendees: Guests = Field(default=[], description="Guests, at most 20.")
    location: Title = Field(default="", description="Location.")
    description: Description = Field(default="", description="Description, at most 1,500 characters.")
    transparency: Transparency = Field(default="busy", description="Whether it blocks the time: busy or free.")
    send_updates: SendUpdates = Field(default="all", description=SEND_UPDATES)

    def run(self, call: Call) -> Created:
        world = call.world
        calendar = readable_calendar(world, self.calendar_id)
        start, end = self.start.read("start"), self.end.read("end")
        if start is None or end is None:
            raise ToolError("invalid_argument", field="end" if start else "start", hint="local or date")
        event = Event(
            "",
            ical_uid="",
            calendar_id=calendar.id,
            organizer=world.settings["mailbox"].address,
            title=self.title,
            description=self.description,
            location=self.location,
            start=start,
            end=end,
            rrule=_plain_rule(self.rrule),
            exdates=read_times(self.exdates, "exdates"),
            attendees=attendees_of(world, self.attendees),
            transparency=self.transparency,
            created_at=world.now,
            updated_at=world.now,
        )
        check_event(event)
        event = world.put(_renamed(event, world.new_id("evt")))
        call.show(event.id)
        return Created(event.id, event.ical_uid, first_instances(event), notify(call, self.send_updates, event))

    def readback(self, do: Do) -> Created | None:
        day = date.fromisoformat((self.start.date or self.start.local)[:10])
        first, last = str(day - timedelta(days=1)), str(day + FIRST_WITHIN)
        token = ""
        while True:
            page = do(
                CalListEvents(from_at=first, to_at=last, calendar_id=self.calendar_id, expand=False, page_token=token)
            )
            for row in filter(self._made, page.events):
                event = do(CalGetEvent(event_id=row.event_id))
                return Created(event.event_id, event.ical_uid, event.instances, [])
            token = page.next_page_token
            if not token:
                return None

    def _made(self, row: EventRow) -> bool:
        start = self.start.read("start")
        guests = {guest.address for guest in self.attendees}
        same = (row.title, row.rrule, set(row.guests)) == (self.title, _plain_rule(self.rrule), guests)
        return same and start is not None and row.start == start.wire()


class Updated(msgspec.Struct, frozen=True):
    """What `cal_update_event` returns."""

    event: EventText
    notified: list[str]


class CalUpdateEvent(Tool):
    """Change an event; fields left out or empty stay. `send_updates`: which guests are mailed; default all, as in the
    web client.

    Given a start and no end it stays as long as it was. With the scope following a new series begins at the instance.
    """

    effect: ClassVar[Effect] = "send"
    idempotent: ClassVar[bool] = True
    latency_s: ClassVar[float] = 0.8

    event_id: str = Field(description=EVENT_ID)
    scope: Scope = Field(default="this", description=SCOPE)
    title: Title = Field(default="", description="Title.")
    start: Time = Field(default=Time(), description="Start.")
    end: Time = Field(default=Time(), description="End, exclusive.")
    rrule: RuleText = Field(default="", description=RRULE)
    add_exdates: Times = Field(default=[], description="Starts of more instances that do not take place.")
    remove_exdates: Times = Field(default=[], description="Starts of instances that take place after all.")
    attendees: Guests = Field(default=[], description="All guests from now on, at most 20.")
    location: Title = Field(default="", description="Location.")
    description: Description = Field(default="", description="Description, at most 1,500 characters.")
    transparency: Literal["", "busy", "free"] = Field(default="", description="busy, free, or empty to keep it.")
    status: Literal["", "confirmed", "tentative", "cancelled"] = Field(
        default="", description="confirmed, tentative, cancelled, or empty to keep it."
    )
    send_updates: SendUpdates = Field(default="all", description=SEND_UPDATES)

    def run(self, call: Call) -> Updated:
        world = call.world
        found = changeable(world, self.event_id)
        scope = scope_of(found, self.scope)
        match scope:
            case "this":
                before, after = found.own, self._instance(world, found)
                written = [with_instance(found.event, found.original, after)]
            case "all":
                before, after = found.event, self._series(world, found.event, found)
                written = [after]
            case "following":
                before = starting_at(found.event, found.original)
                after = _renamed(self._series(world, before, found), world.new_id("evt"))
                written = [ended_before(found.event, found.original), after]
        if after == before:
            call.happened("read")
            return Updated(event_text(call, found), [])
        for event in written:
            world.put(replace(event, sequence=found.event.sequence + 1, updated_at=world.now))
        reached = notify(call, self.send_updates, after, before.attendees)
        id = found.id if scope == "this" else after.id
        return Updated(event_text(call, find_event(world, id)), reached)

    def _instance(self, world: World, found: Occurrence) -> Event:
        for field in ("rrule", "add_exdates", "remove_exdates"):
            if getattr(self, field):
                raise ToolError("invalid_argument", field=field, hint="only with the scope following or all")
        before = found.own
        start, end = self._times(before)
        after = replace(self._fields(world, before), start=start, end=end)
        check_event(replace(after, rrule=""))
        return after

    def _series(self, world: World, series: Event, found: Occurrence) -> Event:
        """The event or series after the call; new times of one instance move the whole series by as many days."""
        start, end = self._times(found.own)
        days = day_of(series.start.local) - day_of(found.original or series.start.local)
        if (start, end) == (found.begins, found.ends):
            start, end = series.start, series.end
        else:
            start, end = shifted(start, days), shifted(end, days)
        added, removed = read_times(self.add_exdates, "add_exdates"), read_times(self.remove_exdates, "remove_exdates")
        try:
            after = moved(self._fields(world, series), start, end, _plain_rule(self.rrule))
        except BadRule as error:
            raise bad_rule(error) from error
        after = excluding(after, added, removed)
        check_event(after)
        return after

    def _fields(self, world: World, event: Event) -> Event:
        given: dict[str, Any] = {
            "title": self.title,
            "location": self.location,
            "description": self.description,
            "transparency": self.transparency,
            "status": self.status,
            "attendees": attendees_of(world, self.attendees, event.attendees),
        }
        return replace(event, **{name: value for name, value in given.items() if value})

    def _times(self, event: Event) -> tuple[When, When]:
        start, end = self.start.read("start"), self.end.read("end")
        if start is None:
            return event.start, end or event.end
        if end is not None:
            return start, end
        if start.all_day != event.start.all_day:
            raise ToolError("invalid_argument", field="end", hint="an end of the same kind as start")
        zone = start.zone if event.end.zone == event.start.zone else event.end.zone
        until = to_local(start.instant("UTC") + event.length_s, zone or "UTC")
        return start, When(until[:10] if start.all_day else until, zone)


class Deleted(msgspec.Struct, frozen=True):
    """What `cal_delete_event` returns."""

    status: str
    notified: list[str]


class CalDeleteEvent(Tool):
    """Delete an event for everybody. `send_updates`: which guests are mailed; default all, as in the web client."""

    effect: ClassVar[Effect] = "send"
    idempotent: ClassVar[bool] = True
    latency_s: ClassVar[float] = 0.8

    event_id: str = Field(description=EVENT_ID)
    scope: Scope = Field(default="this", description=SCOPE)
    send_updates: SendUpdates = Field(default="all", description=SEND_UPDATES)

    def run(self, call: Call) -> Deleted:
        world = call.world
        found = changeable(world, self.event_id)
        series, gone = found.event, found.event
        match scope_of(found, self.scope):
            case "this":
                gone, left = found.own, without_instance(series, found.original)
            case "following":
                left = ended_before(series, found.original)
            case "all":
                left = None
        if left is None:
            world.remove(series)
        else:
            world.put(replace(left, sequence=series.sequence + 1, updated_at=world.now))
        reached = notify(call, self.send_updates, replace(gone, attendees=()), gone.attendees)
        return Deleted("ok", reached)


class CalRespondInvite(Tool):
    """Answer an invitation. `notify_organizer`: whether the organiser is mailed; default true, as in the web client."""

    effect: ClassVar[Effect] = "send"
    idempotent: ClassVar[bool] = True
    latency_s: ClassVar[float] = 0.8

    event_id: str = Field(description=EVENT_ID)
    response: Response = Field(description="accepted, declined, tentative, or needs_action to take an answer back.")
    comment: Prose = Field(default="", description="Words to the organiser.", max_length=500)
    notify_organizer: bool = Field(default=True, description="Whether the organiser is mailed.")

    def run(self, call: Call) -> Done:
        world = call.world
        found = find_event(world, self.event_id)
        own: str = world.settings["mailbox"].address
        event, organizer = found.own, found.event.organizer
        if event.guest(own) is None:
            raise ToolError("not_invited", field="event_id", hint="an event that the user is a guest of")
        after = responding(event, own, self.response)
        world.put(with_instance(found.event, found.original, after) if found.original else after)
        if self.notify_organizer and not same_address(organizer, own):
            send_out(
                call,
                "invite_reply",
                **msgspec.structs.asdict(recipient_at(world, organizer)),
                subkind=self.response,
                subject_id=event.id,
                content=f"{content_of(event)}\n{self.comment}",
            )
        else:
            call.happened("own")
        return Done()


def _plain_rule(text: str) -> str:
    return text.strip().upper().removeprefix("RRULE:")


def _renamed(event: Event, id: str) -> Event:
    """The event as a new one, by its id."""
    return replace(event, id=id, ical_uid=f"{id}@calendar.example")
