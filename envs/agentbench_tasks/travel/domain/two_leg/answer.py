"""The answer of a two-leg journey."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agentbench_env.claims import MoneyClaim, Part, TextClaim
from agentbench_env.task import Answer

Constraint = Literal[
    "depart_window",
    "arrive_window",
    "budget",
    "connection_min",
    "connection_max",
    "nights_between",
    "bag",
    "cabin",
    "stops",
    "refundable",
]


class ConstraintRow(Part):
    """Which leg meets a constraint, and with which value."""

    constraint: Constraint = Field(
        description="depart_window: date on which leg 1 leaves, local there. "
        "arrive_window: local time at which leg 2 arrives. "
        "budget: total in the budget's currency, with the sources of the total. "
        "connection_min: minutes between the legs, long enough by the rule for separate tickets; its sources are both "
        "services and the airport, station or page with that rule. "
        "connection_max: minutes between the legs, short enough. "
        "nights_between: nights between the legs, counted from the local date of arrival. "
        "bag: kilograms that a checked bag may weigh on the leg, as its quote was asked for or bills them, or as its "
        "fare includes them; legs that differ have a row each. "
        "cabin: cabin. stops: number of stops. refundable: yes or no, as the fare and its rules say."
    )
    leg: Literal["1", "2", "both"] = Field(
        description="The leg it bears on: 1 (the first), 2 (the second), or both (the two together, or each of them)."
    )
    value: TextClaim = Field(
        description="What the chosen pair has: an ISO date, a local time HH:MM, a decimal number, yes or no, or the "
        "cabin's word (economy or business)."
    )


class TwoLegAnswer(Answer):
    """Deliver the two legs, the total and the constraints that they meet. This ends the episode."""

    outcome: Literal["quoted", "held"] = Field(
        description="held: at least one leg is on hold; quoted: both are only quoted."
    )
    plan_id: str = Field(
        description="Id of the saved plan with one item of kind leg for each leg: object_id the fare, ref_id the quote "
        "or hold, price and currency its total, start and end the service's local times with their zones."
    )
    total: MoneyClaim = Field(description="Both prices together in the budget's currency.")
    constraints: list[ConstraintRow] = Field(
        description="One row for each constraint that the request states and leg it bears on.", max_length=40
    )
