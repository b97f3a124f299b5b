"""The answer of a handover: where the note is."""

from __future__ import annotations

from pydantic import Field

from agentbench_env.task import Answer


class HandoverAnswer(Answer):
    """Deliver the handover. This ends the episode."""

    handover_draft_id: str = Field(
        description="Id of the draft of the handover note, or of the message where it was sent."
    )
