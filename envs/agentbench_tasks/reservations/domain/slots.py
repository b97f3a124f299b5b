"""Which starts a venue's surface offers a party, and the answer that says so."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.tool import Tool
from agentbench_env.world import Record, World
from agentbench_env.zones import to_local
from agentbench_tasks.commons.service_time import (
    read_service_clock,
    service_clock,
    service_instant,
    service_minutes,
    service_time,
)
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.commons.values import read_date
from agentbench_tasks.reservations.domain.booking_records import Seating
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.providers import sentence
from agentbench_tasks.reservations.domain.surface import ONLINE, Route, Surface, find_surface, route_on
from agentbench_tasks.reservations.domain.tables import Table, free_seatings, free_tables
from agentbench_tasks.reservations.domain.venue import ServiceHours, effective_service, service_at

SlotStatus = Literal["open", "request", "full", "phone", "closed", "not_yet"]
Refusal = Literal["", "closed", "past_last_seating", "outside_window", "party_not_accepted", "slot_gone"]
SeatingWish = Annotated[
    Seating,
    Field(
        description="table, counter, sofa, terrace, floor (seats on the floor) or room (a private room); any for all."
    ),
]


class Slot(msgspec.Struct, frozen=True, gc=False):
    """A start that a surface shows, as local and as service time."""

    start: str
    service_time: str
    status: SlotStatus
    seating: tuple[Seating, ...]


class AvailabilityAnswer(Record, frozen=True, gc=False):
    """The reply to one query for slots; it is never changed, and reserves nothing."""

    venue_id: str
    surface_id: str
    on_date: str
    party_size: int
    from_time: str
    to_time: str
    seating: Seating
    slots: tuple[Slot, ...]
    asked_at: int

    def facts(self, world: World) -> dict[str, object]:
        """How each slot stands for the party; a query for one kind of seating proves only what is there."""
        return {
            slot_key(self.venue_id, self.on_date, slot.service_time, self.party_size): slot.status
            for slot in self.slots
            if self.seating == "any" or slot.status in ("open", "request")
        }

    def covers(self, venue_id: str, on_date: str, clock: str, party_size: int) -> bool:
        """Whether the query was for this venue, date and party, with a range that holds the service time."""
        return (self.venue_id, self.on_date, self.party_size, self.seating) == (
            venue_id,
            on_date,
            party_size,
            "any",
        ) and _in_range(clock, self.from_time, self.to_time)


def slot_key(venue_id: str, on_date: str, clock: str, party_size: int) -> str:
    """The key of the fact that tells how a start stands for a party."""
    return f"slot.{venue_id}.{on_date}.{clock}.{party_size}"


def offered_starts(hours: ServiceHours, slot_minutes: int) -> list[str]:
    """Return the starts that a service offers, as service times."""
    return [
        service_clock(minutes)
        for minutes in range(service_minutes(hours.open), service_minutes(hours.last_start) + 1, slot_minutes)
    ]


def slot_status(
    world: World, surface: Surface, hours: ServiceHours, day: str, clock: str, party_size: int, seating: Seating
) -> tuple[SlotStatus, tuple[Seating, ...]]:
    """Tell how a start that a service offers stands for a party, and what there is to sit at."""
    zone = world.get(Place, surface.venue_id).zone
    start = service_instant(day, clock, zone)
    opens = surface.window.opens(day, zone)
    if start <= world.now + surface.window.lead_minutes * 60:
        return "closed", ()
    if opens is not None and world.now < opens:
        return "not_yet", ()
    route = route_on(world, surface, party_size, day, hours.service)
    if route is None or route.mode not in ONLINE:
        return "phone", ()
    free = free_seatings(world, surface.venue_id, start, party_size, surface.turn_minutes, seating, online_only=True)
    if not free:
        return "full", ()
    return ("open" if route.mode == "instant" else "request"), free


def refusal_of(
    world: World, surface: Surface, start: int, party_size: int, seating: Seating = "any", but: str = ""
) -> tuple[Refusal, Route | None, tuple[Table, ...]]:
    """Tell why a start cannot be had on the web, "" if it can, by which route, and which tables it takes."""
    place = world.get(Place, surface.venue_id)
    when = service_time(start, place.zone)
    hours = service_at(world, place.id, when.service_date, when.time)
    if hours is None:
        return "closed", None, ()
    if service_minutes(when.time) > service_minutes(hours.last_start):
        return "past_last_seating", None, ()
    opens = surface.window.opens(when.service_date, place.zone)
    too_late = start <= world.now + surface.window.lead_minutes * 60
    if too_late or (opens is not None and world.now < opens):
        return "outside_window", None, ()
    route = route_on(world, surface, party_size, when.service_date, hours.service)
    if route is None or route.mode not in ONLINE:
        return "party_not_accepted", route, ()
    tables: tuple[Table, ...] = ()
    if when.time in offered_starts(hours, surface.slot_minutes):
        minutes = surface.turn_minutes
        tables = free_tables(world, place.id, start, party_size, minutes, seating, online_only=True, but=but)
    return ("" if tables else "slot_gone"), route, tables


class Slots(msgspec.Struct, frozen=True):
    """What `booking_search_slots` returns."""

    answer_id: str
    venue_id: str
    on_date: str
    party_size: int
    slots: list[Slot]
    message: str


class BookingSearchSlots(Tool):
    """Ask a venue's own surface for starts on a day for a party. It reserves nothing.

    Each start is open, request (the venue answers), full, phone (taken in the way that the message says, not here),
    closed (over) or not_yet.
    """

    latency_s: ClassVar[float] = 0.8
    fee_usd: ClassVar[float] = 0.002

    venue_id: str = Field(description="Id of the venue.")
    on_date: str = Field(description="Day of the service, YYYY-MM-DD.")
    party_size: int = Field(description="Number of guests.", le=999)
    from_time: str = Field(default="", description="Earliest start, HH:MM, hours up to 29; empty for the whole day.")
    to_time: str = Field(default="", description="Latest start, HH:MM, hours up to 29; empty for the whole day.")
    seating: SeatingWish = "any"

    def run(self, call: Call) -> Slots:
        world = call.world
        surface = find_surface(world, self.venue_id)
        if self.party_size < 1:
            raise ToolError("bad_party", field="party_size", hint="at least 1")
        day = read_date(self.on_date, "on_date").isoformat()
        first = read_service_clock(self.from_time, "from_time") if self.from_time else ""
        last = read_service_clock(self.to_time, "to_time") if self.to_time else ""
        services = effective_service(world, surface.venue_id, day)
        slots = [
            self._slot(world, surface, hours, day, clock)
            for hours in services
            for clock in offered_starts(hours, surface.slot_minutes)
            if _in_range(clock, first, last)
        ]
        content = (surface.venue_id, day, self.party_size, first, last, self.seating)
        id = world.stamp_id("av", *content, world.now)
        answer = AvailabilityAnswer(
            id, surface.venue_id, surface.id, day, self.party_size, first, last, self.seating, tuple(slots), world.now
        )
        call.show(world.stamp(answer).id)
        message = self._message(world, surface, services, day, slots)
        return Slots(answer.id, surface.venue_id, day, self.party_size, slots, message)

    def _slot(self, world: World, surface: Surface, hours: ServiceHours, day: str, clock: str) -> Slot:
        zone = world.get(Place, surface.venue_id).zone
        status, seating = slot_status(world, surface, hours, day, clock, self.party_size, self.seating)
        return Slot(to_local(service_instant(day, clock, zone), zone), clock, status, seating)

    def _message(
        self, world: World, surface: Surface, services: tuple[ServiceHours, ...], day: str, slots: list[Slot]
    ) -> str:
        """What the surface says beside the slots: why there is nothing, or how else one books."""
        states = {slot.status for slot in slots}
        if not services:
            return sentence(surface.language, "closed_day")
        if not slots:
            return sentence(surface.language, "no_start_in_range")
        if states & {"open", "request"}:
            return sentence(surface.language, "request_only") if "open" not in states else ""
        if "full" in states:
            return self._full(world, surface, slots)
        if "phone" in states:
            routes = [route_on(world, surface, self.party_size, day, hours.service) for hours in services]
            texts = [body_of(route.text) for route in routes if route and route.mode not in ONLINE]
            return " ".join(dict.fromkeys(texts)) or sentence(surface.language, "party_not_taken")
        return sentence(surface.language, "not_yet" if "not_yet" in states else "over")

    def _full(self, world: World, surface: Surface, slots: list[Slot]) -> str:
        """A venue that keeps tables off the web says that it is full there, not that it is full."""
        keeps_some = any(not table.online for table in world.where(Table, "venue_id", surface.venue_id))
        return sentence(surface.language, "full_online" if keeps_some else "full")


def _in_range(clock: str, first: str, last: str) -> bool:
    """Whether a service time lies in a range, both ends included and open where they are empty."""
    return (not first or first <= clock) and (not last or clock <= last)
