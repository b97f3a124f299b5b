"""The answer of a three-party rescheduling."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from agentbench_env.task import Answer


class RescheduleAnswer(Answer):
    """Deliver the meeting and the replies. This ends the episode."""

    event_id: str = Field(description="Id of the event at its new time.")
    reply_message_ids: list[Annotated[str, Field(max_length=80)]] = Field(
        description="Ids of the replies that were sent.", max_length=8
    )
