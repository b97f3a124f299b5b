"""Schedules of whoever does not look at hours: places in the order of the list or of the map, as rides allow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.ground_plan.layout import Appointment, Day, Stop
from agentbench_tasks.travel.domain.ground_plan.proof import Proof

if TYPE_CHECKING:
    from agentbench_tasks.travel.domain.ground_plan.build import Built


class Rush:
    """Fills the days with places one after the other, the appointments at their time; `rest` is what is left over."""

    def __init__(self, built: Built, places: Sequence[str], nearest: bool = False) -> None:
        self._built, self._nearest = built, nearest
        self.rest = list(places)
        self.days = tuple(self._day(number) for number in range(len(built.plot.days)))

    def _day(self, number: int) -> Day:
        built, stops = self._built, list[Stop]()
        here, now = built.lodging.id, built.plot.leave
        fixed = [a for a in built.appointments if a.day == number]
        while True:
            chosen = self._next(here, now, fixed[0] if fixed else None)
            if chosen:
                ready = self._ready(here, chosen, now)
                stops.append(Stop(chosen, now, ready, ready, ready + built.nodes[chosen].spot.dwell))
                self.rest.remove(chosen)
            elif fixed:
                one = fixed.pop()
                stops.append(Stop(one.node, now, self._ready(here, one.node, now), one.start, one.end))
            else:
                return Day(tuple(stops), now, self._ready(here, built.lodging.id, now))
            here, now = stops[-1].node, stops[-1].end

    def _next(self, here: str, now: int, fixed: Appointment | None) -> str:
        built, nodes = self._built, self._built.nodes
        if self._nearest:
            minutes = {id: built.ways.map_minutes(nodes[here], nodes[id]) for id in self.rest}
            self.rest.sort(key=minutes.__getitem__)
        return next((id for id in self.rest if self._fits(here, now, id, fixed)), "")

    def _fits(self, here: str, now: int, place: str, fixed: Appointment | None) -> bool:
        ready = self._ready(here, place, now)
        if ready < 0:
            return False
        end = ready + self._built.nodes[place].spot.dwell
        if fixed is not None:
            return 0 <= self._ready(place, fixed.node, end) <= fixed.start
        return 0 <= self._ready(place, self._built.lodging.id, end) <= self._built.plot.back

    def _ready(self, start: str, end: str, leave: int) -> int:
        nodes, plot = self._built.nodes, self._built.plot
        ride = 0 if start == end else self._built.ways.ride(nodes[start], nodes[end], leave)
        return leave + ride + plot.margin if ride >= 0 else -1


def farthest(built: Built) -> str:
    """The place of the list that is farthest from the lodging on the map."""
    minutes = {id: built.ways.map_minutes(built.lodging, built.nodes[id]) for id in built.wishes}
    return max(built.wishes, key=minutes.__getitem__)


def refuse_luck(built: Built, proof: Proof) -> None:
    """Raise NoFit where a schedule made without a look at hours would do, what it leaves over having no room."""
    if any(reason != "no_room" for reason in built.misfits.values()):
        return
    far = farthest(built)
    others = [id for id in built.wishes if id != far]
    for rush in (Rush(built, built.wishes), Rush(built, built.wishes, nearest=True), Rush(built, others)):
        placed = {stop.node for day in rush.days for stop in day.stops}
        if set(built.wishes) - placed == built.misfits.keys() and proof.holds(rush.days):
            raise NoFit
