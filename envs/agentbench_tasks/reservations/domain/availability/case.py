"""The case of a table that is asked for, and what the checks read from the answer."""

from __future__ import annotations

from agentbench_env.episode import Episode
from agentbench_tasks.commons.errand import BuiltCase
from agentbench_tasks.commons.pages import sections_of
from agentbench_tasks.reservations.domain.availability.answer import TableAnswer
from agentbench_tasks.reservations.domain.availability.build import Built
from agentbench_tasks.reservations.domain.availability.goal import Asked, Goal
from agentbench_tasks.reservations.domain.availability.words import Words


class TableCase(BuiltCase[Built, Words], frozen=True):
    """Everything that an instance fixes."""

    @property
    def asked(self) -> Asked:
        """What is asked."""
        return self.built.asked

    @property
    def goal(self) -> Goal:
        """What is right."""
        return self.built.goal

    @property
    def barred(self) -> frozenset[str]:
        """Ids of the page of hours that was replaced and of its sections, which carry nothing."""
        replaced = self.built.replaced
        return frozenset((replaced, *(section.id for section in sections_of(self.start, replaced))))


def answer_of(ep: Episode) -> TableAnswer:
    """The delivered answer."""
    assert isinstance(ep.answer, TableAnswer)
    return ep.answer
