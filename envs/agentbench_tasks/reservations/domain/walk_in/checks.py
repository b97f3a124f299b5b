"""The checks of a list of places to walk into, each against how the houses stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbench_env.claims import sources_fault
from agentbench_env.episode import Episode
from agentbench_env.verdict import Finding
from agentbench_tasks.commons.service_time import service_clock, service_instant, service_time
from agentbench_tasks.reservations.domain.geo import walk_key
from agentbench_tasks.reservations.domain.menu_page import band_key
from agentbench_tasks.reservations.domain.queue import queue_key
from agentbench_tasks.reservations.domain.walk_in.answer import Item, NeedMet, ServiceMoment
from agentbench_tasks.reservations.domain.walk_in.case import WalkInCase, answer_of
from agentbench_tasks.reservations.domain.walk_in.goal import Standing

TOGETHER = "seated_together"


def viable(case: WalkInCase, ep: Episode) -> Finding:
    """The listed venues are exactly the best ones, and the outcome says whether there are any."""
    given, wanted = answer_of(ep), [one.venue_id for one in case.goal]
    ids = [item.venue for item in given.items]
    fault = ""
    if len(set(ids)) != len(ids):
        fault = "a venue is listed twice"
    elif set(ids) != set(wanted):
        extra, missing = sorted(set(ids) - set(wanted)), sorted(set(wanted) - set(ids))
        fault = "; ".join((*(_why_not(case, id) for id in extra), *(f"{id} is missing" for id in missing)))
    elif given.outcome != ("list" if wanted else "none_viable"):
        fault = f"the outcome is {given.outcome}"
    return Finding(not fault, ", ".join(wanted) or "none_viable", fault or "so", tuple(wanted))


def ranking(case: WalkInCase, ep: Episode) -> Finding:
    """Each seat is the time of the request plus walk plus wait as the item has them, and the list is in that order."""
    faults: list[str] = []
    ranks: list[tuple[int, int]] = []
    for item, _ in _listed(case, ep):
        walk, wait = item.walk.value, item.queue.wait_min.value
        seat = case.wish.minute + walk + wait
        if _instant(case, item.seat_time) != _at(case, seat):
            faults.append(f"{item.venue}: {item.seat_time.time or 'no time'}, not {service_clock(seat)}")
        ranks.append((seat, walk))
    if ranks != sorted(ranks):
        faults.append("the list is not in the order of seats, then of walks")
    wanted = ", ".join(f"{one.venue_id} {service_clock(one.seat)}" for one in case.goal)
    return _finding(faults, wanted)


def near(case: WalkInCase, ep: Episode) -> Finding:
    """Each walk is right, within the limit, and cites its record."""
    faults: list[str] = []
    for item, house in _listed(case, ep):
        if item.walk.value != house.walk:
            faults.append(f"{item.venue}: {item.walk.value} minutes, not {house.walk}")
        elif house.walk > case.wish.limit:
            faults.append(f"{item.venue}: {house.walk} minutes, more than {case.wish.limit}")
        needed = (walk_key(case.wish.origin_id, house.venue_id), house.walk)
        faults += _about(item, sources_fault(ep, item.walk.sources, (needed,)))
    return _finding(faults, f"walks of at most {case.wish.limit} minutes, each with its record")


def band_and_needs(case: WalkInCase, ep: Episode) -> Finding:
    """The wanted band, each band and each need are right and rest on the venue's own record."""
    faults = _wanted_faults(case, ep)
    for item, house in _listed(case, ep):
        if item.band.value != house.band:
            faults.append(f"{item.venue}: band {item.band.value or 'missing'}, not {house.band}")
        elif house.band:
            needed = (band_key(house.venue_id), house.band)
            faults += _about(item, sources_fault(ep, item.band.sources, (needed,)))
        faults += (f"{item.venue}: {fault}" for fault in _need_faults(case, ep, item.needs, house))
    return _finding(faults, f"bands, {TOGETHER} and {case.wish.need}, each from the venue's own record")


def queue_route(case: WalkInCase, ep: Episode) -> Finding:
    """Each item says how one gets in, how long one waits, and until when, as board or pages have it."""
    faults: list[str] = []
    for item, house in _listed(case, ep):
        queue, board = item.queue, house.board
        if queue.mode != board.mode:
            faults.append(f"{item.venue}: {queue.mode or 'no mode'}, not {board.mode}")
        if queue.wait_min.value != board.wait_min:
            faults.append(f"{item.venue}: a wait of {queue.wait_min.value}, not {board.wait_min}")
        needed = (queue_key(house.venue_id, "wait_min"), board.wait_min)
        faults += _about(item, sources_fault(ep, queue.wait_min.sources, (needed,)))
        if house.bound < 0:
            continue
        if _instant(case, queue.bound.value) != _at(case, house.bound):
            faults.append(
                f"{item.venue}: until {queue.bound.value.time or 'no time'}, not {service_clock(house.bound)}"
            )
        faults += _about(item, sources_fault(ep, queue.bound.sources, (house.bound_fact,)))
    return _finding(faults, "mode, wait and end of each queue from board or pages")


def _wanted_faults(case: WalkInCase, ep: Episode) -> list[str]:
    """Say how the wanted band is wrong, or rests on none of the houses that were full."""
    given, band = answer_of(ep).wanted_band, case.wish.band
    if given.value != band:
        return [f"wanted: band {given.value or 'missing'}, not {band}"]
    faults = [sources_fault(ep, given.sources, ((band_key(place.id), band),)) for place in case.built.full]
    return [] if "" in faults else [f"wanted: {faults[0]}"]


def _need_faults(case: WalkInCase, ep: Episode, given: Iterable[NeedMet], house: Standing) -> Iterator[str]:
    facts = {TOGETHER: house.together_fact, case.wish.need: house.diet_fact}
    truth = {TOGETHER: house.together, case.wish.need: house.diet_fact is not None}
    codes = [need.code for need in given]
    if sorted(codes) != sorted(truth):
        yield f"needs {', '.join(sorted(codes)) or 'none'}, not {', '.join(sorted(truth))}"
    for need in given:
        if need.code not in truth:
            continue
        if need.met != truth[need.code]:
            yield f"{need.code} is {'' if truth[need.code] else 'not '}met"
        elif (fact := facts[need.code]) and (fault := sources_fault(ep, need.sources, (fact,))):
            yield fault


def _listed(case: WalkInCase, ep: Episode) -> Iterator[tuple[Item, Standing]]:
    """The items with how their houses stand; an id of no house is the business of the list as a whole."""
    for item in answer_of(ep).items:
        house = case.standing(item.venue)
        if house:
            yield item, house


def _why_not(case: WalkInCase, id: str) -> str:
    house = case.standing(id)
    if house is None:
        return f"{id} is no venue"
    return f"{id}: {', '.join(sorted(house.flaws)) or 'others are better'}"


def _about(item: Item, fault: str) -> list[str]:
    return [f"{item.venue}: {fault}"] if fault else []


def _finding(faults: list[str], wanted: str) -> Finding:
    return Finding(not faults, wanted, "; ".join(faults) or "so")


def _at(case: WalkInCase, minutes: int) -> int:
    """The instant of a minute of the service day."""
    return case.wish.now + 60 * (minutes - case.wish.minute)


def _instant(case: WalkInCase, given: ServiceMoment) -> int | None:
    """The instant of a time that was given, None if it is no time; a whole local time may stand in one field."""
    zone = given.zone.strip() or case.start.zone
    day, clock = given.service_date.strip(), given.time.strip().replace(" ", "T")
    if "T" in clock:
        day, clock = clock.split("T", 1)
    try:
        return service_instant(day or service_time(case.wish.now, zone).service_date, clock, zone)
    except (ValueError, LookupError):
        return None
