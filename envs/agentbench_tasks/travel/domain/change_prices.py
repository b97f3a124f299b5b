"""What changing or cancelling an item costs: the one engine that prices, generators and checks use.

A change collects the difference in base price, the difference in charges and the fee. A cancellation keeps a share of
the base price, rounded half up to the minor unit, and a fee of at most what would come back.
"""

from __future__ import annotations

from decimal import Decimal

import msgspec

from agentbench_env.money import round_to
from agentbench_tasks.travel.domain.records_changes import (
    ActionLine,
    CancelStep,
    ChangeStep,
    ItemRules,
    LineKind,
)


class Target(msgspec.Struct, frozen=True, gc=False):
    """What an item would be changed to, and its price for the party in minor units."""

    supplier: str
    brand: str
    day: str
    points: tuple[str, ...]
    base: int
    charges: int
    currency: str


def admits(step: ChangeStep, target: Target) -> bool:
    """Whether a step is about changes to this target."""
    return (
        target.supplier in step.suppliers
        and (not step.brands or target.brand in step.brands)
        and (not step.points or set(target.points) <= set(step.points))
        and step.from_date <= target.day
        and (not step.to_date or target.day <= step.to_date)
    )


def change_lines(index: int, item: ItemRules, step: ChangeStep, target: Target, persons: int) -> tuple[ActionLine, ...]:
    """Return the lines of a change; one of nothing is left out."""
    difference = target.base - item.base if step.collects_difference else 0
    tax = target.charges - item.charges if item.follows_charges else 0
    if not step.returns_difference:
        difference, tax = max(0, difference), max(0, tax)
    fee = step.fee * (persons if item.fee_per_person else 1)
    return _lines(index, ("difference", difference), ("tax", tax), ("fee", fee))


def cancel_lines(index: int, item: ItemRules, step: CancelStep, persons: int) -> tuple[ActionLine, ...]:
    """Return the lines of a cancellation; one of nothing is left out."""
    base = item.base - int(round_to(Decimal(item.base) * step.kept_percent / 100))
    charges = item.charges if step.returns_charges else 0
    fee = min(step.fee * (persons if item.fee_per_person else 1), base + charges)
    return _lines(index, ("base", -base), ("charges", -charges), ("fee", fee))


def _lines(index: int, *amounts: tuple[LineKind, int]) -> tuple[ActionLine, ...]:
    return tuple(ActionLine(kind, index, minor) for kind, minor in amounts if minor)
