"""What was booked, what it is to become, under which terms, and what either way costs."""

from __future__ import annotations

import msgspec

from agentbench_env.world import Record
from agentbench_tasks.travel.domain.change_prices import Target, cancel_lines, change_lines
from agentbench_tasks.travel.domain.geography import CarrierFacts
from agentbench_tasks.travel.domain.houses import House
from agentbench_tasks.travel.domain.modification.market import Schedule
from agentbench_tasks.travel.domain.modification.plot import Shape
from agentbench_tasks.travel.domain.records import Charge, Fare, Names, Service, Tariff
from agentbench_tasks.travel.domain.records_changes import ItemRules
from agentbench_tasks.travel.domain.records_stays import Area, Channel, Rate, RoomType
from agentbench_tasks.travel.domain.stay_bills import Board

MARGIN = 0.04
"""The cheaper way is cheaper by this share of what was paid, and the best offer by this share of itself."""


class FareTerms(msgspec.Struct, frozen=True, gc=False):
    """A version of a carrier's terms for one brand; amounts in minor units for each person and section."""

    change_fee: int
    change_hours: int
    late_fee: int
    cancel_fee: int
    cancel_hours: int
    kept: int
    changeable: bool = True
    credit: bool = False


class StayTerms(msgspec.Struct, frozen=True, gc=False):
    """A version of a house's terms; the fee is in minor units for the booking."""

    change_fee: int
    change_days: int
    schedule: Schedule
    changeable: bool = True
    credit: bool = False


class Moved(msgspec.Struct, frozen=True):
    """An item that is moved: its rules, its two ends in the sale, and what ends when.

    `target` is what it is changed to, `offer` what would be bought anew, `near` each of them a day later.
    """

    index: int
    rules: ItemRules
    target: Fare | Rate
    offer: Fare | Rate
    near: tuple[Fare | Rate, Fare | Rate]
    priced: Target
    price: int
    """What the offer costs the party."""
    change_limit: int
    cancel_limit: int
    old: Service | Rate
    new: Service | Rate


class Trip(msgspec.Struct, frozen=True):
    """What a booking of flights or trains is about."""

    carrier: CarrierFacts
    brand: str
    services: tuple[Service, ...]
    """The booked departures."""
    charges: tuple[tuple[Charge, ...], ...]
    """What each of them was charged with for leaving, a person."""
    tariff: Tariff
    records: tuple[Record, ...]
    """Every departure and fare."""


class Stay(msgspec.Struct, frozen=True):
    """What a booking of a stay is about."""

    market: str
    city: Names
    house: House
    others: tuple[House, ...]
    areas: tuple[Area, ...]
    agencies: tuple[Channel, ...]
    room: RoomType
    board: Board
    old: Rate
    new: tuple[str, str]
    """First and last day of the new dates."""
    records: tuple[Rate, ...]
    """Every rate."""


class Deal(msgspec.Struct, frozen=True):
    """Everything of an instance that is fixed before its papers are written."""

    shape: Shape
    now: int
    party: int
    currency: str
    zone: str
    """Where the limits of the terms are reckoned."""
    about: Trip | Stay
    items: tuple[ItemRules, ...]
    moved: tuple[Moved, ...]
    terms: FareTerms | StayTerms
    newer: FareTerms | StayTerms | None
    """Terms for later bookings."""
    agency: Channel | None
    agency_fee: int
    """Each person and section, or each stay, in minor units; 0 without an agency."""
    booked_at: int
    newer_from: str
    """The day of booking from which the newer terms hold."""
    price_life_s: int
    quote_life_s: int

    @property
    def offers(self) -> tuple[Fare | Rate, ...]:
        """What is bought anew, one a moved item."""
        return tuple(one.offer for one in self.moved)

    @property
    def indexes(self) -> tuple[int, ...]:
        """The items that move."""
        return tuple(one.index for one in self.moved)

    @property
    def agency_charge(self) -> int:
        """What the agency charges for the change."""
        return self.agency_fee * (1 if isinstance(self.about, Stay) else self.party * len(self.moved))


class Costs(msgspec.Struct, frozen=True):
    """What both ways cost, in minor units."""

    lines: dict[str, int]
    """The parts of the change that are not nil; none where no change is possible."""
    new_price: int
    back: int
    """What is given back in whatever form."""
    refund: int
    """What is given back in money."""

    @property
    def change(self) -> int:
        """The cost of changing."""
        return sum(self.lines.values())

    @property
    def rebook(self) -> int:
        """The cost of cancelling and booking anew."""
        return self.new_price - self.refund


def costs(deal: Deal) -> Costs:
    """Price both ways."""
    lines: dict[str, int] = {}
    back = 0
    for one in deal.moved:
        if deal.terms.changeable:
            for line in change_lines(one.index, one.rules, one.rules.change[0], one.priced, deal.party):
                lines[line.kind] = lines.get(line.kind, 0) + line.minor
        back -= sum(line.minor for line in cancel_lines(one.index, one.rules, one.rules.cancel[0], deal.party))
    if deal.terms.changeable and deal.agency_charge:
        lines["agency"] = deal.agency_charge
    refund = 0 if deal.terms.credit else back
    return Costs(lines, sum(one.price for one in deal.moved), back, refund)
