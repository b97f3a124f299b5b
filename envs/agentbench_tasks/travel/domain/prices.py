"""What a fare costs a party: the one engine that quotes, generators and checks use.

Charges, bags and card fees are per person or piece and per sector. A child aged 2 to 11 pays the tariff's share of the
base fare, rounded half up to the minor unit, and the full price of everything else, except charges that begin at a
higher age.
"""

from __future__ import annotations

from collections.abc import Sequence

from agentbench_env.errors import ToolError
from agentbench_env.money import Money
from agentbench_tasks.travel.domain.records import Bag, Fare, QuoteLine, Tariff

OLDEST_CHILD = 11


def quote_lines(
    fare: Fare, tariff: Tariff, adults: int, child_ages: Sequence[int], bags: Sequence[Bag], card_type: str
) -> tuple[tuple[QuoteLine, ...], Money]:
    """Return the lines of a quote and their sum; refuse bags that the carrier does not take."""
    persons = adults + len(child_ages)
    child_base = (fare.base.minor * tariff.child_percent + 50) // 100
    lines = [QuoteLine("fare", fare.brand, (), fare.base.minor * adults + child_base * len(child_ages))]
    for charge in fare.charges:
        payers = adults + sum(1 for age in child_ages if age >= charge.min_age) if child_ages else adults
        if payers:
            lines.append(QuoteLine("charge", charge.code, charge.labels, charge.minor * payers))
    # Fewer than no pieces stands for any number of them.
    free = sum(bag.pieces for bag in bags) if fare.bag_pieces < 0 else fare.bag_pieces * persons
    for bag in bags:
        paid = bag.pieces
        if bag.kg <= fare.bag_kg:
            used = min(free, paid)
            free, paid = free - used, paid - used
        if paid:
            kg, minor = bag_price(tariff, bag.kg)
            lines.append(QuoteLine("bag", str(kg), (), minor * paid))
    if card_type in ("credit", "debit", "prepaid") and tariff.card_fee:
        lines.append(QuoteLine("card_fee", card_type, (), tariff.card_fee * persons))
    return tuple(lines), Money(sum(line.minor for line in lines), tariff.currency)


def bag_price(tariff: Tariff, kg: int) -> tuple[int, int]:
    """Return weight and price in minor units of the lightest bag on sale that may weigh `kg`."""
    for limit, minor in tariff.bags:
        if kg <= limit:
            return limit, minor
    heaviest = tariff.bags[-1][0] if tariff.bags else 0
    raise ToolError("bag_too_heavy", field="bags", hint=f"at most {heaviest} kg a piece")


def takes_bag(fare: Fare, tariff: Tariff, kg: int) -> bool:
    """Whether a bag of `kg` can travel on this fare, included or bought."""
    return (fare.bag_pieces != 0 and kg <= fare.bag_kg) or any(kg <= limit for limit, _ in tariff.bags)
