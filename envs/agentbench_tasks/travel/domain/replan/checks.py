"""The checks of a disrupted trip, each judging its own side of the plan that was saved."""

from __future__ import annotations

from agentbench_env.claims import sources_fault
from agentbench_env.episode import Episode
from agentbench_env.verdict import Finding
from agentbench_tasks.travel.domain.records import PlanItem, Service
from agentbench_tasks.travel.domain.replan.case import Chosen, ReplanCase
from agentbench_tasks.travel.domain.replan.rules import reached
from agentbench_tasks.travel.domain.two_leg.case import same_instant, same_value

NOTHING = Finding(True, observed="no plan to judge")
"""Existence is the business of one clause; the others pass where there is nothing to judge."""


def plan_covers_trip(case: ReplanCase, ep: Episode) -> Finding:
    """Everything that remains is there, what was lost is replaced by what can be had, and each is reached in time."""
    chosen = Chosen(case, ep)
    fault = _gap(case, ep, chosen)
    return Finding(not fault, "every remaining element, usable or replaced", fault or "all are there", _ids(chosen))


def _ids(chosen: Chosen) -> tuple[str, ...]:
    return tuple(item.object_id for item in chosen.items)


def _gap(case: ReplanCase, ep: Episode, chosen: Chosen) -> str:
    there = {item.object_id for item in chosen.items} | {service.id for _, service in chosen.services}
    missing = [what for id, what in case.kept.items() if id not in there]
    if missing:
        return f"missing: {', '.join(missing)}"
    if chosen.flight is None:
        return f"{len(chosen.flights)} flights in place of the cancelled one"
    if case.built.cancelled[0].id in there:
        return "the cancelled flight is still in the plan"
    for item, service in chosen.services:
        if not _same_times(item, service):
            return f"{item.object_id} runs {service.dep_local} to {service.arr_local}, not {item.start} to {item.end}"
    size = case.built.plot.party.size
    if not any(fare.open and fare.seats >= size for fare in chosen.fares(chosen.flight)):
        return f"{chosen.flight.number} has not {size} seats left"
    if case.built.ground.trains:
        return _missed(case, chosen, chosen.flight)
    return ""


def _missed(case: ReplanCase, chosen: Chosen, flight: Service) -> str:
    ground, train = case.built.ground, chosen.train
    if train is None:
        return f"{len(chosen.trains)} trains after the flight"
    if train not in ground.trains_after(flight.arrives, flight.dest):
        return f"the {train.dep_local} train has no seats or leaves before one can be at the station"
    return ""


def _same_times(item: PlanItem, service: Service) -> bool:
    starts = same_instant(item.start, item.start_zone, service.departs)
    return starts and same_instant(item.end, item.end_zone, service.arrives)


def outcome_true(case: ReplanCase, ep: Episode) -> Finding:
    """The outcome is what is possible without a fee."""
    given = Chosen(case, ep).answer.outcome
    return Finding(given == case.truth, case.truth, given)


def constraints_kept(case: ReplanCase, ep: Episode) -> Finding:
    """The plan breaks no line but the one that must give."""
    chosen, gives = Chosen(case, ep), case.built.gives
    found = [case.built.broken(way) for way in chosen.ways()]
    if not found:
        return NOTHING
    allowed = frozenset({gives.id}) if gives else frozenset[str]()
    fewest = min((fails - allowed for fails in found), key=len)
    kinds = {line.id: line.kind for line in case.built.lines}
    observed = ", ".join(f"{id} ({kinds[id]})" for id in sorted(fewest))
    return Finding(not fewest, "all lines that can be kept", observed or "all are kept", _ids(chosen))


def giving_constraint_named(case: ReplanCase, ep: Episode) -> Finding:
    """The right line with the best value that is left, reached by the plan and shown by records."""
    chosen, line, given = Chosen(case, ep), case.built.gives, Chosen(case, ep).answer.gives
    if line is None:
        return Finding(not given.constraint, "none gives", given.constraint or "none")
    if given.constraint != line.id:
        return Finding(False, f"{line.id} ({line.kind})", given.constraint or "none")
    zone = case.built.plot.zone
    best, values = reached(case.built.right[0], line, zone)
    value, sources = given.best_value.value, given.best_value.sources
    if not any(same_value(value, right) for right in values):
        return Finding(False, values[0], value)
    mine = [way for way in chosen.ways() if case.built.broken(way) <= {line.id}]
    if not mine:
        return Finding(True, values[0], value, tuple(sources))
    fitting = [way for way in mine if reached(way, line, zone)[0] == best]
    if not fitting:
        return Finding(False, values[0], f"the plan reaches {reached(mine[0], line, zone)[1][0]}")
    faults = [sources_fault(ep, sources, chosen.facts(way)) for way in fitting]
    fault = "" if "" in faults else faults[0]
    return Finding(not fault, f"{values[0]}, shown by records", fault or value, tuple(sources))


def free_basis_quoted(case: ReplanCase, ep: Episode) -> Finding:
    """Each replaced element cites the clause that lets it be changed to what the plan has, for nothing."""
    chosen, built = Chosen(case, ep), case.built
    wanted: list[tuple[str, str, Service, str]] = []
    if chosen.flight is not None:
        free = any(built.free(chosen.flight, fare) for fare in chosen.fares(chosen.flight))
        wanted.append(("flight", case.bookings[0].id, chosen.flight, case.waiver_section if free else ""))
    train = chosen.train
    if train is not None and train.id != built.ground.booked_train:
        assert built.exchange is not None
        free = any(built.exchange.admits(train, fare) for fare in chosen.fares(train))
        wanted.append(("train", case.bookings[1].id, train, case.exchange_section if free else ""))
    if not wanted:
        return NOTHING
    faults = [fault for what in wanted if (fault := _basis_fault(chosen, *what))]
    evidence = tuple(section for _, _, _, section in wanted if section)
    return Finding(not faults, "the clause that makes each change free", "; ".join(faults) or "cited", evidence)


def _basis_fault(chosen: Chosen, what: str, booking_id: str, service: Service, section: str) -> str:
    rows = [row for row in chosen.answer.changes if (row.booking_id, row.item_index) == (booking_id, 0)]
    if not rows:
        return f"no entry for the {what}"
    row = rows[0]
    named = chosen.service_of(row.new_object_id)
    if named is None or named.id != service.id:
        return f"the entry for the {what} names something else than the plan"
    if not section:
        return f"no clause makes the change to {service.number} free"
    unseen = [id for id in row.free_basis if id not in chosen.ep.shown]
    if unseen:
        return f"{unseen[0]} was never shown"
    return "" if section in row.free_basis else f"the {what}'s clause is not cited"
