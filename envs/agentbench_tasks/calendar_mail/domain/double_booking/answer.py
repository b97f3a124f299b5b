"""The answer about a double booking."""

from __future__ import annotations

from pydantic import Field

from agentbench_env.claims import Part
from agentbench_env.task import Answer


class RuleClaim(Part):
    """The rule that decided, with the records that show it to."""

    value: str = Field(default="", description="Id of the section of the scheduling rules that decided.")
    sources: list[str] = Field(
        default=[],
        description="Ids of records read in earlier results, at most six: the rule's page or section, and an event, "
        "contact or message that shows the fact by which this rule separates the two meetings.",
    )


class DoubleBookingAnswer(Answer):
    """Deliver what was moved and by which rule. This ends the episode."""

    moved_event_id: str = Field(description="Id of the event or instance that was moved.")
    kept_event_id: str = Field(description="Id of the event or instance that was left where it was.")
    rule: RuleClaim = Field(description="The first rule of the list that separates the two meetings.")
