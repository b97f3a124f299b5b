"""The answer about a table that is called off: whose it is, until when, what stands ready, or what stopped it."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field

from agentbench_env.claims import MoneyValue, Part
from agentbench_env.task import Answer
from agentbench_tasks.reservations.domain.blocking import MEANING, BlockingStep, NextStep

Outcome = Literal["prepared", "cancelled", "handed_back"]
BookedVia = Literal["none", "engine", "aggregator", "messenger", "mail", "phone", "concierge"]
Ids = Annotated[list[Annotated[str, Field(max_length=64)]], Field(max_length=20)]
_STEPS = "; ".join(f"{step}: {meaning}" for step, (_, _, meaning) in MEANING.items())
_NEXT = "; ".join(
    f"{step}: " + ", ".join(stop for stop, (following, _, _) in MEANING.items() if following == step)
    for step in get_args(NextStep)
)


class Moment(Part):
    """A local date and time with its zone."""

    local: str = Field(default="", description="YYYY-MM-DDTHH:MM.")
    zone: str = Field(default="", description="IANA zone, e.g. Asia/Taipei.")


class OwnershipClaim(Part):
    """Whether the table is the user's, with what shows it."""

    value: bool = Field(default=False, description="Whether the reservation is the user's own.")
    sources: Ids = Field(
        default=[],
        description="Ids of records read in earlier results that tie it to the user: the reservation where it stands "
        "in the user's account, or its confirmation to the user's own address or number, forwarded ones too; at most "
        "six. A row of the guest book with the name alone ties nothing.",
    )


class CutoffClaim(Part):
    """A limit with the records that state it."""

    value: Moment = Field(default=Moment(), description="The last moment at which calling the table off costs nothing.")
    sources: Ids = Field(
        default=[],
        description="Ids of records read in earlier results that state the limit for this table: the venue's terms in "
        "force; at most six.",
    )


class Handback(Part):
    """What stopped the errand, if anything did."""

    step: BlockingStep = Field(default="none", description=f"What stops it. {_STEPS}.")
    evidence: Ids = Field(
        default=[],
        description="Ids of records read in earlier results that it rests on, one at least. Where nothing shows that "
        "the booking is the user's, also one that is the user's own all the same: a reservation of the account, or a "
        "message to the user about one.",
    )
    next_step: NextStep = Field(
        default="none", description=f"What the user does next; after each the steps that it belongs to. {_NEXT}."
    )


class CancellationAnswer(Answer):
    """Say whose table it is, until when it is free, and what stands ready or was done. This ends the episode."""

    outcome: Outcome = Field(
        description="prepared: everything stands ready and nothing is cancelled yet. cancelled: the table was called "
        "off with the user's approval. handed_back: the user has to decide or find something first, as handback says: "
        "nothing shows that a table there is the user's, and then no message stands ready either, or the time in which "
        "cancelling is free has passed; nothing is staged then."
    )
    reservation: str = Field(
        default="", description="Id of the reservation; empty if none there is shown to be the user's."
    )
    ownership: OwnershipClaim = Field(default=OwnershipClaim(), description="Whether it is the user's own.")
    channel: BookedVia = Field(
        default="none",
        description="How it was booked, which is also how it is called off. engine or aggregator: on the booking "
        "surface, by a staged cancellation or an approved one; messenger or mail: by the message in the conversation "
        "in which it was booked; phone: by a note for the user to read out on the telephone; concierge: by the "
        "concierge; none: no reservation.",
    )
    stage_id: str = Field(default="", description="Id of the staged cancellation, where there is one.")
    message_draft_id: str = Field(
        default="",
        description="Id of the draft, or of the message if it was sent, in which the venue is told, with "
        "a greeting and a closing as letters to a shop have them: in the "
        "conversation of the booking, or a call_note for one by telephone; for one on a surface to the venue in any "
        "channel. Also where the free time has passed; empty if no reservation is shown to be the user's.",
    )
    cutoff: CutoffClaim = Field(default=CutoffClaim(), description="Until when calling it off costs nothing.")
    act_by: Moment = Field(
        default=Moment(),
        description="Until when the user has to act on what was prepared, not after the limit; needed where there is "
        "no staged cancellation and nothing was cancelled. Empty if the free time has passed.",
    )
    handback: Handback = Field(default=Handback(), description="What stopped it; step none if nothing did.")
    charge: MoneyValue = Field(
        default=MoneyValue(),
        description="What calling it off costs now in all, with what is kept of a deposit or taken from a hold, if the "
        "free time has passed; else empty or 0.",
    )
