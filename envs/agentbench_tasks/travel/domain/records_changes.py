"""Records of what happens to a booking after it was made, its rules and priced changes; and of portals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

import msgspec

from agentbench_env.money import Money
from agentbench_env.world import Record, World
from agentbench_tasks.travel.domain.records import BookedItem, QuoteLine

Action = Literal["change", "cancel"]
RefundForm = Literal["original", "credit", "none"]
LineKind = Literal["difference", "tax", "fee", "base", "charges"]


class ChangeStep(msgspec.Struct, frozen=True, gc=False):
    """A rule for changing an item until an instant, for the targets that it admits; an empty limit admits all.

    `suppliers` are codes of carriers or ids of properties, `brands` also boards, `points` must hold both ends.
    """

    until: int
    fee: int
    """Minor units, for each person or for the item as `ItemRules.fee_per_person` says."""
    suppliers: tuple[str, ...]
    brands: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    from_date: str = ""
    to_date: str = ""
    collects_difference: bool = True
    returns_difference: bool = False


class CancelStep(msgspec.Struct, frozen=True, gc=False):
    """What is kept of an item that is cancelled until an instant: a share of its base price, and a handling fee."""

    until: int
    kept_percent: int
    fee: int = 0
    returns_charges: bool = True


class ItemRules(msgspec.Struct, frozen=True, gc=False):
    """What an item cost its party in minor units, and the steps by which changing and cancelling it are charged.

    The first step that admits the case and has not ended applies. `follows_charges`: a change collects charges that the
    new item carries and the old one did not.
    """

    base: int
    charges: int
    change: tuple[ChangeStep, ...]
    cancel: tuple[CancelStep, ...]
    fee_per_person: bool = True
    follows_charges: bool = True


class BookingRules(Record, frozen=True, gc=False):
    """Under which terms a booking was sold, through which channel, for whom, and what it cost by lines.

    `taken_at` is where changes are made if not here.
    """

    booking_id: str
    channel_id: str
    terms_page_id: str
    terms_version: str
    lines: tuple[QuoteLine, ...]
    items: tuple[ItemRules, ...]
    price_life_s: int
    child_ages: tuple[int, ...] = ()
    refund_form: Literal["original", "credit"] = "original"
    taken_at: str = ""

    def facts(self, world: World) -> Mapping[str, object]:
        """The channel, the version of the terms, and the lines that were paid."""
        return {
            f"{self.booking_id}.channel": self.channel_id,
            f"{self.booking_id}.terms_version": self.terms_version,
            **{f"{self.booking_id}.paid.{line.kind}.{line.code}": line.minor for line in self.lines},
        }


class ActionLine(msgspec.Struct, frozen=True, gc=False):
    """A part of what an action costs (positive) or gives back (negative), in minor units.

    Kinds are difference, tax and fee for a change; base, charges and fee for a cancellation.
    """

    kind: LineKind
    item_index: int
    minor: int


class PricedAction(Record, frozen=True, gc=False):
    """A change or cancellation with its price, ready to be committed."""

    binds: ClassVar[bool] = True

    booking_id: str
    action: Action
    item_indexes: tuple[int, ...]
    items: tuple[BookedItem, ...]
    """The items as they were priced."""
    target_id: str
    lines: tuple[ActionLine, ...]
    collect: Money
    refund: Money
    refund_form: RefundForm
    made_at: int
    valid_until: int
    committed: bool = False

    def status(self, now: int) -> Literal["live", "expired", "committed"]:
        """How it stands at an instant."""
        return "committed" if self.committed else "live" if now <= self.valid_until else "expired"

    def facts(self, world: World) -> Mapping[str, object]:
        """What it collects, what it gives back, its lines added up by kind, and how long it is valid."""
        about = f"{self.booking_id}.{self.action}.{self.target_id or ','.join(map(str, self.item_indexes))}"
        stated: dict[str, object] = {
            f"{about}.collect": str(self.collect),
            f"{about}.refund": str(self.refund),
            f"{about}.refund_form": self.refund_form,
            f"{self.id}.valid_until": self.valid_until,
        }
        for kind in {line.kind: None for line in self.lines}:
            minor = sum(line.minor for line in self.lines if line.kind == kind)
            stated[f"{about}.{kind}"] = str(Money(minor, self.collect.currency))
        return stated


class PortalForm(Record, frozen=True, gc=False):
    """A form that a government's portal takes, e.g. an arrival card."""

    code: str
    authority: str
    country: str


class Application(Record, frozen=True, gc=False):
    """An application for a traveller at a portal."""

    form: str
    traveller_id: str
    started_at: int
    status: Literal["started"] = "started"


class Upload(Record, frozen=True, gc=False):
    """A document handed to a portal."""

    application_id: str
    paper_id: str
    uploaded_at: int
