"""The answer of a comparison of fare rules."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agentbench_env.claims import MoneyClaim, MoneyValue, Part
from agentbench_env.task import Answer

SECTION_SOURCES = (
    "Ids of the sections or pages read in earlier results that state the rule in force for this fare, with any note "
    "or exception that changes it; at most six."
)


class ChangeTerms(Part):
    """What the change costs."""

    allowed: bool = Field(description="Whether the change is possible at the moment asked about.")
    fee: MoneyValue = Field(
        default=MoneyValue(),
        description="All fees for the change, for the whole party and the sectors asked about, without the fare "
        "difference; 0 if it is free, empty if it is not possible.",
    )
    sources: list[str] = Field(default=[], description=SECTION_SOURCES)


class CancelTerms(Part):
    """What comes back on cancellation of the whole ticket."""

    refund: MoneyValue = Field(
        default=MoneyValue(), description="What the whole party gets back, taxes included; 0 if nothing."
    )
    taxes_back: bool = Field(description="Whether taxes and charges come back, before any refund fee.")
    form: Literal["cash", "credit", "none"] = Field(
        description="How it comes back. cash: in money; credit: as travel credit; none: nothing comes back."
    )
    sources: list[str] = Field(default=[], description=SECTION_SOURCES)


class BagTerms(Part):
    """What baggage the price includes, for one passenger."""

    pieces: int = Field(description="Checked pieces included; 0: none, -1: not limited.", ge=-1)
    kg: int = Field(
        description="Kilograms of each checked piece, or of all together where pieces is -1; 0 if there is none, "
        "-1: not limited.",
        ge=-1,
    )
    cabin_kg: int = Field(description="Kilograms of cabin baggage; -1: not limited.", ge=-1)
    sources: list[str] = Field(default=[], description=SECTION_SOURCES)


class NoShowTerms(Part):
    """What happens if the party does not appear."""

    money: Literal["fare_forfeited", "fee", "as_cancellation"] = Field(
        description="fare_forfeited: the fare is lost; fee: a no-show fee is taken and the rest counts as a "
        "cancellation; as_cancellation: it counts as a cancellation without a fee of its own."
    )
    fee: MoneyValue = Field(
        default=MoneyValue(), description="The no-show fee of the whole party where money is fee; empty otherwise."
    )
    onward_cancelled: bool = Field(description="Whether the rule cancels the sectors that follow, if there are any.")
    sources: list[str] = Field(default=[], description=SECTION_SOURCES)


class FareTerms(Part):
    """One fare of the comparison."""

    fare_id: str = Field(description="Id of the fare.")
    price: MoneyClaim = Field(
        description="Base and charges of the whole party, without extras. Sources: the fare or its service as the "
        "carrier has it (with the page on child fares if a child travels), or a quote without extras."
    )
    change: ChangeTerms = Field(description="The change asked about.")
    cancel: CancelTerms = Field(description="Cancelling the whole ticket at the moment asked about.")
    bag: BagTerms = Field(description="Baggage included.")
    no_show: NoShowTerms = Field(description="Not appearing for the first flight.")


class FareComparison(Answer):
    """Deliver the comparison. Amounts are totals for the party; baggage is for one passenger. This ends the episode."""

    rows: list[FareTerms] = Field(description="One row for each fare in scope, and no other.", max_length=20)
    cheapest_fare_id: str = Field(description="Id of the fare in scope with the lowest price.")
    strictest_fare_id: str = Field(
        description="Id of the fare in scope that no other one is stricter than on any of the four points: change (not "
        "possible, then the higher fee), refund (the larger share of the fare kept), baggage (the fewer checked "
        "kilograms), no-show (the fare lost, then a fee). Of several that are equally strict, the cheapest."
    )
