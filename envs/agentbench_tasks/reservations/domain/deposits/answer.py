"""The answer about deposit, cancelling and no-show."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agentbench_env.claims import MoneyValue, Part, QuoteText
from agentbench_env.task import Answer

SOURCES = (
    "Ids of records read in earlier results that state it, such as the terms page or one of its sections, and of "
    "those that state a menu's price where the amount depends on it; at most six."
)
ROUNDING = "Rounded once, at the end, half up to the currency's smallest unit."


class DepositValue(Part):
    """The deposit of the whole party."""

    kind: Literal["none", "hold", "charged"] = Field(
        description="charged: the money is taken beforehand. hold: an amount is held on a card and not taken. none: "
        "nothing is taken or held, even where card details are kept."
    )
    basis: Literal["none", "per_head", "per_table", "pct_of_course", "flat"] = Field(
        description="What the terms reckon it by. per_head: a sum for each guest; per_table: a sum for each table; "
        "pct_of_course: a percentage of the set menus or, without any, of the average spend; flat: one sum for the "
        "booking; none: there is no deposit."
    )
    total: MoneyValue = Field(
        default=MoneyValue(), description=f"The amount for the whole party; 0 where there is none. {ROUNDING}"
    )


class DepositClaim(Part):
    """The deposit, with the records that state it."""

    value: DepositValue = Field(description="The deposit.")
    sources: list[str] = Field(default=[], description=SOURCES)


class LocalTime(Part):
    """A date and time."""

    local: str = Field(default="", description="YYYY-MM-DDTHH:MM.")
    zone: str = Field(default="", description="IANA name of the zone; empty for that of the venue.")


class TimeClaim(Part):
    """A moment, with the records that state the rule for it."""

    value: LocalTime = Field(default=LocalTime(), description="The moment, in the venue's zone.")
    sources: list[str] = Field(default=[], description="Ids of records read in earlier results that state the rule.")


class AmountClaim(Part):
    """An amount for the whole party, with the records that it rests on."""

    value: MoneyValue = Field(default=MoneyValue(), description=f"The amount; 0 for nothing. {ROUNDING}")
    sources: list[str] = Field(default=[], description=SOURCES)


class Quotes(Part):
    """The venue's own words, each from one section of its terms."""

    deposit: QuoteText = Field(description="What it says of the deposit: the whole sentence or sentences.")
    cutoff: QuoteText = Field(description="Until when cancelling is free, or that it never is: the whole sentence.")
    no_show: QuoteText = Field(
        description="All that it says of what is charged if nobody comes, with any limit and what becomes of the "
        "deposit: the whole sentence or sentences, from the first to the last."
    )


class PolicyCheck(Answer):
    """Deliver what was found for the booking asked about, and quote the terms, 400 characters a quote at most.

    This ends the episode.
    """

    venue_id: str = Field(description="Id of the venue.")
    deposit: DepositClaim = Field(description="The deposit that the venue asks of this party, for this booking.")
    never_free: bool = Field(default=False, description="Whether cancelling always costs something.")
    free_until: TimeClaim = Field(
        default=TimeClaim(),
        description="The last moment at which cancelling costs nothing: the start of the booking where it costs "
        "nothing at any time; empty where never_free. The end of a day is T23:59, or T00:00 of the next day.",
    )
    no_show_total: AmountClaim = Field(
        description="What the terms charge the party if nobody comes, after any limit and before a deposit is set off "
        "against it. A deposit that is kept as the charge counts as charged. The total bill is that of the booked "
        "menus, or of the average spend without any, with the room fee if the private room is booked."
    )
    exposure_total: AmountClaim = Field(
        description="What the party loses in all if nobody comes: the charge, and whatever of a deposit that was paid "
        "is not returned and does not count towards it. An amount that is only held on a card is not lost."
    )
    quotes: Quotes = Field(description="The words of the terms that govern this booking.")
