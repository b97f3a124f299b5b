"""What a venue's page of kind `terms` says: deposit, cancelling, no-show and what goes with them, block by block."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Literal

import msgspec

from agentbench_env.money import Money
from agentbench_tasks.commons.texts import (
    CountSlot,
    DurationSlot,
    LinesSlot,
    SentencesSlot,
    SlotValue,
    Text,
    Words,
)
from agentbench_tasks.reservations.domain.booking_page import hours_text, titles
from agentbench_tasks.reservations.domain.conditions import conditions, joined, phrase, time_of
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.party import ANY_PARTY
from agentbench_tasks.reservations.domain.publishing import Part
from agentbench_tasks.reservations.domain.surface import RouteContact
from agentbench_tasks.reservations.domain.terms import Charge, ChargeBase, HeadcountStep, Terms
from agentbench_tasks.reservations.domain.terms_facts import (
    cap_of,
    charges_no_show,
    costs,
    deposit_value,
    free_rule,
    is_free,
    is_paid,
    keeps_deposit,
    terms_facts,
)

FILE = "town_terms"
_BLANK: dict[str, Any] = {
    "id": "",
    "venue_id": "",
    "page_id": "",
    "party": ANY_PARTY,
    "weekdays": (),
    "services": (),
    "dates": (),
    "course_ids": (),
    "valid_from": "",
    "valid_to": "",
    "contact": None,
}
"""The fields of terms that do not bear on what their rules say."""
_WHOLE_DAY = 24
"""Hours before the start under which pages speak of cancelling on the same day."""


class _Shop(msgspec.Struct, frozen=True, gc=False):
    """How the page of a shop is written."""

    language: str
    variant: int
    currency: str

    def say(self, kind: str, **slots: SlotValue) -> Text:
        """A sentence in one of its wordings."""
        return Text.of(FILE, kind, self.language, self.variant, **slots)

    def words(self, kind: str, **slots: SlotValue) -> Text:
        """A phrase that has one wording."""
        return Text.of(FILE, kind, self.language, 0, **slots)

    def money(self, minor: int) -> Money:
        """An amount in the currency of the venue."""
        return Money(minor, self.currency)


def terms_part(
    terms: Terms,
    currency: str,
    language: str,
    variant: int,
    courses: Mapping[str, Words] = {},
    messenger: str = "",
) -> Part:
    """Return the part of a page that prints terms, with what it states.

    Args:
        terms: the terms; with their charges those of the venue, which decide what a percentage leaves out.
        currency: currency of the venue.
        language: language of the page.
        variant: which of the four wordings.
        courses: names of the courses that the terms name, by id.
        messenger: name of the messenger in which the venue chats.
    """
    shop = _Shop(language, variant, currency)
    rules = msgspec.structs.replace(terms, **_BLANK)
    applies = shop.say("applies", who=_who(terms, language, courses))
    contact = _below(_contact(terms.contact, messenger, shop))
    slots = (("applies", applies), *_rule_slots(rules, shop), ("contact", contact))
    return Part(Text(FILE, "block", language, variant, slots), terms_facts(terms))


@lru_cache(maxsize=8192)
def _rule_slots(rules: Terms, shop: _Shop) -> tuple[tuple[str, SlotValue], ...]:
    """What the rules say by the slots of a block; most shops of a market share theirs with others."""
    tiers = tuple(_tiers(rules, shop))
    return (
        ("deposit", _deposit(rules, shop)),
        ("cutoff", _cutoff(rules, shop)),
        ("tiers", SentencesSlot(("", *tiers)) if tiers else ""),
        ("no_show", SentencesSlot(tuple(_no_show(rules, shop)))),
        ("more", _below((*_headcount(rules, shop), *_change(rules, shop), *_rest(rules, shop)))),
    )


def _below(lines: Sequence[SlotValue]) -> SlotValue:
    """Lines below what stands before them, or nothing."""
    return LinesSlot((("",), *((line,) for line in lines))) if lines else ""


def terms_parts(
    blocks: Iterable[Terms],
    currency: str,
    language: str,
    variant: int,
    courses: Mapping[str, Words] = {},
    messenger: str = "",
) -> tuple[Part, ...]:
    """Return the parts of a page of kind `terms`, one for each block."""
    return tuple(terms_part(terms, currency, language, variant, courses, messenger) for terms in blocks)


def terms_title(language: str, variant: int) -> str:
    """Return the title of the page."""
    return titles(FILE, language)[variant]


def _who(terms: Terms, language: str, courses: Mapping[str, Words]) -> SlotValue:
    more = (*(courses[course_id] for course_id in terms.course_ids), *_booked(terms.booked, terms.room, language))
    return conditions(language, terms.party, terms.weekdays, terms.services, terms.dates, *more)


@cache
def _booked(booked: str, room: str, language: str) -> tuple[Text, ...]:
    return tuple(phrase(f"booked.{word}", language) for word in (booked, room) if word != "any")


def _deposit(terms: Terms, shop: _Shop) -> Text:
    rule = terms.deposit
    if deposit_value(terms) == "none":
        return shop.say("deposit.none")
    if not rule.amount:
        return shop.say("deposit.card")
    if rule.basis == "pct_of_course":
        amount = shop.words("charge.pct", pct=rule.amount, base=_base("course", terms, shop))
    else:
        amount = shop.words(f"charge.{rule.basis}", amount=shop.money(rule.amount))
    if rule.kind == "hold":
        return shop.say("deposit.hold", amount=amount)
    return shop.say("deposit.credited" if rule.credited else "deposit.extra", amount=amount)


def _cutoff(terms: Terms, shop: _Shop) -> Text:
    if is_free(terms):
        return shop.say("cutoff.always")
    rule = free_rule(terms)
    if rule:
        return shop.say("cutoff.free_deposit" if is_paid(terms) else "cutoff.free", until=until(rule, shop.language))
    if terms.tiers:
        return shop.say("cutoff.never")
    return shop.say("cutoff.never_kept" if keeps_deposit(terms) else "cutoff.never_as_no_show")


def _tiers(terms: Terms, shop: _Shop) -> Iterable[Text]:
    costly = [tier for tier in terms.tiers if costs(tier, terms)]
    for tier in costly:
        when = until(tier.until, shop.language)
        if not (tier.keeps_deposit and is_paid(terms)):
            yield shop.say("tiers.then", until=when, charge=_charge(tier.charge, terms, shop))
        elif tier.charge.amount:
            yield shop.say("tiers.both", until=when, charge=_charge(tier.charge, terms, shop))
        else:
            yield shop.say("tiers.kept", until=when)
    if is_paid(terms) and not all(tier.keeps_deposit for tier in costly):
        yield shop.say("tiers.set_off")
    if terms.tiers and not is_free(terms):
        last = terms.tiers[-1].until
        if last.kind == "hours_before" and last.n < _WHOLE_DAY:
            yield shop.say("tiers.same_day", hours=CountSlot(last.n, "hour"))
        else:
            yield shop.say("tiers.after")


def _no_show(terms: Terms, shop: _Shop) -> Iterable[Text]:
    rule = terms.no_show
    if keeps_deposit(terms):
        yield shop.say("no_show.kept")
        return
    returned = terms.deposit.surplus_returned and rule.offset == "deposit_counts"
    if not charges_no_show(terms):
        yield shop.say("no_show.none")
        if is_paid(terms):
            yield shop.say("no_show.back" if returned else "no_show.lost")
        return
    yield shop.say("no_show.charge", charge=_charge(rule.charge, terms, shop))
    if cap_of(terms) == "deposit":
        yield shop.say("no_show.cap", most=_base("deposit", terms, shop))
    if cap_of(terms) == "pct":
        yield shop.say("no_show.cap", most=_charge(Charge("pct", rule.cap_pct, "total"), terms, shop))
    if is_paid(terms):
        counts = "counts_returned" if returned else "counts"
        yield shop.say(f"no_show.{counts if rule.offset == 'deposit_counts' else 'in_addition'}")


def _headcount(terms: Terms, shop: _Shop) -> Iterable[Text]:
    if terms.headcount is None:
        return
    steps = sorted(terms.headcount.steps, key=lambda step: step.fewer)
    highest = [step.fewer - 1 for step in steps[1:]]
    for step, most in reversed(list(zip(steps, [*highest, 0], strict=True))):
        when = until(step.until, shop.language)
        yield shop.say("headcount.free", fewer=_fewer(step, most, shop), until=when)
    yield shop.say("headcount.charge", charge=_charge(terms.headcount.charge, terms, shop, "each"))


def _fewer(step: HeadcountStep, most: int, shop: _Shop) -> Text:
    if not most:
        return shop.words("fewer.from", least=step.fewer) if step.fewer > 1 else shop.words("fewer.any")
    if most == step.fewer:
        return shop.words("fewer.exactly", least=step.fewer)
    return shop.words("fewer.span", least=step.fewer, most=most)


def _change(terms: Terms, shop: _Shop) -> Iterable[Text]:
    rule = terms.change
    if rule is None:
        return
    when = until(rule.until, shop.language)
    if rule.free_moves:
        moves = shop.words("times.many", n=rule.free_moves) if rule.free_moves > 1 else shop.words("times.one")
        yield shop.say("change.moves", moves=moves, until=when)
    else:
        yield shop.say("change.free", until=when)
    if rule.charge.amount:
        yield shop.say("change.charge", charge=_move_charge(rule.charge, terms, shop))


def _rest(terms: Terms, shop: _Shop) -> Iterable[Text]:
    if terms.late_minutes:
        yield shop.say("late", minutes=DurationSlot(terms.late_minutes))
    if terms.room_fee:
        yield shop.say("room.fee", amount=shop.money(terms.room_fee))
        charges = _charges(terms, shop)
        if charges and not terms.room_fee_served:
            yield shop.say("room.unserved", charges=charges)
    if terms.average_spend:
        yield shop.say("average", amount=shop.money(terms.average_spend))
    rules = [tier.until for tier in terms.tiers]
    rules += [step.until for step in terms.headcount.steps] if terms.headcount else []
    rules += [terms.change.until] if terms.change else []
    if any(rule.kind == "business_days_before_at" for rule in rules):
        yield shop.say("business_days")


def _contact(contact: RouteContact | None, messenger: str, shop: _Shop) -> Sequence[SlotValue]:
    if contact is None or not contact.value:
        return ()
    where: dict[str, SlotValue] = {"value": contact.value}
    kind = contact.kind if contact.kind in ("phone", "messenger") else "other"
    if kind == "messenger":
        where["messenger"] = messenger
    said: list[SlotValue] = [shop.say(f"contact.{kind}", **where)]
    if contact.hours:
        said.append(hours_text(contact.hours, shop.language, shop.variant))
    return (SentencesSlot(tuple(said)),)


def _charge(charge: Charge, terms: Terms, shop: _Shop, of: Literal["base", "each"] = "base") -> Text:
    """Say what is charged; of a percentage also whether service, fee and tax are added to what it is taken of.

    That is `base` for the party, or `each` for a guest who is missing.
    """
    if charge.basis != "pct":
        return shop.words(f"charge.{charge.basis}", amount=shop.money(charge.amount))
    base = _base(charge.base, terms, shop, of)
    charges = _charges(terms, shop)
    if not charges or charge.base == "deposit":
        return shop.words("charge.pct", pct=charge.amount, base=base)
    added = charge.charges_added or charge.base == "total"
    return shop.words("charge.pct_added" if added else "charge.pct_bare", pct=charge.amount, base=base, charges=charges)


def _move_charge(charge: Charge, terms: Terms, shop: _Shop) -> Text:
    """Say what another date or time costs: a charge a head counts the guests as they were booked before."""
    if charge.basis == "per_head":
        return shop.words("charge.per_booked_head", amount=shop.money(charge.amount))
    return _charge(charge, terms, shop)


def _base(base: ChargeBase, terms: Terms, shop: _Shop, of: Literal["base", "each"] = "base") -> Text:
    if base == "deposit":
        return shop.words(f"{of}.held" if terms.deposit.kind == "hold" else f"{of}.deposit")
    if base not in ("course", "course_plus_room"):
        return shop.words(f"{of}.{base}")
    menu = "average_spend" if terms.booked == "seat_only" else "course"
    if terms.booked == "any" and terms.average_spend:
        menu = "course_or_average"
    plus_room = base == "course_plus_room" and of == "base"
    return shop.words(f"{of}.{menu}_plus_room" if plus_room else f"{of}.{menu}")


def _charges(terms: Terms, shop: _Shop) -> SlotValue:
    """Name what the venue adds to its prices, "" where they are final."""
    rule = terms.charges
    if rule.mode == "final":
        return ""
    said: list[SlotValue] = [
        shop.words(f"charges.{name}", pct=pct)
        for name, pct in (("service", rule.service_pct), ("fee", rule.fee_pct), (f"tax.{shop.currency}", rule.tax_pct))
        if pct
    ]
    return joined(said, shop.language) if said else ""


def until(rule: CutoffRule, language: str) -> Text:
    """Say until when something may be done."""
    days = CountSlot(rule.n, "day")
    match rule.kind:
        case "hours_before":
            return phrase("until.hours", language, hours=CountSlot(rule.n, "hour"))
        case "day_start":
            if not rule.n:
                return phrase("until.end_of_day_before", language)
            return phrase("until.end_of_day", language, days=CountSlot(rule.n + 1, "day"))
        case "days_before_at":
            time = time_of(rule.at, language)
            if rule.n < 2:
                return phrase("until.day_before" if rule.n else "until.same_day", language, time=time)
            return phrase("until.days", language, days=days, time=time)
        case "business_days_before_at":
            time = time_of(rule.at, language)
            if rule.n < 2:
                return phrase("until.business_day_before", language, time=time)
            if rule.n == 2:
                return phrase("until.two_business_days", language, time=time)
            return phrase("until.business_days", language, days=rule.n, time=time)
