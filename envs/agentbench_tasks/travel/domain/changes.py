"""Changing and cancelling what was booked: first a price, which commits to nothing, then the act itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.money import Amount, Money
from agentbench_env.tool import Effect, Tool
from agentbench_env.world import World
from agentbench_env.zones import to_local
from agentbench_tasks.commons.outbound import send_out
from agentbench_tasks.commons.values import Zoned, zoned
from agentbench_tasks.travel.domain.booking import BookingView, booking_view, rules_of, usable_card
from agentbench_tasks.travel.domain.change_prices import Target, admits, cancel_lines, change_lines
from agentbench_tasks.travel.domain.desks import desk_message
from agentbench_tasks.travel.domain.prices import quote_lines
from agentbench_tasks.travel.domain.rates import rate_lines, sellable_rate
from agentbench_tasks.travel.domain.records import BookedItem, Booking, Fare, LedgerLine, Service
from agentbench_tasks.travel.domain.records_changes import (
    Action,
    ActionLine,
    BookingRules,
    PricedAction,
    RefundForm,
)
from agentbench_tasks.travel.domain.records_stays import Rate
from agentbench_tasks.travel.domain.sellable import sellable_fare, take, tariff_of


class ActionRow(msgspec.Struct, frozen=True):
    """A part of the price: difference, tax (of charges) or fee; of a cancellation also base or charges given back."""

    kind: str
    item_index: int
    amount: Amount


class ActionView(msgspec.Struct, frozen=True):
    """A priced change or cancellation. A positive line is collected, a negative one given back."""

    priced_action_id: str
    booking_id: str
    action: str
    item_indexes: list[int]
    target_id: str
    lines: list[ActionRow]
    collect: Amount
    refund: Amount
    refund_form: str
    valid_until: Zoned
    status: str


class BookingPriceChange(Tool):
    """Price a change of one item of a booking to another date, fare or rate, as its supplier charges it now.

    A fee of the agency's own is not in it. The price is kept until `valid_until`; the limits that the terms set run
    beside it. Nothing is changed by it.
    """

    effect: ClassVar[Effect] = "draft"
    latency_s: ClassVar[float] = 2.0

    booking_id: str = Field(description="Id of the booking.")
    item_index: int = Field(description="Which item of the booking; the first one is 0.", ge=0)
    target_id: str = Field(description="Id of the fare or rate to change to.")

    def run(self, call: Call) -> ActionView:
        world = call.world
        booking, rules = _changeable(world, self.booking_id)
        item = _item(booking, self.item_index, "item_index")
        target, _ = _target(world, self.target_id, item.party, rules)
        terms = rules.items[self.item_index]
        steps = [step for step in terms.change if admits(step, target)]
        if not steps or target.currency != booking.paid.currency:
            hint = "nothing, by its terms" if not terms.change else "a target as the terms of the booking allow it"
            raise ToolError("not_changeable", desk_message(world, "not_changeable"), "target_id", hint)
        step = next((step for step in steps if world.now <= step.until), None)
        if step is None:
            raise _deadline_passed(world, max(step.until for step in steps))
        lines = change_lines(self.item_index, terms, step, target, item.party)
        return _keep(call, booking, rules, "change", (self.item_index,), self.target_id, lines)


class BookingPriceCancel(Tool):
    """Price the cancellation of items of a booking, as its supplier charges it now.

    The price is kept until `valid_until`; the limits that the terms set run beside it. Nothing is cancelled by it.
    """

    effect: ClassVar[Effect] = "draft"
    latency_s: ClassVar[float] = 1.6

    booking_id: str = Field(description="Id of the booking.")
    item_indexes: list[Annotated[str, Field(max_length=3)]] = Field(
        description="Which items of the booking, as numbers; the first one is 0.", min_length=1, max_length=20
    )

    def run(self, call: Call) -> ActionView:
        world = call.world
        booking, rules = _changeable(world, self.booking_id)
        if not all(index.isascii() and index.isdecimal() for index in self.item_indexes):
            raise ToolError("invalid_argument", field="item_indexes", hint="numbers, the first item is 0")
        indexes = tuple(sorted({int(index) for index in self.item_indexes}))
        lines: list[ActionLine] = []
        for index in indexes:
            item, terms = _item(booking, index, "item_indexes"), rules.items[index]
            if not terms.cancel:
                raise ToolError("not_changeable", desk_message(world, "not_changeable"), "item_indexes")
            step = next((step for step in terms.cancel if world.now <= step.until), None)
            if step is None:
                raise _deadline_passed(world, max(step.until for step in terms.cancel))
            lines += cancel_lines(index, terms, step, item.party)
        return _keep(call, booking, rules, "cancel", indexes, "", lines)


def _changeable(world: World, booking_id: str) -> tuple[Booking, BookingRules]:
    """Return a booking that is changed here, and its rules; refuse any other."""
    booking = world.get(Booking, booking_id, "booking_id")
    rules = rules_of(booking, world)
    if rules is None:
        raise ToolError("not_changeable", desk_message(world, "not_changeable"), "booking_id")
    if rules.taken_at:
        raise ToolError("wrong_channel", desk_message(world, "wrong_channel"), "booking_id", rules.taken_at)
    return booking, rules


def _item(booking: Booking, index: int, field: str) -> BookedItem:
    if index >= len(booking.items) or booking.items[index].status != "booked":
        booked = [str(place) for place, item in enumerate(booking.items) if item.status == "booked"]
        raise ToolError("invalid_argument", field=field, hint=f"booked items: {', '.join(booked) or 'none'}")
    return booking.items[index]


def _target(world: World, id: str, persons: int, rules: BookingRules) -> tuple[Target, Fare | Rate]:
    """Return what an item would be changed to, priced for its party; refuse what cannot be sold to it."""
    found = world.find(id)
    if isinstance(found, Rate):
        if found.channel_id != rules.channel_id:
            raise ToolError("wrong_channel", desk_message(world, "wrong_channel"), "target_id", rules.channel_id)
        rate = sellable_rate(world, id, persons)
        _, total = rate_lines(rate, persons)
        return Target(rate.property_id, rate.board, rate.stay[1], (), total.minor, 0, total.currency), rate
    fare, service = sellable_fare(world, id, persons)
    tariff = tariff_of(world, fare.carrier, fare.base.currency)
    lines, total = quote_lines(fare, tariff, persons - len(rules.child_ages), rules.child_ages, (), "none")
    base = sum(line.minor for line in lines if line.kind == "fare")
    day, points = service.dep_local[:10], (service.origin, service.dest)
    return Target(fare.carrier, fare.brand, day, points, base, total.minor - base, total.currency), fare


def _deadline_passed(world: World, until: int) -> ToolError:
    return ToolError("deadline_passed", desk_message(world, "deadline_passed", time=to_local(until, world.zone)))


def _keep(
    call: Call,
    booking: Booking,
    rules: BookingRules,
    action: Action,
    indexes: tuple[int, ...],
    target_id: str,
    lines: Sequence[ActionLine],
) -> ActionView:
    world, currency = call.world, booking.paid.currency
    net = sum(line.minor for line in lines)
    form: RefundForm = rules.refund_form if net < 0 else "none"
    priced = PricedAction(
        id=world.new_id("pra"),
        booking_id=booking.id,
        action=action,
        item_indexes=indexes,
        items=_items_at(booking, indexes),
        target_id=target_id,
        lines=tuple(lines),
        collect=Money(max(0, net), currency),
        refund=Money(max(0, -net), currency),
        refund_form=form,
        made_at=world.now,
        valid_until=_kept_until(world, booking, indexes, rules),
    )
    world.put(priced)
    call.show(priced.id)
    return action_view(priced, world)


def _kept_until(world: World, booking: Booking, indexes: Sequence[int], rules: BookingRules) -> int:
    """Return until when a price is kept: for its time, and no longer than to the first departure that it is about."""
    found = (world.find(booking.items[index].object_id) for index in indexes)
    ahead = [one.departs for one in found if isinstance(one, Service) and one.departs > world.now]
    return min(world.now + rules.price_life_s, *ahead) if ahead else world.now + rules.price_life_s


def action_view(priced: PricedAction, world: World) -> ActionView:
    """Return a priced action as it is printed."""
    currency = priced.collect.currency
    return ActionView(
        priced_action_id=priced.id,
        booking_id=priced.booking_id,
        action=priced.action,
        item_indexes=list(priced.item_indexes),
        target_id=priced.target_id,
        lines=[ActionRow(line.kind, line.item_index, Money(line.minor, currency).wire()) for line in priced.lines],
        collect=priced.collect.wire(),
        refund=priced.refund.wire(),
        refund_form=priced.refund_form,
        valid_until=zoned(priced.valid_until, world.zone),
        status=priced.status(world.now),
    )


class LedgerRow(msgspec.Struct, frozen=True):
    """Money that moved: change_fee and cancel_fee were paid, a refund came back."""

    ledger_id: str
    kind: str
    amount: Amount


class Committed(msgspec.Struct, frozen=True):
    """What `booking_commit_action` returns."""

    booking: BookingView
    ledger: list[LedgerRow]


class BookingCommitAction(Tool):
    """Carry out a priced change or cancellation: the booking is changed and the money moves."""

    effect: ClassVar[Effect] = "commit"
    latency_s: ClassVar[float] = 3.0

    priced_action_id: str = Field(description="Id of a live priced action.")
    card_id: str = Field(default="", description="Id of the card to charge; empty: what the booking was paid with.")

    def run(self, call: Call) -> Committed:
        world = call.world
        priced = world.get(PricedAction, self.priced_action_id, "priced_action_id")
        booking, rules = _changeable(world, priced.booking_id)
        card = usable_card(world, self.card_id, "card_id").id if self.card_id else ""
        if priced.status(world.now) != "live" or priced.items != _items_at(booking, priced.item_indexes):
            until = to_local(priced.valid_until, world.zone)
            raise ToolError("expired", desk_message(world, "expired", time=until), "priced_action_id")
        moves = _moves(priced, rules)
        changed = _cancelled(priced) if priced.action == "cancel" else _moved(world, priced, rules)
        items = tuple(changed.get(index, item) for index, item in enumerate(booking.items))
        paid = booking.paid.minor + sum(-minor if kind == "refund" else minor for kind, minor in moves)
        currency = booking.paid.currency
        booking = world.put(msgspec.structs.replace(booking, items=items, paid=Money(paid, currency)))
        world.put(msgspec.structs.replace(priced, committed=True))
        lines = [
            world.put(LedgerLine(world.new_id("ldg"), world.now, card, Money(minor, currency), kind, booking.id))
            for kind, minor in moves
        ]
        recipient = rules.channel_id or booking.supplier_id
        amount = priced.collect if priced.collect.minor else priced.refund
        kind = "change" if priced.action == "change" else "cancellation"
        send_out(call, kind, recipient_org_id=recipient, subject_id=booking.id, amount=amount)
        if priced.collect.minor:
            send_out(call, "payment", recipient_org_id=recipient, subject_id=booking.id, amount=priced.collect)
        call.show(booking.id)
        return Committed(
            booking_view(booking, world), [LedgerRow(line.id, line.kind, line.amount.wire()) for line in lines]
        )


def _items_at(booking: Booking, indexes: Sequence[int]) -> tuple[BookedItem, ...]:
    return tuple(booking.items[index] for index in indexes)


def _moves(priced: PricedAction, rules: BookingRules) -> list[tuple[str, int]]:
    """Return the ledger lines of an action; a cancellation gives the price back and takes what is kept of it."""
    back = priced.refund.minor if priced.refund_form == "original" else 0
    if priced.action == "change":
        moves = [("change_fee", priced.collect.minor), ("refund", back)]
    elif priced.refund_form == "credit":
        moves = []
    else:
        price = sum(rules.items[index].base + rules.items[index].charges for index in priced.item_indexes)
        moves = [("refund", price), ("cancel_fee", price - back)]
    return [(kind, minor) for kind, minor in moves if minor]


def _cancelled(priced: PricedAction) -> dict[int, BookedItem]:
    return {
        index: msgspec.structs.replace(item, status="cancelled")
        for index, item in zip(priced.item_indexes, priced.items, strict=True)
    }


def _moved(world: World, priced: PricedAction, rules: BookingRules) -> dict[int, BookedItem]:
    """Take the target off sale and keep its price as the item's; return the changed item."""
    (index,), (item,) = priced.item_indexes, priced.items
    target, offer = _target(world, priced.target_id, item.party, rules)
    take(world, offer, item.party)
    terms = msgspec.structs.replace(rules.items[index], base=target.base, charges=target.charges)
    items = (*rules.items[:index], terms, *rules.items[index + 1 :])
    world.put(msgspec.structs.replace(rules, items=items))
    object_id = offer.id if isinstance(offer, Rate) else offer.service_id
    return {index: BookedItem(object_id, item.party)}
