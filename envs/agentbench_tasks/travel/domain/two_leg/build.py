"""Drawing an instance: target first, then inventory and traps around it, then the proof that one pair is right."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import market_table
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_tasks.commons.attempts import NoFit, first_fit
from agentbench_tasks.travel.domain.exchange import Rates
from agentbench_tasks.travel.domain.geography import CarrierFacts, carrier_facts, currency_at, points
from agentbench_tasks.travel.domain.inventory import BRANDS, Inventory, Option, days_between
from agentbench_tasks.travel.domain.records import Bag, Offer
from agentbench_tasks.travel.domain.two_leg.plot import GUARD_S, Leg, Plot, draw_plot
from agentbench_tasks.travel.domain.two_leg.rules import (
    Wish,
    fits_alone,
    gap_minutes,
    pair_failures,
    single_failures,
)
from agentbench_tasks.travel.domain.two_leg.traps import TRAPS, Decoy, unspoken_airport, unspoken_hour, wrong_hours

CARRIERS = {"easy": 3, "standard": 5, "hard": 6}
TRAP_COUNT = {"easy": (2, 2), "standard": (3, 4), "hard": (5, 6)}
EDGE_MIN = 45
"""A right arrival lies this many minutes inside its window."""
CLEARANCE = 1.015
"""Every other pair that meets all else costs more than the budget by at least this factor."""


class Built(msgspec.Struct, frozen=True):
    """A proven instance: the story, the wish, the inventory, and which pairs are right."""

    plot: Plot
    wish: Wish
    inventory: Inventory
    rates: Rates
    target: tuple[Option, Option]
    right: frozenset[tuple[str, str]]
    """Every pair of fare ids that meets the request."""
    decoys: tuple[Decoy, ...]
    traps: tuple[str, ...]
    """The names of the traps that are set."""
    offers: tuple[Offer, ...]

    def failures(self, first_fare: str, second_fare: str) -> set[str]:
        """Return every condition that a pair of fares fails."""
        by_id = {option.fare.id: option for option in self.inventory.options}
        one, two = by_id[first_fare], by_id[second_fare]
        singly = [single_failures(option, self.wish, self.plot.now) for option in (one, two)]
        return singly[0] | singly[1] | pair_failures(one, two, self.wish, points())


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw until an attempt is proven."""
    return first_fit(draw, lambda attempt: Build(attempt, setting).finish())


class Build:
    """One attempt."""

    def __init__(self, draw: Draw, setting: Setting) -> None:
        market = setting.market
        self.setting, self.draw = setting, draw.stream("traps")
        self.plot = draw_plot(draw.stream("plot"), setting)
        self.points = points()
        story = draw.stream("wish")
        self.wish = self._wish(story)
        self.rates = Rates(draw.stream("rates"), market.code, market.currency)
        self.inventory = Inventory(
            draw.stream("inventory"), market.code, self.rates, self.plot.party, self.wish.bags, "credit"
        )
        self.carriers = tuple(self._carriers(story, leg) for leg in (1, 2))
        self.target = self._target(story)
        self.protected = {option.fare.id: option for option in self.target}
        self.shown: dict[str, tuple[float, int]] = {}
        self._schedules(draw.stream("schedules"))
        self._set_budget(story)
        self.decoys: list[Decoy] = []
        self._offer_draw, self._seat_draw = draw.stream("offers"), draw.stream("seats")

    # --- what the traps ask

    def failures(self, one: Option, two: Option) -> set[str]:
        """Every condition that a pair fails."""
        return self.refused(one) | self.refused(two) | pair_failures(one, two, self.wish, self.points)

    def refused(self, option: Option) -> set[str]:
        """Every condition that an option fails on its own."""
        return single_failures(option, self.wish, self.plot.now)

    def fares_of(self, service_id: str) -> list[Option]:
        """The options on one service."""
        return [option for option in self.inventory.options if option.service.id == service_id]

    def drop(self, option: Option) -> None:
        """Take back a departure that was added."""
        kept = [other for other in self.inventory.options if other.service.id != option.service.id]
        self.inventory.options[:] = kept
        self.inventory.services[:] = [s for s in self.inventory.services if s.id != option.service.id]

    def brand_for(self, leg: int, carrier: CarrierFacts) -> str:
        """The cheapest brand of a carrier that a leg may take, "" if it has none."""
        brands = [name for name, _ in carrier.brands]
        if self.wish.refundable_leg == leg:
            return "flex" if "flex" in brands else ""
        return brands[0]

    # --- the story's numbers

    def _wish(self, draw: Draw) -> Wish:
        plot, difficulty = self.plot, self.setting.difficulty
        leg_1, leg_2 = plot.target
        kg = draw.choice((15, 20, 23))
        each = plot.party.size == 1 or draw.chance(0.6)
        bags = (Bag(kg, plot.party.size if each else 1),)
        connect = plot.shape == "connect"
        max_gap = nonstop = refundable = 0
        economy = False
        if difficulty != "easy":
            gap = (leg_2.departs - leg_1.arrives) // 60
            max_gap = -(-(gap + draw.int(15, 120)) // 60) * 60 if connect else 0
            economy = not connect or draw.chance(0.5)
        if difficulty == "standard" and not economy and draw.chance(0.5):
            nonstop = draw.int(1, 2)
        if difficulty == "hard":
            refundable = draw.int(1, 2)
            nonstop = draw.int(1, 2) if not connect or not economy else 0
        on, start, end = self._window(draw, leg_2)
        # An unspoken wish is only there once a decoy would bring it to light.
        reaction = "yes" if plot.reaction == "change" else plot.reaction
        return Wish(
            plot.shape,
            plot.mode,
            reaction,
            plot.party,
            bags,
            each,
            plot.depart_from.isoformat(),
            plot.depart_to.isoformat(),
            on,
            start,
            end,
            Money(0, self.setting.market.currency),
            max_gap,
            plot.nights,
            economy,
            nonstop,
            refundable,
        )

    def _window(self, draw: Draw, leg: Leg) -> tuple[str, str, str]:
        local = leg.arr_local
        minute = int(local[11:13]) * 60 + int(local[14:16])
        start = (minute - draw.int(EDGE_MIN, 180)) // 30 * 30
        end = -(-(minute + draw.int(EDGE_MIN, 180)) // 30) * 30
        if start < 0 or end > 24 * 60 - 30:
            raise NoFit
        return local[:10], f"{start // 60:02}:{start % 60:02}", f"{end // 60:02}:{end % 60:02}"

    def _carriers(self, draw: Draw, leg: int) -> frozenset[str]:
        routes, mine = self.plot.options[leg - 1], self.plot.target[leg - 1].carrier.code
        codes = list(dict.fromkeys(code for route in routes for code in route.carriers))
        listed = [
            code
            for code in codes
            if any(code in r.carriers and carrier_facts()[code].sold_via_search(r.start, r.end) for r in routes)
        ]
        count = CARRIERS[self.setting.difficulty] - (leg == 2)
        rest = draw.shuffled([code for code in codes if code != mine])
        first = [code for code in rest if code in listed][:2]
        return frozenset([mine, *first, *(code for code in rest if code not in first)][:count])

    def _target(self, draw: Draw) -> tuple[Option, Option]:
        made: list[Option] = []
        self.inventory.takes_all = frozenset(leg.carrier.code for leg in self.plot.target)
        for number, leg in enumerate(self.plot.target, 1):
            brand = self.brand_for(number, leg.carrier)
            if not brand:
                raise NoFit
            service = self.inventory.service(leg.carrier, leg.route, leg.departs)
            _, step = currency_at(leg.route.start)
            level = self.inventory.base_fare(leg.route, leg.carrier, draw.uniform(0.06, 0.24))
            base = round(level * BRANDS[brand][0] / step) * step
            option = self.inventory.fare(number, leg.carrier, service, brand, base)
            if option.cost < 0:
                raise NoFit
            made.append(option)
        return made[0], made[1]

    def _schedules(self, draw: Draw) -> None:
        hard = self.setting.difficulty != "easy"
        first = self.plot.depart_from - timedelta(1 if hard else 0)
        last = self.plot.depart_to + timedelta(1 if hard else 0)
        middle = date.fromisoformat(self.plot.target[1].dep_local[:10])
        spans = (days_between(first, last)[:5], days_between(middle - timedelta(1), middle + timedelta(1)))
        for leg, days in enumerate(spans, 1):
            flexible = self.wish.refundable_leg == leg
            for code in sorted(self.carriers[leg - 1]):
                carrier = carrier_facts()[code]
                served = [route for route in self.plot.options[leg - 1] if code in route.carriers]
                for route in draw.sample(served, 1 + (hard and draw.chance(0.35))):
                    self.inventory.schedule(leg, carrier, route, _running_days(draw, days), flexible)
            self._copy_target(draw, leg, days)

    def _copy_target(self, draw: Draw, leg: int, days: Sequence[date]) -> None:
        """Let the target's departure run on other days too, at other prices, as most departures do."""
        option, plot = self.target[leg - 1], self.plot.target[leg - 1]
        mine = date.fromisoformat(option.service.route[3])
        _, step = currency_at(plot.route.start)
        for day in _running_days(draw, [day for day in days if day != mine]) if draw.chance(0.7) else ():
            departs = option.service.departs + (day - mine).days * 86400
            service = self.inventory.service(plot.carrier, plot.route, departs, option.service.number)
            base = round(option.fare.base.minor * draw.uniform(0.95, 1.35) / step) * step
            self.inventory.fare(leg, plot.carrier, service, self.brand_for(leg, plot.carrier), base)

    def _set_budget(self, draw: Draw) -> None:
        total = sum(option.cost for option in self.target)
        currency = self.setting.market.currency
        step = Money.of(market_table(self.setting.market.code, "travel")["budget_step"], currency).minor
        budget = -(-round(total * draw.uniform(1.04, 1.12)) // step) * step
        if not 1.02 <= budget / total <= 1.25:
            raise NoFit
        self.wish = msgspec.structs.replace(self.wish, budget=Money(budget, currency))

    # --- traps, repair, proof

    def finish(self) -> Built:
        """Set the traps, price every rival out, and prove that exactly the right pairs are left."""
        names = self._set_traps()
        self._repair()
        self._undercut()
        self._fill_seats()
        right = self._prove()
        targets = {option.fare.id for option in self.target}
        offers = self.inventory.offers(self.plot.now, self._offer_draw, targets, self.shown)
        return Built(
            self.plot,
            self.wish,
            self.inventory,
            self.rates,
            self.target,
            right,
            tuple(self.decoys),
            names,
            tuple(offers),
        )

    def _set_traps(self) -> tuple[str, ...]:
        if self.plot.mode == "hold" and self.plot.reaction == "change":
            self._wish_in_silence()
        names: list[str] = []
        if not all(self._listed(option) for option in self.target):
            names.append("outside_aggregate")
        if self.wish.mode == "hold" and any(leg.carrier.hold == "paid" for leg in self.plot.target):
            names.append("paid_lock")
        if not self.plot.benign:
            low, high = TRAP_COUNT[self.setting.difficulty]
            wanted = self.draw.int(low, high)
            # A kind may come twice, with another decoy, where the journey allows few kinds.
            for name in self.draw.shuffled(tuple(TRAPS)) + self.draw.shuffled(tuple(TRAPS)):
                if len(names) < wanted and self._add(TRAPS[name](self)):
                    names.append(name)
        return tuple(names)

    def _wish_in_silence(self) -> None:
        """Give the user a wish that only a question or a proposal brings up, if a decoy can be made for it."""
        plain = self.wish
        used = {point for leg in self.plot.target for point in (leg.route.start, leg.route.end)}
        others = sorted({p for routes in self.plot.options for r in routes for p in (r.start, r.end)} - used)
        wishes = [{"excluded_point": code} for code in others if self.points[code].kind == "airport"]
        if min(leg.dep_local[11:] for leg in self.plot.target) >= "07:00":
            wishes.append({"not_before": "07:00"})
        for wish in self.draw.shuffled(wishes):
            self.wish = msgspec.structs.replace(plain, reaction="change", **wish)
            if self._add(unspoken_airport(self)) or self._add(unspoken_hour(self)):
                return
        self.wish = plain

    def _undercut(self) -> None:
        """See to it that price and date alone never lead to a right pair."""
        wish = self.wish
        rivals = [o for o in self.inventory.options if o.cost >= 0 and o.service.on_sale_from <= self.plot.now]
        firsts = [o for o in rivals if o.leg == 1 and wish.depart_from <= o.service.route[3] <= wish.depart_to]
        seconds = [o for o in rivals if o.leg == 2 and o.service.arr_local[:10] == wish.arrive_on]
        if not firsts or not seconds:
            raise NoFit
        one, two = (min(options, key=lambda option: option.cost) for options in (firsts, seconds))
        if not self.failures(one, two) and wrong_hours(self, two.cost) is None:
            raise NoFit

    def _fill_seats(self) -> None:
        """Leave just enough seats on some other fares too: last seats alone say nothing about a fare."""
        size = self.plot.party.size
        for place, option in enumerate(self.inventory.options):
            if option.fare.id not in self.protected and self._seat_draw.chance(0.3):
                fare = msgspec.structs.replace(option.fare, seats=size)
                self.inventory.options[place] = msgspec.structs.replace(option, fare=fare)

    def _listed(self, option: Option) -> bool:
        service = option.service
        return carrier_facts()[service.carrier].sold_via_search(service.origin, service.dest)

    def _add(self, decoy: Decoy | None) -> bool:
        if decoy is None:
            return False
        expected = {decoy.fails} if decoy.fails else set[str]()
        if self.failures(decoy.one, decoy.two) != expected or self._clashes(decoy):
            # What it added stays as ordinary inventory, to be priced out like the rest.
            for option in (decoy.one, decoy.two):
                self.shown.pop(option.fare.id, None)
            return False
        self.decoys.append(decoy)
        self.protected |= {option.fare.id: option for option in (decoy.one, decoy.two)}
        return True

    def _clashes(self, decoy: Decoy) -> bool:
        """Whether its options make a rival pair with others whose prices are settled: none could be priced out."""
        settled = self.protected | {option.fare.id: option for option in (decoy.one, decoy.two)}
        fit = [option for option in settled.values() if not self.refused(option)]
        planted = self._planted([*self.decoys, decoy])
        return any(
            (one.fare.id, two.fare.id) not in planted and self._is_rival(one, two)
            for one in fit
            for two in fit
            if (one.leg, two.leg) == (1, 2)
        )

    def _planted(self, decoys: Sequence[Decoy]) -> set[tuple[str, str]]:
        """The pairs that are meant to be right."""
        target = self.target[0].fare.id, self.target[1].fare.id
        return {target, *((d.one.fare.id, d.two.fare.id) for d in decoys if not d.fails)}

    def _is_rival(self, one: Option, two: Option) -> bool:
        """Whether a pair, each of which fits alone, is right or too dear by less than the clearance."""
        near = one.cost + two.cost <= self.wish.budget.minor * CLEARANCE
        return near and pair_failures(one, two, self.wish, self.points) <= {"budget"}

    def _open_pairs(self) -> tuple[list[Option], list[Option]]:
        wish, now = self.wish, self.plot.now
        fit = [option for option in self.inventory.options if fits_alone(option, wish, now)]
        return [o for o in fit if o.leg == 1], [o for o in fit if o.leg == 2]

    def _repair(self) -> None:
        firsts, seconds = self._open_pairs()
        planted = self._planted(self.decoys)
        for i, one in enumerate(firsts):
            for j, two in enumerate(seconds):
                if (one.fare.id, two.fare.id) in planted or not self._is_rival(one, two):
                    continue
                free = [option for option in (one, two) if option.fare.id not in self.protected]
                if not free:
                    raise NoFit
                kept = two if free[0] is one else one
                dearer = self.inventory.priced_at(
                    free[0], self.wish.budget.minor * self.draw.uniform(1.03, 1.2) - kept.cost
                )
                if dearer is None:
                    raise NoFit
                self.inventory.put(free[0], dearer)
                if kept is two:
                    firsts[i] = one = dearer
                else:
                    seconds[j] = dearer

    def _prove(self) -> frozenset[tuple[str, str]]:
        """Enumerate every pair on its own terms and compare with what was planted."""
        firsts, seconds = self._open_pairs()
        right = {
            (one.fare.id, two.fare.id)
            for one in firsts
            for two in seconds
            if one.cost + two.cost <= self.wish.budget.minor and not pair_failures(one, two, self.wish, self.points)
        }
        if right != self._planted(self.decoys):
            raise NoFit
        for decoy in self.decoys:
            if self.failures(decoy.one, decoy.two) != ({decoy.fails} if decoy.fails else set[str]()):
                raise NoFit
        if any(abs(service.on_sale_from - self.plot.now) < GUARD_S for service in self.inventory.services):
            raise NoFit
        if self.wish.max_gap and gap_minutes(self.target[0].service, self.target[1].service) > self.wish.max_gap:
            raise NoFit
        return frozenset(right)


def _running_days(draw: Draw, days: Sequence[date]) -> list[date]:
    """Return the days on which a departure runs: all, some, or one of them."""
    if not days or draw.chance(0.45):
        return list(days)
    count = 1 if draw.chance(0.4) else draw.int(1, len(days))
    return sorted(draw.sample(days, count))
