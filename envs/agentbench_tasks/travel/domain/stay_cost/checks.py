"""The checks of a stay's true cost, line by line against the bill of the rate that was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from agentbench_env.claims import Fact, sources_fault
from agentbench_env.episode import Episode
from agentbench_env.money import Money
from agentbench_env.verdict import Finding
from agentbench_tasks.travel.domain.stay_bills import NightBill, rounded
from agentbench_tasks.travel.domain.stay_cost.answer import NightLines, StayCostAnswer
from agentbench_tasks.travel.domain.stay_cost.case import StayCostCase, chosen_rate, text_of
from agentbench_tasks.travel.domain.stay_offers import OfferedRate, carried_facts

NO_RATE = Finding(True, observed="no rate to judge by")
"""Existence is the business of one clause; the others pass where there is nothing to judge."""


def answer_of(ep: Episode) -> StayCostAnswer:
    """The delivered answer."""
    assert isinstance(ep.answer, StayCostAnswer)
    return ep.answer


def _chosen(case: StayCostCase, ep: Episode) -> OfferedRate | None:
    return chosen_rate(case, ep, answer_of(ep).rate_id)


def _lines(ep: Episode, chosen: OfferedRate) -> list[tuple[NightLines, NightBill]]:
    """The nights of the answer that are nights of the rate, each with its right lines."""
    by_day = {night.day: night for night in chosen.bill.nights}
    return [(night, by_day[night.date]) for night in answer_of(ep).nights if night.date in by_day]


def base_rate(case: StayCostCase, ep: Episode) -> Finding:
    """The house and rate asked about, each of its nights once, at the shown price for the party."""
    answer, chosen = answer_of(ep), _chosen(case, ep)
    house = case.story.house.record.id
    if chosen is None or chosen.rate.id != case.target or answer.property_id != house:
        return Finding(False, f"rate {case.target} of {house}", f"{answer.rate_id} of {answer.property_id}")
    dates = sorted(night.date for night in answer.nights)
    days = [night.day for night in chosen.bill.nights]
    if dates != days:
        return Finding(False, f"the nights {', '.join(days)}", ", ".join(dates) or "none", (case.target,))
    for night, right in _lines(ep, chosen):
        if night.base.minor_in(case.currency) != right.base:
            shown = f"{night.date}: {night.base.amount} {night.base.currency}"
            return Finding(False, f"{right.day}: {Money(right.base, case.currency)}", shown, (case.target,))
    return _sourced(ep, answer.sources.base, chosen.base_facts(), "the shown price of each night")


def vat_and_service(case: StayCostCase, ep: Episode) -> Finding:
    """What is added of both to each night."""
    chosen = _chosen(case, ep)
    if chosen is None:
        return NO_RATE
    for night, right in _lines(ep, chosen):
        for name, value, wanted in (("service", night.service, right.service), ("vat", night.vat, right.vat)):
            if value.minor_in(case.currency) != wanted:
                expected = f"{right.day}: {name} {Money(wanted, case.currency)}"
                return Finding(False, expected, f"{name} {value.amount} {value.currency}", (chosen.rate.id,))
    return _sourced(
        ep, answer_of(ep).sources.vat_and_service, chosen.vat_and_service_facts(), "service charge and VAT as charged"
    )


def local_tax(case: StayCostCase, ep: Episode) -> Finding:
    """The public charges of each night, no more and no less."""
    chosen = _chosen(case, ep)
    if chosen is None:
        return NO_RATE
    for night, right in _lines(ep, chosen):
        given = [(row.kind, row.amount.minor_in(case.currency)) for row in night.local_taxes]
        named = sorted((kind, amount) for kind, amount in given if amount is not None and amount != 0)
        if any(amount is None for _, amount in given) or named != sorted(right.taxes):
            expected = f"{right.day}: {text_of(right.taxes, case.currency)}"
            return Finding(False, expected, text_of(named, case.currency), (chosen.rate.id,))
    sources = answer_of(ep).sources.local_tax
    taken = carried_facts(ep, sources, chosen.local_tax_facts())
    return _sourced(ep, sources, taken, "the public charges in force")


def property_fees(case: StayCostCase, ep: Episode) -> Finding:
    """The house's compulsory fees over the stay, each with its unit."""
    chosen = _chosen(case, ep)
    if chosen is None:
        return NO_RATE
    given = [(fee.kind, fee.unit, fee.amount.minor_in(case.currency)) for fee in answer_of(ep).stay_fees]
    named = sorted((kind, unit, amount) for kind, unit, amount in given if amount is not None and amount != 0)
    right = sorted(chosen.bill.fees)
    if any(amount is None for _, _, amount in given) or named != right:
        expected = text_of([(f"{kind} by {unit}", amount) for kind, unit, amount in right], case.currency)
        observed = text_of([(f"{kind} by {unit}", amount) for kind, unit, amount in named], case.currency)
        return Finding(False, expected, observed, (chosen.rate.id,))
    return _sourced(ep, answer_of(ep).sources.property_fees, chosen.fee_facts(), "the house's fees as charged")


def on_arrival_cash(case: StayCostCase, ep: Episode) -> Finding:
    """What is paid in cash on arrival, and the deposits apart from it."""
    chosen = _chosen(case, ep)
    if chosen is None:
        return NO_RATE
    answer, right = answer_of(ep), chosen.bill
    cash = answer.on_arrival_cash.minor_in(case.currency)
    if cash != right.cash:
        given = f"{answer.on_arrival_cash.amount} {answer.on_arrival_cash.currency}"
        return Finding(False, f"{Money(right.cash, case.currency)} in cash", given, (chosen.rate.id,))
    deposits = sorted(
        -1 if amount is None else amount for amount in (d.minor_in(case.currency) for d in answer.deposits)
    )
    if [amount for amount in deposits if amount] != ([right.deposit] if right.deposit else []):
        expected = f"a deposit of {Money(right.deposit, case.currency)}" if right.deposit else "no deposit"
        return Finding(False, expected, ", ".join(d.amount for d in answer.deposits) or "none", (chosen.rate.id,))
    return _sourced(ep, answer.sources.cash, chosen.cash_facts(), "cash and deposit as the house has them")


def true_total_per_night(case: StayCostCase, ep: Episode) -> Finding:
    """The sums of the answer's own lines, and the stay total spread over its nights."""
    answer, currency = answer_of(ep), case.currency
    total = 0
    for night in answer.nights:
        parts = [night.base, night.vat, night.service, *(row.amount for row in night.local_taxes)]
        right = sum(part.minor_in(currency) or 0 for part in parts)
        if night.total.minor_in(currency) != right:
            return Finding(False, f"{night.date}: {Money(right, currency)}", f"{night.total.amount}")
        total += right
    total += sum(fee.amount.minor_in(currency) or 0 for fee in answer.stay_fees)
    if answer.stay_total.minor_in(currency) != total:
        return Finding(False, f"{Money(total, currency)} for the stay", answer.stay_total.amount)
    share = rounded(Fraction(total, max(1, len(answer.nights))))
    given = answer.true_total_per_night
    return Finding(given.minor_in(currency) == share, f"{Money(share, currency)} a night", given.amount)


def _sourced(ep: Episode, sources: Sequence[str], facts: Sequence[Fact], expected: str) -> Finding:
    fault = sources_fault(ep, sources, facts)
    return Finding(not fault, expected, fault or expected, tuple(sources))
