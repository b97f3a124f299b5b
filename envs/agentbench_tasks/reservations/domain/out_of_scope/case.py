"""The case of a booking that only the guest can make, and the answer to it."""

from __future__ import annotations

import msgspec

from agentbench_env.episode import Episode
from agentbench_env.world import World
from agentbench_tasks.reservations.domain.out_of_scope.answer import OutOfScope
from agentbench_tasks.reservations.domain.out_of_scope.build import Built
from agentbench_tasks.reservations.domain.out_of_scope.goal import Goal
from agentbench_tasks.reservations.domain.out_of_scope.words import Words


class OutOfScopeCase(msgspec.Struct, frozen=True):
    """Everything that an instance fixes."""

    built: Built
    start: World
    words: dict[str, Words]
    """The user's sentences by language."""

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
