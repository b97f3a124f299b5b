"""The case of a booking that only the guest can make, and the answer to it."""

from __future__ import annotations

from agentbench_env.episode import Episode
from agentbench_tasks.commons.errand import BuiltCase
from agentbench_tasks.reservations.domain.out_of_scope.answer import OutOfScope
from agentbench_tasks.reservations.domain.out_of_scope.build import Built
from agentbench_tasks.reservations.domain.out_of_scope.goal import Goal
from agentbench_tasks.reservations.domain.out_of_scope.words import Words


class OutOfScopeCase(BuiltCase[Built, Words], frozen=True):
    """Everything that an instance fixes."""

    @property
    def goal(self) -> Goal:
        """What is right."""
        return self.built.goal

    @property
    def zone(self) -> str:
        """The zone of the venue."""
        return self.built.house.place.zone


def answer_of(ep: Episode) -> OutOfScope:
    """The delivered answer."""
    assert isinstance(ep.answer, OutOfScope)
    return ep.answer
