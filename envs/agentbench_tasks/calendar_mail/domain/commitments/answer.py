"""The answer of an audit of promises."""

from __future__ import annotations

from pydantic import Field

from agentbench_env.claims import Part
from agentbench_env.task import Answer


class Commitment(Part):
    """One promise that is still open."""

    owner: str = Field(description="contact_id of the person who owes it now; the user's own card counts too.")
    deadline: str = Field(
        default="",
        description="The day in force, YYYY-MM-DD, as it was on the calendar where the mail was written; a day off "
        "stays as it is. Empty where no day was named.",
    )
    promise_source: str = Field(
        description="message_id of the mail in which it was promised, accepted or taken over. One mail stands for one "
        "promise."
    )
    sources: list[str] = Field(
        default=[],
        description="message_ids of further mails that it rests on, at most six with promise_source: where the day in "
        "force was set by another mail than promise_source, that mail is among them.",
    )


class CommitmentList(Answer):
    """Deliver the list of open promises. This ends the episode."""

    commitments: list[Commitment] = Field(
        description="One item for each promise that is still open; empty if the mail was read and none is.",
        max_length=60,
    )
