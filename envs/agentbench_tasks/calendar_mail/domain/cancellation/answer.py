"""The answer of a cancellation: where to find what was done."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from agentbench_env.task import Answer


class CancellationAnswer(Answer):
    """Say which meeting is cancelled and which notes there are. This ends the episode."""

    event_id: str = Field(description="Id of the event that was removed, or of the instance of a series.")
    notice_ids: Annotated[list[Annotated[str, Field(max_length=64)]], Field(max_length=20)] = Field(
        description="Ids of the notes: of the draft, or of the message where it was sent."
    )
