"""The case of a two-leg journey, and what the checks read from the plan that was saved."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cached_property

import msgspec

from agentbench_env.claims import Fact, MoneyClaim
from agentbench_env.episode import Episode
from agentbench_env.money import Money
from agentbench_env.world import World
from agentbench_env.zones import UnknownZone, to_instant
from agentbench_tasks.commons.errand import BuiltCase
from agentbench_tasks.commons.wallet import PaymentMethod, rate_key
from agentbench_tasks.travel.domain.booking import tariff_of
from agentbench_tasks.travel.domain.geography import points
from agentbench_tasks.travel.domain.household import Traveller
from agentbench_tasks.travel.domain.prices import quote_lines
from agentbench_tasks.travel.domain.records import Fare, FareHold, Plan, PlanItem, Quote, Service
from agentbench_tasks.travel.domain.two_leg.build import Built
from agentbench_tasks.travel.domain.two_leg.rules import Wish, gap_minutes, minimum_between, nights_between
from agentbench_tasks.travel.domain.two_leg.words import Words


class TwoLegCase(BuiltCase[Built, Words], frozen=True):
    """Everything that an instance of the two-leg journey fixes."""

    traveller: Traveller
    card: PaymentMethod

    @property
    def wish(self) -> Wish:
        """The request."""
        return self.built.wish

    def leg_of(self, service: Service) -> int:
        """Return which leg a service can be, 0 if neither."""
        for number, routes in enumerate(self.built.plot.options, 1):
            if any((route.start, route.end) == (service.origin, service.dest) for route in routes):
                return number
        return 0


class ChosenLeg(msgspec.Struct, frozen=True):
    """A leg of the saved plan with the operator's records of it."""

    item: PlanItem
    fare: Fare
    service: Service
    quote: Quote | None
    hold: FareHold | None


class Chosen:
    """The plan that the answer names, read against the operators' records."""

    def __init__(self, case: TwoLegCase, ep: Episode, plan_id: str) -> None:
        self._case, self._ep = case, ep
        plan = ep.world.find(plan_id)
        self.items: Sequence[PlanItem] = plan.items if isinstance(plan, Plan) else ()

    @cached_property
    def legs(self) -> dict[int, ChosenLeg]:
        """The legs that name a fare, by number."""
        found: dict[int, ChosenLeg] = {}
        world = self._ep.world
        for item in self.items:
            fare = world.find(item.object_id)
            if item.kind != "leg" or not isinstance(fare, Fare):
                continue
            service = world.get(Service, fare.service_id)
            ref = world.find(item.ref_id)
            hold = ref if isinstance(ref, FareHold) and ref.fare_id == fare.id else None
            quote = world.find(hold.quote_id) if hold else ref
            mine = quote if isinstance(quote, Quote) and quote.fare_id == fare.id else None
            found[self._case.leg_of(service)] = ChosenLeg(item, fare, service, mine, hold)
        return found

    @property
    def pair(self) -> tuple[ChosenLeg, ChosenLeg] | None:
        """Both legs, None if the plan lacks one."""
        return (self.legs[1], self.legs[2]) if {1, 2} <= self.legs.keys() else None

    def price(self, leg: ChosenLeg) -> Money:
        """The operator's price of a leg: its quote's, or what one for this request would say."""
        if leg.quote is not None:
            return leg.quote.total
        wish, tariff = self._case.wish, tariff_of(self._ep.world, leg.fare.carrier, leg.fare.base.currency)
        return quote_lines(leg.fare, tariff, wish.party.adults, wish.party.child_ages, wish.bags, "credit")[1]

    def total(self) -> Money:
        """Both prices in the budget's currency."""
        pair = self.pair
        assert pair is not None
        home = [self._case.built.rates.to_home(self.price(leg)) for leg in pair]
        return home[0] + home[1]

    def total_facts(self) -> list[Fact]:
        """What a total rests on: both prices, and today's rate of each foreign currency."""
        facts: list[Fact] = []
        home = self._case.wish.budget.currency
        for leg in self.pair or ():
            price = self.price(leg)
            facts.append((f"{leg.fare.id}.total", str(price)))
            if price.currency != home:
                today = self._ep.world.today
                value = self._case.built.rates.days[-1][price.currency][0]
                facts.append((rate_key(price.currency, home, today), value))
        return list(dict.fromkeys(facts))


def fits(quote: Quote, fare: Fare, wish: Wish, world: World) -> str:
    """Say what a quote gets wrong about the request: party, bag or card; "" if nothing."""
    if (quote.adults, sorted(quote.child_ages)) != (wish.party.adults, sorted(wish.party.child_ages)):
        return "party"
    wanted = sum(bag.pieces for bag in wish.bags)
    quoted = sum(bag.pieces for bag in quote.bags if bag.kg >= wish.bag_kg)
    included = fare.bag_pieces * wish.party.size if fare.bag_kg >= wish.bag_kg else 0
    if quoted < wanted and included < wanted:
        return "bag"
    tariff = tariff_of(world, fare.carrier, fare.base.currency)
    return "card" if quote.card_type != "credit" and tariff.card_fee else ""


def same_instant(local: str, zone: str, instant: int) -> bool:
    """Whether a local time in a zone is this instant; false for what is no time or zone."""
    try:
        return to_instant(local, zone) == instant
    except (UnknownZone, ValueError):
        return False


class Row(msgspec.Struct, frozen=True):
    """What a constraint's row may say: on which legs, a right value, and the facts that it rests on."""

    legs: tuple[str, ...]
    values: tuple[str, ...]
    facts: tuple[Fact, ...]


def right_rows(case: TwoLegCase, ep: Episode, chosen: Chosen) -> dict[str, list[Row]]:
    """Return for each constraint the rows that are true of the chosen pair."""
    pair = chosen.pair
    assert pair is not None
    one, two = (leg.service for leg in pair)
    arrives, departs = (f"{one.id}.arr", one.arrives), (f"{two.id}.dep", two.departs)
    gap = str(gap_minutes(one, two))
    total = chosen.total().wire().amount
    minimum = minimum_between(one, two, points())
    rows = {
        "depart_window": [Row(("1",), (one.dep_local[:10], one.dep_local), ((f"{one.id}.dep", one.departs),))],
        "arrive_window": [
            Row(("2",), (two.arr_local[11:], two.arr_local, two.arr_local[:10]), ((f"{two.id}.arr", two.arrives),))
        ],
        "budget": [Row(("both",), (total,), tuple(chosen.total_facts()))],
        "connection_min": [Row(("both",), (gap,), (arrives, departs, (minimum[1], minimum[0])) if minimum else ())],
        "connection_max": [Row(("both",), (gap,), (arrives, departs))],
        "nights_between": [Row(("both",), (str(nights_between(one, two)),), (arrives, departs))],
        "stops": [],
        "bag": [],
        "cabin": [],
        "refundable": [],
    }
    for number, leg in zip(("1", "2"), pair, strict=True):
        fare, service = leg.fare, leg.service
        rows["stops"].append(Row((number,), (str(service.stops),), ((f"{service.id}.stops", service.stops),)))
        rows["cabin"].append(Row((number,), (fare.cabin,), ((f"{fare.id}.cabin", fare.cabin),)))
        answer = "yes" if fare.refundable else "no"
        for key in (f"{fare.id}.refundable", f"{fare.carrier}.{fare.brand}.refundable"):
            rows["refundable"].append(Row((number,), (answer,), ((key, answer),)))
        stated = leg.quote.facts(ep.world) if leg.quote else {f"{fare.id}.bag_asked": case.wish.bag_kg}
        for key in (f"{fare.id}.bag_asked", f"{fare.id}.bag_bought"):
            if kg := stated.get(key):
                rows["bag"].append(Row((number,), (str(kg),), ((key, kg),)))
        if fare.bag_kg >= case.wish.bag_kg:
            rows["bag"].append(Row((number,), (str(fare.bag_kg),), ((f"{fare.id}.bag_included", fare.bag_kg),)))
    return rows


def asked(wish: Wish) -> dict[str, tuple[str, ...]]:
    """Return the constraints that the request states, and on which legs each bears."""
    found: dict[str, tuple[str, ...]] = {
        "depart_window": ("1",),
        "arrive_window": ("2",),
        "budget": ("both",),
        "bag": ("1", "2"),
    }
    if wish.shape == "connect":
        found["connection_min"] = ("both",)
    else:
        found["nights_between"] = ("both",)
    if wish.max_gap:
        found["connection_max"] = ("both",)
    if wish.economy:
        found["cabin"] = ("1", "2")
    if wish.nonstop_leg:
        found["stops"] = (str(wish.nonstop_leg),)
    if wish.refundable_leg:
        found["refundable"] = (str(wish.refundable_leg),)
    return found


def same_value(given: str, right: str) -> bool:
    """Whether two values mean the same: equal as numbers, as times with or without seconds, or as words."""
    one, other = given.strip().lower(), right.lower()
    if one == other:
        return True
    try:
        return Money.of(one, "OMR") == Money.of(other, "OMR")
    except ValueError:
        pass
    if other[10:11] == "t" or other[2:3] == ":":
        return one.removesuffix(":00") == other if one.count(":") == 2 else one == other
    try:
        return date.fromisoformat(one) == date.fromisoformat(other)
    except ValueError:
        return one == other


def money_of(claim: MoneyClaim, currency: str) -> Money | None:
    """Read a claimed amount; None if it is no amount."""
    try:
        return Money.of(claim.value.amount, claim.value.currency or currency)
    except ValueError:
        return None
