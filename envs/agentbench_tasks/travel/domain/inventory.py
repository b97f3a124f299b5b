"""Who travels when and at what price: schedules, fares, tariffs and the search's cache of a travel world."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.errors import ToolError
from agentbench_env.market import market_table
from agentbench_env.money import Money
from agentbench_env.zones import near_change, to_instant, to_local
from agentbench_tasks.travel.domain.exchange import Rates
from agentbench_tasks.travel.domain.geography import (
    CarrierFacts,
    Route,
    carrier_facts,
    currency_at,
    departure_charges,
    terminal_of,
    zone_of,
)
from agentbench_tasks.travel.domain.prices import quote_lines
from agentbench_tasks.travel.domain.records import Bag, Fare, Offer, Service, Tariff
from agentbench_tasks.travel.domain.sales import opening, sale_rules

# What the brands of one carrier cost against its cheapest one, and what they include: (share, pieces, kg, refundable).
BRANDS = {"basic": (1.0, 0, 0, False), "standard": (1.18, 1, 23, False), "flex": (1.6, 1, 25, True)}
BUSINESS = 3.2
GROUND_BAG_KG = 30
HIGHEST_SEATS = 9
AVOID_CHANGE_S = 3 * 3600


class Party(msgspec.Struct, frozen=True, gc=False):
    """Who travels."""

    adults: int
    child_ages: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """Number of persons."""
        return self.adults + len(self.child_ages)


class Option(msgspec.Struct, frozen=True, gc=False):
    """A fare on a service as one leg, with its full price for the party in the budget's currency.

    `cost` is in minor units, -1 where the bag cannot travel.
    """

    leg: int
    service: Service
    fare: Fare
    cost: int
    local: Money


class Inventory:
    """Builds services and fares one by one, and knows the full price of each for the party."""

    def __init__(self, draw: Draw, market: str, rates: Rates, party: Party, bags: tuple[Bag, ...], pay: str) -> None:
        self._draw, self._ids = draw, draw.stream("ids")
        self.market, self.rates, self.party, self.bags, self.pay = market, rates, party, bags, pay
        self.tariffs: dict[tuple[str, str], Tariff] = {}
        self.options: list[Option] = []
        self.services: list[Service] = []
        self.takes_all: frozenset[str] = frozenset()
        """Carriers whose tariff must have a bag as heavy as the one asked for."""
        self._numbers: dict[str, int] = {}
        self._spans = market_table(market, "travel")["fares"]
        self._cards_cost = market_table(market, "money")["card"]["surcharge"]["allowed"]

    def tariff(self, carrier: CarrierFacts, currency: str, step: int) -> Tariff:
        """Return, or draw, a carrier's tariff in a currency."""
        key = (carrier.code, currency)
        if key not in self.tariffs:
            draw, usd = self._draw, self.rates.from_usd
            low, high = self._spans["bag_usd"]
            first = draw.uniform(low, (low + high) / 2)
            prices = [usd(first * share, currency, step) for share in (0.85, 1.25)]
            # Now and then a carrier's heaviest bag is lighter than the one asked for.
            kilos = draw.choice(((15, 20), (15, 25), (20, 25), (23, 25)))
            ground = carrier.kind not in ("full", "budget")
            if carrier.code in self.takes_all and kilos[1] < self.bags[0].kg:
                kilos = (15, 25)
            fee = usd(draw.uniform(*self._spans["card_fee_usd"]) * 0.6, currency, max(1, step // 10))
            self.tariffs[key] = Tariff(
                self._ids.id("trf"),
                carrier.code,
                currency,
                () if ground and carrier.bag_included else tuple(zip(kilos, prices, strict=True)),
                fee if carrier.charges_cards and self._cards_cost else 0,
                usd(draw.uniform(6, 14), currency, step) if carrier.hold == "paid" else 0,
                75,
                next((t.hold_hours for (code, _), t in self.tariffs.items() if code == carrier.code), 0)
                or draw.choice((24, 48, 72)),
            )
        return self.tariffs[key]

    def service(self, carrier: CarrierFacts, route: Route, departs: int, number: str = "", stops: int = 0) -> Service:
        """Make one departure, moved away from hours in which the clocks change at either end."""
        start, end, minutes = route.start, route.end, route.minutes + stops * 135
        zone = zone_of(start)
        while near_change(departs, zone) or near_change(departs + minutes * 60, zone_of(end)):
            departs += AVOID_CHANGE_S
        dep_local = to_local(departs, zone)
        rule = sale_rules(self.market).get(carrier.code)
        opens = to_instant(opening(rule, date.fromisoformat(dep_local[:10]), route.share_of_run), zone) if rule else 0
        service = Service(
            self._ids.id("svc"),
            carrier.code,
            number or self.number(carrier),
            start,
            end,
            departs,
            departs + minutes * 60,
            zone,
            zone_of(end),
            terminal_of(carrier, start, end),
            terminal_of(carrier, end, start),
            minutes,
            stops,
            opens,
            "",
            (carrier.code, start, end, dep_local[:10]),
        )
        self.services.append(service)
        return service

    def number(self, carrier: CarrierFacts) -> str:
        """Return a service number that the carrier has not used yet."""
        self._numbers.setdefault(carrier.code, self._draw.int(2, 40) * 10)
        self._numbers[carrier.code] += self._draw.int(1, 9)
        return f"{carrier.code} {self._numbers[carrier.code]}"

    def fare(
        self, leg: int, carrier: CarrierFacts, service: Service, brand: str, base: int, cabin: str = "economy"
    ) -> Option:
        """Make one fare of a service."""
        currency, step = currency_at(service.origin)
        _, pieces, kg, refundable = BRANDS[brand]
        ground = carrier.kind not in ("full", "budget")
        if ground and carrier.bag_included:
            pieces, kg = 1, GROUND_BAG_KG
        elif carrier.kind == "budget" and brand == "standard":
            kg = 20
        self.tariff(carrier, currency, step)
        fare = Fare(
            self._ids.id("fare"),
            service.id,
            carrier.code,
            dict(carrier.brands)[brand] if cabin == "economy" else "Business",
            cabin,
            Money(base, currency),
            () if ground else departure_charges(service.origin, service.dest, service.route[3]),
            pieces,
            kg,
            refundable or cabin == "business",
            self._draw.int(2 * self.party.size, HIGHEST_SEATS),
        )
        option = self.price(leg, service, fare)
        self.options.append(option)
        return option

    def price(self, leg: int, service: Service, fare: Fare) -> Option:
        """Return a fare as an option, with its full price for the party."""
        tariff = self.tariffs[fare.carrier, fare.base.currency]
        party = self.party
        try:
            _, total = quote_lines(fare, tariff, party.adults, party.child_ages, self.bags, self.pay)
        except ToolError:
            return Option(leg, service, fare, -1, fare.base)
        return Option(leg, service, fare, self.rates.to_home(total).minor, total)

    def priced_at(self, option: Option, home_minor: float) -> Option | None:
        """Return the option with the base fare that brings its full price to about `home_minor`; None if none does."""
        _, step = currency_at(option.service.origin)
        fare = option.fare
        shares = self.party.adults + 0.75 * len(self.party.child_ages)
        missing = (home_minor - option.cost) / self.rates.home_per(fare.base.currency) / shares
        base = fare.base.minor + round(missing / step) * step
        if base < 3 * step:
            return None
        dearer = msgspec.structs.replace(fare, base=Money(base, fare.base.currency))
        return self.price(option.leg, option.service, dearer)

    def put(self, old: Option, new: Option) -> Option:
        """Replace an option."""
        place = next(place for place, option in enumerate(self.options) if option.fare.id == old.fare.id)
        self.options[place] = new
        return new

    def base_fare(self, route: Route, carrier: CarrierFacts, quantile: float) -> int:
        """Return the base fare in minor units at a place (0 to 1) in the route's span of prices."""
        currency, step = currency_at(route.start)
        low, high = route.usd
        return self.rates.from_usd(low + (high - low) * quantile, currency, step)

    def schedule(self, leg: int, carrier: CarrierFacts, route: Route, days: list[date], flexible: bool) -> None:
        """Add one daily departure of a carrier on the given days, with one to three fares."""
        draw = self._draw
        clock = draw.int(66, 282) * 5
        number = self.number(carrier)
        stops = 1 if carrier.kind == "full" and draw.chance(0.12) else 0
        zone = zone_of(route.start)
        low, high = {"budget": (0.0, 0.4), "full": (0.25, 0.9)}.get(carrier.kind, (0.2, 1.0))
        level = draw.uniform(low, high)
        brands = [name for name, _ in carrier.brands]
        chosen = brands[:2] if not flexible else brands
        chosen = chosen if draw.chance(0.6) else chosen[-1:] if flexible else chosen[:1]
        for day in days:
            departs = to_instant(f"{day.isoformat()}T{clock // 60:02}:{clock % 60:02}", zone)
            service = self.service(carrier, route, departs, number, stops)
            base = self.base_fare(route, carrier, min(1.0, level * draw.uniform(0.85, 1.2)))
            _, step = currency_at(route.start)
            for brand in chosen:
                self.fare(leg, carrier, service, brand, round(base * BRANDS[brand][0] / step) * step)
            if carrier.kind == "full" and draw.chance(0.15):
                self.fare(leg, carrier, service, "flex", round(base * BUSINESS / step) * step, "business")

    def offers(self, now: int, draw: Draw, avoid_first: set[str], shown: dict[str, tuple[float, int]]) -> list[Offer]:
        """Return the search's cached rows.

        Args:
            now: the instant at which the cache is read.
            draw: the stream to draw ages and drifts from.
            avoid_first: ids of fares whose row may not be the cheapest of its day.
            shown: fare id -> (share of the true price that is shown, age in seconds), where it is fixed.
        """
        cheapest: dict[str, Option] = {}
        for option in self.options:
            known = cheapest.get(option.service.id)
            if option.fare.cabin == "economy" and (known is None or option.fare.base.minor < known.fare.base.minor):
                cheapest[option.service.id] = option
        rows: dict[tuple[str, str, str], list[Offer]] = {}
        for option in cheapest.values():
            service = option.service
            if not carrier_facts()[service.carrier].sold_via_search(service.origin, service.dest):
                continue
            share, age = shown.get(option.fare.id) or (
                draw.uniform(0.95, 1.28) if draw.chance(0.5) else 1.0,
                draw.int(10, 1500) * 60,
            )
            _, step = currency_at(service.origin)
            price = Money(max(step, round(option.fare.base.minor * share / step) * step), option.fare.base.currency)
            cities = (service.origin, service.dest, service.route[3])
            row = Offer(
                self._ids.id("off"),
                service.carrier,
                service.number,
                service.id,
                option.fare.id,
                cities,
                price,
                now - age,
            )
            rows.setdefault(cities, []).append(row)
        for group in rows.values():
            group.sort(key=lambda row: row.shown.minor)
            if group[0].fare_id in avoid_first and len(group) > 1:
                below = Money(round(group[0].shown.minor * 0.94), group[0].shown.currency)
                group[1] = msgspec.structs.replace(group[1], shown=below)
        return [row for group in rows.values() for row in group]


def days_between(first: date, last: date) -> list[date]:
    """Return all days from first to last."""
    return [first + timedelta(n) for n in range((last - first).days + 1)]
