"""Drawing carriers' rules: bands, footnotes, peak days, editions, and the traps that live in them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any, Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import market_table
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.zones import to_local
from agentbench_tasks.travel.domain.exchange import Rates
from agentbench_tasks.travel.domain.fare_rules.plot import Plot, market_routes
from agentbench_tasks.travel.domain.fare_rules.terms import NEVER, NO_LIMIT, BrandRules, Edition, Note, Peak, Step, at
from agentbench_tasks.travel.domain.geography import CarrierFacts, points

# By kind of brand: what is kept of the fare at first (percent), and where in the market's span a change fee lies.
KEPT = {"basic": (50, 90), "standard": (20, 50), "flex": (0, 20)}
FEES = {"basic": (0.7, 1.0), "standard": (0.3, 0.7), "flex": (0.0, 0.3)}
NO_SHOWS = {
    "basic": {"fare_forfeited": 0.75, "fee": 0.25},
    "standard": {"fare_forfeited": 0.3, "fee": 0.5, "as_cancellation": 0.2},
    "flex": {"fee": 0.5, "as_cancellation": 0.5},
}
USUAL_USD = 250
"""A fare at which fees have the market's usual height; on cheaper routes they are lower."""


class CarrierRules(msgspec.Struct, frozen=True):
    """The editions of a carrier's fare rules, oldest first, and what an older baggage page says (if there is one).

    `current` is the edition in force today, `governing` the one that governs what is asked about.
    """

    carrier: CarrierFacts
    editions: tuple[Edition, ...]
    current: int
    governing: int
    old_bags: dict[str, BrandRules]

    @property
    def edition(self) -> Edition:
        """The edition that governs."""
        return self.editions[self.governing]

    @property
    def bags(self) -> str:
        """The tag of the baggage page in force."""
        return bag_tag(self.carrier)


def bag_tag(carrier: CarrierFacts) -> str:
    """The tag of a carrier's baggage page in force."""
    return f"{carrier.code}.bags"


class RuleMaker:
    """Draws rules in a story: first those that govern, then the editions around them."""

    def __init__(self, draw: Draw, setting: Setting, plot: Plot, rates: Rates) -> None:
        self._draw, self._plot, self._rates = draw, plot, rates
        self._easy = setting.difficulty == "easy"
        self.today = date.fromisoformat(to_local(plot.now, setting.market.zone)[:10])
        self._market = market_table(setting.market.code, "fare_rules")
        fares = market_table(setting.market.code, "travel")["fares"]
        self._fee_usd: list[float] = fares["change_fee_usd"]
        # Fees are even, so that half of one is exact.
        self.fee_step = 2 * Money.of(fares["fee_step"], plot.currency).minor
        self._scale = min(1.0, max(0.12, sum(plot.route.usd) / 2 / USUAL_USD))
        others = {points()[route.end].city for route in market_routes(setting.market.code)}
        self._elsewhere = sorted(others - {plot.ask.dest, points()[plot.route.start].city})

    # --- what governs

    def governing(self, carrier: CarrierFacts) -> Edition:
        """Draw the rules of all brands of a carrier, with look-alikes of exceptions."""
        draw = self._draw
        brands = {label: self._brand(kind) for kind, label in carrier.brands}
        edition = Edition(f"{carrier.code}.rules", "issue", "", brands, self._market["refund_per_sector"])
        if draw.chance(0.3) and self._elsewhere:
            label = draw.choice(list(brands))
            edition = msgspec.structs.replace(
                edition, note=Note(label, "fee", self.fee(), draw.choice(self._elsewhere))
            )
        if draw.chance(0.3):
            first = date.fromisoformat(self._plot.depart_on) + timedelta(draw.choice((-1, 1)) * draw.int(14, 40))
            last = first + timedelta(draw.int(2, 8))
            edition = msgspec.structs.replace(edition, peak=Peak(first.isoformat(), last.isoformat(), self.fee()))
        return edition

    def fee(self, low: float = 0.4, high: float = 1.0) -> int:
        """Draw a change fee between two places in the market's span."""
        draw = self._draw
        return self._money(self._fee_usd[-1] * draw.uniform(low, high))

    def _money(self, usd: float) -> int:
        return self._rates.from_usd(usd * self._scale, self._plot.currency, self.fee_step)

    def _span(self, name: str) -> int:
        low, high = self._market[name]
        return self._money(self._draw.uniform(low, high))

    def _brand(self, kind: str) -> BrandRules:
        draw = self._draw
        pieces, kg = self._bag(kind)
        units: dict[Any, float] = {"sector": 0.6, "ticket": 0.25}
        if self._plot.back_on:
            units["half"] = 0.15
        return BrandRules(
            change=self._change(kind),
            unit=draw.weighted(units),
            cancel=self._cancel(kind),
            refund_fee=self._span("refund_fee_usd") if draw.chance(0.6) else 0,
            taxes_back=draw.chance(0.75),
            form="credit" if draw.chance(self._market["credit"]) else "cash",
            no_show=draw.weighted(NO_SHOWS[kind]),  # type: ignore[arg-type]
            no_show_fee=self._span("no_show_usd"),
            onward_cancelled=draw.chance(0.6),
            pieces=pieces,
            kg=kg,
            cabin_kg=draw.choice(self._market["cabin_kgs"]),
        )

    def _bag(self, kind: str) -> tuple[int, int]:
        draw = self._draw
        if kind == "basic" and draw.chance(0.7):
            return 0, 0
        kgs: list[int] = self._market["bag_kgs"]
        kg = draw.choice(kgs[:2] if kind == "basic" else kgs)
        if draw.chance(0.25):
            return NO_LIMIT, kg
        return (2 if kind == "flex" and draw.chance(0.4) else 1), kg

    def _days(self) -> list[int]:
        bands: list[int] = self._market["bands"]
        return sorted(self._draw.sample(bands, self._draw.int(1, 2)), reverse=True)

    def _change(self, kind: str) -> tuple[Step, ...]:
        draw = self._draw
        if kind == "basic" and draw.chance(0.45):
            return (Step(0, NEVER),)
        fee = 0 if kind == "flex" and draw.chance(0.4) else self.fee(*FEES[kind])
        steps: list[Step] = []
        for days in self._days():
            steps.append(Step(days, fee))
            fee = (fee or self.fee(0.05, 0.2)) + self.fee_step * draw.int(1, 4)
        return (*steps, Step(0, NEVER if kind != "flex" and draw.chance(0.5) else fee))

    def _cancel(self, kind: str) -> tuple[Step, ...]:
        draw = self._draw
        low, high = KEPT[kind]
        if kind == "basic" and draw.chance(0.3):
            return (Step(0, 100),)
        kept = draw.int(low // 10, high // 10) * 10
        steps: list[Step] = []
        for days in self._days():
            steps.append(Step(days, min(kept, 90)))
            kept = min(kept, 90) + draw.int(1, 3) * 10
        return merged((*steps, Step(0, 100 if kind != "flex" and draw.chance(0.4) else min(kept, 100))))

    # --- traps

    def with_trap(self, trap: str, edition: Edition, brand: str, charges: int) -> Edition | None:
        """Return the edition with a trap set on a brand of it; None if it cannot be."""
        draw, ask, rules = self._draw, self._plot.ask, edition.brands[brand]
        replaced = msgspec.structs.replace
        if trap in ("fee_per_sector", "round_trip_half"):
            unit: Literal["sector", "half"] = "sector" if trap == "fee_per_sector" else "half"
            steps = rules.change if at(rules.change, ask.days) > 0 else (Step(0, self.fee(0.2, 0.8)),)
            return with_brand(edition, brand, replaced(rules, unit=unit, change=steps))
        if trap == "taxes_only_back":
            if not charges:
                return None
            most = charges // ask.persons // (2 * ask.sectors) // self.fee_step * self.fee_step
            rules = replaced(rules, cancel=(Step(0, 100),), taxes_back=True, refund_fee=min(rules.refund_fee, most))
            return with_brand(edition, brand, rules)
        if trap == "credit_not_cash" and at(rules.cancel, ask.days) < 100:
            if edition.note is None or edition.note.dest != ask.dest:
                return with_brand(
                    replaced(edition, note=Note(brand, "credit", 0, ask.dest)), brand, replaced(rules, form="cash")
                )
            return with_brand(edition, brand, replaced(rules, form="credit"))
        if trap == "pieces_not_kg":
            return with_brand(edition, brand, replaced(rules, pieces=draw.choice((1, NO_LIMIT)), kg=20))
        possible = at(rules.change, ask.days) != NEVER
        free = edition.note is None or edition.note.dest != ask.dest
        if trap == "footnote_exception" and possible and free:
            kind: Literal["fee", "no"] = draw.choice(("fee", "no"))
            return replaced(edition, note=Note(brand, kind, self.fee() if kind == "fee" else 0, ask.dest))
        if trap == "seasonal_exception" and possible and free:
            day = date.fromisoformat(ask.depart_on)
            first, last = day - timedelta(draw.int(1, 5)), day + timedelta(draw.int(1, 6))
            return replaced(edition, peak=Peak(first.isoformat(), last.isoformat(), self.fee()))
        if trap == "service_fee" and possible:
            return replaced(edition, service_fee=self._span("service_fee_usd"))
        return None

    # --- editions

    def editions(self, carrier: CarrierFacts, governing: Edition, trapped: bool) -> CarrierRules:
        """Put editions around the governing one; with `trapped` they tempt, otherwise some merely lie about."""
        draw = self._draw
        plans = {"single": 0.55, "older": 0.3, "late": 0.0 if self._easy else 0.15}
        if trapped:
            plans = {"request": 0.55, "issue": 0.3, "older": 0.15}
        plan = draw.weighted(plans)
        since = self.today - timedelta(draw.int(40, 300))
        ask_on = date.fromisoformat(self._plot.depart_on) - timedelta(self._plot.days)
        trip_over = date.fromisoformat(self._plot.back_on or self._plot.depart_on)
        replaced = msgspec.structs.replace

        def edition(
            number: int, day: date, governs: Literal["issue", "request"] = "issue", own: bool = False
        ) -> Edition:
            rules = governing if own else self._varied(governing)
            return replaced(rules, tag=f"{carrier.code}.rules.{number}", governs=governs, from_date=day.isoformat())

        old_bags: dict[str, BrandRules] = {}
        if draw.chance(0.6 if trapped else 0.1):
            old_bags = {name: self._other_bag(rules) for name, rules in governing.brands.items()}
        if plan in ("single", "older"):
            made = [edition(2, since, own=True)]
            if plan == "older":
                made.insert(0, edition(1, since - timedelta(draw.int(200, 400))))
            return CarrierRules(carrier, tuple(made), len(made) - 1, len(made) - 1, old_bags)
        if plan == "request":
            soon = self.today + timedelta(draw.int(2, (ask_on - self.today).days - 1))
            pair = edition(1, since), edition(2, soon, "request", own=True)
            return CarrierRules(carrier, pair, 0, 1, old_bags)
        if plan == "issue":
            day, governs = self.today + timedelta(draw.int(2, 25)), "issue"
        else:
            day, governs = trip_over + timedelta(draw.int(3, 20)), "request"
        pair = edition(1, since, own=True), edition(2, day, governs)  # type: ignore[arg-type]
        return CarrierRules(carrier, pair, 0, 0, old_bags)

    def _varied(self, edition: Edition) -> Edition:
        """Return an edition of another date: other fees, other shares, another consequence of not showing up."""
        draw = self._draw
        factor, shift = draw.choice((0.5, 1.5, 2.0)), draw.choice((-10, 10, 20))
        brands = {
            name: msgspec.structs.replace(
                rules,
                change=merged(Step(s.days, self._scaled(s.value, factor)) for s in rules.change),
                cancel=merged(Step(s.days, min(100, max(0, s.value + shift))) for s in rules.cancel),
                no_show="fee" if rules.no_show != "fee" else "fare_forfeited",
                onward_cancelled=not rules.onward_cancelled,
            )
            for name, rules in edition.brands.items()
        }
        return msgspec.structs.replace(edition, brands=brands, note=None, peak=None, service_fee=0)

    def _scaled(self, fee: int, factor: float) -> int:
        if fee == NEVER:
            return self.fee(0.5, 1.0)
        return round(fee * factor / self.fee_step) * self.fee_step or self.fee_step

    def _other_bag(self, rules: BrandRules) -> BrandRules:
        if not rules.pieces:
            return msgspec.structs.replace(rules, pieces=1, kg=15, cabin_kg=rules.cabin_kg - 2)
        return msgspec.structs.replace(rules, kg=rules.kg - 5, cabin_kg=rules.cabin_kg - 2)


def merged(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Return steps that never get milder towards departure, equal neighbours as one."""
    found: list[Step] = []
    for step in steps:
        worst = step.value
        if found and worst != NEVER:
            worst = NEVER if found[-1].value == NEVER else max(worst, found[-1].value)
        if found and worst == found[-1].value:
            found.pop()
        found.append(Step(step.days, worst))
    return tuple(found)


def with_brand(edition: Edition, brand: str, rules: BrandRules) -> Edition:
    """Return an edition with other rules of one brand."""
    return msgspec.structs.replace(edition, brands={**edition.brands, brand: rules})
