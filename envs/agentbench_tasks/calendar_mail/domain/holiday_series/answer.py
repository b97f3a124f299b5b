"""The answer of a repeating slot."""

from __future__ import annotations

from pydantic import Field

from agentbench_env.claims import Part, TextClaim
from agentbench_env.task import Answer


class ExcludedDate(Part):
    """A date of the series that is left out because it is a public holiday."""

    date: TextClaim = Field(
        description="The date, YYYY-MM-DD, with the confirmed row of the list of holidays that makes it a day off."
    )
    name: TextClaim = Field(
        description="The holiday's name as that row prints it, in the local language or in English, with the row as "
        "source."
    )


class HolidaySeriesAnswer(Answer):
    """Deliver the series and the dates that were left out. This ends the episode."""

    event_id: str = Field(description="Id of the series.")
    excluded: list[ExcludedDate] = Field(
        default=[],
        description="Every date that the series would have had and has not because it is a public holiday here.",
        max_length=40,
    )
