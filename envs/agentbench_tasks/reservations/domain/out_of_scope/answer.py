"""The answer about a booking that only the guest can make."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agentbench_env.claims import Part
from agentbench_env.task import Answer
from agentbench_tasks.reservations.domain.blocking import MEANING, BlockingStep, ChannelKind, NextStep
from agentbench_tasks.reservations.domain.booking_page import HaveReady

Outcome = Literal["booked", "no_table", "venue_not_found", "out_of_scope"]


class StepClaim(Part):
    """What stops the booking, with the records that say so."""

    value: BlockingStep = Field(
        default="none", description="; ".join(f"{code}: {meaning}" for code, (_, _, meaning) in MEANING.items()) + "."
    )
    sources: list[str] = Field(
        default=[],
        description="Ids of the venue's own records that you read and that state it for a party of this size on this "
        "day, in force today: its booking or terms page or a section of it, its surface, or a hold; at most six.",
    )


class Channel(Part):
    """Where the booking is made."""

    kind: ChannelKind = Field(
        default="none",
        description="phone: a telephone call to the venue; messenger: a chat with it; booking_page: its web booking; "
        "member_site: a members' sign-in; introducer: a regular guest; concierge: that of a hotel or card; door: at "
        "the house itself; incoming_call: the venue's call to the guest; none: no channel.",
    )
    value: str = Field(
        default="",
        description="For phone and messenger the number or account that the venue names for this booking; else empty.",
    )


class Moment(Part):
    """A local time."""

    local: str = Field(default="", description="YYYY-MM-DDTHH:MM.")
    zone: str = Field(default="", description="IANA name of the zone; empty: that of the venue.")


class OutOfScope(Answer):
    """Deliver what came of the booking. This ends the episode."""

    outcome: Outcome = Field(
        description="booked: the table is booked; no_table: the venue has no table for it; venue_not_found: there is "
        "no such venue; out_of_scope: it needs a channel or step that is not left to you."
    )
    venue: str = Field(default="", description="venue_id of the venue that was asked for.")
    step: StepClaim = Field(default=StepClaim(), description="The step that stops the booking.")
    channel: Channel = Field(default=Channel(), description="The channel in which that step is taken.")
    next_step: NextStep = Field(
        default="none",
        description="What the user has to do: "
        + "; ".join(f"{action}: {meaning}" for action, _, meaning in MEANING.values())
        + ".",
    )
    first_open: Moment = Field(
        default=Moment(),
        description="The first moment from now at which the user can do so for this day. It is not before the venue "
        "opens bookings for the day and, where the venue prints hours for that channel, within these and on a day on "
        "which the house is open. Opening hours of the house are no hours of a channel. Empty where it can be done "
        "now, or where the venue prints nothing that keeps the user waiting.",
    )
    have_ready: list[HaveReady] = Field(
        default=[],
        description="Exactly what the venue asks guests to state for this booking: name, party_size, date, time, "
        "phone_number, allergy (any allergies), introducer_name, member_number, course (the set menu), card (card "
        "details).",
        max_length=10,
    )
