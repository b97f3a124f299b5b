"""The answer of an accessible stay."""

from __future__ import annotations

from pydantic import Field

from agentbench_env.claims import MoneyClaim, Part, QuoteText
from agentbench_env.task import Answer
from agentbench_tasks.travel.domain.accessible.needs import Kind


class EvidenceRow(Part):
    """One need and the passage that states it."""

    need: Kind = Field(
        description="door_clear_cm, bath_door_clear_cm, lift_door_cm: clear width of the door of the room, of its "
        "bathroom, of the lift. roll_in_shower: a shower without kerb. step_free_route: no step between street and "
        "room. bed_height_cm: height with mattress. turning_circle_cm: free circle in the room. under_bed_gap_cm: free "
        "height under the bed. visual_alarm: a fire alarm that can be seen in the room. assistance_dog: such a dog is "
        "admitted. grab_bars_side: side of the grab bar at the toilet, seen when seated. quiet_floor_no_flash: a quiet "
        "floor without flashing lights."
    )
    value: str = Field(
        description="What the passage states: a decimal number of centimetres, converted if the passage has another "
        "unit (850 mm: 85), left or right for grab_bars_side, yes or no for the rest."
    )
    quote: QuoteText = Field(
        description="The whole line of the listing that states it, word for word, with the id of its section."
    )


class AccessibleStayAnswer(Answer):
    """Deliver the room, what it costs, and the passages that prove each need. This ends the episode."""

    property_id: str = Field(description="Id of the house.")
    room_type_id: str = Field(description="Id of the room.")
    rate_id: str = Field(description="Id of a rate at which the room can be had for these nights.")
    price_total: MoneyClaim = Field(
        description="All nights together as that rate shows them, with the rate or a quote of it as source."
    )
    evidence: list[EvidenceRow] = Field(description="One row for each need of the request.", max_length=24)
