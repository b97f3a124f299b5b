"""Shortcuts on a two-leg journey: policies that look little and guess the rest."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from agentbench_env.policies.expert import Do, Refused
from agentbench_tasks.travel.domain.carriers import AirsearchSearchOffers, OfferRow
from agentbench_tasks.travel.domain.geography import points
from agentbench_tasks.travel.domain.inventory import Option
from agentbench_tasks.travel.domain.two_leg.case import TwoLegCase
from agentbench_tasks.travel.domain.two_leg.moves import Moves
from agentbench_tasks.travel.domain.two_leg.rules import pair_failures, single_failures


def from_search(case: TwoLegCase, do: Do, pick: Callable[[list[OfferRow]], OfferRow]) -> Moves | None:
    """Take one row of the flight search for each leg; None where a leg has no row."""
    chosen: list[Option] = []
    by_fare = {option.fare.id: option for option in case.built.inventory.options}
    plot = case.built.plot
    ends = (plot.ends[0], plot.ends[1], plot.ends[2])
    days = (case.wish.depart_from, case.wish.arrive_on)
    for leg, day in enumerate(days):
        rows: list[OfferRow] = []
        with suppress(Refused):
            search = AirsearchSearchOffers(origin=ends[leg], destination=ends[leg + 1], depart_on=day, adults=1)
            rows = do(search).offers
        if not rows:
            return None
        chosen.append(by_fare[pick(rows).fare_id])
    return Moves(case, do, (chosen[0], chosen[1]))


def cheapest_without_connections(case: TwoLegCase, do: Do) -> Moves:
    """Take the cheapest pair on the right days at true prices, whatever the hours and whatever lies between."""
    built = case.built
    fit = [o for o in built.inventory.options if o.cost >= 0 and o.service.on_sale_from <= built.plot.now]
    firsts = [o for o in fit if o.leg == 1 and case.wish.depart_from <= o.service.route[3] <= case.wish.depart_to]
    seconds = [o for o in fit if o.leg == 2 and o.service.arr_local[:10] == case.wish.arrive_on]
    return Moves(case, do, (min(firsts, key=lambda option: option.cost), min(seconds, key=lambda option: option.cost)))


def pairs_failing(case: TwoLegCase, condition: str) -> list[tuple[Option, Option]]:
    """Return pairs that fail exactly one condition: the decoys first, then the target with another second leg."""
    built, target = case.built, case.built.target
    found = [(decoy.one, decoy.two) for decoy in built.decoys if decoy.fails == condition]
    for option in built.inventory.options:
        one, two = (option, target[1]) if option.leg == 1 else (target[0], option)
        singly = single_failures(option, case.wish, built.plot.now)
        if singly | pair_failures(one, two, case.wish, points()) == {condition}:
            found.append((one, two))
    return found


def foreign(case: TwoLegCase) -> bool:
    """Whether a price of the target is in a foreign currency whose rate moved since yesterday."""
    home, rates = case.wish.budget.currency, case.built.rates
    currencies = {option.local.currency for option in case.built.target} - {home}
    return any(rates.days[-1][currency] != rates.days[-2][currency] for currency in currencies)
