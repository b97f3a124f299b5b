"""How a careful assistant plans days on the ground: the moves that the task's scripted policies are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from agentbench_env.policies.expert import Do
from agentbench_tasks.commons.papers import PapersGet, PapersList
from agentbench_tasks.travel.domain.ground import GroundGetPlace, GroundGetRoute, GroundSearchPlaces, PlaceDetail
from agentbench_tasks.travel.domain.ground_plan.answer import GroundPlanAnswer, MisfitFlag
from agentbench_tasks.travel.domain.ground_plan.build import Reason
from agentbench_tasks.travel.domain.ground_plan.case import GroundPlanCase
from agentbench_tasks.travel.domain.ground_plan.layout import Day, Stop
from agentbench_tasks.travel.domain.ground_plan.places import clock
from agentbench_tasks.travel.domain.ground_plan.ways import Node
from agentbench_tasks.travel.domain.plan import PlanEntry, PlanSave
from agentbench_tasks.travel.domain.records_stays import Property

MOST_CALLS = 26
"""So many calls it makes before it saves the plan, where there is that much to look up."""


class Moves:
    """Gathers what a schedule needs by calls and writes the plan and the flags from it."""

    def __init__(self, case: GroundPlanCase, do: Do) -> None:
        self.case, self.built, self.do = case, case.built, do
        self.days: list[Day] = list(case.built.schedule)
        self.flags: list[MisfitFlag] = []
        self.modes: dict[tuple[str, str], str] = {}
        self._calls = 0

    def look_around(self, notices: bool = False) -> None:
        """Read the list, find the places, look at what does not fit, at every ride and at places as they are open."""
        self.read_list()
        self.search()
        for place, reason in self.built.misfits.items():
            self.flags.append(MisfitFlag(place_id=place, reason=reason, sources=self._obstacle(place, reason, notices)))
        for number, day in enumerate(self.days):
            for start, end, at in hops(self.built.lodging.id, day):
                self.route(start, end, number, at)
        for number, day in enumerate(self.days):
            for stop in day.stops:
                if self._calls < MOST_CALLS:
                    self.place(stop.node, number)

    def read_list(self) -> None:
        """Open the list where it is a paper."""
        if self.built.plot.on_paper:
            self._calls += 2
            heads = self.do(PapersList(kind="list"))
            self.do(PapersGet(paper_id=heads.papers[0].paper_id))

    def search(self) -> None:
        """Page through the city's places."""
        token, city = "", self.case.start.get(Property, self.built.lodging.id).city_id
        while True:
            self._calls += 1
            page = self.do(GroundSearchPlaces(city_id=city, query="", page_token=token))
            token = page.next_page_token
            if not token:
                return

    def place(self, id: str, number: int) -> PlaceDetail:
        """Look a place up on a day of the trip."""
        self._calls += 1
        return self.do(GroundGetPlace(place_id=id, on_date=self.date(number)))

    def route(self, start: str, end: str, number: int, at: int) -> str:
        """Look a way up; return its id."""
        self._calls += 1
        found = self.do(GroundGetRoute(from_id=start, to_id=end, depart_at=f"{self.date(number)}T{clock(at)}"))
        option = next(option for option in found.options if option.mode != "taxi")
        self.modes[start, end] = option.mode
        return option.route_id

    def _obstacle(self, place: str, reason: Reason, notices: bool) -> list[str]:
        if reason == "no_service" and not notices:
            first = self.built.nodes[place].spot.service[0]
            return [self.route(place, self.built.lodging.id, 0, first)]
        detail = self.place(place, 0)
        if notices and reason in ("closed", "no_service"):
            return [detail.notices[-1].section_id]
        days = (n for n in range(1, len(self.days)) if reason != "closed" and not detail.opens)
        for number in days:
            detail = self.place(place, number)
        return [detail.day_id]

    def date(self, number: int) -> str:
        """A day of the trip as an ISO date."""
        return self.built.plot.days[number].isoformat()

    # --- writing

    def entries(self) -> Iterator[PlanEntry]:
        """The days as items of a plan."""
        for number, day in enumerate(self.days):
            here = self.built.lodging.id
            for stop in day.stops:
                yield self._transfer(number, here, stop.node, stop.leave, stop.ready)
                yield self._entry(number, "visit", stop.start, stop.end, object_id=stop.node)
                here = stop.node
            if day.stops:
                yield self._transfer(number, here, self.built.lodging.id, day.leave, day.home)

    def _transfer(self, number: int, start: str, end: str, leave: int, ready: int) -> PlanEntry:
        mode = self.modes.get((start, end)) or self.built.ways.kind(self.node(start), self.node(end))[0]
        return self._entry(number, "transfer", leave, ready, object_id="", from_id=start, to_id=end, mode=mode)

    def _entry(self, number: int, kind: str, start: int, end: int, **rest: str) -> PlanEntry:
        day, zone = self.date(number), self.case.start.zone
        times = {"start": f"{day}T{clock(start)}", "end": f"{day}T{clock(end)}"}
        return PlanEntry.model_validate({"kind": kind, **times, "start_zone": zone, "end_zone": zone, **rest})

    def node(self, id: str) -> Node:
        """A place or the lodging."""
        return self.built.nodes[id]

    def save(self, plan_id: str = "") -> str:
        """Save the days; return the plan's id."""
        return self.do(PlanSave(title="Days", items=list(self.entries()), plan_id=plan_id)).plan_id

    def deliver(self) -> None:
        """Save the days and answer."""
        self.do(GroundPlanAnswer(plan_id=self.save(), flags=self.flags))

    # --- other schedules

    def ready(self, start: str, end: str, leave: int) -> int:
        """When a ride is over with the margin, -1 if nothing goes."""
        ride = self.built.ways.ride(self.node(start), self.node(end), leave)
        return leave + ride + self.built.plot.margin if ride >= 0 else -1

    def without(self, place: str) -> Day | None:
        """The day of a place without it, None if the way past it cannot be made in time."""
        lodging, plot = self.built.lodging.id, self.built.plot
        day = self.days[self.day_of(place)]
        at = next(number for number, stop in enumerate(day.stops) if stop.node == place)
        left, right = day.stops[:at], day.stops[at + 1 :]
        here, leave = (left[-1].node, left[-1].end) if left else (lodging, plot.leave)
        ready = self.ready(here, right[0].node if right else lodging, leave)
        if not right:
            return Day(left, leave, ready) if ready >= 0 else None
        if not 0 <= ready <= right[0].start:
            return None
        moved = msgspec.structs.replace(right[0], leave=leave, ready=ready)
        return Day((*left, moved, *right[1:]), day.leave, day.home)

    def day_of(self, place: str) -> int:
        """On which day of the schedule a place is visited."""
        return next(n for n, day in enumerate(self.days) if any(stop.node == place for stop in day.stops))

    def put(self, place: str, stop: Stop) -> None:
        """Replace the stop at a place."""
        number = self.day_of(place)
        day = self.days[number]
        stops = tuple(stop if one.node == place else one for one in day.stops)
        self.days[number] = Day(stops, day.leave, day.home)


def hops(lodging: str, day: Day) -> Sequence[tuple[str, str, int]]:
    """From where to where one goes on a day, and when one leaves."""
    here, found = lodging, list[tuple[str, str, int]]()
    for stop in day.stops:
        found.append((here, stop.node, stop.leave))
        here = stop.node
    return [*found, (here, lodging, day.leave)] if day.stops else found
