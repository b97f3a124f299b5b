"""What fare rules say and what they come to: the one engine that generators and checks use.

Fees are minor units. Days count back from the day of the first flight; a step applies until its days before that, the
last one (0) to the end.
"""

from __future__ import annotations

from typing import Literal

import msgspec

NEVER = -1
"""A change fee that stands for: not possible."""
NO_LIMIT = -1
"""A number of pieces that stands for: any."""
Unit = Literal["sector", "ticket", "half"]
Form = Literal["cash", "credit", "none"]
NoShow = Literal["fare_forfeited", "fee", "as_cancellation"]


class Step(msgspec.Struct, frozen=True, gc=False):
    """What applies until `days` before departure: a change fee, or the percent of the fare that is kept."""

    days: int
    value: int


class BrandRules(msgspec.Struct, frozen=True, gc=False):
    """The rules of one brand in one edition.

    `unit` says what the change fee is for: each passenger and sector, each passenger whatever the sectors, or each
    passenger's return ticket, of which one direction costs half. Bags are per passenger; without a limit of pieces
    `kg` is for all together.
    """

    change: tuple[Step, ...]
    unit: Unit
    cancel: tuple[Step, ...]
    refund_fee: int
    taxes_back: bool
    form: Literal["cash", "credit"]
    no_show: NoShow
    no_show_fee: int
    onward_cancelled: bool
    pieces: int
    kg: int
    cabin_kg: int


class Note(msgspec.Struct, frozen=True, gc=False):
    """A footnote to one brand: another change fee a passenger and sector (or none possible), or credit for money.

    `dest` is the city to which alone it applies.
    """

    brand: str
    kind: Literal["fee", "no", "credit"]
    fee: int
    dest: str


class Peak(msgspec.Struct, frozen=True, gc=False):
    """Days of departure on which every possible change costs another fee a passenger and sector."""

    first: str
    last: str
    fee: int


class Edition(msgspec.Struct, frozen=True):
    """One edition of a carrier's rules. `tag` begins the keys of the facts that its page states."""

    tag: str
    governs: Literal["issue", "request"]
    """Whether the day of issue or the day of the request decides that it applies."""
    from_date: str
    brands: dict[str, BrandRules]
    refund_per_sector: bool
    note: Note | None = None
    peak: Peak | None = None
    service_fee: int = 0
    """Added to each change, per passenger."""

    def key(self, topic: str, brand: str = "") -> str:
        """The key of the fact that the page states on a topic."""
        return f"{self.tag}.{topic}.{brand}" if brand else f"{self.tag}.{topic}"


class Ask(msgspec.Struct, frozen=True, gc=False):
    """What is asked: a change of `changed` of the ticket's `sectors`, or the whole's cancellation, `days` before."""

    days: int
    persons: int
    sectors: int
    changed: int
    depart_on: str
    dest: str


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """What a fare's rules come to for the party, and the facts that each column rests on."""

    change_fee: int
    kept_percent: int
    refund: int
    taxes_back: bool
    form: Form
    pieces: int
    kg: int
    cabin_kg: int
    no_show: NoShow
    no_show_fee: int
    onward_cancelled: bool
    keys: dict[str, tuple[str, ...]]


def at(steps: tuple[Step, ...], days: int) -> int:
    """Return what applies `days` before departure; the days of a step are the last on which it does."""
    return next(step.value for step in steps if days >= step.days)


def outcome(edition: Edition, brand: str, bags: str, ask: Ask, fare: int, charges: int) -> Outcome:
    """Apply an edition to a brand.

    Args:
        edition: the one that governs.
        brand: the fare's brand as printed.
        bags: the tag of the baggage page in force.
        ask: the question.
        fare: the base fare of the party.
        charges: the charges of the party.
    """
    rules = edition.brands[brand]
    note = edition.note if edition.note and (edition.note.brand, edition.note.dest) == (brand, ask.dest) else None
    fee, change_keys = _change(edition, rules, brand, note, ask)
    percent = at(rules.cancel, ask.days)
    refund_fee = rules.refund_fee * ask.persons * (ask.sectors if edition.refund_per_sector else 1)
    back = fare - (fare * percent + 50) // 100 + (charges if rules.taxes_back else 0)
    refund = max(0, back - refund_fee)
    credit = note is not None and note.kind == "credit"
    cancel_keys = (edition.key("cancel", brand), *((edition.key("note"),) if credit else ()))
    return Outcome(
        change_fee=fee,
        kept_percent=percent,
        refund=refund,
        taxes_back=rules.taxes_back,
        form="none" if not refund else "credit" if credit else rules.form,
        pieces=rules.pieces,
        kg=rules.kg,
        cabin_kg=rules.cabin_kg,
        no_show=rules.no_show,
        no_show_fee=rules.no_show_fee * ask.persons if rules.no_show == "fee" else 0,
        onward_cancelled=rules.onward_cancelled,
        keys={
            "change": change_keys,
            "cancel": cancel_keys,
            "bag": (f"{bags}.bag.{brand}",),
            "no_show": (edition.key("no_show", brand),),
        },
    )


def _change(
    edition: Edition, rules: BrandRules, brand: str, note: Note | None, ask: Ask
) -> tuple[int, tuple[str, ...]]:
    fee, keys = at(rules.change, ask.days), (edition.key("change", brand),)
    if note and note.kind == "no":
        return NEVER, (edition.key("note"),)
    per_sector = rules.unit == "sector"
    if note and note.kind == "fee":
        fee, keys, per_sector = note.fee, (edition.key("note"),), True
    elif fee == NEVER:
        return NEVER, keys
    elif edition.peak and edition.peak.first <= ask.depart_on <= edition.peak.last:
        fee, keys, per_sector = edition.peak.fee, (edition.key("peak"),), True
    if per_sector:
        fee *= ask.changed
    elif rules.unit == "half" and ask.changed < ask.sectors:
        fee //= 2
    if edition.service_fee:
        keys = (*keys, edition.key("service_fee"))
    return (fee + edition.service_fee) * ask.persons, keys


def bag_weight(pieces: int, kg: int) -> int:
    """Return how many kilograms a passenger may check in."""
    return kg if pieces == NO_LIMIT else pieces * kg
