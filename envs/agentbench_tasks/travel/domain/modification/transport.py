"""Drawing a booking of flights or trains that is to be moved."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.change_prices import Target
from agentbench_tasks.travel.domain.exchange import Rates
from agentbench_tasks.travel.domain.geography import (
    CarrierFacts,
    Route,
    carrier_facts,
    currency_at,
    departure_charges,
    routes,
    sold_without,
    zone_of,
)
from agentbench_tasks.travel.domain.inventory import BRANDS, GROUND_BAG_KG, HIGHEST_SEATS, Inventory, Party
from agentbench_tasks.travel.domain.modification import market as facts
from agentbench_tasks.travel.domain.modification.deal import Deal, FareTerms, Moved, Trip
from agentbench_tasks.travel.domain.modification.limits import (
    FARTHEST_S,
    FIRST_DAY,
    HOUR,
    LAST_DAY,
    NEAREST_S,
    Horizon,
)
from agentbench_tasks.travel.domain.modification.plot import Shape
from agentbench_tasks.travel.domain.prices import quote_lines
from agentbench_tasks.travel.domain.records import Charge, Fare, Service, Tariff
from agentbench_tasks.travel.domain.records_changes import CancelStep, ChangeStep, ItemRules

FULL = 100
HOURS = (24, 48, 72, 96, 120)
GRID_S = 300
LONGEST_SHIFT = {"air": 14, "ground": 8}
"""Trains go on sale four weeks ahead at the latest."""
FEES_USD = {"air": (30, 50, 80, 120), "ground": (2, 4, 7, 10)}
CANCEL_USD = {"air": (20, 30, 50), "ground": (1, 2)}
AGENCY_SHARE = {"air": 1.0, "ground": 0.25}
KEPT = {"rebook": (0, 10, 20), "change": (50, 70, 100), "blocked": (30, 50, 70), "credit": (0, 10, 20)}


class Transport:
    """One attempt at a booking of flights or trains."""

    def __init__(self, draw: Draw, setting: Setting, shape: Shape) -> None:
        self._draw, self._setting, self._shape = draw, setting, shape
        code = setting.market.code
        self._rates = Rates(draw.stream("rates"), code, setting.market.currency)
        self._party = Party(draw.int(1, 2) if setting.difficulty == "standard" else draw.int(2, 4))
        self._inventory = Inventory(draw.stream("inventory"), code, self._rates, self._party, (), "none")
        start, end = draw.choice(facts.trips(code, shape.kind))
        self._ways = _main(start, end), _main(end, start)
        self._currency, self._step = currency_at(start)
        self._carrier, self._brand = self._sold()
        self._ids, self._fares = draw.stream("fare ids"), list[Fare]()
        self._refundable = True

    def _sold(self) -> tuple[CarrierFacts, str]:
        """Draw a carrier that serves both ways, and one of its brands that holds a bag."""
        out, back = self._ways
        codes = [code for code in out.carriers if code in back.carriers]
        carrier = carrier_facts()[self._draw.choice(codes)]
        brands = [name for name, _ in carrier.brands if name != "basic"]
        return carrier, "flex" if self._shape.fate == "rebook" and "flex" in brands else "standard"

    def deal(self) -> Deal:
        """Draw it; raise NoFit where the draws do not fit together."""
        draw, shape = self._draw, self._shape
        numbers = (0,) if shape.sectors == "only" else (0, 1)
        moved = numbers[-1:] if shape.sectors == "second" else numbers
        turning = next((number for number in moved if self._turns(number)), moved[0])
        horizon, terms, first = self._when(self._ways[moved[0]], self._turns(turning))
        newer = self._newer(terms) if shape.older else None
        self._refundable = (newer or terms).kept < FULL
        departures = self._departures(moved, first, horizon.now)
        shift = self._shift(turning, departures[turning])
        booked_at = horizon.now - draw.int(25 * 24, 220 * 24) * HOUR - draw.int(0, 59) * 60
        tariff = self._inventory.tariff(self._carrier, self._currency, self._step)
        tariff = msgspec.structs.replace(tariff, card_fee=0)
        factor = draw.uniform(0.62, 0.95) if shape.falls else draw.uniform(1.0, 1.3)
        services: list[Service] = []
        items: list[ItemRules] = []
        ends: list[Moved] = []
        paid: list[tuple[Charge, ...]] = []
        for number in numbers:
            route = self._ways[number]
            old = self._inventory.service(self._carrier, route, departures[number])
            base = self._rounded(
                self._inventory.base_fare(self._ways[0], self._carrier, draw.uniform(0.3, 0.7)) * BRANDS[self._brand][0]
            )
            paid.append(self._paid(route, old, booked_at))
            new_day = (date.fromisoformat(old.dep_local[:10]) + timedelta(shift)).isoformat()
            rules = self._rules(terms, old, base, paid[-1], self._charges(route, new_day), booked_at)
            services.append(old)
            items.append(rules)
            self._sell(old, self._rounded(base * factor))
            if number in moved:
                ends.append(self._moved(number, rules, old, self._rounded(base * factor), shift, tariff))
        if any(service.on_sale_from > horizon.now for service in self._inventory.services):
            raise NoFit
        agency = facts.travel_agency(self._setting.market.code) if shape.agency else None
        usd = draw.uniform(*facts.agency_usd(self._setting.market.code)) * AGENCY_SHARE[shape.kind]
        prices, quotes = horizon.lives(draw, shape, ends)
        return Deal(
            shape, horizon.now, self._party.size, self._currency, services[moved[0]].dep_zone,
            Trip(
                self._carrier, dict(self._carrier.brands)[self._brand], tuple(services), tuple(paid), tariff,
                (*self._inventory.services, *self._fares),
            ),
            tuple(items), tuple(ends), terms, newer, agency,
            self._fee(usd) if agency else 0,
            booked_at, to_local(horizon.now - draw.int(8, 20) * 24 * HOUR, self._setting.market.zone)[:10],
            prices, quotes,
        )  # fmt: skip

    # --- when

    def _turns(self, number: int) -> tuple[date, ...]:
        """The days on which a sector's charges change, where the shape wants one between the old and the new date."""
        way = self._ways[number]
        return turns(way.start, way.end) if self._shape.crosses else ()

    def _when(self, route: Route, days: Sequence[date]) -> tuple[Horizon, FareTerms, int]:
        """Draw the present, the terms, and the first departure that moves, with its limits ahead."""
        draw, shape = self._draw, self._shape
        zone = zone_of(route.start)
        horizon = Horizon.drawn(draw, self._setting, draw.choice(days) if days else None)
        change_hours = draw.choice(HOURS)
        departs = horizon.now + change_hours * HOUR + draw.int(NEAREST_S, FARTHEST_S)
        departs -= departs % GRID_S
        kept = draw.choice(KEPT[shape.fate])
        fitting = [hours for hours in HOURS if horizon.holds(departs - hours * HOUR)]
        if not fitting or not "06:00" <= to_local(departs, zone)[11:] <= "22:30":
            raise NoFit
        fees, cancels = FEES_USD[shape.kind], CANCEL_USD[shape.kind]
        fee = self._fee(draw.choice(fees[1:] if shape.fate == "rebook" else fees[:2]))
        terms = FareTerms(
            fee, change_hours, fee * 2, self._fee(draw.choice(cancels)), draw.choice(fitting), kept,
            shape.fate != "blocked", shape.fate == "credit",
        )  # fmt: skip
        return horizon, terms, departs

    def _departures(self, moved: tuple[int, ...], first: int, now: int) -> list[int]:
        """When the sectors leave, the first that moves at `first`."""
        draw, other = self._draw, 1 - moved[0]
        if self._shape.sectors == "only":
            return [first]
        days = draw.int(2, 6)
        clock = f"{draw.int(8, 20):02}:{draw.int(0, 11) * 5:02}"
        zone = zone_of(self._ways[other].start)
        day = date.fromisoformat(to_local(first, zone)[:10]) + timedelta(days if other else -days)
        instant = to_instant(f"{day.isoformat()}T{clock}", zone)
        if instant < now + 12 * HOUR:
            raise NoFit
        return [first, instant] if other else [instant, first]

    def _shift(self, number: int, departs: int) -> int:
        """By how many days they move: over the day on which a sector's charge changes, where there is one."""
        longest = LONGEST_SHIFT[self._shape.kind]
        shift = self._draw.int(3, longest)
        day = date.fromisoformat(to_local(departs, zone_of(self._ways[number].start))[:10])
        missing = [(turn - day).days for turn in self._turns(number) if turn > day]
        if missing and missing[0] > 2 * longest:
            raise NoFit
        return max(shift, missing[0] + self._draw.int(0, 4)) if missing else shift

    # --- what is sold

    def _rounded(self, minor: float) -> int:
        return max(self._step, round(minor / self._step) * self._step)

    def _fee(self, usd: float) -> int:
        """About so many dollars as a fee of the market."""
        return self._rates.from_usd(usd, self._currency, facts.fee_step(self._setting.market.code))

    def _charges(self, route: Route, day: str) -> tuple[Charge, ...]:
        """What leaving on a day costs, in the currency of the sale."""
        local = currency_at(route.start)[0]
        if self._shape.kind == "ground":
            return ()
        return tuple(
            msgspec.structs.replace(one, minor=self._rates.to_home(Money(one.minor, local)).minor)
            for one in departure_charges(route.start, route.end, day)
        )

    def _sell(self, service: Service, price: int) -> Fare:
        """Put a departure's fares on sale, its booked brand at a price a person; return that fare."""
        ground = self._carrier.kind not in ("full", "budget")
        found: dict[str, Fare] = {}
        for brand, label in self._carrier.brands:
            share, pieces, kg, _ = BRANDS[brand]
            base = price if brand == self._brand else self._rounded(price * share / BRANDS[self._brand][0])
            found[brand] = Fare(
                self._ids.id("fare"), service.id, self._carrier.code, label, "economy", Money(base, self._currency),
                self._charges(self._out_of(service), service.route[3]),
                1 if ground else pieces, GROUND_BAG_KG if ground else kg, brand != self._brand or self._refundable,
                self._draw.int(self._party.size + 1, HIGHEST_SEATS),
            )  # fmt: skip
        self._fares += found.values()
        return found[self._brand]

    def _out_of(self, service: Service) -> Route:
        return self._ways[0] if service.origin == self._ways[0].start else self._ways[1]

    def _moved(self, number: int, rules: ItemRules, old: Service, price: int, shift: int, tariff: Tariff) -> Moved:
        """Sell the days around the new one: the same departure, and another of the new day for less."""
        draw, route = self._draw, self._ways[number]
        sold: dict[int, tuple[Service, Fare]] = {}
        for days in (shift - 1, shift, shift + 1):
            local = (date.fromisoformat(old.dep_local[:10]) + timedelta(days)).isoformat() + old.dep_local[10:]
            departs = to_instant(local, old.dep_zone)
            service = self._inventory.service(self._carrier, route, departs, old.number)
            if service.departs != departs:
                raise NoFit
            sold[days] = (
                service,
                self._sell(service, price if days == shift else self._rounded(price * draw.uniform(0.8, 1.2))),
            )
        new, target = sold[shift]
        hours = draw.choice((-4, -3, 3, 4))
        other = self._inventory.service(self._carrier, route, new.departs + hours * HOUR)
        self._sell(other, self._rounded(price * draw.uniform(0.75, 0.92)))
        lines, total = quote_lines(target, tariff, self._party.size, (), (), "none")
        base = sum(line.minor for line in lines if line.kind == "fare")
        near = sold[shift + 1][1]
        return Moved(
            number, rules, target, target, (near, near),
            Target(target.carrier, target.brand, new.dep_local[:10], (new.origin, new.dest), base, total.minor - base,
                   self._currency),
            total.minor, rules.change[0].until if rules.change else 0, rules.cancel[0].until, old, new,
        )  # fmt: skip

    def _paid(self, route: Route, old: Service, booked_at: int) -> tuple[Charge, ...]:
        """What a departure was charged with when it was booked."""
        exempt = self._exempt(booked_at)
        return tuple(one for one in self._charges(route, old.dep_local[:10]) if one.code not in exempt)

    def _exempt(self, booked_at: int) -> frozenset[str]:
        return sold_without(to_local(booked_at, self._setting.market.zone)[:10])

    def _rules(
        self,
        terms: FareTerms,
        old: Service,
        base: int,
        charges: Sequence[Charge],
        later: Sequence[Charge],
        booked_at: int,
    ) -> ItemRules:
        """The rules of an item; `later` is what its departure on the new date is charged with."""
        size, exempt = self._party.size, self._exempt(booked_at)
        suppliers = (self._carrier.code,)
        change = (
            ChangeStep(old.departs - terms.change_hours * HOUR, terms.change_fee, suppliers),
            ChangeStep(old.departs, terms.late_fee, suppliers),
        )
        cancel = (
            CancelStep(old.departs - terms.cancel_hours * HOUR, terms.kept, terms.cancel_fee),
            CancelStep(old.departs, FULL, terms.cancel_fee, returns_charges=False),
        )
        return ItemRules(
            base * size,
            sum(charge.minor for charge in charges) * size,
            change if terms.changeable else (),
            cancel,
            follows_charges=not any(charge.code in exempt for charge in later),
        )

    def _newer(self, terms: FareTerms) -> FareTerms:
        """Other terms: another fee, other limits, another share."""
        draw, step = self._draw, facts.fee_step(self._setting.market.code)
        more = step * draw.int(1, 4)
        return msgspec.structs.replace(
            terms,
            change_fee=terms.change_fee + more,
            late_fee=terms.late_fee + 2 * more,
            cancel_fee=terms.cancel_fee + more,
            change_hours=draw.choice([hours for hours in HOURS if hours != terms.change_hours]),
            cancel_hours=draw.choice([hours for hours in HOURS if hours != terms.cancel_hours]),
            kept=draw.choice([kept for kept in (20, 40, 60, 80) if kept != terms.kept]),
            changeable=True,
            credit=False,
        )


def _main(start: str, end: str) -> Route:
    """The route between two points; where several run, the one that most carriers serve."""
    return max(routes()[start, end], key=lambda route: len(route.carriers))


@cache
def turns(start: str, end: str) -> tuple[date, ...]:
    """Return the days on which what leaving by air costs changes, of those on which users may want to travel."""
    days = [FIRST_DAY + timedelta(n) for n in range(1, (LAST_DAY - FIRST_DAY).days)]
    return tuple(
        day
        for day in days
        if departure_charges(start, end, day.isoformat())
        != departure_charges(start, end, (day - timedelta(1)).isoformat())
    )
