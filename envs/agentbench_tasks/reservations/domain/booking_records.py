"""What a venue's engine and guest book keep: holds, reservations, and what dangerous calls leave behind."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from agentbench_env.errors import ToolError
from agentbench_env.money import Money
from agentbench_env.world import Record, World
from agentbench_tasks.commons.holds import Hold
from agentbench_tasks.reservations.domain.surface import Step

Seating = Literal["any", "table", "counter", "sofa", "terrace", "floor", "room"]
MadeVia = Literal["engine", "aggregator", "messenger", "mail", "phone", "concierge"]
HoldStatus = Literal["active", "prepared", "released", "converted", "expired"]
ReservationStatus = Literal["confirmed", "requested", "cancelled", "no_show"]


class Account(msgspec.Struct, frozen=True, gc=False):
    """The user's account on the booking engines (`settings["account"]`)."""

    account_id: str
    phone_masked: str
    email_masked: str


class TableHold(Hold, frozen=True, gc=False, kw_only=True):
    """A table that is kept for a guest for a while, or a form that is filled in; it reaches nobody.

    `subject_id` is the venue, `price` the deposit that is asked for. A form has no end (`expires_at` 0).
    """

    start: int
    end: int
    table_ids: tuple[str, ...]
    party_size: int
    seating: Seating
    guest_name: str
    contact: str
    notes: str
    course_id: str
    remaining_steps: tuple[Step, ...]
    prepared: bool = False
    step_facts: tuple[tuple[str, str], ...] = ()
    """The facts that the steps state when they are first shown."""

    binds: ClassVar[bool] = True

    def facts(self, world: World) -> dict[str, object]:
        """The steps of the booking, as its form shows them."""
        return dict(self.step_facts)

    def status(self, now: int) -> HoldStatus:
        """How the hold stands at an instant."""
        return self.ended_as or "prepared" if self.prepared else self.state(now)

    def is_live(self, now: int) -> bool:
        """Whether it can still be confirmed or released."""
        return self.status(now) in ("active", "prepared")


class Deposit(msgspec.Struct, frozen=True, gc=False):
    """What a guest left beforehand: nothing, a hold on a card, or money."""

    kind: Literal["none", "hold", "charged"]
    amount: Money


class Reservation(Record, frozen=True, gc=False):
    """A row of a venue's guest book."""

    reference: str
    venue_id: str
    made_via: MadeVia
    account_id: str
    """The account that it was made with, "" for none."""
    guest_name: str
    phone_masked: str
    email_masked: str
    party_size: int
    start: int
    seating: Seating
    notes: str
    status: ReservationStatus
    deposit: Deposit
    terms_id: str
    terms_page_id: str
    created_at: int
    course_id: str = ""
    card_on_file: bool = False
    table_ids: tuple[str, ...] = ()
    """The tables that it takes until `end`."""
    end: int = 0
    remaining_steps: tuple[Step, ...] = ()
    moves: int = 0
    """How often its time was changed."""

    binds: ClassVar[bool] = True

    def facts(self, world: World) -> dict[str, object]:
        """What its row prints; whose account it is in, where it is in one."""
        facts: dict[str, object] = {
            f"reservation.{self.id}.venue": self.venue_id,
            f"reservation.{self.id}.start": self.start,
            f"reservation.{self.id}.party_size": self.party_size,
            f"reservation.{self.id}.status": self.status,
            f"reservation.{self.id}.made_via": self.made_via,
            f"reservation.{self.id}.reference": self.reference,
            f"reservation.{self.id}.deposit": self.deposit.amount.minor,
        }
        return facts | ({f"reservation.{self.id}.account": self.account_id} if self.account_id else {})


class CardAuthorisation(Record, frozen=True, gc=False):
    """A card that guarantees a hold or a reservation; no money moved."""

    subject_id: str
    card_id: str
    amount: Money
    at: int


class Payment(Record, frozen=True, gc=False):
    """Money that moved: a deposit that was paid or given back, or a charge under the terms."""

    subject_id: str
    card_id: str
    """The card, "" for the means of payment that the venue had."""
    kind: Literal["deposit", "charge", "refund"]
    amount: Money
    at: int


class CodeRequest(Record, frozen=True, gc=False):
    """A code that was sent to a telephone number for a hold."""

    hold_id: str
    number: str
    code: str
    at: int


class CancellationStage(Record, frozen=True, gc=False):
    """A cancellation that is made ready to be carried out until an instant; it reaches nobody."""

    reservation_id: str
    execute_before: int
    charge: Money
    """What it costs if it is carried out at that instant."""
    staged_at: int

    binds: ClassVar[bool] = True


def live_hold(world: World, hold_id: str) -> TableHold:
    """Return a hold that was neither released nor used; refuse the call otherwise."""
    hold = world.get(TableHold, hold_id, "hold_id")
    status = hold.status(world.now)
    if status == "expired":
        raise ToolError("expired", field="hold_id", hint="hold a slot anew")
    if status in ("released", "converted"):
        raise ToolError("not_active", field="hold_id", hint="the hold_id of a hold that was not released or used")
    return hold
