"""The answer about a pre-order: sheet, draft, what it costs in all, until when it is to be sent."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from agentbench_env.claims import MoneyValue, Part
from agentbench_env.task import Answer

Ids = Annotated[list[Annotated[str, Field(max_length=64)]], Field(max_length=20)]


class Moment(Part):
    """A local date and time with its zone."""

    local: str = Field(default="", description="YYYY-MM-DDTHH:MM.")
    zone: str = Field(default="", description="IANA zone, e.g. Asia/Taipei; empty for that of the venue.")


class TotalClaim(Part):
    """What the party pays, with the records that it rests on."""

    value: MoneyValue = Field(
        default=MoneyValue(),
        description="What the party on the sheet pays in all, with service, fee and tax where they come on top: "
        "reckoned on the sum of all lines and rounded once, at the end, as the charges of the set say.",
    )
    sources: Ids = Field(
        default=[],
        description="Ids of records shown by earlier results that state the price of the set and what comes on top of "
        "it, such as the set menu or the page that prints it; at most six.",
    )


class DeadlineClaim(Part):
    """Until when dishes are to be ordered, with the records that state it."""

    value: Moment = Field(
        default=Moment(), description="The last moment at which this reservation's dishes may be ordered."
    )
    sources: Ids = Field(
        default=[],
        description="Ids of records shown by earlier results that state until when the set is to be ordered, such as "
        "the set menu or the page that prints it; at most six.",
    )


class PreorderAnswer(Answer):
    """Hand over the sheet and the draft with total and deadline. This ends the episode."""

    sheet_id: str = Field(default="", description="Id of the sheet with one line a person.")
    draft_id: str = Field(default="", description="Id of the draft to the venue that has the sheet attached.")
    total: TotalClaim = Field(default=TotalClaim(), description="What the party pays.")
    deadline: DeadlineClaim = Field(default=DeadlineClaim(), description="Until when dishes are to be ordered.")
