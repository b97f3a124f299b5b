"""The answer of a changed or written-about table: which booking, what became of it, and the cut-off."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agentbench_env.claims import Part
from agentbench_env.task import Answer


class Moment(Part):
    """A local time with its zone."""

    local: str = Field(default="", description="YYYY-MM-DDTHH:MM.")
    zone: str = Field(default="", description="IANA name of the zone; empty for the venue's.")


class CutoffClaim(Part):
    """The last moment of free cancellation, with the records that state the rule."""

    value: Moment = Field(default=Moment(), description="The moment.")
    sources: list[str] = Field(
        default=[],
        description="Ids of records read in earlier results that state the rule, at most six: the venue's terms for "
        "the reservation as it stands, by page or section. The reservation itself may be cited beside them.",
    )


class ChangeAnswer(Answer):
    """Say what became of the change. This ends the episode."""

    reservation: str = Field(description="Id of the reservation.")
    outcome: Literal["updated", "routed"] = Field(
        description="updated: the reservation now shows what was asked. routed: it is as it was, and a message that "
        "asks the venue for the change lies ready."
    )
    cutoff: CutoffClaim = Field(
        description="The last moment at which cancelling the reservation, as it stands at the end, is free of charge "
        "under its terms, whether that is still to come or past."
    )
    draft_id: str = Field(
        default="",
        description="For routed: id of the draft, or of the message where it was sent, with a greeting and a closing "
        "as letters to a shop have them; empty otherwise.",
    )
