"""The answer about tomorrow's meetings."""

from __future__ import annotations

from pydantic import Field

from agentbench_env.claims import Part, TextClaim
from agentbench_env.task import Answer


class MeetingBrief(Part):
    """One meeting."""

    event_id: str = Field(
        description="Id of the event, of the instance for a series; the id of a series stands for its only instance "
        "tomorrow."
    )
    thread: TextClaim = Field(
        description="The thread_id of the mail thread that the meeting comes from; the sources are messages of it."
    )
    open_question: TextClaim = Field(
        description="The sentence that asks what is still open, word for word; the sources are the message whose own "
        "text it stands in."
    )
    read_first: TextClaim = Field(
        description="Id of an attachment with the current content of what is to be read first; the sources are the "
        "message that says so or one that brought it."
    )


class DailyAgendaBrief(Answer):
    """Deliver the brief. This ends the episode."""

    meetings: list[MeetingBrief] = Field(
        description="One item for each meeting tomorrow, by the date where the user is now: at least one other person "
        "is on the guest list, it is not cancelled, and the user has not declined it.",
        max_length=20,
    )
