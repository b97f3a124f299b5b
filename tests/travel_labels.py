"""What there is to count in the cases of the travel contracts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from test_refund_claim import traps as claim_traps

Labels = Callable[[Any], Iterator[str]]
"""The labels of a case: its shapes and outcomes, and `trap: name` for each trap that is set."""


def traps(names: Any) -> Iterator[str]:
    yield from (f"trap: {name}" for name in set(names))


def two_leg(case: Any) -> Iterator[str]:
    built = case.built
    yield built.plot.shape
    yield f"mode {built.wish.mode}"
    if built.plot.benign:
        yield "benign"
    if built.wish.grants:
        yield "grants"
    yield from traps(built.traps)


def accessible(case: Any) -> Iterator[str]:
    built = case.built
    if built.plot.benign:
        yield "benign"
    if built.plot.by_mail:
        yield "by mail"
    yield f"{len(case.wish.needs)} needs"
    yield from traps(built.traps)


def replan(case: Any) -> Iterator[str]:
    built = case.built
    yield case.truth
    if built.gives:
        yield f"gives {built.gives.kind}"
    yield from traps(built.traps)


def entry(case: Any) -> Iterator[str]:
    built = case.built
    if built.plot.benign:
        yield "benign"
    if built.plot.nationality != built.plot.home.code:
        yield "foreign passport"
    yield f"{len(built.plot.gaps)} open"
    yield from (f"open: {gap}" for gap in {gap for _, gap in built.plot.gaps})
    yield from traps(built.traps)


def fare_rules(case: Any) -> Iterator[str]:
    built = case.built
    yield built.plot.scope
    if not built.plot.traps:
        yield "benign"
    if built.plot.back_on:
        yield "return"
    yield from traps(built.traps)


def stay_cost(case: Any) -> Iterator[str]:
    if case.story.benign:
        yield "benign"
    yield from traps(case.traps)


def ground_plan(case: Any) -> Iterator[str]:
    built = case.built
    yield f"{len(built.misfits)} misfits"
    yield from (f"reason {reason}" for reason in set(built.misfits.values()))
    yield from traps(built.traps)


def refund_claim(case: Any) -> Iterator[str]:
    yield case.plot.addressee
    yield case.plot.event
    if case.plot.versions.governing.model != "none":
        yield "terms with compensation"
        if "compensation" not in case.goal.heads:
            yield "nil compensation"
    yield from traps(claim_traps(case))


LABELS: dict[str, Labels] = {
    "ta-two-leg-itinerary": two_leg,
    "ta-accessible-stay": accessible,
    "ta-disruption-replan": replan,
    "ta-entry-requirement-check": entry,
    "ta-fare-rule-comparison": fare_rules,
    "ta-stay-total-cost": stay_cost,
    "ta-multi-day-ground-plan": ground_plan,
    "ta-trip-refund-claim": refund_claim,
}
