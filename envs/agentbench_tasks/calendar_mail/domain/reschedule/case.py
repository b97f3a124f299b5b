"""The case of a three-party rescheduling."""

from __future__ import annotations

from agentbench_tasks.calendar_mail.domain.reschedule.build import Built
from agentbench_tasks.calendar_mail.domain.reschedule.plot import Plan
from agentbench_tasks.calendar_mail.domain.reschedule.words import Words
from agentbench_tasks.commons.errand import BuiltCase


class RescheduleCase(BuiltCase[Built, Words], frozen=True):
    """Everything that an instance of the three-party rescheduling fixes."""

    @property
    def plan(self) -> Plan:
        """The plan of the week."""
        return self.built.plan
