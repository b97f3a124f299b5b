"""The case of a shortlist, and what the checks read from the answer."""

from __future__ import annotations

from agentbench_env.episode import Episode
from agentbench_tasks.commons.errand import BuiltCase
from agentbench_tasks.reservations.domain.shortlist.answer import Claims, Listed, Shortlist
from agentbench_tasks.reservations.domain.shortlist.build import Built
from agentbench_tasks.reservations.domain.shortlist.evidence import Attribute, Room, Value
from agentbench_tasks.reservations.domain.shortlist.goal import Goal
from agentbench_tasks.reservations.domain.shortlist.words import Words


class ShortlistCase(BuiltCase[Built, Words], frozen=True):
    """Everything that an instance fixes."""

    @property
    def goal(self) -> Goal:
        """What is right."""
        return self.built.goal


def listed_of(ep: Episode) -> list[Listed]:
    """The places delivered."""
    assert isinstance(ep.answer, Shortlist)
    return ep.answer.shortlist


def claimed(claims: Claims) -> dict[Attribute, tuple[Value, list[str]]]:
    """What is claimed of a place, with its sources; what is left empty is left away."""
    room, seats = claims.private_room.value, tuple(sorted(set(claims.seating.value)))
    values: dict[Attribute, tuple[Value, list[str]]] = {
        "price_band": (claims.price_band.value, claims.price_band.sources),
        "seating": (seats, claims.seating.sources),
        "noise": (claims.noise.value, claims.noise.sources),
    }
    if room.kind:
        values["private_room"] = (Room(room.kind, room.capacity), claims.private_room.sources)
    return {attribute: (value, sources) for attribute, (value, sources) in values.items() if value}
