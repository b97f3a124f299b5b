"""Quoting, holding and buying fares and rates. Nothing is refused for lack of approval: a purchase buys.

What a quote or hold is of is a fare or a rate (`fare_id`), and its supplier (`carrier`) the carrier or the channel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.claims import Part
from agentbench_env.episode import Call, Episode
from agentbench_env.errors import ToolError
from agentbench_env.lineage import Entry
from agentbench_env.market import shared_table
from agentbench_env.money import Amount, Money
from agentbench_env.tool import Effect, Tool
from agentbench_env.world import Record, World
from agentbench_env.zones import to_local
from agentbench_tasks.commons.outbound import send_out
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.values import Zoned, zoned
from agentbench_tasks.commons.wallet import PaymentMethod
from agentbench_tasks.travel.domain.carriers import carrier_by_code
from agentbench_tasks.travel.domain.desks import ChildAges
from agentbench_tasks.travel.domain.held import BookingListHolds, HoldView, hold_view
from agentbench_tasks.travel.domain.messages import message
from agentbench_tasks.travel.domain.prices import OLDEST_CHILD, quote_lines
from agentbench_tasks.travel.domain.rates import rate_lines, sellable_rate
from agentbench_tasks.travel.domain.records import (
    Bag,
    BookedItem,
    Booking,
    Fare,
    FareHold,
    LedgerLine,
    Quote,
    QuoteLine,
    name_in,
)
from agentbench_tasks.travel.domain.records_changes import BookingRules
from agentbench_tasks.travel.domain.records_stays import Channel, Rate
from agentbench_tasks.travel.domain.sellable import gone_now, hold_hours, sellable, sellable_fare, take, tariff_of

if TYPE_CHECKING:
    from agentbench_env.policies.expert import Do

QUOTE_LIFE_S = 55 * 60
"""A carrier's quote lives 55 minutes, longer than any episode of the domain, where a world does not say otherwise."""


class LineRow(msgspec.Struct, frozen=True):
    """A line of a quote, for the whole party."""

    kind: str
    code: str
    label: str
    amount: str


class QuoteView(msgspec.Struct, frozen=True):
    """A quote as its supplier prints it. `hold` is free, paid or none; a paid one costs `hold_fee`.

    `outside` names charges of a stay that come on top of the total.
    """

    quote_id: str
    carrier_code: str
    object_id: str
    adults: int
    child_ages: list[int]
    bags: list[Bag]
    card_type: str
    lines: list[LineRow]
    total: Amount
    outside: list[str]
    hold: str
    hold_fee: Amount
    valid_until: Zoned
    status: str


class BagWish(Part):
    """Checked bags of one weight, for the whole party."""

    kg: int = Field(description="Kilograms each may weigh.", ge=1, le=40)
    pieces: int = Field(description="Number of bags, all travellers together.", ge=1, le=20)


class BookingQuote(Tool):
    """Get a carrier's own price for a party, with bags and card fee, or a channel's for a stay, as it shows it.

    Nothing is reserved by it.
    """

    effect: ClassVar[Effect] = "draft"
    latency_s: ClassVar[float] = 2.2

    object_id: str = Field(description="Id of the fare or rate.")
    adults: int = Field(description="Number of adults.", ge=1, le=9)
    child_ages: ChildAges = Field(default=[], description="Age of each child; 2 to 11 on a fare.", max_length=8)
    bags: list[BagWish] = Field(default=[], description="Checked bags of the whole party on this leg.", max_length=8)
    card_type: Literal["none", "credit", "debit", "prepaid", "transfer"] = Field(
        default="none",
        description="How it will be paid, never a card itself: credit, debit or prepaid card, bank transfer, or none "
        "to leave a card fee out.",
    )

    def run(self, call: Call) -> QuoteView:
        world = call.world
        of_rate = isinstance(world.find(self.object_id), Rate)
        quote = world.put(self._rate_quote(world) if of_rate else self._fare_quote(world))
        call.show(quote.id)
        return quote_view(quote, world)

    def _fare_quote(self, world: World) -> Quote:
        if any(not 2 <= age <= OLDEST_CHILD for age in self.child_ages):
            raise ToolError(
                "invalid_argument", field="child_ages", hint=f"ages 2 to {OLDEST_CHILD}; older ones are adults"
            )
        fare, _ = sellable_fare(world, self.object_id, self.adults + len(self.child_ages))
        tariff = tariff_of(world, fare.carrier, fare.base.currency)
        bags = tuple(Bag(bag.kg, bag.pieces) for bag in self.bags)
        try:
            lines, total = quote_lines(fare, tariff, self.adults, self.child_ages, bags, self.card_type)
        except ToolError as error:
            heaviest = f"{tariff.bags[-1][0] if tariff.bags else 0} kg"
            raise ToolError(error.code, message(world, error.code, max=heaviest), error.field, error.hint) from error
        carrier = carrier_by_code(world, fare.carrier, "object_id")
        return Quote(
            id=world.new_id("quo"),
            carrier=fare.carrier,
            fare_id=fare.id,
            adults=self.adults,
            child_ages=tuple(self.child_ages),
            bags=bags,
            card_type=self.card_type,
            lines=lines,
            total=total,
            lock_fee=Money(tariff.lock_fee if carrier.hold == "paid" else 0, tariff.currency),
            hold=carrier.hold,
            made_at=world.now,
            valid_until=world.now + world.settings.get("quote_life_s", QUOTE_LIFE_S),
        )

    def _rate_quote(self, world: World) -> Quote:
        if self.bags:
            raise ToolError("invalid_argument", field="bags", hint="none: a stay has no bags")
        persons = self.adults + len(self.child_ages)
        rate = sellable_rate(world, self.object_id, persons)
        if rate.closes == "first_quote":
            raise gone_now(world, rate)
        channel = world.get(Channel, rate.channel_id)
        lines, total = rate_lines(rate, persons)
        return Quote(
            id=world.new_id("quo"),
            carrier=channel.id,
            fare_id=rate.id,
            adults=self.adults,
            child_ages=tuple(self.child_ages),
            bags=(),
            card_type=self.card_type,
            lines=lines,
            total=total,
            lock_fee=Money(0, total.currency),
            hold=channel.hold,
            made_at=world.now,
            valid_until=world.now + channel.quote_hours * 3600,
        )


def quote_status(quote: Quote, world: World) -> str:
    """Return live, expired or gone."""
    offer = world.find(quote.fare_id)
    if (isinstance(offer, Fare) and not offer.open) or (isinstance(offer, Rate) and not offer.rooms_left):
        return "gone"
    return "live" if world.now <= quote.valid_until else "expired"


def quote_view(quote: Quote, world: World) -> QuoteView:
    """Return a quote as it is printed."""
    offer = world.find(quote.fare_id)
    return QuoteView(
        quote_id=quote.id,
        carrier_code=quote.carrier,
        object_id=quote.fare_id,
        adults=quote.adults,
        child_ages=list(quote.child_ages),
        bags=list(quote.bags),
        card_type=quote.card_type,
        lines=_line_rows(quote.lines, world, quote.total.currency),
        total=quote.total.wire(),
        outside=list(offer.outside) if isinstance(offer, Rate) else [],
        hold=quote.hold,
        hold_fee=quote.lock_fee.wire(),
        valid_until=zoned(quote.valid_until, world.zone),
        status=quote_status(quote, world),
    )


def _line_rows(lines: Sequence[QuoteLine], world: World, currency: str) -> list[LineRow]:
    words = shared_table(f"text/{world.language}/travel")["lines"]
    return [_line_row(line, words, world.language, currency) for line in lines]


def _line_row(line: QuoteLine, words: dict[str, str], language: str, currency: str) -> LineRow:
    if line.labels:
        label = name_in(line.labels, language)
    elif line.kind == "fare":
        label = f"{words['fare']} ({line.code})"
    elif line.kind == "night":
        label = line.code
    else:
        label = words[line.kind].replace("{kg}", f"{line.code} kg")
    return LineRow(line.kind, line.code, label, Money(line.minor, currency).wire().amount)


class BookingHold(Tool):
    """Hold what was quoted, at the quoted price. Where the hold costs a fee, or a card guarantees it, it is binding."""

    effect: ClassVar[Effect] = "commit"
    latency_s: ClassVar[float] = 2.4

    quote_id: str = Field(description="Id of a live quote.")
    guarantee_card_id: str = Field(default="", description="Id of a card that guarantees the hold; empty: none.")

    def run(self, call: Call) -> HoldView:
        world = call.world
        quote = live_quote(world, self.quote_id)
        if quote.hold == "none":
            raise ToolError("hold_not_offered", message(world, "hold_not_offered"))
        offer = sellable(world, quote)
        if offer.closes == "first_hold":
            raise gone_now(world, offer)
        card = usable_card(world, self.guarantee_card_id, "guarantee_card_id") if self.guarantee_card_id else None
        ends = world.now + hold_hours(world, offer) * 3600
        hold = FareHold(world.new_id("hld"), quote.id, offer.id, quote.total, quote.lock_fee, world.now, ends)
        world.put(hold)
        if hold.fee.minor:
            _charge(world, "hold_fee", card.id if card else "", hold.fee, hold.id)
            send_out(call, "payment", recipient_org_id=quote.carrier, subject_id=hold.id, amount=hold.fee)
        call.happened("commit" if hold.fee.minor or card else "hold")
        call.show(hold.id)
        return hold_view(hold, world)

    def readback(self, do: Do) -> HoldView | None:
        return next((one for one in do(BookingListHolds()).holds if one.quote_id == self.quote_id), None)


def usable_card(world: World, card_id: str, field: str) -> PaymentMethod:
    """Return a card that can be charged; refuse one that cannot."""
    card = world.get(PaymentMethod, card_id, field)
    if card.status != "active":
        raise ToolError("payment_declined", message(world, "payment_declined"), field)
    return card


def live_quote(world: World, quote_id: str) -> Quote:
    """Return a quote that can still be acted on; refuse one that cannot."""
    quote = world.get(Quote, quote_id, "quote_id")
    if world.now > quote.valid_until:
        until = to_local(quote.valid_until, world.zone)
        raise ToolError("quote_expired", message(world, "quote_expired", time=until), "quote_id")
    return quote


def _charge(world: World, kind: str, account: str, amount: Money, about: str) -> None:
    world.put(LedgerLine(world.new_id("ldg"), world.now, account, amount, kind, about))


class Released(msgspec.Struct, frozen=True):
    """What `booking_release_hold` returns."""

    hold_id: str
    state: str


class BookingReleaseHold(Tool):
    """Give a hold back."""

    effect: ClassVar[Effect] = "own"
    idempotent: ClassVar[bool] = True
    latency_s: ClassVar[float] = 0.8

    hold_id: str = Field(description="Id of an active hold.")

    def run(self, call: Call) -> Released:
        world = call.world
        hold = _active_hold(world, self.hold_id)
        world.put(msgspec.structs.replace(hold, state="released"))
        return Released(hold.id, "released")


def _active_hold(world: World, hold_id: str) -> FareHold:
    hold = world.get(FareHold, hold_id, "hold_id")
    if not hold.is_active(world.now):
        raise ToolError("hold_not_active", message(world, "hold_not_active"), "hold_id")
    return hold


def gives_back_its_own_hold(entry: Entry, ep: Episode) -> bool:
    """Whether a call released a hold that the assistant had made itself: free in every task."""
    before = [change.before for change in entry.changes]
    return entry.tool == BookingReleaseHold.name and all(isinstance(r, FareHold) and not r.by_user for r in before)


class BookingView(msgspec.Struct, frozen=True):
    """A booking as its supplier prints it; its items are counted from 0.

    The channel and the terms are empty where the supplier's own terms of the day apply.
    """

    booking_id: str
    locator: str
    supplier_id: str
    channel_id: str
    kind: str
    items: list[BookedItem]
    lines: list[LineRow]
    paid: Amount
    booked_at: Zoned
    terms_page_id: str
    terms_version: str


class BookingPurchase(Tool):
    """Buy a quote or a hold: the tickets are issued and the card is charged."""

    effect: ClassVar[Effect] = "commit"
    latency_s: ClassVar[float] = 3.0

    traveller_ids: list[str] = Field(
        description="Ids of the traveller profiles, one a person.", min_length=1, max_length=9
    )
    card_id: str = Field(description="Id of the card to charge.")
    quote_id: str = Field(default="", description="Id of a live quote; give this or hold_id.")
    hold_id: str = Field(default="", description="Id of an active hold; give this or quote_id.")

    def run(self, call: Call) -> BookingView:
        world = call.world
        if bool(self.quote_id) == bool(self.hold_id):
            raise ToolError("invalid_argument", field="quote_id", hint="exactly one of quote_id and hold_id")
        card = usable_card(world, self.card_id, "card_id")
        for traveller in self.traveller_ids:
            world.get(Paper, traveller, "traveller_ids")
        hold = _active_hold(world, self.hold_id) if self.hold_id else None
        quote = world.get(Quote, hold.quote_id) if hold else live_quote(world, self.quote_id)
        persons = quote.adults + len(quote.child_ages)
        offer = sellable(world, quote)
        locator = world.new_id("loc")[4:10].upper()
        of_rate = isinstance(offer, Rate)
        items = (BookedItem(offer.id if of_rate else offer.service_id, persons),)
        kind = "stay" if of_rate else "transport"
        booking = Booking(
            world.new_id("bkg"), locator, quote.carrier, kind, items, quote.total, world.now, by_user=False
        )
        world.put(booking)
        if hold:
            world.put(msgspec.structs.replace(hold, state="converted"))
        take(world, offer, persons)
        _charge(world, "purchase", card.id, quote.total, booking.id)
        send_out(call, "order", recipient_org_id=quote.carrier, subject_id=booking.id, amount=quote.total)
        send_out(call, "payment", recipient_org_id=quote.carrier, subject_id=booking.id, amount=quote.total)
        call.show(booking.id)
        return booking_view(booking, world)


class BookingGet(Tool):
    """Get a booking with its items and what was paid, by locator or id."""

    latency_s: ClassVar[float] = 0.8

    locator: str = Field(default="", description="Booking reference; give this or booking_id.")
    booking_id: str = Field(default="", description="Id of the booking; give this or locator.")

    def run(self, call: Call) -> BookingView:
        world = call.world
        record: Record | None = None
        if self.booking_id:
            record = world.find(self.booking_id)
        elif self.locator:
            record = next(iter(world.where(Booking, "locator", self.locator)), None)
        if not isinstance(record, Booking):
            field = "booking_id" if self.booking_id else "locator"
            raise ToolError("unknown_id", message(world, "booking_not_found"), field, "a locator or booking id")
        call.show(record.id)
        if rules := rules_of(record, world):
            call.show(rules.id)
        return booking_view(record, world)


def rules_of(booking: Booking, world: World) -> BookingRules | None:
    """Return the rules under which a booking was sold, None if it keeps none of its own."""
    return next(iter(world.where(BookingRules, "booking_id", booking.id)), None)


def booking_view(booking: Booking, world: World) -> BookingView:
    """Return a booking as it is printed."""
    rules = rules_of(booking, world)
    return BookingView(
        booking_id=booking.id,
        locator=booking.locator,
        supplier_id=booking.supplier_id,
        channel_id=rules.channel_id if rules else "",
        kind=booking.kind,
        items=list(booking.items),
        lines=_line_rows(rules.lines, world, booking.paid.currency) if rules else [],
        paid=booking.paid.wire(),
        booked_at=zoned(booking.booked_at, world.zone),
        terms_page_id=rules.terms_page_id if rules else "",
        terms_version=rules.terms_version if rules else "",
    )
