"""Laying out days: places are put into a schedule first, and stay as open as that schedule needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

import msgspec

from agentbench_env.draw import Draw
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.ground_plan.places import Closings
from agentbench_tasks.travel.domain.ground_plan.plot import Plot
from agentbench_tasks.travel.domain.ground_plan.ways import Node, Ways

TRIES = 8
SLACK = 20
SLOT_STEP = 30
LUNCH = (690, 825)


class Stop(msgspec.Struct, frozen=True):
    """A visit or an appointment of the schedule; `leave` is the departure to it, `ready` when it could begin."""

    node: str
    leave: int
    ready: int
    start: int
    end: int


class Day(msgspec.Struct, frozen=True):
    """A day of the schedule; `home` is when one is back, the margin included."""

    stops: tuple[Stop, ...]
    leave: int
    """Departure back to the lodging."""
    home: int


class Appointment(msgspec.Struct, frozen=True):
    """Something fixed: on which day of the trip, where, of which kind, from when to when."""

    day: int
    node: str
    kind: str
    start: int
    end: int


def up(minutes: int, step: int) -> int:
    """Round up to a multiple of a step."""
    return -(-minutes // step) * step


class Layout:
    """Lays the days of a trip out; changes the nodes' hours where a place is to open only just in time."""

    def __init__(self, draw: Draw, plot: Plot, ways: Ways, lodging: Node, closings: Closings) -> None:
        self._draw, self._plot, self._ways, self._lodging, self._closings = draw, plot, ways, lodging, closings
        self.days: list[Day] = []
        self.appointments: list[Appointment] = []
        self._opener = ""

    def lay(self, visits: Sequence[Node], fixed: Sequence[tuple[Node, str]]) -> None:
        """Put visits and appointments into days; raise NoFit where they do not go in."""
        plan, draw = self._assign(visits), self._draw
        hosts = dict(zip(draw.sample(range(len(plan)), len(fixed)), fixed, strict=True))
        for number in draw.shuffled(range(len(plan))):
            firsts = [node for node in plan[number] if not node.spot.slots and node.spot.mode == "transit"]
            if firsts and not self._opener:
                self._opener = min(firsts, key=lambda node: node.spot.real).id
        for number, nodes in enumerate(plan):
            self.days.append(self._day(number, nodes, hosts.get(number)))

    def _assign(self, visits: Sequence[Node]) -> list[list[Node]]:
        days, draw = self._plot.days, self._draw
        plan: list[list[Node]] = [[] for _ in days]
        most = -(-len(visits) // len(days))
        opened = {node.id: self._open_days(node, days) for node in visits}
        for node in sorted(draw.shuffled(visits), key=lambda node: len(opened[node.id])):
            free = [number for number in draw.shuffled(opened[node.id]) if len(plan[number]) < most]
            if not free:
                raise NoFit
            plan[min(free, key=lambda number: len(plan[number]))].append(node)
        return plan

    def _open_days(self, node: Node, days: Sequence[date]) -> list[int]:
        return [number for number, day in enumerate(days) if not self._closings.is_closed(node.spot, day)]

    def _day(self, number: int, visits: Sequence[Node], fixed: tuple[Node, str] | None) -> Day:
        for _ in range(TRIES):
            order = self._draw.shuffled(visits)
            order.sort(key=lambda node: (node.spot.mode == "transit", node.id != self._opener))
            place = self._draw.int(0, len(order))
            found = self._walk(number, order, fixed, place)
            if found is not None:
                return found
        raise NoFit

    def _walk(self, number: int, order: Sequence[Node], fixed: tuple[Node, str] | None, place: int) -> Day | None:
        plot = self._plot
        here, now, stops = self._lodging, plot.leave, list[Stop]()
        booked: Appointment | None = None
        nodes = list(order)
        if fixed:
            nodes.insert(place, fixed[0])
        for node in nodes:
            ride = self._ways.ride(here, node, now)
            ready = now + ride + plot.margin
            dwell = node.spot.dwell
            if fixed and node is fixed[0]:
                start = up(ready + 5, 15)
                if fixed[1] == "lunch":
                    start = max(start, LUNCH[0])
                    if start > LUNCH[1]:
                        return None
                booked = Appointment(number, node.id, fixed[1], start, start + dwell)
            else:
                start = self._start(node, ready, plot.days[number])
            if ride < 0 or start < 0:
                return None
            stops.append(Stop(node.id, now, ready, start, start + dwell))
            here, now = node, start + dwell
        ride = self._ways.ride(here, self._lodging, now)
        home = now + ride + plot.margin
        if ride < 0 or home > plot.back - SLACK:
            return None
        if booked:
            self.appointments.append(booked)
        self._open_in_time(stops, nodes, plot.days[number])
        return Day(tuple(stops), now, home)

    def _start(self, node: Node, ready: int, day: date) -> int:
        """When a visit can begin, -1 if it cannot."""
        hours, dwell = node.spot.opening(day), node.spot.dwell
        if node.id == self._opener:
            return up(ready + 5, 15) if hours.opens <= up(ready + 5, 15) <= hours.last else -1
        start = max(up(ready + self._draw.choice((0, 0, 5, 10, 15)), 5), hours.opens)
        if node.spot.slots:
            start = hours.opens + up(start - hours.opens, SLOT_STEP)
        begins, ends = hours.rest
        if start < ends and start + dwell > begins:
            start = hours.opens + up(ends - hours.opens, SLOT_STEP) if node.spot.slots else ends
        return start if start <= hours.last and start + dwell <= hours.closes else -1

    def _open_in_time(self, stops: Sequence[Stop], nodes: Sequence[Node], day: date) -> None:
        by_id: Mapping[str, Node] = {node.id: node for node in nodes}
        for stop in stops:
            node = by_id[stop.node]
            if node.id == self._opener:
                hours = node.spot.opening(day)
                clear = hours.rest[0] >= stop.end or hours.rest[1] <= stop.start
                late = msgspec.structs.replace(hours, opens=stop.start, rest=hours.rest if clear else (0, 0))
                node.spot = msgspec.structs.replace(node.spot, hours=late, friday=0)
