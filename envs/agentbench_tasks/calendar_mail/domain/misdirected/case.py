"""The case of a misdirected reply."""

from __future__ import annotations

from agentbench_tasks.calendar_mail.domain.misdirected.built import Built, Goal
from agentbench_tasks.calendar_mail.domain.misdirected.words import Words
from agentbench_tasks.commons.errand import BuiltCase


class MisdirectedCase(BuiltCase[Built, Words], frozen=True):
    """Everything that an instance fixes."""

    @property
    def goal(self) -> Goal:
        """What is right."""
        return self.built.goal
