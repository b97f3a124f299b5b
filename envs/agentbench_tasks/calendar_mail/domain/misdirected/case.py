"""The case of a misdirected reply."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from agentbench_env.world import World
from agentbench_tasks.calendar_mail.domain.misdirected.built import Built, Goal
from agentbench_tasks.calendar_mail.domain.misdirected.words import Words


class MisdirectedCase(msgspec.Struct, frozen=True):
    """Everything that an instance fixes."""

    built: Built
    start: World
    words: Mapping[str, Words]
    """The user's sentences by language."""

    @property
    def goal(self) -> Goal:
        """What is right."""
        return self.built.goal
