"""The answer of the disruption task."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agentbench_env.claims import Part, TextClaim
from agentbench_env.task import Answer


class Gives(Part):
    """The one constraint that must give."""

    constraint: str = Field(
        default="", description="Id of its line in the trip brief, as printed there; empty: none gives."
    )
    best_value: TextClaim = Field(
        default=TextClaim(),
        description="The best that can still be reached of it without a fee, by the saved plan: a local time HH:MM at "
        "the house or event, an amount per person as a decimal number, kilograms, or a cabin (economy or business). "
        "Its sources state every input: for a time the flight, or the train after it, the ride, and the brief where "
        "its time for leaving the airport counts; for an amount the ride; for a bag or cabin the fare or its service.",
    )


class Change(Part):
    """An element of a booking that the plan replaces."""

    booking_id: str = Field(description="Id of the booking.")
    item_index: int = Field(description="Which item of the booking; the first one is 0.", ge=0)
    new_object_id: str = Field(description="Id of the fare, or of its service, that takes its place.")
    free_basis: list[str] = Field(
        description="Ids of the sections of the supplier's published terms or waiver by which the change is free.",
        max_length=6,
    )


class ReplanAnswer(Answer):
    """Deliver the revised plan and say whether every constraint holds. This ends the episode."""

    outcome: Literal["preserved", "one_gives"] = Field(
        description="preserved: every constraint of the brief is kept without a fee; one_gives: that is impossible, "
        "and exactly one constraint must give."
    )
    plan_id: str = Field(
        description="Id of the saved plan. Its items are all that remains of the trip: each journey (kind leg, "
        "object_id the fare or service, start and end the service's local times with zones), each stay (kind stay, "
        "object_id as its booking prints it), and the event (kind visit, object_id the id of its line in the brief). "
        "Rides on arrival may be added (kind transfer, object_id the route's id); without them any ride counts."
    )
    gives: Gives = Field(default=Gives(), description="What must give; left out when nothing must.")
    changes: list[Change] = Field(description="One entry for each booked element that the plan replaces.", max_length=8)
