"""The claim desks of carriers, insurers and channels: a claim is drafted first and filed by a call of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

import msgspec
from pydantic import Field

from agentbench_env.claims import Part
from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.money import Money, digits
from agentbench_env.tool import Effect
from agentbench_env.world import World
from agentbench_tasks.commons.outbound import OutboundKind
from agentbench_tasks.commons.pages import Page, Section
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.requests import PreparedRequest, RequestSaved, SaveRequest, SubmitRequest
from agentbench_tasks.travel.domain.desks import desk_message
from agentbench_tasks.travel.domain.records import Booking, Carrier, Service
from agentbench_tasks.travel.domain.records_stays import Channel, Property

_AMOUNT = re.compile(r"[0-9][0-9,]*(\.[0-9]+)?")


class ClaimHead(msgspec.Struct, frozen=True, gc=False):
    """A head of a claim as it was written down; without a currency it is in the booking's."""

    kind: str
    amount: str
    currency: str
    basis_section_id: str


class ClaimDraft(PreparedRequest, frozen=True, gc=False):
    """A claim as it would be filed, or was."""

    booking_id: str = ""
    policy_id: str = ""
    event_service_id: str = ""
    heads: tuple[ClaimHead, ...] = ()
    paper_ids: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    def enclosure_ids(self) -> tuple[str, ...]:
        """The papers that go with it."""
        return self.paper_ids

    def amounts(self, world: World) -> tuple[Money, ...]:
        """What is claimed by each head."""
        return tuple(
            Money.of(head.amount, head.currency or claim_currency(world, self.booking_id)) for head in self.heads
        )


def claim_currency(world: World, booking_id: str) -> str:
    """Return the currency of a claim about a booking, "" if it is about none."""
    booking = world.find(booking_id)
    return booking.paid.currency if isinstance(booking, Booking) else ""


class HeadWish(Part):
    """A head of the claim."""

    kind: str = Field(description="What is claimed: compensation, expenses or unused_refund.", max_length=60)
    amount: str = Field(description="Amount, a decimal number in major units.", max_length=20)
    basis_section_id: str = Field(description="Id of the section of the terms that the head rests on.")
    currency: str = Field(default="", description="ISO code; empty: the currency of the booking.")


class ClaimSaveDraft(SaveRequest):
    """Save a claim as a draft; saving with a request_id replaces its whole content. It reaches nobody."""

    latency_s: ClassVar[float] = 1.0
    record = ClaimDraft
    required = ("heads",)

    addressee_id: str = Field(description="Id of the carrier, insurer, channel or house that the claim is against.")
    heads: list[HeadWish] = Field(description="What is claimed, by head, in one currency.", max_length=12)
    booking_id: str = Field(default="", description="Id of the booking it is about; give this, policy_id or both.")
    policy_id: str = Field(default="", description="Id of the insurance policy among the user's documents.")
    event_service_id: str = Field(
        default="", description="Id of the departure that was late or cancelled: the object_id of the booked item."
    )
    paper_ids: list[str] = Field(default=[], description="Ids of the documents to attach.", max_length=30)
    missing: list[str] = Field(
        default=[], description="Asked-for documents that are missing, by name, e.g. id_copy.", max_length=30
    )

    def run(self, call: Call) -> RequestSaved:
        world = call.world
        if not _has_desk(world, self.addressee_id):
            raise ToolError("unknown_id", field="addressee_id", hint="the publisher of the terms, or a supplier")
        for kind, id, field in (
            (Booking, self.booking_id, "booking_id"),
            (Paper, self.policy_id, "policy_id"),
            (Service, self.event_service_id, "event_service_id"),
        ):
            if id:
                world.get(kind, id, field)
        for paper_id in self.paper_ids:
            world.get(Paper, paper_id, "paper_ids")
        _check_heads(world, self.heads, claim_currency(world, self.booking_id))
        return super().run(call)


def _has_desk(world: World, id: str) -> bool:
    """Whether claims can be addressed to an organisation: it sells something here, or it published terms."""
    return (
        isinstance(world.find(id), Channel | Property)
        or bool(world.where(Carrier, "code", id))
        or bool(world.where(Page, "publisher", id))
    )


def _check_heads(world: World, heads: Sequence[HeadWish], usual: str) -> None:
    currencies = [head.currency or usual for head in heads]
    for number, (head, currency) in enumerate(zip(heads, currencies, strict=True)):
        world.get(Section, head.basis_section_id, f"heads.{number}.basis_section_id")
        if not currency or currency != currencies[0]:
            hint = "an ISO code, the same for all heads"
            raise ToolError("invalid_argument", field=f"heads.{number}.currency", hint=hint)
        _, _, part = head.amount.partition(".")
        if not _AMOUNT.fullmatch(head.amount) or len(part.rstrip("0")) > digits(currency):
            hint = f"a decimal number with at most {digits(currency)} decimal digits"
            raise ToolError("invalid_argument", field=f"heads.{number}.amount", hint=hint)


class ClaimFile(SubmitRequest):
    """File a claim draft with its addressee, with every document attached to it. It cannot be changed afterwards."""

    effect: ClassVar[Effect] = "commit"
    record = ClaimDraft
    outbound: ClassVar[OutboundKind] = "claim"

    def refuse(self, request: PreparedRequest, call: Call) -> None:
        """Refuse a claim without heads, or about nothing."""
        draft = call.world.get(ClaimDraft, request.id)
        lacking = [] if draft.heads else ["heads"]
        if not draft.booking_id and not draft.policy_id:
            lacking.append("booking_id or policy_id")
        if lacking:
            hint = f"empty: {', '.join(lacking)}"
            raise ToolError("incomplete", desk_message(call.world, "incomplete"), "request_id", hint)
