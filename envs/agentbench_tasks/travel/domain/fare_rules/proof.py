"""The proof of an instance: which edition governs, what rules come to, that the cheapest fare is the strictest.

It works from the editions as their pages say it, line by line, and shares nothing with the engine that it checks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import TYPE_CHECKING

from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.fare_rules.plot import Plot
from agentbench_tasks.travel.domain.fare_rules.rules import CarrierRules
from agentbench_tasks.travel.domain.fare_rules.terms import Edition

if TYPE_CHECKING:
    from agentbench_tasks.travel.domain.fare_rules.build import Candidate

GAP = Fraction(103, 100)
"""Every other fare costs at least this many times the cheapest one."""
HARSH = {"fare_forfeited": 2, "fee": 1, "as_cancellation": 0}


def prove(plot: Plot, rules: Mapping[str, CarrierRules], candidates: Sequence[Candidate]) -> None:
    """Raise NoFit unless the candidates' outcomes are what the pages say and the first is cheapest and strictest."""
    ask_on = date.fromisoformat(plot.depart_on) - timedelta(plot.days)
    for one in candidates:
        of_carrier = rules[one.option.fare.carrier]
        edition = _governing(of_carrier, ask_on)
        if edition is not of_carrier.edition or not _agrees(plot, edition, one):
            raise NoFit
        refundable = (one.outcome.taxes_back and one.charges_minor) or one.outcome.kept_percent < 100
        if bool(refundable) != bool(one.outcome.refund):
            raise NoFit
    first, rest = candidates[0], candidates[1:]
    if any(one.price < first.price * GAP for one in rest):
        raise NoFit
    for rank in (_change_rank, _refund_rank, _bag_rank, _no_show_rank):
        ranks = [rank(one) for one in rest]
        if max(ranks) > rank(first) or min(ranks) == rank(first):
            raise NoFit
    if any(_stricter_in_detail(one, first) for one in rest):
        raise NoFit


def _governing(rules: CarrierRules, ask_on: date) -> Edition:
    """The newest edition that is in force on the day of issue, or, where requests decide, on the day that is asked."""
    today_is = rules.editions[rules.current]
    for edition in reversed(rules.editions):
        starts = date.fromisoformat(edition.from_date)
        if edition.governs == "request" and starts < ask_on:
            return edition
        if edition is today_is:
            return edition
    raise NoFit


def _agrees(plot: Plot, edition: Edition, one: Candidate) -> bool:
    rules, out, people = edition.brands[one.brand], one.outcome, plot.party.size
    directions = 2 if plot.back_on else 1
    moved = directions if plot.change == "whole" else 1
    for step in rules.change:
        if plot.days >= step.days:
            each = step.value
            break
    else:
        return False
    allowed = each >= 0
    if allowed:
        each = {"sector": each * moved, "ticket": each, "half": each if moved == directions else each // 2}[rules.unit]
        if edition.peak and edition.peak.first <= plot.depart_on <= edition.peak.last:
            each = edition.peak.fee * moved
    note = edition.note
    if note and note.brand == one.brand and note.dest == plot.ask.dest and note.kind != "credit":
        allowed, each = note.kind == "fee", note.fee * moved
    if out.change_fee != ((each + edition.service_fee) * people if allowed else -1):
        return False
    kept = next(step.value for step in rules.cancel if plot.days >= step.days)
    back = Fraction(one.fare_minor * (100 - kept), 100)
    if back.denominator != 1:
        return False
    back += one.charges_minor if rules.taxes_back else 0
    back -= rules.refund_fee * people * (directions if edition.refund_per_sector else 1)
    return out.refund == max(0, back)


def _stricter_in_detail(one: Candidate, first: Candidate) -> bool:
    """Whether a reader who looks behind the words could hold a fare for stricter than the first."""
    out, least = one.outcome, first.outcome
    leaves_nothing = out.no_show == "fee" and out.no_show_fee >= out.refund
    return (
        out.refund < least.refund
        or out.cabin_kg < least.cabin_kg
        or (out.onward_cancelled and not least.onward_cancelled)
        or leaves_nothing
    )


def _change_rank(one: Candidate) -> float:
    return float("inf") if one.outcome.change_fee < 0 else one.outcome.change_fee


def _refund_rank(one: Candidate) -> int:
    return one.outcome.kept_percent


def _bag_rank(one: Candidate) -> int:
    return -(one.outcome.kg if one.outcome.pieces < 0 else one.outcome.kg * one.outcome.pieces)


def _no_show_rank(one: Candidate) -> int:
    return HARSH[one.outcome.no_show]
