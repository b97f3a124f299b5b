"""On the ground: places with their days and notices, journeys at the hour asked about, and tickets."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.money import Amount, Money
from agentbench_env.text.fold import fold
from agentbench_env.tool import Effect, Tool
from agentbench_env.world import World
from agentbench_tasks.commons.outbound import send_out
from agentbench_tasks.commons.pages import Section, body
from agentbench_tasks.commons.values import ROW, Zoned, zoned
from agentbench_tasks.travel.domain.desks import ChildAges, desk_message, moment_of
from agentbench_tasks.travel.domain.messages import date_of
from agentbench_tasks.travel.domain.records import LedgerLine, Point, name_in
from agentbench_tasks.travel.domain.records_ground import (
    Band,
    MapDistance,
    Place,
    PlaceDay,
    RouteTime,
    Slot,
    Ticket,
    TravelMode,
)
from agentbench_tasks.travel.domain.records_stays import Hours, Property

# The bands of a day of service, by the minute at which each begins; the day ends at 04:00.
DAY_ENDS = 4 * 60
BANDS: tuple[tuple[int, Band], ...] = (
    (0, "early"),
    (7 * 60, "peak"),
    (9 * 60 + 30, "day"),
    (17 * 60, "peak"),
    (19 * 60 + 30, "evening"),
    (22 * 60 + 30, "late"),
)


class PlaceRow(msgspec.Struct, frozen=True):
    """A place as the search lists it."""

    place_id: str
    name: str
    kind: str
    city_id: str
    district_id: str


class Places(msgspec.Struct, frozen=True):
    """What `ground_search_places` returns."""

    places: list[PlaceRow]
    next_page_token: str
    total: int


class GroundSearchPlaces(Tool):
    """Search a city's places by words of their name, kind or district."""

    latency_s: ClassVar[float] = 0.8
    fee_usd: ClassVar[float] = 0.002

    city_id: str = Field(description="Id of the city, e.g. TYO.")
    query: str = Field(description="Words to look for; empty: all places.", max_length=200)
    page_token: str = Field(default="", description="Token of the page, from the result before.")

    def run(self, call: Call) -> Places:
        world = call.world
        places = world.where(Place, "city_id", self.city_id)
        if not places:
            raise ToolError("unknown_id", field="city_id", hint="the code of a city with places to visit")
        words = fold(self.query).split()
        found = [place for place in places if all(word in _searchable(place) for word in words)]
        page, token = call.page(found, self.page_token, world.settings["page_size"])
        for place in page:
            call.show(place.id, ROW)
        rows = [
            PlaceRow(place.id, name_in(place.names, world.language), place.kind, place.city_id, place.district_id)
            for place in page
        ]
        return Places(rows, token, len(found))


def _searchable(place: Place) -> str:
    return fold("\n".join((*(name for _, name in place.names), place.kind, place.district_id)))


class Notice(msgspec.Struct, frozen=True):
    """A notice of the place."""

    section_id: str
    text: str


class PlaceDetail(msgspec.Struct, frozen=True):
    """What `ground_get_place` returns. `opens` is empty where the place is closed on the day, for the given reason."""

    place_id: str
    name: str
    kind: str
    city_id: str
    district_id: str
    zone: str
    dwell_min: int
    map_minutes: list[MapDistance]
    day_id: str
    on_date: str
    opens: str
    closes: str
    last_entry: str
    breaks: list[Hours]
    reason: str
    sells_slots: bool
    slots: list[Slot]
    adult: Amount
    child: Amount
    notices: list[Notice]


class GroundGetPlace(Tool):
    """Get a place with its hours, breaks, last admission and slots of one day, and its notices.

    `dwell_min` is how long visitors usually stay; `map_minutes` are a map's guess at the drive and no timetable.
    """

    latency_s: ClassVar[float] = 0.7

    place_id: str = Field(description="Id of the place.")
    on_date: str = Field(description="ISO date of the visit.")

    def run(self, call: Call) -> PlaceDetail:
        world = call.world
        place = world.get(Place, self.place_id, "place_id")
        day = _day(world, place, date_of(self.on_date, "on_date"), "on_date")
        notices = [world.get(Section, id) for id in place.notice_ids]
        for record in (place, day, *notices):
            call.show(record.id)
        return PlaceDetail(
            place_id=place.id,
            name=name_in(place.names, world.language),
            kind=place.kind,
            city_id=place.city_id,
            district_id=place.district_id,
            zone=place.zone,
            dwell_min=place.dwell_min,
            map_minutes=list(place.map_minutes),
            day_id=day.id,
            on_date=day.key[1],
            opens=day.opens,
            closes=day.closes,
            last_entry=day.last_entry,
            breaks=list(day.breaks),
            reason=day.reason,
            sells_slots=place.sells_slots,
            slots=list(day.slots),
            adult=place.adult.wire(),
            child=place.child.wire(),
            notices=[Notice(notice.id, body(notice)) for notice in notices],
        )


def _day(world: World, place: Place, on_date: str, field: str) -> PlaceDay:
    found = world.where(PlaceDay, "key", (place.id, on_date))
    if not found:
        raise ToolError("invalid_argument", field=field, hint="a date for which the place has announced its hours")
    return found[0]


class RouteOption(msgspec.Struct, frozen=True):
    """A way to get there. It takes `wait_min` and then `minutes` door to door, `walk_min` of these on foot."""

    route_id: str
    mode: str
    minutes: int
    walk_min: int
    wait_min: int
    first: str
    last: str
    arrives: Zoned
    fare: Amount


class RouteOptions(msgspec.Struct, frozen=True):
    """What `ground_get_route` returns."""

    from_id: str
    to_id: str
    depart_at: Zoned
    options: list[RouteOption]


class GroundGetRoute(Tool):
    """Get the ways between two places for a departure at this hour, the earliest arrival first.

    `minutes` run from door to door, `wait_min` from `depart_at` on to the next departure. `fare` is for each person,
    in a taxi too.
    """

    latency_s: ClassVar[float] = 1.1
    fee_usd: ClassVar[float] = 0.005

    from_id: str = Field(description="Id of a place, house, airport or station.")
    to_id: str = Field(description="Id of a place, house, airport or station.")
    depart_at: str = Field(description="Local time of departure, YYYY-MM-DDTHH:MM.")
    mode: Literal["any", TravelMode] = Field(
        default="any",
        description="Means of travel. walk: on foot; transit: city trains and buses; train: railway; bus: a bus of its "
        "own; boat; taxi; any: all of them.",
    )

    def run(self, call: Call) -> RouteOptions:
        world = call.world
        zone = _zone_of(world, self.from_id, "from_id")
        _zone_of(world, self.to_id, "to_id")
        depart = datetime.fromisoformat(moment_of(self.depart_at, "depart_at"))
        rows = [
            row for row in world.where(RouteTime, "pair", (self.from_id, self.to_id)) if self.mode in ("any", row.mode)
        ]
        clock = service_minute(depart)
        found = [(row, wait) for row in rows if row.band == band_at(clock) and (wait := wait_at(row, clock)) >= 0]
        if not found:
            hours = dict.fromkeys(f"{row.mode} {row.first}-{row.last}" for row in rows)
            hint = ", ".join(hours) or "no way between these two is listed at any hour"
            raise ToolError("no_service_at_hour", desk_message(world, "no_service_at_hour"), "depart_at", hint)
        found.sort(key=lambda option: option[1] + option[0].minutes)
        for row, _ in found:
            call.show(row.id)
        options = [
            RouteOption(
                route_id=row.id,
                mode=row.mode,
                minutes=row.minutes,
                walk_min=row.walk_min,
                wait_min=wait,
                first=row.first,
                last=row.last,
                arrives=Zoned(_later(depart, wait + row.minutes), zone),
                fare=row.fare.wire(),
            )
            for row, wait in found
        ]
        return RouteOptions(self.from_id, self.to_id, Zoned(_later(depart, 0), zone), options)


def _zone_of(world: World, id: str, field: str) -> str:
    record = world.find(id)
    if not isinstance(record, Place | Property | Point):
        raise ToolError("unknown_id", field=field, hint="the id of a place, house, airport or station")
    return record.zone


def _later(start: datetime, minutes: int) -> str:
    return (start + timedelta(minutes=minutes)).isoformat(timespec="minutes")


def service_minute(moment: datetime) -> int:
    """Return the minute of the day of service: the hours before 04:00 belong to the day before."""
    minute = moment.hour * 60 + moment.minute
    return minute if minute >= DAY_ENDS else minute + 24 * 60


def band_at(minute: int) -> Band:
    """Return the band of the day in which a minute lies."""
    return next(band for begins, band in reversed(BANDS) if minute >= begins)


def wait_at(route: RouteTime, minute: int) -> int:
    """Return how long one waits for a departure from this minute on, -1 after the last one."""
    first, last = _minute_of(route.first), _minute_of(route.last)
    if minute > last:
        return -1
    if minute <= first:
        return first - minute
    wait = (first - minute) % route.headway if route.headway else 0
    return wait if minute + wait <= last else -1


def _minute_of(clock: str) -> int:
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)


class TicketView(msgspec.Struct, frozen=True):
    """What `ground_book` returns."""

    ticket_id: str
    object_id: str
    slot_at: str
    persons: int
    paid: Amount
    booked_at: Zoned


class GroundBook(Tool):
    """Buy tickets for a place or a ride: they are issued and charged at once."""

    effect: ClassVar[Effect] = "commit"
    latency_s: ClassVar[float] = 2.5

    adults: int = Field(description="Number of adults.", ge=1, le=9)
    place_id: str = Field(default="", description="Id of a place; give this or route_id.")
    route_id: str = Field(default="", description="Id of a way from ground_get_route; give this or place_id.")
    slot_at: str = Field(
        default="", description="Local time of admission or departure, YYYY-MM-DDTHH:MM; needed where there are slots."
    )
    child_ages: ChildAges = Field(default=[], description="Age of each child, 0 to 17.", max_length=8)

    def run(self, call: Call) -> TicketView:
        world = call.world
        if bool(self.place_id) == bool(self.route_id):
            raise ToolError("invalid_argument", field="place_id", hint="exactly one of place_id and route_id")
        slot_at = moment_of(self.slot_at, "slot_at") if self.slot_at else ""
        persons = self.adults + len(self.child_ages)
        if self.place_id:
            place = world.get(Place, self.place_id, "place_id")
            if place.sells_slots:
                self._take_slot(world, place, slot_at, persons)
            minor = place.adult.minor * self.adults + place.child.minor * len(self.child_ages)
            paid = Money(minor, place.adult.currency)
        else:
            route = world.get(RouteTime, self.route_id, "route_id")
            paid = Money(route.fare.minor * persons, route.fare.currency)
        object_id = self.place_id or self.route_id
        ticket = world.put(Ticket(world.new_id("tkt"), object_id, slot_at, persons, paid, world.now))
        world.put(LedgerLine(world.new_id("ldg"), world.now, "", paid, "purchase", ticket.id))
        send_out(call, "booking", recipient_org_id=object_id, subject_id=ticket.id, amount=paid)
        call.show(ticket.id)
        return TicketView(ticket.id, object_id, slot_at, persons, paid.wire(), zoned(ticket.booked_at, world.zone))

    def _take_slot(self, world: World, place: Place, slot_at: str, persons: int) -> None:
        if not slot_at:
            raise ToolError("invalid_argument", field="slot_at", hint="a slot of ground_get_place")
        day = _day(world, place, slot_at[:10], "slot_at")
        free = ", ".join(slot.at for slot in day.slots if slot.left >= persons)
        chosen = next((slot for slot in day.slots if slot.at == slot_at[11:]), None)
        if chosen is None:
            raise ToolError("invalid_argument", field="slot_at", hint=free or "a slot of ground_get_place")
        if chosen.left < persons:
            raise ToolError("sold_out", desk_message(world, "slot_sold_out"), "slot_at", free)
        slots = tuple(Slot(slot.at, slot.left - persons) if slot is chosen else slot for slot in day.slots)
        world.put(msgspec.structs.replace(day, slots=slots))
