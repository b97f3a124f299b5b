"""The answer of a ground plan."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agentbench_env.claims import Part
from agentbench_env.task import Answer


class MisfitFlag(Part):
    """A place of the list that fits on no day, and why."""

    place_id: str = Field(description="Id of the place.")
    reason: Literal["closed", "sold_out", "no_service", "no_room"] = Field(
        description="The first that is true, in this order. closed: it is closed on every day of the trip. sold_out: "
        "it needs a slot and on no day of the trip one is left for the party. no_service: on every day that it is open "
        "no ride goes there, or none back any more when a full visit could end. no_room: open and reachable, but "
        "rides, the full visit and the hours do not go together with the day's frame and fixed appointments on any day."
    )
    sources: list[str] = Field(
        description="Ids of records read in earlier results that show the obstacle on a day of the trip, at most six. "
        "closed, sold_out: the place's day (day_id) or notice. no_service: a way to or from it (route_id), whose last "
        "departure it states, or the notice. no_room: the place's day or a way to or from it."
    )


class GroundPlanAnswer(Answer):
    """Deliver the plan and what does not fit. This ends the episode."""

    plan_id: str = Field(
        description="Id of the saved plan. For each day, in order of time: a transfer from the lodging, the visits and "
        "fixed appointments with a transfer between each two, a transfer back. kind visit: object_id the place, start "
        "and end of the whole visit. kind transfer: from_id, to_id, mode as ground_get_route names it, start the "
        "departure asked about, end after wait, ride and margin, or later; object_id the way or empty. Waiting is a "
        "later start of the visit."
    )
    flags: list[MisfitFlag] = Field(
        default=[], description="Every place of the list that fits on no day; empty if all fit.", max_length=20
    )
