"""The checks of a booking's modification, each with an eye for one thing."""

from __future__ import annotations

from collections.abc import Sequence

from agentbench_env.claims import MoneyClaim, sources_fault
from agentbench_env.episode import Episode
from agentbench_env.money import Money
from agentbench_env.verdict import Finding
from agentbench_env.zones import UnknownZone, to_instant, to_local
from agentbench_tasks.travel.domain.booking import quote_status
from agentbench_tasks.travel.domain.modification.answer import Moment
from agentbench_tasks.travel.domain.modification.case import (
    DAY_END_S,
    ModificationCase,
    Named,
    Ways,
    answer_of,
    together,
)

IMPOSSIBLE = Finding(True, observed="the recommended way cannot be gone")
"""Which way is right is the business of one clause; the others pass where there is nothing to judge."""


def change_cost(case: ModificationCase, ep: Episode) -> Finding:
    """Whether a change is possible, and every part of its cost, each from its record."""
    given, right, currency = answer_of(ep).change, case.costs.lines, case.deal.currency
    truth = "yes" if case.deal.terms.changeable else "no"
    if given.possible.value.strip().lower() != truth:
        return Finding(False, f"possible: {truth}", given.possible.value)
    if fault := _unsourced(case, ep, given.possible.sources, case.possible_ways()):
        return Finding(False, f"possible: {truth}", fault, tuple(given.possible.sources))
    said: dict[str, int] = {}
    sources: dict[str, list[str]] = {}
    for line in given.lines:
        amount = line.amount.value.minor_in(currency)
        if amount is None:
            return Finding(False, f"amounts in {currency}", f"{line.kind} {line.amount.value.amount}")
        said[line.kind] = said.get(line.kind, 0) + amount
        sources.setdefault(line.kind, []).extend(line.amount.sources)
    expected = _listed(right, currency)
    if {kind: amount for kind, amount in said.items() if amount} != right:
        return Finding(False, expected, _listed(said, currency))
    for kind in right:
        if fault := _unsourced(case, ep, sources[kind], case.line_ways(kind)):
            return Finding(False, expected, f"{kind}: {fault}", tuple(sources[kind]))
    if given.total.value.amount:
        fault = _claim_fault(case, ep, given.total, case.costs.change, case.change_ways())
        return Finding(not fault, f"{expected}; total {Money(case.costs.change, currency)}", fault or expected)
    return Finding(True, expected, expected)


def _listed(lines: dict[str, int], currency: str) -> str:
    return ", ".join(f"{kind} {Money(minor, currency)}" for kind, minor in lines.items()) or "nothing"


def _unsourced(case: ModificationCase, ep: Episode, sources: Sequence[str], ways: Ways) -> str:
    """Say why no way holds in which a figure may rest on sources, "" if one does."""
    faults = [sources_fault(ep, sources, way, case.barred) for way in ways]
    return "" if "" in faults else faults[0]


def _claim_fault(case: ModificationCase, ep: Episode, claim: MoneyClaim, right: int, ways: Ways) -> str:
    amount = claim.value.minor_in(case.deal.currency)
    if amount != right or not claim.value.amount:
        return f"{claim.value.amount or 'nothing'} {claim.value.currency}".strip()
    return _unsourced(case, ep, claim.sources, ways)


def rebook_cost(case: ModificationCase, ep: Episode) -> Finding:
    """The new price, what comes back in money, and the net of both."""
    given, found, currency = answer_of(ep).rebook, case.costs, case.deal.currency
    parts = (
        ("new price", given.new_price, found.new_price, case.price_ways()),
        ("refund", given.refund, found.refund, case.refund_ways()),
        ("net", given.net, found.rebook, together(case.price_ways(), case.refund_ways())),
    )
    expected = ", ".join(f"{name} {Money(right, currency)}" for name, _, right, _ in parts)
    for name, claim, right, ways in parts:
        if fault := _claim_fault(case, ep, claim, right, ways):
            return Finding(False, expected, f"{name}: {fault}", tuple(claim.sources))
    return Finding(True, expected, expected)


def cheaper_route(case: ModificationCase, ep: Episode) -> Finding:
    """The way with the lower outlay."""
    given, right = answer_of(ep).recommended, case.deal.shape.winner
    return Finding(given == right, right, given)


def deadline_stated(case: ModificationCase, ep: Episode) -> Finding:
    """The moment at which the recommended way stops being good for its cost."""
    named, given = Named(case, ep), answer_of(ep).deadline
    if not named.possible:
        return IMPOSSIBLE
    end, whole_day, ways = named.deadline()
    expected = f"{to_local(end, case.deal.zone)} {case.deal.zone}"
    said = f"{given.value.local} {given.value.zone}"
    if _instant(given.value) not in ((end, end + DAY_END_S) if whole_day else (end,)):
        return Finding(False, expected, said)
    fault = _unsourced(case, ep, given.sources, ways)
    return Finding(not fault, expected, fault or said, tuple(given.sources))


def _instant(moment: Moment) -> int:
    """The instant of a moment to the minute, -1 if it is none."""
    try:
        return to_instant(moment.local.strip().replace(" ", "T")[:16], moment.zone.strip())
    except (ValueError, UnknownZone):
        return -1


def change_prepared(case: ModificationCase, ep: Episode) -> Finding:
    """What the recommended way needs is named and alive for exactly what moves."""
    named = Named(case, ep)
    if not named.possible:
        return IMPOSSIBLE
    ids = tuple(ref.id for ref in (*named.actions, *named.quotes))
    fault = _change_gap(case, ep, named) if named.route == "change" else _rebook_gap(case, ep, named)
    return Finding(not fault, "prepared and alive for the new dates", fault or "prepared and alive", ids)


def _change_gap(case: ModificationCase, ep: Episode, named: Named) -> str:
    wanted = {(one.index,): one.target.id for one in case.deal.moved}
    # A commit is the business of the boundary.
    alive = {
        one.item_indexes: one.target_id
        for one in named.actions
        if one.status(ep.world.now) != "expired" and one.booking_id == case.booking_id
    }
    return "" if alive == wanted else f"changes to {', '.join(alive.values()) or 'nothing'}"


def _rebook_gap(case: ModificationCase, ep: Episode, named: Named) -> str:
    alive = [one for one in named.actions if one.status(ep.world.now) != "expired"]
    given_up = sorted(index for one in alive if one.booking_id == case.booking_id for index in one.item_indexes)
    if given_up != list(case.deal.indexes):
        return f"cancels the items {given_up}"
    wanted = {(one.offer.id, case.deal.party, one.price) for one in case.deal.moved}
    live = [one for one in named.quotes if quote_status(one, ep.world) == "live"]
    quoted = {(one.fare_id, one.adults + len(one.child_ages), one.total.minor) for one in live}
    return "" if quoted == wanted else f"quotes of {', '.join(one.fare_id for one in live) or 'nothing'}"
