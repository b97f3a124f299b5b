"""The two versions of an addressee's terms, and which of them governs."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.refund_claim.market import Addressee, Scheme, step_of
from agentbench_tasks.travel.domain.refund_claim.terms import Anchor, Basis, Block, Terms, Tier

CAUSES = {"own": ("technical", "crew", "rotation", "system"), "outside": ("weather", "airport", "security", "strike")}
CALENDAR_DAYS, WORKING_DAYS = (14, 21, 30, 45, 60), (10, 15, 20)
NO_BLOCK = Block(0, 0, 0, 0, 0)
FACTORS = (0.8, 1.2, 1.4)
ANCHORS: tuple[Anchor, ...] = ("scheduled", "arrival", "return", "notice")


class Want(msgspec.Struct, frozen=True):
    """Which heads the instance is to have, and why compensation is nil where it is."""

    event: Literal["delay", "cancel", "missed"]
    travelled: bool
    compensation: bool
    expenses: bool
    below: bool = False
    """The delay stays below the first threshold."""
    outside: bool = False
    """The cause is an excluded one."""


class Versions(msgspec.Struct, frozen=True, gc=False):
    """The terms that govern, the other version, and the day on which the newer one came into force."""

    governing: Terms
    other: Terms
    basis: Basis
    cutover: str
    older_governs: bool
    differ: bool
    """Whether the other version has other numbers."""


def draw_versions(
    draw: Draw,
    setting: Setting,
    addressee: Addressee,
    row: Scheme,
    want: Want,
    days: tuple[date, date, date, date],
    child: bool,
) -> Versions:
    """Draw both versions; `days` are those of booking, policy, travel and reading."""
    booked, policy_on, travel, today = days
    market = setting.market
    block = NO_BLOCK
    if row.blocks:
        block = draw.choice(row.blocks)
        # The limit binds only where children have another one, so that claiming the limit for all is never right.
        if child and draw.chance(0.35):
            block = msgspec.structs.replace(
                block, cap_adult=row.low_cap, cap_child=row.low_cap * block.child // block.adult
            )
    has_expenses = want.expenses or row.model == "none"
    spares = row.spares_expenses if row.spares_expenses is not None else draw.chance(0.5)
    working = draw.chance(0.3)
    governing = Terms(
        row.model,
        "arrival" if want.event == "missed" else draw.choice(("arrival", "arrival", "departure")),  # type: ignore[arg-type]
        row.inclusive,
        row.tiers,
        block,
        tuple(draw.sample(CAUSES["outside"], draw.int(2, 3))),
        # An excluded cause leaves something to claim.
        spares or (want.outside and want.expenses),
        row.ceilings if has_expenses else (),
        draw.chance(0.5) if setting.difficulty == "hard" else False,
        addressee == "carrier",
        _asked(draw, setting, addressee, want),
        draw.choice(WORKING_DAYS if working else CALENDAR_DAYS),
        working,
        draw.choice(ANCHORS if want.travelled else ("scheduled", "notice")),
    )
    step = step_of(market.code, "amount_step", market.currency)
    if draw.chance(0.4):
        governing = _scaled(governing, draw.choice(FACTORS), step)
    differ = draw.chance({"easy": 0.3, "standard": 0.55, "hard": 0.7}[setting.difficulty])
    other = _scaled(governing, draw.choice(FACTORS), step) if differ else governing
    if differ:
        periods = WORKING_DAYS if working else CALENDAR_DAYS
        other = msgspec.structs.replace(other, days=draw.choice([n for n in periods if n != governing.days]))
    basis: Basis = "travel" if draw.chance(0.5) else "policy" if addressee == "insurer" else "booked"
    sold = policy_on if basis == "policy" else booked
    older = draw.chance(0.6)
    if basis == "travel":
        first, last = (travel + timedelta(1), today) if older else (booked + timedelta(1), travel - timedelta(1))
    else:
        first, last = (sold + timedelta(1), travel) if older else (sold - timedelta(60), sold - timedelta(1))
    if first > last:
        raise NoFit
    cutover = first + timedelta(draw.int(0, (last - first).days))
    return Versions(governing, other, basis, cutover.isoformat(), older, differ)


def _asked(draw: Draw, setting: Setting, addressee: Addressee, want: Want) -> tuple[str, ...]:
    """Draw the papers that the terms ask for."""
    always = ["itinerary", "delay_certificate"]
    always += ["boarding_pass"] if want.travelled else []
    always += ["receipts"] if want.expenses else []
    always += ["policy_number"] if addressee == "insurer" else []
    more = draw.shuffled(("bank_details_form", "id_copy", "police_or_carrier_report"))
    count = {"easy": 4, "standard": draw.int(5, 6), "hard": 8}[setting.difficulty]
    return tuple(draw.shuffled((*always, *more[: max(0, count - len(always))])))


def _scaled(terms: Terms, factor: float, step: int) -> Terms:
    """Return the terms with other amounts: percentages by 5 points, money by a factor, rounded to the step."""

    def money(minor: int) -> int:
        return max(step, round(minor * factor / step) * step)

    if terms.model == "share":
        points = 5 if factor > 1 else -5
        tiers = tuple(Tier(tier.minutes, min(100, tier.value + points), tier.up_to_km) for tier in terms.tiers)
    else:
        tiers = tuple(Tier(tier.minutes, money(tier.value), tier.up_to_km) for tier in terms.tiers)
    block = terms.block
    if block.minutes:
        adult, times = money(block.adult), block.cap_adult // block.adult
        child = money(block.child)
        block = Block(block.minutes, adult, child, adult * times, child * times)
    ceilings = tuple((kind, money(minor)) for kind, minor in terms.ceilings)
    return msgspec.structs.replace(terms, tiers=tiers, block=block, ceilings=ceilings)
