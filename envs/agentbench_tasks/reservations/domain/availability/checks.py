"""The checks of an answer about a table, each against what follows from the records that the venue keeps."""

from __future__ import annotations

from collections.abc import Sequence

from agentbench_env.claims import Fact, sources_fault
from agentbench_env.episode import Episode
from agentbench_env.verdict import Finding
from agentbench_tasks.commons.service_time import ServiceTime, service_minutes
from agentbench_tasks.reservations.domain.availability.answer import ServiceMoment
from agentbench_tasks.reservations.domain.availability.case import TableCase, answer_of
from agentbench_tasks.reservations.domain.slots import AvailabilityAnswer


def verdict(case: TableCase, ep: Episode) -> Finding:
    """The venue is the one that was asked about, and it has the table exactly if it is said to."""
    given, asked, available = answer_of(ep), case.asked, case.goal.available
    said = f"{given.venue.strip() or 'no venue'}: {'available' if given.verdict.value else 'not available'}"
    wanted = f"{asked.venue_id}: {'available' if available else 'not available'}"
    return Finding(said == wanted, wanted, said, (asked.venue_id,))


def own_surface(case: TableCase, ep: Episode) -> Finding:
    """An answer of the venue's own surface to exactly this question is cited."""
    asked, sources = case.asked, answer_of(ep).verdict.sources
    fault = sources_fault(ep, sources, ())
    records = [ep.record(source) for source in sources]
    if not fault and not any(
        isinstance(record, AvailabilityAnswer) and record.covers(asked.venue_id, asked.day, asked.clock, asked.party)
        for record in records
    ):
        fault = "no answer of the venue's own surface for that day, party and hour is cited"
    wanted = f"slots of {asked.venue_id} on {asked.day} at {asked.clock} for {asked.party}"
    return Finding(not fault, wanted, fault or wanted, tuple(sources))


def reason(case: TableCase, ep: Episode) -> Finding:
    """Where it is rightly said that there is no table, the first reason is given and sourced."""
    given, goal = answer_of(ep), case.goal
    if goal.available or given.verdict.value:
        return Finding(True, "nothing", "nothing")
    fault = ""
    if given.reason.value != goal.reason:
        fault = given.reason.value
    if not fault:
        faults = [_fault(case, ep, given.reason.sources, facts) for facts in goal.reason_facts]
        fault = "" if "" in faults else faults[0]
    return Finding(not fault, goal.reason, fault or goal.reason, tuple(given.reason.sources))


def closure_days(case: TableCase, ep: Episode) -> Finding:
    """Exactly the closed days of the period are given, each resting on the venue's own page of hours or notice."""
    given, goal = answer_of(ep).closed_dates, case.goal
    said = {day.strip() for day in given.value}
    missing, extra = sorted({*goal.closed} - said), sorted(said - {*goal.closed})
    fault = f"missing: {', '.join(missing)}" if missing else f"not closed: {', '.join(extra)}" if extra else ""
    fault = fault or _fault(case, ep, given.sources, goal.closed_facts)
    wanted = ", ".join(goal.closed)
    return Finding(not fault, wanted, fault or wanted, tuple(given.sources))


def last_order(case: TableCase, ep: Episode) -> Finding:
    """The last order of food of the service that is on or follows is given and sourced, none where none follows."""
    given, goal = answer_of(ep).last_order, case.goal
    said = f"{given.value.service_date.strip()} {given.value.time.strip()}".strip() or "none"
    if goal.last_order is None or goal.last_order_fact is None:
        return Finding(said == "none", "none", said)
    wanted = f"{goal.last_order.service_date} {goal.last_order.time}"
    fault = "" if _is_at(given.value, goal.last_order) else said
    fault = fault or _fault(case, ep, given.sources, (goal.last_order_fact,))
    return Finding(not fault, wanted, fault or wanted, tuple(given.sources))


def _is_at(given: ServiceMoment, right: ServiceTime) -> bool:
    """Whether a time given is a service time, however it is written."""
    try:
        service_minutes(given.time.strip())
        return ServiceTime(given.service_date.strip(), given.time.strip(), right.zone).instant == right.instant
    except ValueError:
        return False


def _fault(case: TableCase, ep: Episode, sources: Sequence[str], needs: Sequence[Fact]) -> str:
    """Say why sources do not carry what they have to; a page that was replaced carries nothing."""
    return sources_fault(ep, sources, needs, case.barred)
