"""The case of a handover."""

from __future__ import annotations

import msgspec

from agentbench_env.world import World
from agentbench_tasks.calendar_mail.domain.handover.build import Built
from agentbench_tasks.calendar_mail.domain.handover.words import Words


class HandoverCase(msgspec.Struct, frozen=True):
    """Everything that an instance of the handover fixes."""

    built: Built
    start: World
    words: dict[str, Words]
    """The user's sentences by language."""
