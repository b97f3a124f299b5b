"""The checks of a ground plan: the saved plan is walked through again at its own times."""

from __future__ import annotations

from collections import Counter

from agentbench_env.claims import sources_fault
from agentbench_env.episode import Episode
from agentbench_env.verdict import Finding
from agentbench_tasks.travel.domain.ground_plan.case import GroundPlanCase, Hop, Saved, Timed, day_of, obstacles
from agentbench_tasks.travel.domain.ground_plan.places import clock, minute


def all_wishes_accounted(case: GroundPlanCase, ep: Episode) -> Finding:
    """Every place of the list once in the plan or once among the flags."""
    saved = Saved(case, ep)
    placed = Counter(item.object_id for item in saved.items if item.kind == "visit")
    flagged = Counter(flag.place_id for flag in saved.answer.flags)
    wrong = [
        f"{place}: {placed[place]} visits, {flagged[place]} flags"
        for place in case.built.wishes
        if placed[place] + flagged[place] != 1
    ]
    return _found("each place once in a day or flagged once", wrong, (saved.answer.plan_id,))


def open_when_visited(case: GroundPlanCase, ep: Episode) -> Finding:
    """Every visit inside its place's day. A day that is none of the trip's is judged elsewhere."""
    saved = Saved(case, ep)
    trip = {day.isoformat() for day in case.built.plot.days}
    visits = [one for place in case.built.wishes for one in saved.visits_of(place) if one.day in trip]
    wrong = [f"{one.id} {one.when}: {fault}" for one in visits if (fault := _shut(case, ep, one))]
    return _found("every visit on an open day, inside hours and breaks, by last admission, at a free slot", wrong)


def _shut(case: GroundPlanCase, ep: Episode, visit: Timed) -> str:
    day = day_of(ep.world, visit.id, visit.day)
    if day is None or not day.opens:
        return "closed on the day"
    if visit.start < minute(day.opens) or visit.end > minute(day.closes):
        return f"open {day.opens}-{day.closes}"
    if visit.start > minute(day.last_entry):
        return f"last admission {day.last_entry}"
    for rest in day.breaks:
        if visit.start < minute(rest.closes) and visit.end > minute(rest.opens):
            return f"closed {rest.opens}-{rest.closes}"
    if case.built.nodes[visit.id].spot.slots:
        free = [slot.at for slot in day.slots if slot.left >= case.built.plot.party]
        if clock(visit.start) not in free:
            return f"free slots: {', '.join(free) or 'none'}"
    return ""


def transfers_real(case: GroundPlanCase, ep: Episode) -> Finding:
    """Every transfer there, by an allowed means, and long enough at its own hour."""
    saved = Saved(case, ep)
    known = {case.built.lodging.id, *case.built.nodes}
    wrong: list[str] = []
    for hop in saved.hops:
        if all(one is None or one.id in known for one in (hop.before, hop.after)):
            fault = _hop_fault(saved, hop)
            wrong += [f"{hop.day}: {fault}"] if fault else []
    return _found("between neighbours the time that service shows for the hour, and the margin", wrong)


def _hop_fault(saved: Saved, hop: Hop) -> str:
    start = hop.before.id if hop.before else "the lodging"
    end = hop.after.id if hop.after else "the lodging"
    ride = hop.transfer
    if ride is None:
        return f"no transfer from {start} to {end}"
    if hop.before and ride.start < hop.before.end:
        return f"the transfer to {end} leaves at {clock(ride.start)}, before the visit ends"
    needed = saved.needed(hop)
    if needed < 0:
        return f"nothing goes from {start} to {end} by {ride.item.mode or 'no means'} at {clock(ride.start)}"
    there = hop.after.start if hop.after else ride.end
    if there - ride.start < needed:
        return f"{there - ride.start} minutes from {start} to {end} at {clock(ride.start)}, not {needed}"
    return ""


def days_inside_frame(case: GroundPlanCase, ep: Episode) -> Finding:
    """Every day of the plan is one of the trip, begins and ends in time, and the appointments are met."""
    saved, plot = Saved(case, ep), case.built.plot
    trip = [day.isoformat() for day in plot.days]
    wrong = [f"no time: {item.start} {item.start_zone}, {item.end} {item.end_zone}" for item in saved.unreadable]
    for day, items in saved.by_day.items():
        first, last = min(one.start for one in items), max(one.end for one in items)
        if day not in trip:
            wrong.append(f"{day} is no day of the trip")
        elif first < plot.leave or last > plot.back:
            wrong.append(f"{day} {clock(first)} to {clock(last)}")
    for fixed in case.built.appointments:
        met = any(
            one.day == trip[fixed.day] and one.start <= fixed.start and one.end >= fixed.end
            for one in saved.visits_of(fixed.node)
        )
        if not met:
            wrong.append(f"{fixed.node} is not visited on {trip[fixed.day]} from {clock(fixed.start)}")
    expected = f"days from {clock(plot.leave)} to {clock(plot.back)}, with every appointment"
    return _found(expected, wrong)


def misfits_flagged(case: GroundPlanCase, ep: Episode) -> Finding:
    """The flags are the misfits with their reasons and records, and no visit is shorter than asked."""
    saved, right = Saved(case, ep), case.built.misfits
    wrong: list[str] = []
    for flag in saved.answer.flags:
        reason = right.get(flag.place_id)
        if reason is None:
            fits = flag.place_id in case.built.wishes
            wrong.append(f"{flag.place_id} {'fits' if fits else 'is no place of the list'}")
        elif flag.reason != reason:
            wrong.append(f"{flag.place_id} is {reason}, not {flag.reason}")
        else:
            facts = obstacles(case, ep.world, flag.place_id, reason)
            faults = [sources_fault(ep, flag.sources, [fact]) for fact in facts]
            if all(faults):
                wrong.append(f"{flag.place_id}: no source shows the obstacle; {faults[0]}")
    flagged = {flag.place_id for flag in saved.answer.flags}
    wrong += [f"{place} is not flagged" for place in right if place not in flagged]
    for place in case.built.wishes:
        asked = case.built.nodes[place].spot.dwell
        wrong += [
            f"{place} {one.when}, not {asked} minutes" for one in saved.visits_of(place) if one.end - one.start < asked
        ]
    return _found("exactly the misfits, with reason and record; full visits", wrong)


def _found(expected: str, wrong: list[str], evidence: tuple[str, ...] = ()) -> Finding:
    return Finding(not wrong, expected, "; ".join(wrong) or expected, evidence)
