"""The checks of what was found, each against what the governing terms come to; quotes and sources are one check's."""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_env.claims import MoneyValue, QuoteText, quote_fault, sources_fault
from agentbench_env.episode import Episode
from agentbench_env.errors import ToolError
from agentbench_env.money import Money
from agentbench_env.verdict import Finding
from agentbench_env.zones import to_local, zone_names
from agentbench_tasks.commons.pages import body, fact_span
from agentbench_tasks.commons.service_time import read_local
from agentbench_tasks.reservations.domain.deposits.answer import LocalTime
from agentbench_tasks.reservations.domain.deposits.case import DepositCase, answer_of

MINUTE = 60


def deposit(case: DepositCase, ep: Episode) -> Finding:
    """Kind and total are right and, where there is a deposit, its basis."""
    given, goal = answer_of(ep).deposit.value, case.goal
    fault = "" if given.kind == goal.kind else f"{given.kind}, not {goal.kind}"
    if not fault and goal.kind != "none" and given.basis != goal.basis:
        fault = f"{given.basis}, not {goal.basis}"
    fault = fault or _amount_fault(given.total, goal.deposit)
    wanted = f"{goal.kind}, {goal.basis}, {goal.deposit}"
    return Finding(not fault, wanted, fault or wanted, (case.built.page_id,))


def cutoff(case: DepositCase, ep: Episode) -> Finding:
    """The last instant is right, or it is said that there is none."""
    answer, right = answer_of(ep), case.goal.free_until
    zone = case.built.occasion.zone
    wanted = to_local(right, zone) if right is not None else "never free"
    given = answer.free_until.value
    if right is None or answer.never_free:
        held = right is None and answer.never_free and not given.local.strip()
        observed = " ".join(filter(None, ("never free" if answer.never_free else "", given.local)))
        return Finding(held, wanted, observed or "no moment", (case.built.page_id,))
    instant = _instant(given, zone)
    # A limit that runs to the end of a day may be given as its last minute.
    ends_a_day = to_local(right, zone).endswith("T00:00")
    held = instant is not None and (instant == right or (ends_a_day and instant == right - MINUTE))
    return Finding(held, wanted, f"{given.local} {given.zone}".strip() or "no moment", (case.built.page_id,))


def _instant(given: LocalTime, zone: str) -> int | None:
    zone = given.zone.strip() or zone
    if zone not in zone_names():
        return None
    try:
        return read_local(given.local.strip(), zone, "local")
    except ToolError:
        return None


def no_show_charge(case: DepositCase, ep: Episode) -> Finding:
    """The amount that the terms charge is right."""
    return _amount(case, answer_of(ep).no_show_total.value, case.goal.no_show)


def exposure(case: DepositCase, ep: Episode) -> Finding:
    """The whole loss is right."""
    return _amount(case, answer_of(ep).exposure_total.value, case.goal.exposure)


def _amount(case: DepositCase, given: MoneyValue, right: Money) -> Finding:
    fault = _amount_fault(given, right)
    return Finding(not fault, str(right), fault or str(right), (case.built.page_id,))


def _amount_fault(given: MoneyValue, right: Money) -> str:
    minor = given.minor_in(right.currency)
    return "" if minor == right.minor else f"{given.amount} {given.currency} is not {right}"


def from_own_terms(case: DepositCase, ep: Episode) -> Finding:
    """The venue is the one asked about, all sources hold, and each quote covers what the governing block states."""
    fault = next(_source_faults(case, ep), "")
    wanted = f"the block {case.block.id} of {case.built.page_id}"
    return Finding(not fault, wanted, fault or wanted, (case.built.page_id, case.block.id))


def _source_faults(case: DepositCase, ep: Episode) -> Iterator[str]:
    answer, facts = answer_of(ep), case.built.facts
    if answer.venue_id != case.built.place.id:
        yield f"{answer.venue_id} is not {case.built.place.id}"
    claims = [
        ("deposit", answer.deposit.sources, facts.deposit),
        ("no-show charge", answer.no_show_total.sources, facts.no_show),
        ("whole loss", answer.exposure_total.sources, facts.exposure),
    ]
    if case.goal.free_until is not None:
        claims.append(("free cancelling", answer.free_until.sources, facts.cutoff))
    for name, sources, needs in claims:
        fault = sources_fault(ep, sources, needs, barred=case.replaced)
        if fault:
            yield f"{name}: {fault}"
    quotes = answer.quotes
    for name, quote, (key, _) in (
        ("deposit", quotes.deposit, facts.deposit[0]),
        ("free cancelling", quotes.cutoff, facts.cutoff[0]),
        ("no-show", quotes.no_show, facts.no_show[0]),
    ):
        fault = _quote_fault(case, ep, quote, key)
        if fault:
            yield f"quote of {name}: {fault}"


def _quote_fault(case: DepositCase, ep: Episode, quote: QuoteText, key: str) -> str:
    block = case.block
    if quote.section_id not in (block.id, block.page_id):
        return f"{quote.section_id or 'no section'} is not {block.id}"
    if not ep.printed(block.id, key):
        return f"{block.id} was never opened"
    return quote_fault(quote, body(block), *fact_span(block, key))
