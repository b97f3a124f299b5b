"""The answer of a party's table: what is held and on what it rests, or which step is left to the user."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agentbench_env.claims import Part
from agentbench_env.task import Answer
from agentbench_tasks.reservations.domain.blocking import MEANING, BlockingStep, NextStep

Need = Literal[
    "halal_certified",
    "alcohol_free_premises",
    "vegan_course",
    "pure_veg",
    "jay",
    "jain",
    "nut_free_kitchen",
    "buckwheat_free_kitchen",
    "crustacean_free",
]
NEEDS = (
    "halal_certified: certified halal food; alcohol_free_premises: no alcohol served or kept; vegan_course: a course "
    "without any animal product; pure_veg: pure vegetarian without egg, milk and the five pungent plants; jay: jay "
    "food, as in Thailand; jain: Jain food; nut_free_kitchen: a kitchen without nuts and peanuts; "
    "buckwheat_free_kitchen: a kitchen without buckwheat; crustacean_free: courses without crustaceans or traces."
)
_STEPS = "; ".join(f"{step}: {says}" for step, (_, _, says) in MEANING.items())
_NEXT = "; ".join(
    f"{after}: after {step}" if after != "none" else "none: where nothing is handed back"
    for step, (after, _, _) in MEANING.items()
)


class When(Part):
    """A start as the clock of the venue shows it."""

    local: str = Field(default="", description="YYYY-MM-DDTHH:MM.")
    zone: str = Field(default="", description="IANA name of the venue's zone; empty for that.")


class DietClaim(Part):
    """How the need is met, with the records that prove it."""

    need: Need = Field(description=NEEDS)
    level: Literal["declared", "certified"] = Field(
        description="certified: a certificate that is valid for this outlet on the day; declared: the owner states it."
    )
    sources: list[str] = Field(
        default=[],
        description="Ids of records read in earlier results that prove it for this outlet, at most six: the venue's "
        "own page, or the row of the register.",
    )


class Handback(Part):
    """Which step is left to the user."""

    step: BlockingStep = Field(
        default="none", description=f"What stops the booking; none unless it is handed back. {_STEPS}."
    )
    evidence: list[str] = Field(
        default=[],
        description="Ids of records read in earlier results in which the venue itself says so, at most six: its "
        "surface, its booking page, or a hold whose remaining steps show it.",
    )
    next_step: NextStep = Field(default="none", description=f"What the user does next. {_NEXT}.")
    contact: str = Field(
        default="", description="Number or handle to which the step leads; empty where it stays on the booking page."
    )
    mention: list[Need] = Field(default=[], description="What the user has to mention to the venue, as codes of needs.")


class PartyTable(Answer):
    """Say what is held for the party, or what stops it. This ends the episode."""

    outcome: Literal["held", "handed_back"] = Field(
        description="held: a table is held, a form filled in, or the booking confirmed; handed_back: the only place "
        "that fits cannot be booked without a step of the user's own."
    )
    venue: str = Field(description="Id of the venue.")
    record_id: str = Field(default="", description="Id of the hold or the reservation; empty if handed back.")
    party_size: int = Field(description="Number of guests.", ge=1, le=999)
    on_date: str = Field(description="Day of the dinner, YYYY-MM-DD.")
    start: When = Field(default=When(), description="Start of the dinner; may be left out if handed back.")
    diet: DietClaim = Field(description="How the venue meets the need.")
    handback: Handback = Field(default=Handback(), description="The step that is left to the user, if there is one.")
