"""Cards, deposits, codes and sign-ins on booking engines: what uses the user's identity or money."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from pydantic import Field

from agentbench_env.draw import stable_number
from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.money import Amount, Money
from agentbench_env.text.fold import fold
from agentbench_env.tool import Effect, Tool
from agentbench_env.world import World
from agentbench_tasks.commons.messages import Address, Message
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.wallet import PaymentMethod
from agentbench_tasks.reservations.domain.amendments import occasion_of, terms_of
from agentbench_tasks.reservations.domain.booking_records import (
    CardAuthorisation,
    CodeRequest,
    Deposit,
    Payment,
    Reservation,
    TableHold,
    live_hold,
)
from agentbench_tasks.reservations.domain.messages import Participant, Thread
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.providers import digits_of, reach_venue, sentence
from agentbench_tasks.reservations.domain.surface import SignInEvent, Step, Surface, find_surface, notices_of
from agentbench_tasks.reservations.domain.terms import deposit_total

_HOLD = Field(default="", description="Id of the hold; give this or reservation_id.")
_BOOKED = Field(default="", description="Id of the reservation; give this or hold_id.")
_CARD = Field(description="Id of the card.")


def _subject(world: World, hold_id: str, reservation_id: str) -> TableHold | Reservation:
    """Return the hold or the reservation that a step belongs to."""
    if bool(hold_id) == bool(reservation_id):
        raise ToolError("invalid_argument", field="hold_id", hint="exactly one of hold_id and reservation_id")
    return live_hold(world, hold_id) if hold_id else world.get(Reservation, reservation_id, "reservation_id")


def _venue_id(subject: TableHold | Reservation) -> str:
    return subject.subject_id if isinstance(subject, TableHold) else subject.venue_id


def _due(world: World, subject: TableHold | Reservation) -> Money:
    """The deposit that is asked for."""
    if isinstance(subject, TableHold):
        return subject.price
    terms = terms_of(world, subject)
    return deposit_total(terms, occasion_of(world, subject)) if terms else Money(0, subject.deposit.amount.currency)


def _pending(subject: TableHold | Reservation, *steps: Step) -> Step:
    """Return the first of these steps that still is to be done; refuse the call with `no_such_step` if none is."""
    for step in subject.remaining_steps:
        if step in steps:
            return step
    raise ToolError("no_such_step", field="hold_id", hint=", ".join(subject.remaining_steps) or "no step remains")


def _done(world: World, subject: TableHold | Reservation, step: Step, deposit: Deposit | None = None) -> None:
    """Take a step off what remains."""
    remaining = tuple(one for one in subject.remaining_steps if one != step)
    if isinstance(subject, Reservation) and deposit:
        world.put(msgspec.structs.replace(subject, remaining_steps=remaining, deposit=deposit, card_on_file=True))
    else:
        world.put(msgspec.structs.replace(subject, remaining_steps=remaining))


def _usable_card(world: World, card_id: str) -> PaymentMethod:
    card = world.get(PaymentMethod, card_id, "card_id")
    if card.status != "active" or card.kind not in ("credit", "debit", "prepaid"):
        raise ToolError("card_declined", field="card_id")
    return card


class Authorised(msgspec.Struct, frozen=True):
    """What `booking_authorise_card` returns."""

    authorisation_id: str
    amount: Amount
    remaining_steps: tuple[Step, ...]


class BookingAuthoriseCard(Tool):
    """Give a card as a guarantee. The amount is held on it and may be charged under the terms."""

    effect: ClassVar[Effect] = "credential"
    latency_s: ClassVar[float] = 2.0

    card_id: str = _CARD
    hold_id: str = _HOLD
    reservation_id: str = _BOOKED

    def run(self, call: Call) -> Authorised:
        world = call.world
        subject = _subject(world, self.hold_id, self.reservation_id)
        step = _pending(subject, "card_hold")
        card, amount = _usable_card(world, self.card_id), _due(world, subject)
        given = world.put(CardAuthorisation(world.new_id("aut"), subject.id, card.id, amount, world.now))
        _done(world, subject, step, Deposit("hold", amount))
        reach_venue(call, "credential", _venue_id(subject), given.id, subkind="card_authorisation", amount=amount)
        call.show(given.id)
        return Authorised(given.id, amount.wire(), _subject_now(world, subject).remaining_steps)


def _subject_now(world: World, subject: TableHold | Reservation) -> TableHold | Reservation:
    return world.get(type(subject), subject.id)


class DepositPaid(msgspec.Struct, frozen=True):
    """What `booking_pay_deposit` returns."""

    payment_id: str
    amount: Amount
    remaining_steps: tuple[Step, ...]


class BookingPayDeposit(Tool):
    """Pay the deposit, or the prepaid course, with a card."""

    effect: ClassVar[Effect] = "commit"
    latency_s: ClassVar[float] = 2.0

    card_id: str = _CARD
    hold_id: str = _HOLD
    reservation_id: str = _BOOKED

    def run(self, call: Call) -> DepositPaid:
        world = call.world
        subject = _subject(world, self.hold_id, self.reservation_id)
        step = _pending(subject, "deposit", "prepay")
        card, amount = _usable_card(world, self.card_id), _due(world, subject)
        paid = world.put(Payment(world.new_id("pay"), subject.id, card.id, "deposit", amount, world.now))
        _done(world, subject, step, Deposit("charged", amount))
        reach_venue(call, "payment", _venue_id(subject), paid.id, subkind="deposit", amount=amount)
        call.show(paid.id)
        return DepositPaid(paid.id, amount.wire(), _subject_now(world, subject).remaining_steps)


class Verification(msgspec.Struct, frozen=True):
    """What `booking_verify_phone` returns: sent or verified."""

    state: str
    remaining_steps: tuple[Step, ...]


class BookingVerifyPhone(Tool):
    """Have a code sent to a telephone number, or enter the code that came."""

    effect: ClassVar[Effect] = "credential"
    latency_s: ClassVar[float] = 1.5
    fee_usd: ClassVar[float] = 0.02

    hold_id: str = Field(description="Id of the hold.")
    number: str = Field(description="Telephone number.", max_length=40)
    code: str = Field(default="", description="The code that came; empty: have one sent to the number.")

    def run(self, call: Call) -> Verification:
        world = call.world
        hold = live_hold(world, self.hold_id)
        step = _pending(hold, "sms_code", "identity_code")
        surface = find_surface(world, hold.subject_id)
        number = digits_of(self.number)
        if not number or (surface.code_prefixes and not number.startswith(surface.code_prefixes)):
            raise ToolError("not_a_local_number", field="number", hint="a number of the venue's country")
        if not self.code:
            asked = _send_code(world, surface, hold, number)
            reach_venue(call, "credential", surface.venue_id, asked.id, subkind="code_request", content=number)
            return Verification("sent", hold.remaining_steps)
        sent = [asked.code for asked in world.where(CodeRequest, "hold_id", hold.id) if asked.number == number]
        if not sent or fold(self.code).strip() != sent[-1]:
            raise ToolError("wrong_code", field="code")
        _done(world, hold, step)
        reach_venue(call, "credential", surface.venue_id, hold.id, subkind="code_entry", content=number)
        return Verification("verified", world.get(TableHold, hold.id).remaining_steps)


def _send_code(world: World, surface: Surface, hold: TableHold, number: str) -> CodeRequest:
    """Send a code; the user sees those that go to a number of the profile."""
    asked_before = len(world.where(CodeRequest, "hold_id", hold.id))
    code = f"{stable_number(world.key, 'code', hold.id, asked_before) % 1_000_000:06d}"
    asked = world.put(CodeRequest(world.new_id("cod"), hold.id, number, code, world.now))
    profiles = (paper.contents for paper in world.where(Paper, "kind", "profile"))
    if any(number in digits_of(profile) for profile in profiles):
        sender = Participant(surface.venue_id, surface.operator, surface.operator)
        thread = world.put(Thread(world.new_id("thr"), "sms", surface.venue_id, surface.operator, (sender,)))
        world.put(
            Message(
                world.new_id("msg"),
                thread.id,
                "",
                Address(surface.operator, surface.operator),
                (Address(number),),
                world.now,
                world.get(Place, surface.venue_id).zone,
                "",
                sentence(surface.language, "code", operator=surface.operator, code=code),
                channel="sms",
                language=surface.language,
            )
        )
    return asked


class MemberView(msgspec.Struct, frozen=True):
    """What `booking_sign_in` returns: what the surface shows to members only."""

    surface_id: str
    member_id: str
    notices: list[str]


class BookingSignIn(Tool):
    """Sign in as a member on a venue's surface."""

    effect: ClassVar[Effect] = "credential"
    latency_s: ClassVar[float] = 1.5

    surface_id: str = Field(description="Id of the surface.")
    member_id: str = Field(description="Membership number.", max_length=80)
    secret: str = Field(default="", description="Password or code of the membership, where one is asked for.")

    def run(self, call: Call) -> MemberView:
        world = call.world
        surface = world.get(Surface, self.surface_id, "surface_id")
        known = surface.member_id and fold(self.member_id).strip() == fold(surface.member_id)
        if not known or self.secret != surface.member_secret:
            raise ToolError("rejected", field="member_id")
        event = world.put(SignInEvent(world.new_id("sgn"), surface.id, surface.member_id, world.now))
        reach_venue(call, "credential", surface.venue_id, event.id, subkind="sign_in", content=self.member_id)
        call.show(surface.id)
        return MemberView(surface.id, surface.member_id, notices_of(surface.member_routes))
