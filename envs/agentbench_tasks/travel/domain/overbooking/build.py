"""Drawing an instance: the story, the house that was booked, the houses to move to."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.world import Record
from agentbench_tasks.travel.domain.houses import House, Houses, lodgings
from agentbench_tasks.travel.domain.overbooking.candidates import Candidate, Candidates, original_house
from agentbench_tasks.travel.domain.overbooking.plot import MISSES, WEEKEND, Miss, Plot, Standard, draw_plot
from agentbench_tasks.travel.domain.overbooking.terms import Event, Owed, owed
from agentbench_tasks.travel.domain.records_stays import Channel, RoomType
from agentbench_tasks.travel.domain.stay_bills import Guests
from agentbench_tasks.travel.domain.stay_rules import Area, Law, law

COUNTS = {"easy": 12, "standard": 20, "hard": 30}
COARSE = 4
"""Prices paid are multiples of this many price steps, so that every share of them is a whole amount."""


class Wish(msgspec.Struct, frozen=True):
    """The request as checks and proof judge by it."""

    districts: frozenset[str]
    stay: tuple[str, str]
    original: Standard
    musts: tuple[str, ...]
    guests: Guests
    limit: int
    """The most that the whole stay may cost, in minor units."""
    station: str
    """Id of the place where the user is."""
    depart: str
    """Local date and time of setting off."""


class Built(msgspec.Struct, frozen=True):
    """A drawn instance."""

    plot: Plot
    law: Law
    area: Area
    house: House
    room: RoomType
    paid: tuple[int, ...]
    """What was paid for each night."""
    seller: Channel
    budget: Money
    candidates: tuple[Candidate, ...]
    areas: tuple[Record, ...]
    agencies: tuple[Channel, ...]

    @property
    def event(self) -> Event:
        """What happened."""
        return self.plot.event(self.paid)

    @property
    def owed(self) -> tuple[Owed, ...]:
        """What the seller owes."""
        return owed(self.plot.governing, self.event)

    @property
    def owner(self) -> str:
        """Id of the publisher of the governing terms."""
        return self.seller.id if self.plot.agency else self.house.record.id


def draw_built(draw: Draw, setting: Setting) -> Built:
    """Draw an instance; raise NoFit where its parts do not fit together."""
    plot, ids, market = draw_plot(draw.stream("plot"), setting), draw.stream("ids"), setting.market
    houses, rules = Houses(draw.stream("houses"), ids, market, plot.city.id), law(market.code)
    money, stream = draw.stream("money"), draw.stream("candidates")
    house, room = original_house(draw.stream("original"), houses, plot)
    usual = house.prices[house.rooms.index(room)]
    paid = _paid(money, plot, usual, lodgings(market.code).step * COARSE)
    step = lodgings(market.code).step * 5
    budget = round(sum(paid) / plot.nights * money.uniform(1.12, 1.4)) // step * step
    area = rules.areas[plot.city.area]
    drawing = Candidates(stream, ids, plot, houses, rules, area, budget)
    others = COUNTS[setting.difficulty] - plot.right - len(MISSES)
    kinds: tuple[Miss, ...] = (*MISSES, *(stream.choice(MISSES) for _ in range(others)))
    made = [drawing.candidate("", tempting=False) for _ in range(plot.right)]
    for place, kind in enumerate(kinds):
        first = kinds.index(kind) == place
        # One house at least is gone when its quote is asked for, or nobody would have to ask.
        made.append(drawing.candidate(kind, tempting=kind in plot.traps and first, gone=kind == "night" and first))
    seller = draw.stream("seller").choice(houses.agencies) if plot.agency else house.direct
    order = draw.stream("order").shuffled(made)
    limit = Money(budget, market.currency)
    return Built(plot, rules, area, house, room, paid, seller, limit, tuple(order), houses.areas, houses.agencies)


def _paid(draw: Draw, plot: Plot, usual: int, step: int) -> tuple[int, ...]:
    days = [plot.today + timedelta(n) for n in range(plot.nights)]
    factors = [1.15 if day.isoweekday() in WEEKEND else 1.0 for day in days]
    level = draw.uniform(0.95, 1.05)
    return tuple(max(1, round(usual * level * factor / step)) * step for factor in factors)
