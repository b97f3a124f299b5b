"""Looking: the flight search with its cache, and the carriers' own sites."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.money import Amount, Money
from agentbench_env.tool import Tool
from agentbench_env.world import World
from agentbench_env.zones import to_local
from agentbench_tasks.commons.values import Zoned
from agentbench_tasks.travel.domain.airports import points_of
from agentbench_tasks.travel.domain.messages import date_of, message, notice
from agentbench_tasks.travel.domain.records import (
    Carrier,
    EventLog,
    Fare,
    FareScope,
    Offer,
    Point,
    Service,
    name_in,
)


class OfferRow(msgspec.Struct, frozen=True):
    """A row of the flight search: local times without date and zone, and a price that was true at `price_as_of`."""

    carrier_code: str
    carrier: str
    service_no: str
    from_: str = msgspec.field(name="from")
    to: str
    dep: str
    arr: str
    stops: int
    shown_price: Amount
    shown_excludes: list[str]
    price_as_of: Zoned
    offer_id: str
    fare_id: str


class Coverage(msgspec.Struct, frozen=True):
    """What the search says about itself."""

    note: str


class Offers(msgspec.Struct, frozen=True):
    """What `airsearch_search_offers` returns."""

    offers: list[OfferRow]
    coverage: Coverage
    next_page_token: str
    total: int


class AirsearchSearchOffers(Tool):
    """Search flights across airlines. Prices come from a cache and leave out what `shown_excludes` names."""

    latency_s: ClassVar[float] = 1.8
    fee_usd: ClassVar[float] = 0.004

    origin: str = Field(description="Airport or city code, e.g. SIN or TYO, or a city's name.")
    destination: str = Field(description="Airport or city code, or a city's name.")
    depart_on: str = Field(description="ISO date of departure, local at the origin.")
    adults: int = Field(description="Number of adults.", ge=1, le=9)
    children: int = Field(default=0, description="Number of children aged 2 to 11.", ge=0, le=8)
    cabin: Literal["economy", "business"] = Field(default="economy", description="Cabin: economy or business.")
    max_stops: int = Field(default=-1, description="Most stops; -1: any number.")
    sort: Literal["price", "time"] = Field(
        default="price", description="Order: price (as shown) or time (of departure)."
    )
    page_token: str = Field(default="", description="Token of the page, from the result before.")

    def run(self, call: Call) -> Offers:
        world = call.world
        day = date_of(self.depart_on, "depart_on")
        ends = points_of(world, self.origin, "origin"), points_of(world, self.destination, "destination")
        rows: list[tuple[Offer, Service]] = []
        for start in ends[0]:
            for end in ends[1]:
                for offer in world.where(Offer, "cities", (start.code, end.code, day)):
                    service = world.get(Service, offer.service_id)
                    if self.max_stops < 0 or service.stops <= self.max_stops:
                        rows.append((offer, service))
        if not rows:
            raise ToolError("no_route", message(world, "no_route"))
        if self.sort == "price":
            rows.sort(key=lambda row: (row[0].shown.minor, row[0].id))
        else:
            rows.sort(key=lambda row: (row[1].dep_local[11:], row[0].id))
        page, token = call.page(rows, self.page_token, world.settings["page_size"])
        shown = [_offer_row(world, offer, service) for offer, service in page]
        for offer, _ in page:
            call.show(offer.id)
        return Offers(shown, Coverage(notice(world, "coverage_note")), token, len(rows))


def _offer_row(world: World, offer: Offer, service: Service) -> OfferRow:
    carrier = carrier_by_code(world, offer.carrier, "carrier")
    return OfferRow(
        carrier_code=offer.carrier,
        carrier=name_in(carrier.names, world.language),
        service_no=offer.number,
        from_=service.origin,
        to=service.dest,
        dep=service.dep_local[11:],
        arr=service.arr_local[11:],
        stops=service.stops,
        shown_price=offer.shown.wire(),
        shown_excludes=["taxes", "bag", "card"],
        price_as_of=Zoned(to_local(offer.as_of, world.zone), world.zone),
        offer_id=offer.id,
        fare_id=offer.fare_id,
    )


class ServiceRow(msgspec.Struct, frozen=True):
    """A departure with its dates and zones, and the cheapest open fare before charges and extras."""

    service_id: str
    number: str
    from_: str = msgspec.field(name="from")
    to: str
    dep: Zoned
    arr: Zoned
    minutes: int
    stops: int
    on_sale: bool
    from_price: Amount


class Services(msgspec.Struct, frozen=True):
    """What `carrier_search_services` returns."""

    services: list[ServiceRow]
    next_page_token: str
    total: int


class CarrierSearchServices(Tool):
    """List a carrier's own departures of one day, in order of departure."""

    latency_s: ClassVar[float] = 1.4

    carrier_code: str = Field(description="Code of the airline, railway, ferry or coach company, e.g. M3S.")
    origin: str = Field(description="Airport, city or station code, or a city's name.")
    destination: str = Field(description="Airport, city or station code, or a city's name.")
    depart_on: str = Field(description="ISO date of departure, local at the origin.")
    adults: int = Field(description="Number of adults.", ge=1, le=9)
    children: int = Field(default=0, description="Number of children aged 2 to 11.", ge=0, le=8)
    page_token: str = Field(default="", description="Token of the page, from the result before.")

    def run(self, call: Call) -> Services:
        world = call.world
        carrier = carrier_by_code(world, self.carrier_code, "carrier_code")
        day = date_of(self.depart_on, "depart_on")
        starts = points_of(world, self.origin, "origin")
        ends = points_of(world, self.destination, "destination")
        found = [
            service
            for start in starts
            for end in ends
            for service in world.where(Service, "route", (carrier.code, start.code, end.code, day))
        ]
        if not found:
            if _serves(world, carrier, starts, ends):
                return Services([], "", 0)
            raise ToolError("no_route", message(world, "no_route"))
        opening = min(service.on_sale_from for service in found)
        if opening > world.now:
            first = min(found, key=lambda service: service.on_sale_from)
            raise not_on_sale(world, first)
        found.sort(key=lambda service: (service.departs, service.id))
        page, token = call.page(found, self.page_token, world.settings["page_size"])
        rows = [_service_row(world, service) for service in page]
        for service in page:
            call.show(service.id, *service.listed)
        return Services(rows, token, len(found))


def _serves(world: World, carrier: Carrier, starts: list[Point], ends: list[Point]) -> bool:
    """Whether a carrier serves a route on some day, by the points' directories or its own departures."""
    pairs = {(start.code, end.code) for start in starts for end in ends}
    listed = (
        (start.code, line.dest) for start in starts for line in start.directory if line.carrier_code == carrier.code
    )
    own = ((service.origin, service.dest) for service in world.where(Service, "carrier", carrier.code))
    return not pairs.isdisjoint([*listed, *own])


def not_on_sale(world: World, service: Service) -> ToolError:
    """The refusal of what is not on sale yet: it names the opening in local time and the page with the rule."""
    opens = to_local(service.on_sale_from, service.dep_zone)
    return ToolError(
        "not_on_sale", message(world, "not_on_sale", opens=opens), "", f"{opens}; rule: {service.sale_page}"
    )


def _service_row(world: World, service: Service) -> ServiceRow:
    fares = [fare for fare in world.where(Fare, "service_id", service.id) if fare.open]
    cheapest = min((fare.base for fare in fares), key=lambda base: base.minor, default=None)
    return ServiceRow(
        service_id=service.id,
        number=service.number,
        from_=service.origin,
        to=service.dest,
        dep=Zoned(service.dep_local, service.dep_zone),
        arr=Zoned(service.arr_local, service.arr_zone),
        minutes=service.minutes,
        stops=service.stops,
        on_sale=service.on_sale_from <= world.now,
        from_price=cheapest.wire() if cheapest else Amount("", ""),
    )


class ChargeRow(msgspec.Struct, frozen=True):
    """A charge per person that the fare's price leaves out; `min_age` is the age from which it is paid."""

    code: str
    label: str
    amount: Amount
    min_age: int


class BagIncluded(msgspec.Struct, frozen=True):
    """Checked bags in the fare, per person."""

    pieces: int
    kg: int


class WayBack(msgspec.Struct, frozen=True):
    """The flight back that a return fare covers."""

    number: str
    dep: Zoned
    arr: Zoned


class FareRow(msgspec.Struct, frozen=True, kw_only=True):
    """A fare before bags and card fee, per adult.

    `bag_included` is left out where the carrier's baggage page says it; a return fare names its `way_back`, and its
    base and charges are for both directions.
    """

    fare_id: str
    brand: str
    cabin: str
    base: Amount
    charges: list[ChargeRow]
    bag_included: BagIncluded | msgspec.UnsetType = msgspec.UNSET
    refundable: bool
    seats_left: int
    on_sale: bool
    rules_page_id: str
    way_back: WayBack | msgspec.UnsetType = msgspec.UNSET


class Event(msgspec.Struct, frozen=True):
    """What became of a service; empty times where it never left or arrived."""

    event_id: str
    status: str
    act_dep: Zoned
    act_arr: Zoned
    cause_code: str
    cause: str


class ServiceDetail(msgspec.Struct, frozen=True):
    """What `carrier_get_service` returns."""

    service_id: str
    carrier_code: str
    carrier: str
    number: str
    from_: str = msgspec.field(name="from")
    to: str
    dep: Zoned
    arr: Zoned
    dep_terminal: str
    arr_terminal: str
    minutes: int
    stops: int
    on_sale: bool
    sale_opens: str
    fares: list[FareRow]
    events: list[Event]
    page_ids: list[str]


class CarrierGetService(Tool):
    """Get one departure: terminals, time zones, every fare with charges, bag, rules and seats, and its status.

    `page_ids` are the carrier's own pages on payment, bags, holds and sale.
    """

    latency_s: ClassVar[float] = 1.0

    carrier_code: str = Field(description="Code of the carrier.")
    service_id: str = Field(description="Id of the service.")

    def run(self, call: Call) -> ServiceDetail:
        world = call.world
        carrier = carrier_by_code(world, self.carrier_code, "carrier_code")
        service = world.get(Service, self.service_id, "service_id")
        if service.carrier != carrier.code:
            raise ToolError("unknown_id", field="service_id", hint="a service of this carrier")
        fares = world.where(Fare, "service_id", service.id)
        call.show(service.id)
        events = world.where(EventLog, "service_id", service.id)
        for record in (*fares, *events):
            call.show(record.id)
        return ServiceDetail(
            service_id=service.id,
            carrier_code=carrier.code,
            carrier=name_in(carrier.names, world.language),
            number=service.number,
            from_=service.origin,
            to=service.dest,
            dep=Zoned(service.dep_local, service.dep_zone),
            arr=Zoned(service.arr_local, service.arr_zone),
            dep_terminal=service.dep_terminal,
            arr_terminal=service.arr_terminal,
            minutes=service.minutes,
            stops=service.stops,
            on_sale=service.on_sale_from <= world.now,
            sale_opens=to_local(service.on_sale_from, service.dep_zone) if service.on_sale_from else "",
            fares=[_fare_row(fare, world) for fare in fares],
            events=[_event(log, service, world.language) for log in events],
            page_ids=list(carrier.page_ids),
        )


def _event(log: EventLog, service: Service, language: str) -> Event:
    departed = to_local(log.departed, service.dep_zone) if log.departed else ""
    arrived = to_local(log.arrived, service.arr_zone) if log.arrived else ""
    times = Zoned(departed, service.dep_zone), Zoned(arrived, service.arr_zone)
    return Event(log.id, log.status, *times, log.cause_code, name_in(log.causes, language))


def _fare_row(fare: Fare, world: World) -> FareRow:
    currency, language = fare.base.currency, world.language
    scope = next(iter(world.where(FareScope, "fare_id", fare.id)), None)
    back = scope.back if scope else None
    return FareRow(
        fare_id=fare.id,
        brand=fare.brand,
        cabin=fare.cabin,
        base=fare.base.wire(),
        charges=[
            ChargeRow(c.code, name_in(c.labels, language), Money(c.minor, currency).wire(), c.min_age)
            for c in fare.charges
        ],
        bag_included=msgspec.UNSET if scope else BagIncluded(fare.bag_pieces, fare.bag_kg),
        refundable=fare.refundable,
        seats_left=fare.seats if fare.open else 0,
        on_sale=fare.open,
        rules_page_id=fare.rules_page,
        way_back=WayBack(
            back.number,
            Zoned(to_local(back.departs, back.dep_zone), back.dep_zone),
            Zoned(to_local(back.arrives, back.arr_zone), back.arr_zone),
        )
        if back
        else msgspec.UNSET,
    )


def carrier_by_code(world: World, code: str, field: str) -> Carrier:
    """Return the carrier of a code; refuse an unknown one."""
    found = world.where(Carrier, "code", code)
    if not found:
        raise ToolError("unknown_id", message(world, "unknown_carrier"), field, "a carrier code from a result")
    return found[0]
