"""The proof of an instance, on its records alone: the schedule holds, and no misfit goes into any day."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import TYPE_CHECKING

from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.ground import band_at, wait_at
from agentbench_tasks.travel.domain.ground_plan.layout import Day
from agentbench_tasks.travel.domain.ground_plan.places import minute
from agentbench_tasks.travel.domain.records_ground import PlaceDay, RouteTime

if TYPE_CHECKING:
    from agentbench_tasks.travel.domain.ground_plan.build import Built

CHANGES = (570, 1020, 1170, 1350)
"""The minutes at which another band begins."""


class Proof:
    """Looks rides and hours up in the records."""

    def __init__(self, built: Built) -> None:
        self.built = built
        self._routes: dict[tuple[tuple[str, str], str], RouteTime] = {
            (row.pair, row.band): row for row in built.routes if row.mode != "taxi"
        }
        self._days: dict[tuple[str, str], PlaceDay] = {day.key: day for day in built.place_days}

    def ride(self, a: str, b: str, at: int) -> int:
        """Minutes from a departure to the arrival, -1 where nothing goes."""
        row = self._routes[(a, b), band_at(at)]
        wait = wait_at(row, at)
        return -1 if wait < 0 else wait + row.minutes

    def arrival(self, a: str, b: str, after: int) -> int:
        """The earliest arrival of whoever may leave at any time from a minute on, -1 if there is none."""
        found = [at + ride for at in (after, *(c for c in CHANGES if c > after)) if (ride := self.ride(a, b, at)) >= 0]
        return min(found, default=-1)

    def is_open(self, place: str, day: str, start: int, end: int, slots: bool) -> bool:
        """Whether a visit goes into a place's day."""
        row = self._days[place, day]
        if not row.opens or not minute(row.opens) <= start <= minute(row.last_entry) or end > minute(row.closes):
            return False
        if any(start < minute(rest.closes) and end > minute(rest.opens) for rest in row.breaks):
            return False
        return not slots or any(minute(s.at) == start and s.left >= self.built.plot.party for s in row.slots)

    def holds(self, schedule: Sequence[Day]) -> bool:
        """Whether a schedule keeps every rule and leaves out the misfits alone."""
        plot, seen = self.built.plot, list[str]()
        for date, day in zip(plot.days, schedule, strict=True):
            here, now = self.built.lodging.id, plot.leave
            if not day.stops:
                continue
            for stop in day.stops:
                ride = self.ride(here, stop.node, stop.leave)
                if stop.leave < now or ride < 0 or stop.leave + ride + plot.margin > stop.start:
                    return False
                spot = self.built.nodes[stop.node].spot
                if not self.is_open(stop.node, date.isoformat(), stop.start, stop.end, spot.slots):
                    return False
                if stop.end - stop.start != spot.dwell:
                    return False
                here, now = stop.node, stop.end
                seen.append(stop.node)
            ride = self.ride(here, self.built.lodging.id, day.leave)
            if day.leave < now or ride < 0 or not day.leave + ride + plot.margin <= day.home <= plot.back:
                return False
        wanted = {*self.built.wishes, *(a.node for a in self.built.appointments)} - set(self.built.misfits)
        return sorted(seen) == sorted(wanted)

    def has_room(self, place: str, number: int) -> bool:
        """Whether a place goes into a day beside its appointments alone, even without the margin."""
        day = self.built.plot.days[number].isoformat()
        fixed = {a.node: a for a in self.built.appointments if a.day == number}
        return any(self._goes(place, day, order) for order in permutations((place, *fixed)))

    def _goes(self, place: str, day: str, order: Sequence[str]) -> bool:
        plot, here, now = self.built.plot, self.built.lodging.id, self.built.plot.leave
        fixed = {a.node: a for a in self.built.appointments}
        spot, row = self.built.nodes[place].spot, self._days[place, day]
        for node in order:
            now = self.arrival(here, node, now)
            if now < 0:
                return False
            if node != place:
                if now > fixed[node].start:
                    return False
                now = fixed[node].end
            else:
                starts = [max(now, minute(row.opens)), *(minute(rest.closes) for rest in row.breaks)]
                starts += [minute(slot.at) for slot in row.slots]
                good = [s for s in starts if s >= now and self.is_open(place, day, s, s + spot.dwell, spot.slots)]
                if not good:
                    return False
                now = min(good) + spot.dwell
            here = node
        home = self.arrival(here, self.built.lodging.id, now)
        return 0 <= home <= plot.back

    def reason(self, place: str) -> str:
        """The first reason that is true on every day on which a place is open, "" if there is none or it fits."""
        plot, spot = self.built.plot, self.built.nodes[place].spot
        days = [self._days[place, day.isoformat()] for day in plot.days]
        opened = [number for number, day in enumerate(days) if day.opens]
        if not opened:
            return "closed"
        if any(self.has_room(place, number) for number in opened):
            return ""
        if spot.slots and not any(slot.left >= plot.party for day in days for slot in day.slots):
            return "sold_out"
        reasons = {self._unreached(place, days[number], spot.dwell) for number in opened}
        return reasons.pop() if len(reasons) == 1 else ""

    def _unreached(self, place: str, day: PlaceDay, dwell: int) -> str:
        lodging = self.built.lodging.id
        there = self.ride(lodging, place, self.built.plot.leave)
        back = self.ride(place, lodging, minute(day.opens) + dwell)
        return "no_service" if there < 0 or back < 0 else "no_room"


def prove(built: Built) -> Proof:
    """Raise NoFit unless the schedule holds and every misfit is kept out by its own reason; return the proof."""
    proof = Proof(built)
    if not proof.holds(built.schedule):
        raise NoFit
    if any(proof.reason(place) != reason for place, reason in built.misfits.items()):
        raise NoFit
    if built.closings.unsettled & set(built.plot.days):
        raise NoFit
    return proof
