"""The answer about a table at an hour, the closed days, and the last order."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agentbench_env.claims import Part
from agentbench_env.task import Answer

ReasonName = Literal[
    "none",
    "closed_by_notice",
    "closed_weekly_or_holiday",
    "between_services",
    "past_last_seating",
    "outside_booking_window",
    "party_not_taken_online",
    "full_for_party",
]
SHOWN = "Ids of records read in earlier results, at most six"


class VerdictClaim(Part):
    """Whether there is a table, with the records that show it."""

    value: bool = Field(
        default=False,
        description="Whether the venue's own booking surface shows exactly this start as open for exactly this party.",
    )
    sources: list[str] = Field(
        default=[],
        description=f"{SHOWN}: among them the answer_id of a query for slots at this very venue, for this day and "
        "party size, with any seating and a range of times that holds the hour; no range is the whole day.",
    )


class ReasonClaim(Part):
    """Why there is no table, with the records that show it."""

    value: ReasonName = Field(
        default="none",
        description="The first in this order that is so. closed_by_notice: a notice closes the venue, or the service "
        "at that hour, on the day. closed_weekly_or_holiday: by its rules for closing days it does not open that day. "
        "between_services: it opens that day, but at that hour no service is on. past_last_seating: a service is on, "
        "but the hour is later than its last seating or, where none is printed, its last order of food. "
        "outside_booking_window: bookings for the day are not taken yet. party_not_taken_online: a party of that size "
        "books in another way than on the web. full_for_party: no table is free for the party at that hour. "
        "none: there is a table.",
    )
    sources: list[str] = Field(
        default=[],
        description=f"{SHOWN}: the venue's own notice, page of hours or of booking, surface, or answer to a query for "
        "slots, whichever states it; none where there is a table.",
    )


class DatesClaim(Part):
    """Closed days, with the records that show them."""

    value: list[str] = Field(
        default=[],
        description="The days of the period, YYYY-MM-DD, both ends included, on which the venue does not open at all; "
        "a day on which only one of its services is closed is none.",
    )
    sources: list[str] = Field(
        default=[],
        description=f"{SHOWN}: the venue's own page of hours and notices, whichever these days rest on; sections count "
        "like their page.",
    )


class ServiceMoment(Part):
    """A time of a service of a day."""

    service_date: str = Field(default="", description="Day of the service, YYYY-MM-DD.")
    time: str = Field(
        default="",
        description="HH:MM; hours go on to 29 past midnight: 25:30 of one day is the same as 01:30 of the next.",
    )


class LastOrderClaim(Part):
    """The last order of food, with the records that show it."""

    value: ServiceMoment = Field(
        default=ServiceMoment(),
        description="The last order of food on the day asked for, of the service in which the hour lies or, if it lies "
        "in none, of the next one of that day; a service that is closed that day does not count. Both fields empty if "
        "none follows.",
    )
    sources: list[str] = Field(
        default=[],
        description=f"{SHOWN}: the venue's own page of hours; none where both fields are empty.",
    )


class TableAnswer(Answer):
    """Deliver what was found. This ends the episode."""

    venue: str = Field(description="venue_id of the venue that was asked about.")
    verdict: VerdictClaim = Field(description="Whether the venue has that table, by its own booking surface.")
    reason: ReasonClaim = Field(default=ReasonClaim(), description="Why it has none, if it has none.")
    closed_dates: DatesClaim = Field(
        default=DatesClaim(), description="The days of the period on which the venue does not open at all."
    )
    last_order: LastOrderClaim = Field(default=LastOrderClaim(), description="When the kitchen takes the last order.")
