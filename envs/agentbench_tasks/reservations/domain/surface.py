"""A venue's own booking surface: by which route a party gets a table there, and how it says so."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.tool import Tool
from agentbench_env.world import Record, World
from agentbench_tasks.commons.service_time import add_days, service_instant, service_time
from agentbench_tasks.commons.texts import Stated, Words, body_of
from agentbench_tasks.reservations.domain.cutoffs import OpenDay
from agentbench_tasks.reservations.domain.party import ANY_PARTY, PartyRange
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.venue import Service, open_days, service_at

RouteMode = Literal["instant", "request", "phone", "messenger", "members", "introduction", "concierge", "in_person"]
Step = Literal["card_hold", "deposit", "prepay", "sms_code", "identity_code", "call_back", "course_choice"]
ContactKind = Literal["phone", "messenger", "booking_page", "member_site", "introducer", "concierge", "door"]
_FARTHEST_OPENING = 62
"""Days for which the next opening of a contact is looked for."""
ONLINE: frozenset[RouteMode] = frozenset({"instant", "request"})


class ContactSpan(msgspec.Struct, frozen=True, gc=False):
    """Hours of a contact on some weekdays, as service times; never on days on which the venue is closed."""

    weekdays: tuple[int, ...]
    opens: str
    closes: str


class RouteContact(msgspec.Struct, frozen=True, gc=False):
    """Where a route leads; without hours it can be reached at any time."""

    kind: ContactKind
    value: str = ""
    hours: tuple[ContactSpan, ...] = ()


class Route(msgspec.Struct, frozen=True, gc=False):
    """How parties of some size book for some days and services. `text` is all that is shown of it."""

    mode: RouteMode
    text: Words
    party: PartyRange = ANY_PARTY
    weekdays: tuple[int, ...] = ()
    """ISO weekdays; none for all."""
    services: tuple[Service, ...] = ()
    dates: tuple[str, ...] = ()
    """Special dates; a route for the date goes before all others."""
    steps: tuple[Step, ...] = ()
    contact: RouteContact | None = None

    def serves(self, party_size: int, day: str, weekday: int, service: str) -> bool:
        """Whether the route is for such a party, day and service."""
        return (
            self.party.holds(party_size)
            and (not self.dates or day in self.dates)
            and (not self.weekdays or weekday in self.weekdays)
            and (not self.services or service in self.services)
        )


class BookingWindow(msgspec.Struct, frozen=True, gc=False):
    """When booking for a day opens, so many days before or on a day of the month so many months before, and closes."""

    days_ahead: int = 0
    """0: no limit, unless `months_ahead` sets one."""
    months_ahead: int = 0
    month_day: int = 1
    opens_at: str = "00:00"
    lead_minutes: int = 0
    """How long before the start booking closes."""

    def opens(self, service_date: str, zone: str) -> int | None:
        """The instant at which booking for a day opens, None if it always is open."""
        if self.months_ahead:
            months = int(service_date[:4]) * 12 + int(service_date[5:7]) - 1 - self.months_ahead
            return service_instant(f"{months // 12}-{months % 12 + 1:02d}-{self.month_day:02d}", self.opens_at, zone)
        if self.days_ahead:
            return service_instant(add_days(service_date, -self.days_ahead), self.opens_at, zone)
        return None


class Surface(Record, frozen=True, gc=False):
    """A venue's booking surface."""

    venue_id: str
    operator: str
    """Name of the engine, or "house"."""
    language: str
    routes: tuple[Route, ...]
    window: BookingWindow = BookingWindow()
    window_text: Words = ""
    remarks: tuple[Words, ...] = ()
    """Further lines that it shows, on cards, points, news."""
    terms_page_ids: tuple[str, ...] = ()
    slot_minutes: int = 30
    """From one start that is offered to the next."""
    turn_minutes: int = 120
    """How long a table is taken."""
    code_prefixes: tuple[str, ...] = ()
    """The beginnings, in digits alone, of the numbers that count as local; none for any number."""
    member_routes: tuple[Route, ...] = ()
    member_id: str = ""
    """The membership that it knows, with its secret where it asks for one."""
    member_secret: str = ""
    stated: tuple[Stated, ...] = ()

    def facts(self, world: World) -> dict[str, object]:
        """What it states."""
        return {fact.key: fact.value for fact in self.stated}


class SignInEvent(Record, frozen=True, gc=False):
    """A member's sign-in on a surface."""

    surface_id: str
    member_id: str
    at: int


def find_surface(world: World, venue_id: str) -> Surface:
    """Return the surface of a venue; refuse the call with `no_surface` if it has none."""
    world.get(Place, venue_id, "venue_id")
    surface = next(iter(world.where(Surface, "venue_id", venue_id)), None)
    if surface is None:
        raise ToolError("no_surface", field="venue_id", hint="a venue whose listing names a surface_id")
    return surface


def route_for(world: World, surface: Surface, party_size: int, start: int) -> Route | None:
    """Return the route of a party for a start, None if the venue takes no such party."""
    zone = world.get(Place, surface.venue_id).zone
    when = service_time(start, zone)
    hours = service_at(world, surface.venue_id, when.service_date, when.time)
    return route_on(world, surface, party_size, when.service_date, hours.service if hours else "")


def route_on(world: World, surface: Surface, party_size: int, day: str, service: str) -> Route | None:
    """Return the route of a party for a service of a day: one for this very date before the others."""
    routes = surface.routes
    if world.where(SignInEvent, "surface_id", surface.id):
        routes = surface.member_routes + routes
    return fitting_route(routes, party_size, day, service)


def fitting_route(routes: Sequence[Route], party_size: int, day: str, service: str) -> Route | None:
    """Return the one of these routes that a party takes for a service of a day."""
    weekday = date.fromisoformat(day).isoweekday()
    fitting = [route for route in routes if route.serves(party_size, day, weekday, service)]
    return next((route for route in fitting if route.dates), fitting[0] if fitting else None)


def contact_is_open(world: World, venue_id: str, contact: RouteContact, at: int) -> bool:
    """Whether a contact can be reached at an instant."""
    if not contact.hours:
        return True
    zone = world.get(Place, venue_id).zone
    day = service_time(at, zone).service_date
    return any(start <= at < end for start, end in _open_spans(open_days(world, venue_id), contact, day, zone))


def first_open(world: World, venue_id: str, contact: RouteContact, now: int) -> int | None:
    """Return the first instant from now at which a contact can be reached, None if it keeps no hours or none soon."""
    return first_moment(contact, open_days(world, venue_id), now, world.get(Place, venue_id).zone)


def first_moment(contact: RouteContact, is_open: OpenDay, now: int, zone: str) -> int | None:
    """Return the same of a contact that answers on the days on which its venue is open."""
    day = service_time(now, zone).service_date
    for _ in range(_FARTHEST_OPENING if contact.hours else 0):
        for start, end in _open_spans(is_open, contact, day, zone):
            if now < end:
                return max(now, start)
        day = add_days(day, 1)
    return None


def _open_spans(is_open: OpenDay, contact: RouteContact, day: str, zone: str) -> list[tuple[int, int]]:
    if not is_open(day):
        return []
    weekday = date.fromisoformat(day).isoweekday()
    spans = [span for span in contact.hours if weekday in span.weekdays]
    return sorted((service_instant(day, s.opens, zone), service_instant(day, s.closes, zone)) for s in spans)


class SurfaceText(msgspec.Struct, frozen=True):
    """What `booking_get_surface` returns."""

    surface_id: str
    venue_id: str
    operator: str
    language: str
    booking_window: str
    notices: list[str]
    terms_page_ids: tuple[str, ...]


class BookingGetSurface(Tool):
    """Read how a venue takes bookings on its own surface: its notices, its booking window and its terms pages."""

    venue_id: str = Field(description="Id of the venue.")

    def run(self, call: Call) -> SurfaceText:
        surface = find_surface(call.world, self.venue_id)
        call.show(surface.id)
        return SurfaceText(
            surface.id,
            surface.venue_id,
            surface.operator,
            surface.language,
            body_of(surface.window_text),
            notices_of(surface.routes, surface.remarks),
            surface.terms_page_ids,
        )


def notices_of(routes: tuple[Route, ...], remarks: tuple[Words, ...] = ()) -> list[str]:
    """Return what a surface shows of routes, each sentence once, and its remarks."""
    texts = (body_of(text) for text in (*(route.text for route in routes), *remarks))
    return list(dict.fromkeys(filter(None, texts)))
