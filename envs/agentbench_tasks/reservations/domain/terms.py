"""The terms of a venue: deposit, cancellation tiers, headcount, changes, no-show; and what they come to for a party."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Literal

import msgspec

from agentbench_env.money import Money, round_to
from agentbench_env.world import Record, World
from agentbench_tasks.commons.service_time import service_time
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule, OpenDay
from agentbench_tasks.reservations.domain.menus import SetMenu
from agentbench_tasks.reservations.domain.party import ANY_PARTY, PartyRange
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.surface import RouteContact
from agentbench_tasks.reservations.domain.venue import Service, service_at

DepositBasis = Literal["per_head", "per_table", "pct_of_course", "flat"]
ChargeBasis = Literal["per_head", "per_table", "flat", "pct"]
ChargeBase = Literal["course", "course_plus_room", "average_spend", "total", "deposit"]


class DepositRule(msgspec.Struct, frozen=True, gc=False):
    """A deposit: minor units or, of a course, whole percents; without a course, of the average spend.

    A hold takes no money.
    """

    kind: Literal["none", "hold", "charged"] = "none"
    basis: DepositBasis = "per_head"
    amount: int = 0
    credited: bool = True
    """Whether it is set off against the bill."""
    surplus_returned: bool = False
    """Whether what is left of it after a no-show charge is given back."""


class Charge(msgspec.Struct, frozen=True, gc=False):
    """What is charged: minor units or, with basis pct, whole percents of a base."""

    basis: ChargeBasis = "flat"
    amount: int = 0
    base: ChargeBase = "course"
    charges_added: bool = False
    """Whether service, fee and tax are added to the base."""


FREE = Charge()


class Tier(msgspec.Struct, frozen=True, gc=False):
    """What cancelling costs until a cut-off."""

    until: CutoffRule
    charge: Charge = FREE
    keeps_deposit: bool = False
    """Whether money that was left beforehand is lost beside the charge."""


class NoShow(msgspec.Struct, frozen=True, gc=False):
    """What is charged if nobody comes, and after the last tier."""

    charge: Charge = FREE
    cap: Literal["none", "deposit", "pct"] = "none"
    cap_pct: int = 0
    """With the cap pct: whole percents of the party's total."""
    offset: Literal["deposit_counts", "in_addition"] = "deposit_counts"


class HeadcountStep(msgspec.Struct, frozen=True, gc=False):
    """Until when at least so many fewer guests are free."""

    fewer: int
    until: CutoffRule


class HeadcountRule(msgspec.Struct, frozen=True, gc=False):
    """What fewer guests cost: `charge` for the missing ones, once the cut-off of their number has passed."""

    steps: tuple[HeadcountStep, ...]
    charge: Charge


class ChangeRule(msgspec.Struct, frozen=True, gc=False):
    """What another time costs: nothing until the cut-off for the first `free_moves` (0: any number), else `charge`."""

    until: CutoffRule
    charge: Charge
    free_moves: int = 0


class Terms(Record, frozen=True, gc=False):
    """The terms of a venue for some parties, days and bookings, as one of its pages prints them."""

    venue_id: str
    page_id: str
    deposit: DepositRule = DepositRule()
    tiers: tuple[Tier, ...] = ()
    no_show: NoShow = NoShow()
    party: PartyRange = ANY_PARTY
    weekdays: tuple[int, ...] = ()
    services: tuple[Service, ...] = ()
    dates: tuple[str, ...] = ()
    booked: Literal["any", "course", "seat_only"] = "any"
    course_ids: tuple[str, ...] = ()
    room: Literal["any", "room", "no_room"] = "any"
    valid_from: str = ""
    valid_to: str = ""
    headcount: HeadcountRule | None = None
    change: ChangeRule | None = None
    late_minutes: int = 0
    room_fee: int = 0
    """Minor units."""
    room_fee_served: bool = True
    """Whether service, fee and tax come on the room fee as on food."""
    average_spend: int = 0
    """Minor units a head, printed for bookings without a course."""
    charges: ChargeRule = ChargeRule()
    """How the printed prices become what is paid where no course says so."""
    contact: RouteContact | None = None
    """Where changes and cancellations go that the surface does not take."""


class Occasion(msgspec.Struct, frozen=True, gc=False):
    """What terms are applied to."""

    party_size: int
    start: int
    zone: str
    currency: str
    course: SetMenu | None = None
    room: bool = False
    tables: int = 1


def terms_for(world: World, venue_id: str, occasion: Occasion) -> Terms | None:
    """Return the terms in force for an occasion, those that are narrowest; None if the venue has none."""
    when = service_time(occasion.start, occasion.zone)
    hours = service_at(world, venue_id, when.service_date, when.time)
    service = hours.service if hours else ""
    found = [t for t in world.where(Terms, "venue_id", venue_id) if _applies(t, occasion, when.service_date, service)]
    return max(found, key=_narrowness, default=None)


def _applies(terms: Terms, occasion: Occasion, day: str, service: str) -> bool:
    course = occasion.course
    return (
        terms.party.holds(occasion.party_size)
        and terms.valid_from <= day
        and (not terms.valid_to or day <= terms.valid_to)
        and (not terms.weekdays or date.fromisoformat(day).isoweekday() in terms.weekdays)
        and (not terms.services or service in terms.services)
        and (not terms.dates or day in terms.dates)
        and terms.booked in ("any", "course" if course else "seat_only")
        and (not terms.course_ids or (course is not None and course.id in terms.course_ids))
        and terms.room in ("any", "room" if occasion.room else "no_room")
    )


def _narrowness(terms: Terms) -> tuple[bool, int, int]:
    narrowed = (terms.weekdays, terms.services, terms.course_ids, terms.booked != "any", terms.room != "any")
    return bool(terms.dates), sum(map(bool, narrowed)), terms.party.min


def deposit_total(terms: Terms, occasion: Occasion) -> Money:
    """Return the deposit of the whole party, whether held or charged."""
    rule = terms.deposit
    if rule.kind == "none":
        return Money(0, occasion.currency)
    if rule.basis == "pct_of_course":
        each = occasion.course.price.minor if occasion.course else terms.average_spend
        return _share(rule.amount, Decimal(each * occasion.party_size), occasion.currency)
    times = {"per_head": occasion.party_size, "per_table": occasion.tables, "flat": 1}[rule.basis]
    return Money(rule.amount * times, occasion.currency)


def charge_total(charge: Charge, terms: Terms, occasion: Occasion, heads: int | None = None) -> Money:
    """Return what a charge comes to for the party, or for so many heads of it; rounded once."""
    heads = occasion.party_size if heads is None else heads
    if charge.basis == "pct":
        return _share(charge.amount, _base(charge, terms, occasion, heads), occasion.currency)
    times = {"per_head": heads, "per_table": occasion.tables, "flat": 1}[charge.basis]
    return Money(charge.amount * times, occasion.currency)


def _base(charge: Charge, terms: Terms, occasion: Occasion, heads: int) -> Decimal:
    """What a percentage is taken of, in minor units and not rounded."""
    if charge.base == "deposit":
        return Decimal(deposit_total(terms, occasion).minor * heads) / occasion.party_size
    with_course = occasion.course is not None and charge.base != "average_spend"
    each = occasion.course.price.minor if occasion.course and with_course else terms.average_spend
    rule = occasion.course.charges if occasion.course and with_course else terms.charges
    room = terms.room_fee if occasion.room and charge.base in ("course_plus_room", "total") else 0
    added = charge.charges_added or charge.base == "total"
    factor = rule.factor if added else Decimal(1)
    return each * heads * factor + room * (factor if terms.room_fee_served else 1)


def _share(percent: int, base: Decimal, currency: str) -> Money:
    return Money(int(round_to(base * percent / 100)), currency)


def no_show_total(terms: Terms, occasion: Occasion) -> Money:
    """Return what the terms charge if nobody comes, before a deposit is set off."""
    rule = terms.no_show
    charged = charge_total(rule.charge, terms, occasion)
    if rule.cap == "none":
        return charged
    if rule.cap == "deposit":
        most = deposit_total(terms, occasion)
    else:
        most = charge_total(Charge("pct", rule.cap_pct, "total"), terms, occasion)
    return min(charged, most, key=lambda money: money.minor)


def deposit_paid(terms: Terms, occasion: Occasion) -> Money:
    """Return the money that a party leaves beforehand; a hold on a card is none."""
    return deposit_total(terms, occasion) if terms.deposit.kind == "charged" else Money(0, occasion.currency)


def exposure(terms: Terms, occasion: Occasion) -> Money:
    """Return what the party loses in all if nobody comes, a deposit that is kept included."""
    charged, paid = no_show_total(terms, occasion), deposit_paid(terms, occasion)
    if terms.no_show.offset == "in_addition":
        return charged + paid
    if terms.deposit.surplus_returned:
        return charged
    return max(charged, paid, key=lambda money: money.minor)


def free_until(terms: Terms, occasion: Occasion, is_open: OpenDay) -> int | None:
    """Return the last instant at which cancelling costs nothing, None if it never is free.

    Where nothing is ever charged that is the start itself.
    """
    losses = [_tier_loss(tier, terms, occasion) for tier in terms.tiers]
    if not exposure(terms, occasion).minor and not any(losses):
        return occasion.start
    free = [tier for tier, loss in zip(terms.tiers, losses, strict=True) if not loss]
    return max((t.until.instant(occasion.start, occasion.zone, is_open) for t in free), default=None)


def cancel_charge(terms: Terms, occasion: Occasion, at: int, is_open: OpenDay) -> Money:
    """Return what cancelling at an instant costs in all, a deposit that is kept included."""
    for tier in terms.tiers:
        if at <= tier.until.instant(occasion.start, occasion.zone, is_open):
            return Money(_tier_loss(tier, terms, occasion), occasion.currency)
    return exposure(terms, occasion)


def _tier_loss(tier: Tier, terms: Terms, occasion: Occasion) -> int:
    charged = charge_total(tier.charge, terms, occasion)
    return (charged + deposit_paid(terms, occasion)).minor if tier.keeps_deposit else charged.minor


def headcount_charge(terms: Terms, occasion: Occasion, fewer: int, at: int, is_open: OpenDay) -> Money:
    """Return what it costs at an instant that so many guests fewer come."""
    rule = terms.headcount
    steps = [step for step in rule.steps if step.fewer <= fewer] if rule else []
    if rule is None or not steps:
        return Money(0, occasion.currency)
    step = max(steps, key=lambda step: step.fewer)
    if at <= step.until.instant(occasion.start, occasion.zone, is_open):
        return Money(0, occasion.currency)
    return charge_total(rule.charge, terms, occasion, fewer)


def move_charge(terms: Terms, occasion: Occasion, moves: int, at: int, is_open: OpenDay) -> Money:
    """Return what another time costs at an instant for a booking that was moved `moves` times before."""
    rule = terms.change
    if rule is None:
        return Money(0, occasion.currency)
    in_time = at <= rule.until.instant(occasion.start, occasion.zone, is_open)
    if in_time and (not rule.free_moves or moves < rule.free_moves):
        return Money(0, occasion.currency)
    return charge_total(rule.charge, terms, occasion)


def occasion_at(
    world: World, venue_id: str, start: int, party_size: int, course_id: str, room: bool, tables: int = 1
) -> Occasion:
    """Return the occasion of a booking at a venue."""
    place = world.get(Place, venue_id)
    course = world.get(SetMenu, course_id, "course_id") if course_id else None
    return Occasion(party_size, start, place.zone, place.currency, course, room, tables)
