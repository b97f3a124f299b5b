"""The case of a handover."""

from __future__ import annotations

from agentbench_tasks.calendar_mail.domain.handover.build import Built
from agentbench_tasks.calendar_mail.domain.handover.words import Words
from agentbench_tasks.commons.errand import BuiltCase


class HandoverCase(BuiltCase[Built, Words], frozen=True):
    """Everything that an instance of the handover fixes."""
