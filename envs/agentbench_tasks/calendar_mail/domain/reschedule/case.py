"""The case of a three-party rescheduling."""

from __future__ import annotations

import msgspec

from agentbench_env.world import World
from agentbench_tasks.calendar_mail.domain.reschedule.build import Built
from agentbench_tasks.calendar_mail.domain.reschedule.plot import Plan
from agentbench_tasks.calendar_mail.domain.reschedule.words import Words


class RescheduleCase(msgspec.Struct, frozen=True):
    """Everything that an instance of the three-party rescheduling fixes."""

    built: Built
    start: World
    words: dict[str, Words]
    """The user's sentences by language."""

    @property
    def plan(self) -> Plan:
        """The plan of the week."""
        return self.built.plan
