"""The case of an evening, and what the checks read from the answer."""

from __future__ import annotations

import msgspec

from agentbench_env.episode import Episode
from agentbench_env.world import World
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.walk_in.answer import WalkInAnswer
from agentbench_tasks.reservations.domain.walk_in.build import Built
from agentbench_tasks.reservations.domain.walk_in.goal import Standing, Wish, standing
from agentbench_tasks.reservations.domain.walk_in.words import Words


class WalkInCase(msgspec.Struct, frozen=True):
    """Everything that an instance fixes."""

    built: Built
    words: dict[str, Words]
    """The user's sentences by language."""

    @property
    def start(self) -> World:
        """The world at the beginning."""
        return self.built.world

    @property
    def goal(self) -> tuple[Standing, ...]:
        """The best houses, in their order."""
        return self.built.goal

    @property
    def wish(self) -> Wish:
        """What the party wants."""
        return self.built.wish

    def standing(self, venue_id: str) -> Standing | None:
        """How any house of the town stands, None if the id is that of none."""
        for one in self.built.candidates:
            if one.standing.venue_id == venue_id:
                return one.standing
        place = self.start.find(venue_id)
        return standing(self.start, venue_id, self.wish) if isinstance(place, Place) else None


def answer_of(ep: Episode) -> WalkInAnswer:
    """The delivered answer."""
    assert isinstance(ep.answer, WalkInAnswer)
    return ep.answer
