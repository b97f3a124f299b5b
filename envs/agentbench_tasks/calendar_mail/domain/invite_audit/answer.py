"""The answer about an invitation and its time."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agentbench_env.claims import Part
from agentbench_env.task import Answer

KindName = Literal["text_file_conflict", "wrong_season", "wrong_zone", "no_zone", "date_shift", "series_shift"]
MOST = "Ids of records that you opened, since a search result shows too little, at most six"


class LocalTime(Part):
    """A date and time in the user's zone."""

    local: str = Field(default="", description="YYYY-MM-DDTHH:MM.")
    zone: str = Field(default="", description="IANA name of the user's zone.")


class LocalClaim(Part):
    """The start that the file states, with the records that show it."""

    value: LocalTime = Field(default=LocalTime(), description="The start.")
    sources: list[str] = Field(
        default=[],
        description=f"{MOST}: the invitation, by its message, its invite_id or the event that it put on the calendar.",
    )


class AgreedClaim(Part):
    """The start that was agreed, with the records that fix it."""

    value: LocalTime = Field(default=LocalTime(), description="The start.")
    sources: list[str] = Field(
        default=[],
        description=f"{MOST}, among them the message in which the time was fixed; the invitation fixes none.",
    )


class Mismatch(Part):
    """One mistake."""

    kind: KindName = Field(
        description="wrong_season: file or text uses the offset, the abbreviation or the UTC time that the right place "
        "has in the other half of the year. wrong_zone: the file names the time zone of another place, whose clocks "
        "differ at that time. no_zone: the file gives the start without any zone, so that it shows at the organiser's "
        "clock time wherever it is read. date_shift: the text tells the reader a date at their place that the "
        "conversion does not give. series_shift: the text promises the reader one local time for a whole series, "
        "though a change of clocks moves it. text_file_conflict: text and file give different times, and no other "
        "kind explains why."
    )
    between: list[str] = Field(
        default=[],
        description="Ids of two records that you opened and that disagree: the invitation (message_id, "
        "invite_id or event_id) for its wrong statement, and one that is right about it, such as the message in which "
        "the time was fixed, or the fact_id of clock_zone_info about a time zone concerned. Where text and file of "
        "the invitation disagree and one of them is right, its message_id may stand twice.",
    )


class Change(Part):
    """From when a series begins at another local time."""

    date: str = Field(default="", description="Date in the user's zone of the first meeting at the new local time.")
    local_time: str = Field(default="", description="The local time from then on, HH:MM.")


class ChangeClaim(Part):
    """A change of the local time, with the records that show it."""

    value: Change = Field(default=Change(), description="The change; both fields empty where there is none.")
    sources: list[str] = Field(
        default=[],
        description=f"{MOST}, among them the message in which the series was fixed, the invitation, or the fact_id of "
        "clock_zone_info for the organiser's zone after the change; none where nothing changes.",
    )


class InviteTimes(Answer):
    """Deliver what was found. This ends the episode."""

    stated_local: LocalClaim = Field(
        description="The start of the meeting, or of the first of a series, that the invitation's calendar file puts "
        "into the user's calendar, right or wrong. A start without a zone counts as the calendar shows it."
    )
    stated_is_floating: bool = Field(
        default=False, description="Whether the file gives the start without any zone: no TZID that means one, no UTC."
    )
    mismatches: list[Mismatch] = Field(
        default=[],
        description="Each way in which the invitation's calendar file or its text names another moment than was "
        "agreed: one item a kind. What only looks odd and means the same moments is none; empty where all is well.",
        max_length=6,
    )
    correct_local: AgreedClaim = Field(
        description="When the user really has to be there: the start of the meeting, or of the first of a series, as "
        "the two sides last agreed on it by mail, in the user's zone."
    )
    changes_from: ChangeClaim = Field(
        default=ChangeClaim(),
        description="For a series whose agreed time moves in the user's zone later on: from when, and to what.",
    )
