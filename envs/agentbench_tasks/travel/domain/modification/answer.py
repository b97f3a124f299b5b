"""The answer about a booking's modification."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agentbench_env.claims import MoneyClaim, Part, TextClaim
from agentbench_env.task import Answer

LineKind = Literal["difference", "fee", "tax", "agency"]
Route = Literal["change", "rebook"]


class ChangeLine(Part):
    """A part of what the change costs."""

    kind: LineKind = Field(
        description="difference: in fare or room price. fee: of the carrier or house for changing. tax: in taxes and "
        "airport charges. agency: what the agency that sold the booking adds."
    )
    amount: MoneyClaim = Field(
        description="For the whole party and everything that moves. Sources: the priced changes, or the terms that set "
        "a fee."
    )


class ChangeCost(Part):
    """What changing the booking costs."""

    possible: TextClaim = Field(
        description="yes or no: whether the booking may be changed. Sources: the priced change, or the terms that "
        "allow or exclude it."
    )
    lines: list[ChangeLine] = Field(
        default=[], description="The parts of the cost; nil ones may be left out. Empty if not possible.", max_length=12
    )
    total: MoneyClaim = Field(default=MoneyClaim(), description="All lines together; may be left out.")


class RebookCost(Part):
    """What cancelling and booking anew costs."""

    new_price: MoneyClaim = Field(
        description="The lowest price, for the whole party, of the same product on the new dates, bought anew wherever "
        "it is sold. Sources: its quotes or rates."
    )
    refund: MoneyClaim = Field(
        description="What cancelling gives back in money, fees taken off; a credit or voucher counts as 0. Sources: "
        "the priced cancellation."
    )
    net: MoneyClaim = Field(description="new_price less refund; negative if more comes back. Sources: those of both.")


class Moment(Part):
    """A local date and time with its zone."""

    local: str = Field(default="", description="YYYY-MM-DDTHH:MM.")
    zone: str = Field(default="", description="IANA zone, e.g. Asia/Taipei.")


class Deadline(Part):
    """A moment with the records that it follows from."""

    value: Moment = Field(
        default=Moment(),
        description="The last moment at which the recommended way surely still costs what is stated: the earliest of "
        "how long each prepared action and quote that prepared_refs names is valid, and of the limits in the terms up "
        "to which what the way charges or gives back holds.",
    )
    sources: list[str] = Field(
        default=[],
        description="Ids of records read in earlier results that the earliest of them follows from: the action or "
        "quote; or the terms and, where they count from a departure, the booked departure.",
    )


class ModificationAnswer(Answer):
    """Deliver both costs, the cheaper way, until when it holds, and what stands prepared. This ends the episode."""

    change: ChangeCost = Field(description="What changing the booking costs.")
    rebook: RebookCost = Field(description="What cancelling and booking anew costs.")
    recommended: Route = Field(
        description="The way with the lower outlay in money. change: change the booking. rebook: cancel it, as far as "
        "it moves, and book anew."
    )
    deadline: Deadline = Field(description="Until when the recommended way is good for its cost.")
    prepared_refs: list[str] = Field(
        description="Ids of what stands prepared for the recommended way. change: the priced change of each item that "
        "moves. rebook: the priced cancellation of what moves, and the quote of each new purchase.",
        max_length=12,
    )
