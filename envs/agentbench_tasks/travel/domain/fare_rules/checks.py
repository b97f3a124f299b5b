"""The checks of a comparison: one column each over the rows of fares in scope; which fares those are is one check's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from agentbench_env.claims import Fact, sources_fault
from agentbench_env.episode import Episode
from agentbench_env.verdict import Finding
from agentbench_tasks.travel.domain.fare_rules.answer import FareComparison, FareTerms
from agentbench_tasks.travel.domain.fare_rules.build import Candidate
from agentbench_tasks.travel.domain.fare_rules.case import FareRuleCase
from agentbench_tasks.travel.domain.fare_rules.terms import NEVER, Outcome

T = TypeVar("T")


def answer_of(ep: Episode) -> FareComparison:
    """The delivered answer."""
    assert isinstance(ep.answer, FareComparison)
    return ep.answer


def every_candidate(case: FareRuleCase, ep: Episode) -> Finding:
    """Exactly the fares in scope, each once, with its price for the party."""
    rows, wanted = answer_of(ep).rows, case.candidates
    given = [row.fare_id for row in rows]
    if sorted(given) != sorted(wanted):
        missing = [id for id in wanted if id not in given]
        extra = [id for id in given if id not in wanted or given.count(id) > 1]
        observed = f"missing: {', '.join(missing) or 'none'}; too many: {', '.join(extra) or 'none'}"
        return Finding(False, ", ".join(wanted), observed, tuple(missing + extra))
    return _over_rows(case, ep, "base and charges of the party", _price_fault)


def _price_fault(case: FareRuleCase, ep: Episode, row: FareTerms, one: Candidate) -> str:
    if not case.is_amount(row.price.value, one.price):
        value = row.price.value
        return f"{value.amount} {value.currency} is not {case.money(one.price)}"
    sources = case.price_sources(one, row.price.sources, ep)
    faults = [sources_fault(ep, sources, needs) for needs in case.price_facts(one)]
    return "" if "" in faults else faults[-1]


def change_fee(case: FareRuleCase, ep: Episode) -> Finding:
    """The fee for the change, or that it is not possible."""
    return _column(case, ep, "change", _change_fault)


def _change_fault(case: FareRuleCase, row: FareTerms, right: Outcome) -> str:
    given, allowed = row.change, right.change_fee != NEVER
    if given.allowed != allowed:
        return "the change is possible" if allowed else "the change is not possible"
    fee = right.change_fee if allowed else 0
    return "" if case.is_amount(given.fee, fee) else f"{given.fee.amount} {given.fee.currency} is not {case.money(fee)}"


def refundability(case: FareRuleCase, ep: Episode) -> Finding:
    """What comes back, whether taxes do, and in which form."""
    return _column(case, ep, "cancel", _cancel_fault)


def _cancel_fault(case: FareRuleCase, row: FareTerms, right: Outcome) -> str:
    given = row.cancel
    if not case.is_amount(given.refund, right.refund):
        return f"{given.refund.amount} {given.refund.currency} is not {case.money(right.refund)}"
    return _unequal((given.taxes_back, given.form), (right.taxes_back, right.form))


def baggage(case: FareRuleCase, ep: Episode) -> Finding:
    """Pieces, weight and cabin weight."""
    return _column(
        case,
        ep,
        "bag",
        lambda case, row, right: _unequal(
            (row.bag.pieces, row.bag.kg, row.bag.cabin_kg), (right.pieces, right.kg, right.cabin_kg)
        ),
    )


def no_show(case: FareRuleCase, ep: Episode) -> Finding:
    """What happens to the money and to the sectors that follow."""
    return _column(case, ep, "no_show", _no_show_fault)


def _no_show_fault(case: FareRuleCase, row: FareTerms, right: Outcome) -> str:
    given = row.no_show
    if not case.is_amount(given.fee, right.no_show_fee):
        return f"{given.fee.amount} {given.fee.currency} is not {case.money(right.no_show_fee)}"
    return _unequal((given.money, given.onward_cancelled), (right.no_show, right.onward_cancelled))


def cheapest_seen_as_strictest(case: FareRuleCase, ep: Episode) -> Finding:
    """The cheapest fare is named, as the cheapest and as the strictest."""
    answer, right = answer_of(ep), case.built.candidates[0].option.fare.id
    given = answer.cheapest_fare_id, answer.strictest_fare_id
    return Finding(given == (right, right), f"{right} for both", f"{given[0]} and {given[1]}", given)


# --- over the rows


def _unequal(given: T, right: T) -> str:
    return "" if given == right else f"{given} is not {right}"


def _column(
    case: FareRuleCase, ep: Episode, topic: str, value_fault: Callable[[FareRuleCase, FareTerms, Outcome], str]
) -> Finding:
    def fault(case: FareRuleCase, ep: Episode, row: FareTerms, one: Candidate) -> str:
        needs: list[Fact] = [(key, True) for key in one.outcome.keys[topic]]
        sources: list[str] = getattr(row, topic).sources
        return value_fault(case, row, one.outcome) or sources_fault(ep, sources, needs)

    return _over_rows(case, ep, "as the rules in force have it, with the sections that say so", fault)


def _over_rows(
    case: FareRuleCase,
    ep: Episode,
    expected: str,
    fault_of: Callable[[FareRuleCase, Episode, FareTerms, Candidate], str],
) -> Finding:
    for row in answer_of(ep).rows:
        one = case.candidates.get(row.fare_id)
        fault = fault_of(case, ep, row, one) if one else ""
        if fault:
            return Finding(False, expected, f"{row.fare_id}: {fault}", (row.fare_id,))
    return Finding(True, expected, "every row that was judged")
