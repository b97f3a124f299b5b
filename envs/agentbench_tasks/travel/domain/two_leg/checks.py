"""The checks of a two-leg journey, each judging the pair that was chosen; one alone compares with the goal."""

from __future__ import annotations

from collections.abc import Sequence

from agentbench_env.claims import TextClaim, sources_fault
from agentbench_env.episode import Episode
from agentbench_env.money import Money
from agentbench_env.verdict import Finding
from agentbench_tasks.travel.domain.geography import carrier_facts
from agentbench_tasks.travel.domain.records import FareHold
from agentbench_tasks.travel.domain.two_leg.answer import TwoLegAnswer
from agentbench_tasks.travel.domain.two_leg.case import (
    Chosen,
    ChosenLeg,
    Row,
    TwoLegCase,
    asked,
    fits,
    money_of,
    right_rows,
    same_instant,
    same_value,
)

NO_PAIR = Finding(True, observed="no pair to judge")
"""Existence is the business of one clause; the others pass where there is nothing to judge."""
OWNED_BY_BOOKABLE = frozenset({"on_sale", "vanishes"})
"""Conditions that `bookable_now` judges."""


def answer_of(ep: Episode) -> TwoLegAnswer:
    """The delivered answer."""
    assert isinstance(ep.answer, TwoLegAnswer)
    return ep.answer


def chosen_legs(case: TwoLegCase, ep: Episode) -> Chosen:
    """The plan that the answer names."""
    return Chosen(case, ep, answer_of(ep).plan_id)


def two_specific_options(case: TwoLegCase, ep: Episode) -> Finding:
    """Exactly one fare for each leg, with the service's own times."""
    chosen = chosen_legs(case, ep)
    legs = [item for item in chosen.items if item.kind == "leg"]
    expected = "two legs, each naming a fare with its service's local times and zones"
    if len(legs) != 2 or chosen.pair is None:
        named = ", ".join(item.object_id for item in legs) or "none"
        return Finding(False, expected, f"{len(legs)} legs of the plan: {named}", (answer_of(ep).plan_id,))
    for leg in chosen.pair:
        item, service = leg.item, leg.service
        if not same_instant(item.start, item.start_zone, service.departs):
            return Finding(False, service.dep_local, f"{item.start} {item.start_zone}", (service.id,))
        if not same_instant(item.end, item.end_zone, service.arrives):
            return Finding(False, service.arr_local, f"{item.end} {item.end_zone}", (service.id,))
    return Finding(True, expected, "as the records have them", tuple(leg.service.id for leg in chosen.pair))


def bookable_now(case: TwoLegCase, ep: Episode) -> Finding:
    """On sale, seats, and a live quote or hold; where holds were wanted and are free, a hold."""
    pair = chosen_legs(case, ep).pair
    if pair is None:
        return NO_PAIR
    for number, leg in enumerate(pair, 1):
        fault = _not_bookable(case, ep, leg)
        if fault:
            return Finding(False, "on sale now, with a live quote or hold", f"leg {number}: {fault}", (leg.fare.id,))
    return Finding(True, "on sale now, with a live quote or hold", "both are", tuple(leg.fare.id for leg in pair))


def _not_bookable(case: TwoLegCase, ep: Episode, leg: ChosenLeg) -> str:
    world, now = ep.world, ep.world.now
    holds = [hold for hold in world.all(FareHold) if hold.fare_id == leg.fare.id and hold.is_active(now)]
    if leg.quote is None:
        return "the plan names no quote or hold of this fare"
    if leg.service.on_sale_from > now:
        return "not on sale yet"
    if case.wish.grants and carrier_facts()[leg.fare.carrier].hold == "free" and not holds:
        return "a free hold was wanted and none is active"
    if leg.hold is not None and not leg.hold.is_active(now):
        return "its hold is not active"
    if holds:
        return ""
    if not leg.fare.open or leg.fare.seats < case.wish.party.size:
        return "the fare is sold out"
    return "" if now <= leg.quote.valid_until else "its quote has expired"


def operator_prices(case: TwoLegCase, ep: Episode) -> Finding:
    """The plan's prices are the operators' totals for this party, bag and card type."""
    pair = chosen_legs(case, ep).pair
    if pair is None:
        return NO_PAIR
    for number, leg in enumerate(pair, 1):
        quote, item = leg.quote, leg.item
        if quote is None:
            continue
        wrong = fits(quote, leg.fare, case.wish, ep.world)
        if wrong:
            return Finding(False, f"a quote for the {wrong} asked for", f"leg {number}: another {wrong}", (quote.id,))
        try:
            price = Money.of(item.price, item.currency or quote.total.currency)
        except ValueError:
            price = None
        if price != quote.total:
            return Finding(False, str(quote.total), f"leg {number}: {item.price} {item.currency}", (quote.id,))
    return Finding(True, "the operators' totals", "the operators' totals")


def total_stated(case: TwoLegCase, ep: Episode) -> Finding:
    """The sum of both quotes in the budget's currency, from the quotes and the rates of the day."""
    chosen = chosen_legs(case, ep)
    if chosen.pair is None:
        return NO_PAIR
    right, total = chosen.total(), answer_of(ep).total
    if money_of(total, right.currency) != right:
        return Finding(False, str(right), f"{total.value.amount} {total.value.currency}", tuple(total.sources))
    fault = sources_fault(ep, total.sources, chosen.total_facts())
    return Finding(not fault, f"{right} from quotes and rates", fault or str(right), tuple(total.sources))


def all_constraints_met(case: TwoLegCase, ep: Episode) -> Finding:
    """The pair fails no condition of the request; whether it can be had is the business of another check."""
    pair = chosen_legs(case, ep).pair
    if pair is None:
        return NO_PAIR
    ids = (pair[0].fare.id, pair[1].fare.id)
    failed = case.built.failures(*ids) - OWNED_BY_BOOKABLE
    return Finding(not failed, "every condition is met", ", ".join(sorted(failed)) or "every condition is met", ids)


def constraint_per_option(case: TwoLegCase, ep: Episode) -> Finding:
    """Every constraint of the request has its row, and every row is true of the pair and has sources that hold."""
    chosen = chosen_legs(case, ep)
    if chosen.pair is None:
        return NO_PAIR
    right = right_rows(case, ep, chosen)
    covered: set[tuple[str, str]] = set()
    faults: list[str] = []
    for row in answer_of(ep).constraints:
        constraint, leg, claim = row.constraint, row.leg, row.value
        for one in ("1", "2") if leg == "both" and _per_leg(right[constraint]) else (leg,):
            fault = _row_fault(ep, claim, [row for row in right[constraint] if one in row.legs])
            faults += [f"{constraint} on leg {one}: {fault}"] if fault else []
            covered.add((constraint, one))
    faults += [
        f"no row for {name} on leg {leg}"
        for name, legs in asked(case.wish).items()
        for leg in legs
        if (name, leg) not in covered
    ]
    expected = "for each constraint a true value with its sources"
    return Finding(not faults, expected, "; ".join(faults) or "every row holds")


def _per_leg(rows: Sequence[Row]) -> bool:
    return bool(rows) and not any("both" in row.legs for row in rows)


def _row_fault(ep: Episode, claim: TextClaim, rows: Sequence[Row]) -> str:
    if not rows:
        return "the constraint does not bear on this leg"
    fault = f"{claim.value} is not {' or '.join(value for row in rows for value in row.values)}"
    for row in rows:
        if any(same_value(claim.value, value) for value in row.values):
            fault = sources_fault(ep, claim.sources, row.facts)
            if not fault:
                return ""
    return fault
