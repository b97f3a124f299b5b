"""Ways between the places of a city: how long a ride takes from one to the other at an hour of the day."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.money import Money
from agentbench_tasks.travel.domain.ground import band_at
from agentbench_tasks.travel.domain.ground_plan.places import Sights, Spot, clock
from agentbench_tasks.travel.domain.records_ground import Band, MapDistance, RouteTime, TravelMode

WALK_KM = 0.1
CITY_SERVICE = (330, 1440, 0)


class Node(msgspec.Struct):
    """A place, an appointment's or the lodging, where it stands and how crowded the ways to and from it are."""

    id: str
    spot: Spot
    near: int
    crowd: float


@cache
def bands() -> Mapping[Band, float]:
    """Return by how much rides differ from the middle of the day, by band."""
    return shared_table("ground_plan")["bands"]


class Ways:
    """Computes rides between nodes and writes them down as records."""

    def __init__(self, draw: Draw, sights: Sights) -> None:
        self._draw, self._sights = draw, sights

    def node(self, id: str, spot: Spot) -> Node:
        """Place a spot on the map."""
        return Node(id, spot, self._draw.int(0, 6), self._draw.uniform(0.0, 0.25))

    def kind(self, a: Node, b: Node) -> tuple[TravelMode, tuple[int, int, int]]:
        """The means between two nodes and its service: first and last departure, minutes between."""
        far = a if a.spot.mode != "transit" else b
        if far.spot.mode != "transit":
            return far.spot.mode, far.spot.service
        return (
            ("walk", (0, 1739, 0))
            if self._sights.km[a.spot.district, b.spot.district] < WALK_KM
            else ("transit", CITY_SERVICE)
        )

    def minutes(self, a: Node, b: Node, band: Band) -> int:
        """Minutes door to door in a band, without the wait."""
        mode, _ = self.kind(a, b)
        return self._in_bands(a, b, mode, (band,))[0]

    def _in_bands(self, a: Node, b: Node, mode: TravelMode, wanted: Iterable[Band]) -> list[int]:
        base = (
            9 + 2.6 * self._sights.km[a.spot.district, b.spot.district] + a.near + b.near + a.spot.extra + b.spot.extra
        )
        if mode != "transit":
            return [round(base) for _ in wanted]
        crowd = a.crowd + b.crowd
        factors = bands()
        return [round(base * (factors[band] + (crowd if band == "peak" else 0.0))) for band in wanted]

    def ride(self, a: Node, b: Node, at: int) -> int:
        """Minutes from a departure at a minute of the day to the arrival, the wait included; -1 after the last."""
        _, (first, last, headway) = self.kind(a, b)
        if at > last:
            return -1
        wait = first - at if at <= first else (first - at) % headway if headway else 0
        return wait + self.minutes(a, b, band_at(at)) if at + wait <= last else -1

    def map_minutes(self, a: Node, b: Node) -> int:
        """Minutes that a map gives for a straight drive."""
        return max(
            3, round(0.55 * (4 + 2.6 * self._sights.km[a.spot.district, b.spot.district] + b.near + b.spot.extra))
        )

    def distances(self, nodes: Sequence[Node], to: Node) -> tuple[MapDistance, ...]:
        """What the map says of the ways to a node."""
        return tuple(MapDistance(node.id, self.map_minutes(node, to)) for node in nodes if node is not to)

    def records(self, nodes: Sequence[Node], lodging: Node, ids: Draw) -> list[RouteTime]:
        """Every way between the nodes in every band, and taxis to and from the lodging."""
        found: list[RouteTime] = []
        fare, taxi, free = self._sights.transit, self._sights.taxi, Money(0, self._sights.transit.currency)
        wanted, new = tuple(bands()), ids.id
        for a in nodes:
            for b in nodes:
                if a is b:
                    continue
                mode, (first, last, headway) = self.kind(a, b)
                price, pair = (free if mode == "walk" else fare), (a.id, b.id)
                opens, closes, on_foot = clock(first), clock(last), 4 + a.near // 2 + b.near // 2
                times = self._in_bands(a, b, mode, wanted)
                for band, whole in zip(wanted, times, strict=True):
                    walk = whole if mode == "walk" else min(whole, on_foot)
                    found.append(RouteTime(new("rte"), pair, mode, band, whole, walk, opens, closes, headway, price))
                if mode == "transit" and lodging in (a, b):
                    for band, whole in zip(wanted, times, strict=True):
                        drive = round(whole * 0.7)
                        found.append(RouteTime(new("rte"), pair, "taxi", band, drive, 1, "00:00", "28:59", 0, taxi))
        return found
