"""Places that fit on no day, each for one reason."""

from __future__ import annotations

import msgspec

from agentbench_env.draw import Draw
from agentbench_tasks.travel.domain.ground_plan.places import Guide, Opening, Spot
from agentbench_tasks.travel.domain.ground_plan.plot import Plot
from agentbench_tasks.travel.domain.ground_plan.ways import Node, Ways

CLEAR_BY = 20
"""What is impossible is so by at least this many minutes."""


def island(guide: Guide, draw: Draw) -> Spot:
    """A place that a boat goes to, with a last boat back that leaves time for a visit in the morning."""
    dwell = draw.choice((90, 120))
    spot = guide.special("island", Opening(570, 1020, 960), dwell, "boat")
    step = draw.choice((30, 45))
    return msgspec.structs.replace(spot, extra=draw.int(18, 30), service=(540, 540 + step * (480 // step), step))


def spot(reason: str, guide: Guide, draw: Draw, plot: Plot) -> Spot:
    """Draw a place that a reason keeps out."""
    if reason == "closed":
        return guide.invented()
    if reason == "sold_out":
        return msgspec.structs.replace(guide.invented(draw.choice(("house", "museum"))), slots=True, closed=())
    if reason == "no_service":
        return _too_late_back(guide, draw)
    return _no_room(guide, draw, plot)


def _too_late_back(guide: Guide, draw: Draw) -> Spot:
    """A place whose last boat leaves before a visit that began at its opening could end."""
    opens, dwell, step = draw.choice((570, 600, 630)), draw.choice((120, 150, 180)), 30
    spot = guide.special("island", Opening(opens, opens + 420, opens + 360), dwell, "boat")
    first = opens - 90
    last = first + (opens + dwell - CLEAR_BY - draw.int(0, 20) - first) // step * step
    return msgspec.structs.replace(spot, extra=draw.int(18, 30), service=(first, last, step))


def _no_room(guide: Guide, draw: Draw, plot: Plot) -> Spot:
    weights = {"lights": 0.6, "market": 0.2, "hills": 0.2}
    kind = draw.weighted({kind: weight for kind, weight in weights.items() if kind in guide.sights.names})
    if kind == "lights":
        return guide.special("lights", Opening(1020, 1320, 1290), draw.choice((90, 105, 120)))
    if kind == "market":
        return guide.special("market", Opening(300, plot.leave + 90, plot.leave), draw.choice((45, 60)))
    spot = guide.special("hills", Opening(480, 1140, 1080), draw.choice((150, 180)), "bus")
    return msgspec.structs.replace(spot, service=(330, 1380, 20))


def squeeze(node: Node, lodging: Node, ways: Ways, draw: Draw, plot: Plot) -> None:
    """Set the hours or the ride of a place so that a visit just does not go into a day."""
    spot, hours = node.spot, node.spot.hours
    over = CLEAR_BY + draw.int(0, 25)
    if spot.kind == "lights":
        ride = min(ways.ride(node, lodging, at) for at in (plot.back - 60, plot.back - 30))
        opens = -(-(plot.back - ride - spot.dwell + over) // 15) * 15
        hours = msgspec.structs.replace(hours, opens=opens)
    elif spot.kind == "market":
        ride = min(ways.ride(lodging, node, at) for at in (plot.leave, 570))
        last = (plot.leave + ride - over) // 15 * 15
        hours = msgspec.structs.replace(hours, last=last, closes=last + spot.dwell + 15)
    else:
        spare = (plot.back - plot.leave - spot.dwell + over) // 2 + 10
        spot = msgspec.structs.replace(spot, extra=spare - 9 - node.near - lodging.near)
    node.spot = msgspec.structs.replace(spot, hours=hours)
