"""The travel domain's records: who carries people where, at what price, and what has been quoted, held and bought.

Instants are seconds since the Unix epoch. A fact key begins with the id of what the fact is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import msgspec

from agentbench_env.money import Money
from agentbench_env.world import Record, World
from agentbench_env.zones import to_local

Names = tuple[tuple[str, str], ...]
"""Names by language code."""


def name_in(names: Names, language: str) -> str:
    """Return the name in a language, or the English one."""
    for code, name in names:
        if code == language and name:
            return name
    return dict(names)["en"]


class Connection(msgspec.Struct, frozen=True, gc=False):
    """Minutes that a point asks for between two services."""

    protected: bool
    same_terminal: bool
    minutes: int


class Link(msgspec.Struct, frozen=True, gc=False):
    """The published minimum for a transfer made on one's own, from arrival at one point to departure at another."""

    to: str
    mode: str
    minutes: int
    first: str
    last: str


class DirectoryLine(msgspec.Struct, frozen=True, gc=False):
    """Who flies where from a point. `sold_via_search` is yes, no or unknown."""

    dest: str
    carrier_code: str
    terminal: str
    sold_via_search: str


class Point(Record, frozen=True, gc=False):
    """An airport or station."""

    code: str
    kind: str
    city: str
    country: str
    zone: str
    names: Names
    terminals: tuple[str, ...]
    mct: tuple[Connection, ...]
    links: tuple[Link, ...]
    directory: tuple[DirectoryLine, ...]
    note_page: str = ""

    def facts(self, world: World) -> Mapping[str, object]:
        """Its minima and links, and its zone."""
        stated: dict[str, object] = {f"point.{self.code}.zone": self.zone}
        for row in self.mct:
            if not row.protected:
                stated[separate_key(self.code, row.same_terminal)] = row.minutes
        for link in self.links:
            stated[link_key(self.code, link.to)] = link.minutes
        return stated


def separate_key(code: str, same_terminal: bool) -> str:
    """Fact key of the minimum between services on separate tickets at one point."""
    return f"point.{code}.separate.{'same' if same_terminal else 'other'}"


def link_key(one: str, other: str) -> str:
    """Fact key of the minimum for a transfer between two points."""
    return f"link.{one}.{other}"


class Carrier(Record, frozen=True, gc=False):
    """An airline, railway, ferry or coach company. `hold` is free, paid or none; `lock_fee` is the price if paid."""

    code: str
    names: Names
    kind: str
    language: str
    in_aggregate: bool
    hold: str
    page_ids: tuple[str, ...] = ()


class Tariff(Record, frozen=True, gc=False):
    """What a carrier adds to a fare in one currency, per sector: bags by weight, card fee per person, lock fee."""

    carrier: str
    currency: str
    bags: tuple[tuple[int, int], ...]
    """(kilograms, minor units), lightest first."""
    card_fee: int
    lock_fee: int
    child_percent: int
    hold_hours: int


class Service(Record, frozen=True, gc=False):
    """One departure. `route` indexes it: carrier, from, to and local date."""

    carrier: str
    number: str
    origin: str
    dest: str
    departs: int
    arrives: int
    dep_zone: str
    arr_zone: str
    dep_terminal: str
    arr_terminal: str
    minutes: int
    stops: int
    on_sale_from: int
    sale_page: str
    route: tuple[str, str, str, str]

    @property
    def dep_local(self) -> str:
        """Local time of departure."""
        return to_local(self.departs, self.dep_zone)

    @property
    def arr_local(self) -> str:
        """Local time of arrival."""
        return to_local(self.arrives, self.arr_zone)

    @property
    def listed(self) -> Mapping[str, object]:
        """What a list of departures prints of it."""
        return {
            f"{self.id}.dep": self.departs,
            f"{self.id}.arr": self.arrives,
            f"{self.id}.stops": self.stops,
        }

    def facts(self, world: World) -> Mapping[str, object]:
        """Its times and stops, and what its own page prints of its fares and of what became of it."""
        stated = dict(self.listed)
        for record in (*world.where(Fare, "service_id", self.id), *world.where(EventLog, "service_id", self.id)):
            stated |= record.facts(world)
        return stated


class EventLog(Record, frozen=True, gc=False):
    """What became of a service: flown, delayed or cancelled, when (0: it never did), and why."""

    service_id: str
    status: str
    departed: int
    arrived: int
    cause_code: str
    causes: Names

    def facts(self, world: World) -> Mapping[str, object]:
        """What happened, when and why."""
        return {
            f"{self.service_id}.status": self.status,
            f"{self.service_id}.act_dep": self.departed,
            f"{self.service_id}.act_arr": self.arrived,
            f"{self.service_id}.cause": self.cause_code,
        }


class Charge(msgspec.Struct, frozen=True, gc=False):
    """What an airport or state takes per person, included in the fare's price."""

    code: str
    labels: Names
    minor: int
    min_age: int


class Fare(Record, frozen=True, gc=False):
    """A price at which a service is sold. `closes` is "first_hold" for one that somebody else is about to buy."""

    service_id: str
    carrier: str
    brand: str
    cabin: str
    base: Money
    charges: tuple[Charge, ...]
    bag_pieces: int
    bag_kg: int
    refundable: bool
    seats: int
    open: bool = True
    closes: str = ""
    rules_page: str = ""

    def facts(self, world: World) -> Mapping[str, object]:
        """Its cabin, refundability, included bag and price."""
        return {
            f"{self.id}.cabin": self.cabin,
            f"{self.id}.refundable": "yes" if self.refundable else "no",
            f"{self.id}.bag_included": self.bag_kg,
            f"{self.id}.base": str(self.base),
        }


class ReturnFlight(msgspec.Struct, frozen=True, gc=False):
    """The flight back of a return fare."""

    number: str
    departs: int
    arrives: int
    dep_zone: str
    arr_zone: str


class FareScope(Record, frozen=True, gc=False):
    """What a fare covers besides its service. Where there is one, the carrier's baggage page says which bags."""

    fare_id: str
    back: ReturnFlight | None = None


class Offer(Record, frozen=True, gc=False):
    """A row of the flight search's cache; its price was true once. States nothing that can be relied on."""

    carrier: str
    number: str
    service_id: str
    fare_id: str
    cities: tuple[str, str, str]
    shown: Money
    as_of: int


class Bag(msgspec.Struct, frozen=True, gc=False):
    """Checked bags of one weight for the whole party."""

    kg: int
    pieces: int


class QuoteLine(msgspec.Struct, frozen=True, gc=False):
    """A line of a quote: kind (fare, charge, bag, card_fee), code, labels and minor units."""

    kind: str
    code: str
    labels: Names
    minor: int


class Quote(Record, frozen=True, gc=False):
    """A carrier's own price for a party."""

    binds: ClassVar[bool] = True

    carrier: str
    fare_id: str
    adults: int
    child_ages: tuple[int, ...]
    bags: tuple[Bag, ...]
    card_type: str
    lines: tuple[QuoteLine, ...]
    total: Money
    lock_fee: Money
    hold: str
    made_at: int
    valid_until: int

    def facts(self, world: World) -> Mapping[str, object]:
        """What it costs, what it covers, and how long it is valid."""
        return {**quote_facts(self, world), f"{self.id}.valid_until": self.valid_until}


class FareHold(Record, frozen=True, gc=False):
    """A seat kept at a quote's price until it expires."""

    quote_id: str
    fare_id: str
    price: Money
    fee: Money
    made_at: int
    expires_at: int
    state: str = "active"
    by_user: bool = False

    def is_active(self, now: int) -> bool:
        """Whether it still keeps the seat."""
        return self.state == "active" and now <= self.expires_at

    def facts(self, world: World) -> Mapping[str, object]:
        """What its quote states."""
        quote = world.find(self.quote_id)
        return quote_facts(quote, world) if isinstance(quote, Quote) else {}


def quote_facts(quote: Quote, world: World) -> Mapping[str, object]:
    """The facts that a quote and a hold of it state."""
    fare = world.find(quote.fare_id)
    stated: dict[str, object] = {
        f"{quote.fare_id}.total": str(quote.total),
        f"{quote.fare_id}.bag_asked": min((bag.kg for bag in quote.bags), default=0),
        f"{quote.fare_id}.bag_bought": min((int(line.code) for line in quote.lines if line.kind == "bag"), default=0),
    }
    if isinstance(fare, Fare):
        stated[f"{fare.id}.cabin"] = fare.cabin
    return stated


class BookedItem(msgspec.Struct, frozen=True, gc=False):
    """One leg or stay of a booking."""

    object_id: str
    party: int
    status: str = "booked"


class Booking(Record, frozen=True, gc=False):
    """What has been bought."""

    locator: str
    supplier_id: str
    kind: str
    items: tuple[BookedItem, ...]
    paid: Money
    booked_at: int
    by_user: bool = True
    stated: tuple[tuple[str, str | int], ...] = ()
    """Facts that its page prints, where a task's answer cites them."""

    def facts(self, world: World) -> Mapping[str, object]:
        """What it states."""
        return dict(self.stated)


class LedgerLine(Record, frozen=True, gc=False):
    """Money that moved. `kind` is purchase, change_fee, cancel_fee, hold_fee or refund."""

    at: int
    account: str
    amount: Money
    kind: str
    about: str


class PlanItem(msgspec.Struct, frozen=True, gc=False):
    """An item of the private itinerary board."""

    kind: str
    start: str
    start_zone: str
    end: str
    end_zone: str
    object_id: str
    ref_id: str = ""
    price: str = ""
    currency: str = ""
    from_id: str = ""
    to_id: str = ""
    mode: str = ""


class Plan(Record, frozen=True, gc=False):
    """A private itinerary; nobody else sees it."""

    title: str
    items: tuple[PlanItem, ...]
    revision: int = 1
