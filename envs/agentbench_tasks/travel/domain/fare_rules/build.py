"""Drawing an instance: fares and rules around the cheapest fare, the strictest of all, then the proof that it is."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.attempts import NoFit, first_fit
from agentbench_tasks.travel.domain.exchange import Rates
from agentbench_tasks.travel.domain.fare_rules.plot import Plot, draw_plot
from agentbench_tasks.travel.domain.fare_rules.proof import prove
from agentbench_tasks.travel.domain.fare_rules.rules import CarrierRules, RuleMaker, bag_tag, merged, with_brand
from agentbench_tasks.travel.domain.fare_rules.terms import (
    NEVER,
    BrandRules,
    Edition,
    Outcome,
    Step,
    bag_weight,
    outcome,
)
from agentbench_tasks.travel.domain.geography import CarrierFacts, currency_at, departure_charges, routes, zone_of
from agentbench_tasks.travel.domain.inventory import BRANDS, Inventory, Option
from agentbench_tasks.travel.domain.prices import quote_lines
from agentbench_tasks.travel.domain.records import Charge, FareScope, Offer, ReturnFlight, Service

RETURN_SHARE = 1.8
"""What a return fare costs against one way."""
BARGAIN = (0.8, 0.93)
"""The cheapest base fare against the next one."""


class Candidate(msgspec.Struct, frozen=True):
    """A fare in scope: its record, price for the party and what its rules come to."""

    option: Option
    brand: str
    kind: str
    fare_minor: int
    charges_minor: int
    outcome: Outcome

    @property
    def price(self) -> int:
        """Base and charges of the party."""
        return self.fare_minor + self.charges_minor


class Built(msgspec.Struct, frozen=True):
    """A proven instance. The first candidate is the cheapest, and the strictest."""

    plot: Plot
    inventory: Inventory
    rates: Rates
    rules: tuple[CarrierRules, ...]
    candidates: tuple[Candidate, ...]
    sold_out: Option | None
    listed: tuple[Option, ...]
    """The fares that the shortlist names, in its order; empty without one."""
    scopes: tuple[FareScope, ...]
    offers: tuple[Offer, ...]
    traps: tuple[str, ...]


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw until an attempt is proven."""
    return first_fit(draw, lambda attempt: Build(attempt, setting).finish())


class Build:
    """One attempt."""

    def __init__(self, draw: Draw, setting: Setting) -> None:
        market = setting.market
        self._draw = draw
        self.plot = plot = draw_plot(draw.stream("plot"), setting)
        self.rates = Rates(draw.stream("rates"), market.code, market.currency)
        self.inventory = Inventory(draw.stream("inventory"), market.code, self.rates, plot.party, (), "none")
        self.maker = RuleMaker(draw.stream("rules"), setting, plot, self.rates)
        self.charges = self._charges()
        self._stream = draw.stream("fares")
        self.traps: list[str] = []
        self._prices: dict[str, tuple[int, int]] = {}
        self.sold_out: Option | None = None
        self.options = self._fares()

    # --- fares

    def _charges(self) -> tuple[Charge, ...]:
        """What leaving costs on the way out and, converted once, on the way back."""
        plot, route = self.plot, self.plot.route
        charges = list(departure_charges(route.start, route.end, plot.depart_on))
        if plot.back_on:
            for charge in departure_charges(route.end, route.start, plot.back_on):
                minor = charge.minor * self.rates.home_per(currency_at(route.end)[0])
                known = next((place for place, c in enumerate(charges) if c.code == charge.code), None)
                if known is None:
                    charges.append(msgspec.structs.replace(charge, minor=round(minor)))
                else:
                    twice = charges[known].minor + round(minor)
                    charges[known] = msgspec.structs.replace(charges[known], minor=twice)
        return tuple(charges)

    def _service(self, carrier: CarrierFacts, before_noon: bool) -> Service:
        draw = self._stream
        minute = draw.int(72, 138) * 5 if before_noon else draw.int(152, 252) * 5
        departs = to_instant(
            f"{self.plot.depart_on}T{minute // 60:02}:{minute % 60:02}", zone_of(self.plot.route.start)
        )
        return self.inventory.service(carrier, self.plot.route, departs)

    def _base(self, carrier: CarrierFacts, kind: str, level: float) -> int:
        share = BRANDS[kind][0] * (RETURN_SHARE if self.plot.back_on else 1)
        base = self.inventory.base_fare(self.plot.route, carrier, level) * share
        return max(1, round(base / self.plot.step)) * self.plot.step

    def _put(self, carrier: CarrierFacts, service: Service, kind: str, level: float) -> Option:
        option = self.inventory.fare(1, carrier, service, kind, self._base(carrier, kind, level))
        fare = msgspec.structs.replace(option.fare, charges=self.charges)
        return self.inventory.put(option, self.inventory.price(1, service, fare))

    def _fares(self) -> list[Option]:
        """Make every departure and fare; return the candidates, the cheapest first."""
        plot, draw = self.plot, self._stream
        levels = {
            carrier.code: draw.uniform(0.05, 0.3) if carrier.kind == "budget" else draw.uniform(0.3, 0.7)
            for carrier in (*plot.carriers, *plot.others)
        }
        found: dict[tuple[int, str], Option] = {}
        for place, carrier in enumerate(plot.carriers):
            service = self._service(carrier, plot.before_noon)
            wanted = [kind for owner, kind in plot.fares if owner == place]
            for kind in (name for name, _ in carrier.brands):
                if kind in wanted:
                    found[place, kind] = self._put(carrier, service, kind, levels[carrier.code])
                elif plot.scope == "shortlist" and draw.chance(0.6):
                    self._put(carrier, service, kind, levels[carrier.code])
                elif "one_fare_sold_out" in plot.traps and self.sold_out is None:
                    self._sell_out(self._put(carrier, service, kind, levels[carrier.code] * 0.7))
            if carrier.kind == "full" and draw.chance(0.4):
                business = self.inventory.fare(
                    1, carrier, service, "flex", self._base(carrier, "flex", levels[carrier.code]) * 3, "business"
                )
                self.inventory.put(business, self._with_charges(business))
            if draw.chance(0.7):
                other = self._service(carrier, not plot.before_noon)
                for kind, _ in carrier.brands[:2]:
                    self._put(carrier, other, kind, levels[carrier.code] * draw.uniform(0.8, 1.1))
        for carrier in plot.others:
            service = self._service(carrier, plot.before_noon)
            for kind, _ in carrier.brands[:2]:
                self._put(carrier, service, kind, levels[carrier.code])
        return self._bargain([found[fare] for fare in plot.fares])

    def _with_charges(self, option: Option) -> Option:
        fare = msgspec.structs.replace(option.fare, charges=self.charges)
        return self.inventory.price(1, option.service, fare)

    def _sell_out(self, option: Option) -> None:
        closed = msgspec.structs.replace(option.fare, open=False)
        self.sold_out = self.inventory.put(option, msgspec.structs.replace(option, fare=closed))
        self.traps.append("one_fare_sold_out")

    def _bargain(self, options: list[Option]) -> list[Option]:
        """Make the first candidate the cheapest."""
        step = self.plot.step
        below = min(option.fare.base.minor for option in options[1:])
        base = int(below * self._stream.uniform(*BARGAIN)) // step * step
        if base <= 0:
            raise NoFit
        fare = msgspec.structs.replace(options[0].fare, base=msgspec.structs.replace(options[0].fare.base, minor=base))
        return [self.inventory.put(options[0], self.inventory.price(1, options[0].service, fare)), *options[1:]]

    def _party_price(self, option: Option) -> tuple[int, int]:
        """Return base and charges of the party."""
        if option.fare.id not in self._prices:
            self._prices[option.fare.id] = self._priced(option)
        return self._prices[option.fare.id]

    def _priced(self, option: Option) -> tuple[int, int]:
        party, fare = self.plot.party, option.fare
        tariff = self.inventory.tariffs[fare.carrier, fare.base.currency]
        lines, _ = quote_lines(fare, tariff, party.adults, party.child_ages, (), "none")
        base = sum(line.minor for line in lines if line.kind == "fare")
        return base, sum(line.minor for line in lines if line.kind == "charge")

    # --- rules

    def finish(self) -> Built:
        """Draw the rules, set the traps, make the cheapest fare the strictest, and prove it."""
        plot = self.plot
        editions = {carrier.code: self.maker.governing(carrier) for carrier in (*plot.carriers, *plot.others)}
        trapped = self._set_traps(editions)
        self._make_strictest(editions)
        for option in self.options:
            self._leave_something(editions, option)
        everybody = (*plot.carriers, *plot.others)
        rules = tuple(self.maker.editions(c, editions[c.code], c.code == trapped) for c in everybody)
        by_code = {one.carrier.code: one for one in rules}
        candidates = tuple(
            self._candidate(option, kind, by_code[option.fare.carrier].edition)
            for option, (_, kind) in zip(self.options, plot.fares, strict=True)
        )
        prove(plot, by_code, candidates)
        self._with_bags(by_code)
        listed: Sequence[Option] = ()
        if plot.scope == "shortlist":
            listed = self._stream.shuffled([*self.options, *([self.sold_out] if self.sold_out else [])])
        return Built(
            plot,
            self.inventory,
            self.rates,
            rules,
            candidates,
            self.sold_out,
            tuple(listed),
            tuple(self._scopes()),
            tuple(self._offers()),
            tuple(self.traps),
        )

    def _set_traps(self, editions: dict[str, Edition]) -> str:
        """Set the traps that live in rules, each on another fare if there are enough; return who has two editions."""
        plot, draw = self.plot, self._draw.stream("traps")
        bearers = draw.shuffled(
            [(option, kind) for option, (_, kind) in zip(self.options, plot.fares, strict=True)][1:]
        )
        place, trapped = 0, ""
        for trap in plot.traps:
            for _ in bearers:
                option, kind = bearers[place % len(bearers)]
                place += 1
                if trap == "taxes_only_back" and kind == "flex":
                    continue
                if trap == "old_version":
                    trapped = option.fare.carrier
                    self.traps.append(trap)
                    break
                charges = self._party_price(option)[1]
                made = self.maker.with_trap(trap, editions[option.fare.carrier], option.fare.brand, charges)
                if made is not None:
                    editions[option.fare.carrier] = made
                    self.traps.append(trap)
                    break
        return trapped

    def _outcome(self, option: Option, edition: Edition) -> Outcome:
        fare, charges = self._party_price(option)
        tag = bag_tag(next(c for c in self.plot.carriers if c.code == option.fare.carrier))
        return outcome(edition, option.fare.brand, tag, self.plot.ask, fare, charges)

    def _candidate(self, option: Option, kind: str, edition: Edition) -> Candidate:
        fare, charges = self._party_price(option)
        return Candidate(option, option.fare.brand, kind, fare, charges, self._outcome(option, edition))

    def _make_strictest(self, editions: dict[str, Edition]) -> None:
        """Give the cheapest fare the heaviest change fee, the least back, the lightest bag, and the worst no-show."""
        cheap, ask = self.options[0], self.plot.ask
        code, brand = cheap.fare.carrier, cheap.fare.brand
        edition = editions[code]
        if edition.note and edition.note.brand == brand:
            edition = msgspec.structs.replace(edition, note=None)
        others = [self._outcome(option, editions[option.fare.carrier]) for option in self.options[1:]]
        rules = edition.brands[brand]
        rules = msgspec.structs.replace(rules, no_show="fare_forfeited", **self._heaviest(rules, edition, others))
        kept = max([next(s.value for s in rules.cancel if ask.days >= s.days), *(o.kept_percent for o in others)])
        steps = merged(Step(step.days, max(kept, step.value)) for step in rules.cancel)
        lightest = min(bag_weight(other.pieces, other.kg) for other in others)
        pieces, kg = (rules.pieces, rules.kg) if bag_weight(rules.pieces, rules.kg) <= lightest else (0, 0)
        rules = msgspec.structs.replace(
            rules,
            cancel=steps,
            pieces=pieces,
            kg=kg,
            cabin_kg=min(rules.cabin_kg, *(other.cabin_kg for other in others)),
            onward_cancelled=rules.onward_cancelled or any(other.onward_cancelled for other in others),
        )
        editions[code] = with_brand(edition, brand, rules)
        self._give_least_back(editions, min(other.refund for other in others))

    def _give_least_back(self, editions: dict[str, Edition], least: int) -> None:
        """Let the cheapest fare give back no more than `least`: by a higher refund fee, or else nothing at all."""
        cheap, ask = self.options[0], self.plot.ask
        edition, brand = editions[cheap.fare.carrier], cheap.fare.brand
        rules, surplus = edition.brands[brand], self._outcome(cheap, edition).refund - least
        if surplus <= 0:
            return
        takers = ask.persons * (ask.sectors if edition.refund_per_sector else 1)
        more = -(-surplus // takers // self.maker.fee_step) * self.maker.fee_step
        changed = msgspec.structs.replace(rules, refund_fee=rules.refund_fee + more)
        if not self._outcome(cheap, with_brand(edition, brand, changed)).refund:
            changed = msgspec.structs.replace(rules, cancel=(Step(0, 100),), taxes_back=False, refund_fee=0)
        editions[cheap.fare.carrier] = with_brand(edition, brand, changed)

    def _heaviest(self, rules: BrandRules, edition: Edition, others: list[Outcome]) -> dict[str, object]:
        ask, most = self.plot.ask, max(other.change_fee for other in others)
        worst = NEVER if any(other.change_fee == NEVER for other in others) else most
        fee = 0
        if worst != NEVER and edition.peak is None and rules.change[0].value != NEVER:
            # A fee that nobody exceeds, if it stays below half of the price.
            fee = -(-int(most * 1.15) // (ask.persons * ask.changed) // self.maker.fee_step) * self.maker.fee_step
            fee += self.maker.fee_step
        if not fee or fee * ask.persons * ask.changed > self._party_price(self.options[0])[0] // 2:
            return {"change": (Step(0, NEVER),)}
        return {"change": (Step(0, fee),), "unit": "sector"}

    def _leave_something(self, editions: dict[str, Edition], option: Option) -> None:
        """Let no fee eat up all that comes back, and taxes only come back where there are any."""
        code, brand = option.fare.carrier, option.fare.brand
        rules = editions[code].brands[brand]
        if not self._party_price(option)[1]:
            rules = msgspec.structs.replace(rules, taxes_back=False)
            editions[code] = with_brand(editions[code], brand, rules)
        found = self._outcome(option, editions[code])
        if not found.refund and (rules.taxes_back or found.kept_percent < 100):
            rules = msgspec.structs.replace(rules, refund_fee=0)
            editions[code] = with_brand(editions[code], brand, rules)
            found = self._outcome(option, editions[code])
        if found.no_show == "fee" and found.no_show_fee >= found.refund:
            # A fee that leaves nothing would be as harsh as losing the fare, under a milder name.
            rules = msgspec.structs.replace(rules, no_show="fare_forfeited")
            editions[code] = with_brand(editions[code], brand, rules)

    # --- records

    def _with_bags(self, rules: dict[str, CarrierRules]) -> None:
        """Let the fares' records have the bags and refunds that the pages say."""
        for option in list(self.inventory.options):
            known = rules[option.fare.carrier].edition.brands.get(option.fare.brand)
            if known is not None:
                fare = msgspec.structs.replace(
                    option.fare,
                    bag_pieces=known.pieces,
                    bag_kg=known.kg,
                    refundable=next(s.value for s in known.cancel) < 100,
                )
                self.inventory.put(option, msgspec.structs.replace(option, fare=fare))

    def _scopes(self) -> Sequence[FareScope]:
        plot, draw, route = self.plot, self._draw.stream("back"), self.plot.route
        flights: dict[str, ReturnFlight] = {}
        made: list[FareScope] = []
        back = routes()[route.end, route.start][0] if plot.back_on else None
        for option in self.inventory.options:
            service = option.service
            if back is not None and service.id not in flights:
                minute = draw.int(72, 252) * 5
                zone = zone_of(back.start)
                departs = to_instant(f"{plot.back_on}T{minute // 60:02}:{minute % 60:02}", zone)
                number = f"{service.carrier} {int(service.number.split()[-1]) + 1000}"
                flights[service.id] = ReturnFlight(
                    number, departs, departs + back.minutes * 60, zone, zone_of(back.end)
                )
            made.append(FareScope(draw.id("scp"), option.fare.id, flights.get(service.id)))
        return made

    def _offers(self) -> list[Offer]:
        """The search's cache, in which the cheapest fare is never first; with the trap another one looks cheaper."""
        draw, shown = self._draw.stream("offers"), dict[str, tuple[float, int]]()
        cheap = self.options[0].fare
        if "stale_offer" in self.plot.traps:
            for option in self.options[1:]:
                base = option.fare.base.minor
                carrier = next(c for c in self.plot.carriers if c.code == option.fare.carrier)
                lowest = min(o.fare.base.minor for o in self.inventory.options if o.service.id == option.service.id)
                if base == lowest and carrier.sold_via_search(self.plot.route.start, self.plot.route.end):
                    shown[option.fare.id] = (cheap.base.minor * draw.uniform(0.8, 0.92) / base, draw.int(10, 40) * 3600)
                    self.traps.append("stale_offer")
                    break
        return self.inventory.offers(self.plot.now, draw, {cheap.id}, shown)
