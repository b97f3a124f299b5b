"""Schedules that go wrong in one way: too early, on a closing day, back too late, squeezed."""

from __future__ import annotations

import msgspec

from agentbench_env.policies.expert import Do
from agentbench_tasks.travel.domain.ground_plan.case import GroundPlanCase
from agentbench_tasks.travel.domain.ground_plan.layout import Day, Stop
from agentbench_tasks.travel.domain.ground_plan.moves import Moves
from agentbench_tasks.travel.domain.ground_plan.proof import Proof

SHORTEST = 15


def too_early(case: GroundPlanCase) -> Stop | None:
    """A stop that begins as soon as one is there, before the place is open for it; None if every place would be."""
    proof, plot = Proof(case.built), case.built.plot
    for day, one in zip(plot.days, case.built.schedule, strict=True):
        for stop in one.stops:
            slots = case.built.nodes[stop.node].spot.slots
            if stop.node in case.built.wishes and not proof.is_open(
                stop.node, day.isoformat(), stop.ready, stop.end, slots
            ):
                return msgspec.structs.replace(stop, start=stop.ready)
    return None


def swapped(case: GroundPlanCase) -> list[Day] | None:
    """The schedule with two days changed for each other, on one of which a place is closed; None if all are open."""
    built, proof = case.built, Proof(case.built)
    free = [n for n in range(len(built.schedule)) if all(a.day != n for a in built.appointments)]
    for one in free:
        for other in free:
            day = built.plot.days[other].isoformat()
            stops = built.schedule[one].stops
            shut = any(not proof.is_open(s.node, day, s.start, s.end, False) for s in stops)
            if one != other and shut:
                days = list(built.schedule)
                days[one], days[other] = days[other], days[one]
                return days
    return None


def misplaced(case: GroundPlanCase) -> list[Day] | None:
    """The schedule with a place moved to the end of a day on which it is closed; None if that goes nowhere."""
    built, moves = case.built, Moves(case, Do(None))  # type: ignore[arg-type]
    fixed = {a.node for a in built.appointments}
    closed = {day.key for day in built.place_days if not day.opens}
    for place in (stop.node for day in built.schedule for stop in day.stops if stop.node not in fixed):
        shorter, home_day = moves.without(place), moves.day_of(place)
        for number, day in enumerate(built.schedule):
            if shorter is None or number == home_day or (place, built.plot.days[number].isoformat()) not in closed:
                continue
            before = day.stops[-1]
            ready = moves.ready(before.node, place, before.end)
            end = ready + built.nodes[place].spot.dwell
            home = moves.ready(place, built.lodging.id, end)
            if ready >= 0 and 0 <= home <= built.plot.back:
                days = list(built.schedule)
                days[home_day] = shorter
                days[number] = Day((*day.stops, Stop(place, before.end, ready, ready, end)), end, home)
                return days
    return None


def late(case: GroundPlanCase) -> tuple[int, Day] | None:
    """A day on which one stays at the last place until it is too late to be back in time; None if there is none."""
    built = case.built
    for number, day in enumerate(built.schedule):
        last = built.nodes[day.stops[-1].node]
        for leave in range(day.leave, built.plot.back, 5) if last.spot.mode == "transit" else ():
            home = leave + built.ways.ride(last, built.lodging, leave) + built.plot.margin
            if home >= built.plot.back + 20:
                return number, Day(day.stops, leave, home)
    return None


def squeezed(case: GroundPlanCase) -> tuple[int, Day] | None:
    """A day with a misfit at its end, visited for less time than asked; None if even that does not go."""
    built, proof = case.built, Proof(case.built)
    for place in (id for id, reason in built.misfits.items() if reason == "no_room"):
        node = built.nodes[place]
        for number, day in enumerate(built.schedule):
            before = day.stops[-1]
            ready = before.end + built.ways.ride(built.nodes[before.node], node, before.end) + built.plot.margin
            start = max(ready, node.spot.hours.opens)
            for end in range(start + node.spot.dwell - 5, start + SHORTEST, -5):
                home = end + built.ways.ride(node, built.lodging, end) + built.plot.margin
                is_open = proof.is_open(place, built.plot.days[number].isoformat(), start, end, node.spot.slots)
                if is_open and home <= built.plot.back:
                    return number, Day((*day.stops, Stop(place, before.end, ready, start, end)), end, home)
    return None
