"""The answer of a stay's true cost."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agentbench_env.claims import MoneyValue, Part
from agentbench_env.task import Answer

TaxKind = Literal["municipality_fee", "provincial_fee", "tourism_fee", "tourism_dirham", "lodging_tax", "bath_tax"]
FeeKind = Literal["resort_fee", "cleaning_fee", "extra_person", "extra_bed", "heating_fee"]


class LocalTax(Part):
    """A public charge of a night."""

    kind: TaxKind = Field(
        description="municipality_fee: a city's percentage of the room price; provincial_fee: a province's; "
        "tourism_fee: a tourism authority's; tourism_dirham: a fixed sum a room and night by class; lodging_tax: on "
        "overnight stays, by price; bath_tax: on bathing guests."
    )
    amount: MoneyValue = Field(description="What it adds to the night for the whole party.")


class NightLines(Part):
    """The lines of one night, for the whole party."""

    date: str = Field(description="ISO date of the night (of its evening).")
    base: MoneyValue = Field(description="The price of the night as the rate shows it, for the whole party.")
    vat: MoneyValue = Field(
        default=MoneyValue(), description="VAT, GST or consumption tax added to the shown price; empty or 0 if inside."
    )
    service: MoneyValue = Field(
        default=MoneyValue(),
        description="Service charge added to the shown price, with any tax that is part of it; empty or 0 if "
        "inside or none.",
    )
    local_taxes: list[LocalTax] = Field(
        default=[],
        description="Public charges of the place added to the shown price; none of them is VAT.",
        max_length=8,
    )
    total: MoneyValue = Field(description="base + vat + service + local taxes of this night.")


class StayFee(Part):
    """A compulsory charge of the house."""

    kind: FeeKind = Field(
        description="resort_fee: for the facilities; cleaning_fee; extra_person: for guests beyond those in the price; "
        "extra_bed: for a further bed or mattress; heating_fee."
    )
    unit: Literal["night", "stay", "person_night"] = Field(
        description="What the house charges it by. night: a room and night; stay: once; person_night: a further guest "
        "and night."
    )
    amount: MoneyValue = Field(description="Its sum over the whole stay, service charge and tax on it included.")


class CostSources(Part):
    """Ids of records read in earlier results, at most six a kind."""

    base: list[str] = Field(default=[], description="The rate.")
    vat_and_service: list[str] = Field(
        default=[],
        description="The house's fees section or its tariff (page or section) that says what comes on top or is "
        "inside, and the authority's page where the house refers to a rate in force.",
    )
    local_tax: list[str] = Field(
        default=[],
        description="For each public charge the page in force that states it: the authority's, or the house's paper "
        "where that prints the percentage. Where there is none or it is inside, the house's fees section or tariff.",
    )
    property_fees: list[str] = Field(
        default=[], description="The house's fees section or tariff that states each fee, or lists all that is charged."
    )
    cash: list[str] = Field(
        default=[], description="The house's fees section or tariff that says what is paid in cash, and the deposit."
    )


class StayCostAnswer(Answer):
    """Deliver the bill of the stay, line by line. This ends the episode."""

    property_id: str = Field(description="Id of the house.")
    rate_id: str = Field(description="Id of the rate that the bill is for.")
    nights: list[NightLines] = Field(description="One entry for each night.", max_length=31)
    stay_fees: list[StayFee] = Field(
        default=[],
        description="Every compulsory fee of the house itself, summed over the stay. No optional services, no deposit.",
        max_length=8,
    )
    on_arrival_cash: MoneyValue = Field(
        default=MoneyValue(),
        description="How much of all these lines is paid in cash on arrival, over the whole stay; empty or 0 if none. "
        "It is a part of the total, not added to it.",
    )
    deposits: list[MoneyValue] = Field(
        default=[], description="Refundable deposits, which are no cost; empty if there is none.", max_length=4
    )
    stay_total: MoneyValue = Field(description="All night totals and all stay fees together.")
    true_total_per_night: MoneyValue = Field(
        description="The stay total divided by the number of nights, rounded half up once to the minor unit."
    )
    sources: CostSources = Field(description="What each kind of line rests on.")
