"""The answer of an overbooked house: places for tonight, and what is owed."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agentbench_env.claims import MoneyClaim, MoneyValue, Part, QuoteText
from agentbench_env.task import Answer
from agentbench_tasks.travel.domain.overbooking.terms import Condition


class Option(Part):
    """A place for the whole stay."""

    property_id: str = Field(description="Id of the house.")
    room_type_id: str = Field(description="Id of the room.")
    rate_id: str = Field(description="Id of the rate.")
    total: MoneyClaim = Field(
        description="Full price of the stay for the party, taxes and compulsory charges included, deposits not. "
        "Sources: the rate; the fees section or tariff of the house; for each public charge and each rate of tax that "
        "these only refer to, the page in force that states it."
    )


class Item(Part):
    """Something owed in this case."""

    kind: Literal[
        "rehouse_comparable",
        "pay_difference",
        "transport",
        "refund_full",
        "compensation",
        "compensation_equal_to_cancel_charge",
    ] = Field(
        description="rehouse_comparable: another place is found. pay_difference: what another place costs more. "
        "transport: the ride to it. refund_full: what was paid for the booking. compensation: a share or multiple of "
        "the booking's total. compensation_equal_to_cancel_charge: measured by the house's cancellation charges."
    )
    quote: QuoteText = Field(description="The whole line of the clause that grants it in this case, word for word.")
    amount: MoneyValue = Field(
        default=MoneyValue(), description="What the terms fix for this case; empty if it depends on what is done next."
    )
    cap: MoneyValue = Field(default=MoneyValue(), description="The ceiling for this case; empty if there is none.")
    conditions: list[Condition] = Field(
        default=[],
        description="What has to be done to keep it, empty for nothing. report_within: report in time; keep_receipts: "
        "show receipts.",
        max_length=4,
    )
    by: str = Field(
        default="",
        description="Until when to report, local YYYY-MM-DDTHH:MM, T23:59 for the end of a day; empty where no report "
        "is needed.",
    )


class Obligation(Part):
    """What the party that sold the stay owes."""

    owed_by: str = Field(
        description="Id of the agency that sold the stay, or of the house where it was booked with the house itself."
    )
    items: list[Item] = Field(description="Every item owed as things stand, and nothing that is not.", max_length=12)


class RecoveryAnswer(Answer):
    """Deliver the places for tonight and what is owed. This ends the episode."""

    options: list[Option] = Field(
        description="Every place that fits, one rate each, up to the number asked for.", max_length=12
    )
    obligation: Obligation = Field(description="What the party that sold the stay owes.")
