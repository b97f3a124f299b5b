"""Walking from one place of the town to another."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.tool import Tool
from agentbench_env.world import Record, World
from agentbench_tasks.reservations.domain.places import Mark, Place, Point

METRES_PER_MINUTE = 80


class Walk(Record, frozen=True, gc=False):
    """The way on foot between two places, the same in both directions."""

    from_id: str
    to_id: str
    metres: int

    @property
    def minutes(self) -> int:
        """The time it takes, begun minutes counted."""
        return -(-self.metres // METRES_PER_MINUTE)

    def facts(self, world: World) -> dict[str, object]:
        """The minutes, in both directions."""
        return {walk_key(self.from_id, self.to_id): self.minutes, walk_key(self.to_id, self.from_id): self.minutes}


def walk_key(from_id: str, to_id: str) -> str:
    """The key of the fact that tells how many minutes one walks."""
    return f"walk.{from_id}.{to_id}.minutes"


def walk_between(world: World, from_id: str, to_id: str) -> Walk:
    """Return the walk between two places: the one that the world knows, else along its streets."""
    for one, other in ((from_id, to_id), (to_id, from_id)):
        known = [walk for walk in world.where(Walk, "from_id", one) if walk.to_id == other]
        if known:
            return known[0]
    (east, north), (to_east, to_north) = _point(world, from_id, "from_id"), _point(world, to_id, "to_id")
    first, second = sorted((from_id, to_id))
    return Walk(world.stamp_id("wlk", first, second), first, second, abs(east - to_east) + abs(north - to_north))


def _point(world: World, id: str, field: str) -> Point:
    place = world.find(id)
    if not isinstance(place, Place | Mark):
        raise ToolError("unknown_id", field=field, hint="the id of a landmark or venue")
    return place.point


class WalkText(msgspec.Struct, frozen=True):
    """What `geo_get_walk` returns."""

    walk_id: str
    from_id: str
    to_id: str
    metres: int
    minutes: int


class GeoGetWalk(Tool):
    """Tell how far it is on foot from one place to another, and how long it takes."""

    latency_s: ClassVar[float] = 0.4
    fee_usd: ClassVar[float] = 0.003

    from_id: str = Field(description="Id of a landmark or venue.")
    to_id: str = Field(description="Id of a landmark or venue.")

    def run(self, call: Call) -> WalkText:
        world = call.world
        walk = walk_between(world, self.from_id, self.to_id)
        if world.find(walk.id) is None:
            world.stamp(walk)
        call.show(walk.id)
        return WalkText(walk.id, self.from_id, self.to_id, walk.metres, walk.minutes)
