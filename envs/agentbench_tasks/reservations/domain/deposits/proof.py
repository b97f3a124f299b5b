"""The proof of an instance: finds the block, counts the days and reckons the sums by itself."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from fractions import Fraction
from math import floor

from agentbench_env.market import HolidayRow, load_country
from agentbench_env.zones import offset_minutes
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.deposits.goal import Goal
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.terms import Charge, Occasion, Terms

GUARD_S = 16 * 60
"""How far ahead the end of free cancelling lies at least: an episode cannot run past it."""
LEAST_GAP = 10
"""Minor units between a charge and what it would be with or without service and tax."""
_LONGEST_COUNT = 60


def prove(house: House, occasion: Occasion, day: str, goal: Goal, now: int) -> None:
    """Raise NoFit unless one block alone governs, the goal follows from it, and nothing unsettled bears on it."""
    found = [terms for terms in house.terms if _governs(terms, occasion, day)]
    if len(found) != 1:
        raise NoFit
    terms = found[0]
    deposit = _deposit(terms, occasion)
    paid = deposit if terms.deposit.kind == "charged" else 0
    no_show = _no_show(terms, occasion, deposit)
    loss = no_show + paid if terms.no_show.offset == "in_addition" else max(no_show, paid)
    if terms.no_show.offset == "deposit_counts" and terms.deposit.surplus_returned:
        loss = no_show
    until = _free_until(terms, house, occasion, day, is_free=not (deposit or no_show))
    if (goal.deposit.minor, goal.no_show.minor, goal.exposure.minor, goal.free_until) != (
        deposit, no_show, loss, until
    ):  # fmt: skip
        raise NoFit
    if until is not None and until < now + GUARD_S:
        raise NoFit
    if not _is_settled(house, day):
        raise NoFit
    if _is_near_without_charges(terms, occasion):
        raise NoFit


def _governs(terms: Terms, occasion: Occasion, day: str) -> bool:
    """Whether terms are for the party, the weekday, the course and the room."""
    least, most = terms.party.min, terms.party.max
    booked = "course" if occasion.course else "seat_only"
    room = "room" if occasion.room else "no_room"
    return (
        least <= occasion.party_size
        and (not most or occasion.party_size <= most)
        and (not terms.weekdays or date.fromisoformat(day).isoweekday() in terms.weekdays)
        and terms.booked in ("any", booked)
        and terms.room in ("any", room)
    )


# --- sums, in minor units


def _rounded(value: Fraction) -> int:
    return floor(value + Fraction(1, 2))


def _menus(terms: Terms, occasion: Occasion) -> int:
    a_head = occasion.course.price.minor if occasion.course else terms.average_spend
    return a_head * occasion.party_size


def _grown(charges: ChargeRule) -> Fraction:
    """By what a printed price grows on the bill."""
    service, tax = Fraction(charges.service_pct + charges.fee_pct, 100), Fraction(charges.tax_pct, 100)
    if charges.mode == "final":
        return Fraction(1)
    return 1 + service + tax if charges.mode == "each_on_net" else (1 + service) * (1 + tax)


def _deposit(terms: Terms, occasion: Occasion) -> int:
    rule = terms.deposit
    if rule.kind == "none":
        return 0
    if rule.basis == "pct_of_course":
        return _rounded(Fraction(rule.amount * _menus(terms, occasion), 100))
    return rule.amount * (occasion.party_size if rule.basis == "per_head" else 1)


def _no_show(terms: Terms, occasion: Occasion, deposit: int) -> int:
    rule = terms.no_show
    most = {
        "none": None,
        "deposit": deposit,
        "pct": _charged(Charge("pct", rule.cap_pct, "total"), terms, occasion, deposit),
    }[rule.cap]
    charged = _charged(rule.charge, terms, occasion, deposit)
    return charged if most is None else min(charged, most)


def _charged(charge: Charge, terms: Terms, occasion: Occasion, deposit: int) -> int:
    if charge.basis != "pct":
        return charge.amount * (occasion.party_size if charge.basis == "per_head" else 1)
    share = Fraction(charge.amount, 100)
    if charge.base == "deposit":
        return _rounded(share * deposit)
    with_charges = charge.base == "total" or charge.charges_added
    room = terms.room_fee if occasion.room and charge.base in ("total", "course_plus_room") else 0
    menus, fee = Fraction(_menus(terms, occasion)), Fraction(room)
    if with_charges:
        menus *= _grown(terms.charges)
        fee *= _grown(terms.charges) if terms.room_fee_served else 1
    return _rounded(share * (menus + fee))


def _is_near_without_charges(terms: Terms, occasion: Occasion) -> bool:
    """Whether it makes next to no difference that service and tax are added or left out, though there are some."""
    charge = terms.no_show.charge
    if charge.basis != "pct" or charge.base == "deposit" or terms.charges.mode == "final" or not charge.amount:
        return False
    share = Fraction(charge.amount, 100) * _menus(terms, occasion)
    return share * (_grown(terms.charges) - 1) < LEAST_GAP


# --- days


def _free_until(terms: Terms, house: House, occasion: Occasion, day: str, is_free: bool) -> int | None:
    if is_free:
        return occasion.start
    free = [tier.until for tier in terms.tiers if not tier.charge.amount and not tier.keeps_deposit]
    return max((_instant(rule, house, occasion, day) for rule in free), default=None)


def _instant(rule: CutoffRule, house: House, occasion: Occasion, day: str) -> int:
    if rule.kind == "hours_before":
        return occasion.start - 3600 * rule.n
    before = date.fromisoformat(day) - timedelta(rule.n)
    if rule.kind == "business_days_before_at":
        before = list(_open_days_before(house, day, rule.n))[-1]
    local = datetime.fromisoformat(f"{before}T{rule.at or '00:00'}")
    seconds = (local - datetime(1970, 1, 1)) // timedelta(seconds=1)
    return seconds - 60 * offset_minutes(occasion.zone, occasion.start)


def _open_days_before(house: House, day: str, count: int) -> Iterator[date]:
    """The last days before a day on which the house opens, the latest first."""
    last = date.fromisoformat(day)
    days = (last - timedelta(back) for back in range(1, _LONGEST_COUNT))
    for _, one in zip(range(count), (one for one in days if not _is_shut(house, one)), strict=False):
        yield one


def _is_shut(house: House, day: date) -> bool:
    if any(notice.scope == "all" and notice.from_date <= str(day) <= notice.to_date for notice, _ in house.notices):
        return True
    holidays = {row.date for row in _rows(house, day) if row.status == "confirmed" and "private" in row.applies_to}
    for rule in house.closures:
        if str(day) in rule.dates or (rule.from_date and rule.from_date <= str(day) <= rule.to_date):
            return True
        spared = rule.open_on_holidays or rule.kind == "weekly_shifted"
        nth = rule.kind != "nth_weekday" or (day.day - 1) // 7 + 1 in rule.nth
        if day.isoweekday() in rule.weekdays and nth and not (spared and day in holidays):
            return True
        yesterday = day - timedelta(1)
        if rule.kind == "weekly_shifted" and yesterday.isoweekday() in rule.weekdays and yesterday in holidays:
            return True
    return False


def _rows(house: House, day: date) -> tuple[HolidayRow, ...]:
    """The list of days of a day and the one before."""
    return load_country(house.place.country).holidays(day - timedelta(1), day)


def _is_settled(house: House, day: str) -> bool:
    """Whether neither a season nor a day that may or may not be a holiday bears on when the house was open."""
    last = date.fromisoformat(day)
    first = last - timedelta(_LONGEST_COUNT // 3)
    if any(season.from_date <= day and first.isoformat() <= season.to_date for season in house.seasons):
        return False
    weekdays = {weekday for rule in house.closures for weekday in rule.weekdays}
    rows = load_country(house.place.country).holidays(first, last)
    return all(
        row.date.isoweekday() not in weekdays or (row.status == "confirmed" and "private" in row.applies_to)
        for row in rows
    )
