"""Shortcuts on a two-leg journey: policies that look little and guess the rest."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from agentbench_env.policies.expert import Do, Refused
from agentbench_tasks.travel.domain.carriers import AirsearchSearchOffers, OfferRow
from agentbench_tasks.travel.domain.two_leg.case import TwoLegCase
from agentbench_tasks.travel.domain.two_leg.moves import Moves
from agentbench_tasks.travel.domain.two_leg.rules import Option


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
    """Take the cheapest pair inside both windows at true prices, whatever lies between the legs."""
    built = case.built
    fit = [o for o in built.inventory.options if o.cost >= 0 and o.service.on_sale_from <= built.plot.now]
    firsts = [o for o in fit if o.leg == 1 and case.wish.depart_from <= o.service.route[3] <= case.wish.depart_to]
    seconds = [o for o in fit if o.leg == 2 and o.service.arr_local[:10] == case.wish.arrive_on]
    return Moves(case, do, (min(firsts, key=lambda option: option.cost), min(seconds, key=lambda option: option.cost)))


def is_tempting(case: TwoLegCase, fails: set[str]) -> list[tuple[Option, Option]]:
    """Return the decoy pairs that can be quoted and held and fail one of these conditions."""
    return [(decoy.one, decoy.two) for decoy in case.built.decoys if decoy.fails in fails]


def foreign(case: TwoLegCase) -> bool:
    """Whether a price of the target is in a foreign currency whose rate moved since yesterday."""
    home, rates = case.wish.budget.currency, case.built.rates
    currencies = {option.local.currency for option in case.built.target} - {home}
    return any(rates.days[-1][currency] != rates.days[-2][currency] for currency in currencies)
