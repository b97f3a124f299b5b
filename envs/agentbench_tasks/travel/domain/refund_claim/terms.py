"""What terms owe for an event: one engine for amounts and days, used by the generator and the tests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

import msgspec

from agentbench_env.market import Market
from agentbench_env.market.calendars import Calendar
from agentbench_env.money import round_to

Model = Literal["share", "fixed", "block", "none"]
Measure = Literal["arrival", "departure"]
Basis = Literal["booked", "policy", "travel"]
Anchor = Literal["scheduled", "arrival", "return", "notice"]
HeadKind = Literal["compensation", "expenses", "unused_refund"]
HEADS: tuple[HeadKind, ...] = ("compensation", "expenses", "unused_refund")


class Tier(msgspec.Struct, frozen=True, gc=False):
    """From `minutes` of delay on: a percentage, or minor units a person; up to a distance, 0 for any."""

    minutes: int
    value: int
    up_to_km: int = 0


class Block(msgspec.Struct, frozen=True, gc=False):
    """Minor units for each full block of delay, and at most in all, by person."""

    minutes: int
    adult: int
    child: int
    cap_adult: int
    cap_child: int


class Terms(msgspec.Struct, frozen=True, gc=False):
    """One version of an addressee's terms."""

    model: Model
    measured: Measure
    inclusive: bool
    tiers: tuple[Tier, ...]
    block: Block
    excluded: tuple[str, ...]
    spares_expenses: bool
    """Whether expenses are paid although the cause is excluded."""
    ceilings: tuple[tuple[str, int], ...]
    deducts: bool
    refund: bool
    asks: tuple[str, ...]
    days: int
    working: bool
    anchor: Anchor


class Happened(msgspec.Struct, frozen=True, gc=False):
    """What the terms look at: minutes late at either end (-1: not travelled), cause, party, distance, money."""

    departure: int
    arrival: int
    cause: str
    adults: int
    children: int
    km: int
    leg_fare: int
    """The party's base fare of the leg."""
    leg_price: int
    """What the leg cost the party in all."""
    receipts: tuple[tuple[str, int], ...]
    """Kind and amount of every receipt that counts."""
    paid_by_others: int = 0

    @property
    def travelled(self) -> bool:
        """Whether the party travelled at all."""
        return self.arrival >= 0


def tier_of(terms: Terms, minutes: int, km: int) -> Tier | None:
    """Return the highest tier that a delay reaches."""
    reached = [tier for tier in terms.tiers if minutes > tier.minutes or (terms.inclusive and minutes == tier.minutes)]
    if not reached:
        return None
    longest = max(tier.minutes for tier in reached)
    fitting = [tier for tier in reached if tier.minutes == longest and (not tier.up_to_km or km <= tier.up_to_km)]
    return min(fitting, key=lambda tier: tier.up_to_km or 10**9)


def compensation(terms: Terms, event: Happened) -> int:
    """Return the compensation for a delay."""
    if not event.travelled or event.cause in terms.excluded:
        return 0
    minutes = event.arrival if terms.measured == "arrival" else event.departure
    if terms.model == "block":
        blocks, block = minutes // terms.block.minutes, terms.block
        one = (min(blocks * block.adult, block.cap_adult), min(blocks * block.child, block.cap_child))
        return one[0] * event.adults + one[1] * event.children
    tier = tier_of(terms, minutes, event.km)
    if tier is None:
        return 0
    if terms.model == "fixed":
        return tier.value * (event.adults + event.children)
    return int(round_to(Decimal(event.leg_fare * tier.value) / 100))


def expenses(terms: Terms, event: Happened) -> int:
    """Return what is paid back of the receipts, each up to its ceiling."""
    if event.cause in terms.excluded and not terms.spares_expenses:
        return 0
    ceilings = dict(terms.ceilings)
    paid = sum(min(minor, ceilings[kind]) for kind, minor in event.receipts if kind in ceilings)
    return max(0, paid - (event.paid_by_others if terms.deducts else 0))


def unused_refund(terms: Terms, event: Happened) -> int:
    """Return the price of a leg that was not travelled."""
    return event.leg_price if terms.refund and not event.travelled else 0


def heads_of(terms: Terms, event: Happened) -> dict[HeadKind, int]:
    """Return every head that is not nil, in minor units."""
    every: dict[HeadKind, int] = {
        "compensation": compensation(terms, event),
        "expenses": expenses(terms, event),
        "unused_refund": unused_refund(terms, event),
    }
    return {kind: minor for kind, minor in every.items() if minor}


def last_day(terms: Terms, anchor: date, market: Market) -> date:
    """Return the last day for filing; the day after the anchor is the first one counted."""
    if terms.working:
        return Calendar(market, "private").add_open(anchor, terms.days)
    return anchor + timedelta(terms.days)


def settled(terms: Terms, anchor: date, market: Market) -> bool:
    """Whether every day up to the last one is surely open or closed."""
    calendar = Calendar(market, "private")
    days: Sequence[date] = [anchor + timedelta(n) for n in range((last_day(terms, anchor, market) - anchor).days + 2)]
    return not terms.working or all(calendar.is_settled(day) for day in days)
