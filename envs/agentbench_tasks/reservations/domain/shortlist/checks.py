"""The checks of a shortlist, each against what was established when the instance was drawn."""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_env.claims import sources_fault
from agentbench_env.episode import Episode
from agentbench_env.verdict import Finding
from agentbench_tasks.reservations.domain.places import Review
from agentbench_tasks.reservations.domain.shortlist.case import ShortlistCase, claimed, listed_of
from agentbench_tasks.reservations.domain.shortlist.evidence import Attribute, Established, Value, in_age


def members(case: ShortlistCase, ep: Episode) -> Finding:
    """The places are the goal's, each once."""
    given, wanted = sorted(one.venue for one in listed_of(ep)), sorted(case.goal.members)
    return Finding(given == wanted, ", ".join(wanted), ", ".join(given) or "no place", case.goal.members)


def claims_true(case: ShortlistCase, ep: Episode) -> Finding:
    """Each value is what the evidence establishes, where it establishes one."""
    faults = (
        f"{venue}: {attribute} is {_text(found.value)}, not {_text(value)}"
        for venue, attribute, value, _, found in _claims(case, ep)
        if found and found.value != value
    )
    return _finding(case, "every value as the evidence has it", faults)


def claims_sourced(case: ShortlistCase, ep: Episode) -> Finding:
    """The sources of each claim hold for what is true, and no review among them is too old."""
    faults = (
        f"{venue}: {attribute}: {fault}"
        for venue, attribute, _, sources, found in _claims(case, ep)
        if found and (fault := _age_fault(case, ep, sources) or sources_fault(ep, sources, found.needs))
    )
    return _finding(case, "every claim with a source that carries it", faults)


def nothing_unevidenced(case: ShortlistCase, ep: Episode) -> Finding:
    """Nothing is claimed that nothing bears out."""
    faults = (
        f"{venue}: nothing bears out {attribute} = {_text(value)}"
        for venue, attribute, value, _, found in _claims(case, ep)
        if found is None
    )
    return _finding(case, "no claim without evidence", faults)


def evidenced_reported(case: ShortlistCase, ep: Episode) -> Finding:
    """Of each place listed, all that is established is claimed."""
    faults = (
        f"{one.venue}: {attribute} is left out"
        for one in listed_of(ep)
        for attribute in case.goal.evidence.get(one.venue, {})
        if attribute not in claimed(one.claims)
    )
    return _finding(case, "everything evidenced of each place", faults)


def _claims(case: ShortlistCase, ep: Episode) -> Iterator[tuple[str, Attribute, Value, list[str], Established | None]]:
    """The claims on places in reach, each with what is established; whether others belong there, `members` asks."""
    for one in listed_of(ep):
        if one.venue in case.goal.evidence:
            for attribute, (value, sources) in claimed(one.claims).items():
                yield one.venue, attribute, value, sources, case.goal.evidence[one.venue].get(attribute)


def _age_fault(case: ShortlistCase, ep: Episode, sources: list[str]) -> str:
    """Say which review is too old to be cited, "" if none is."""
    for source in sources:
        review = ep.record(source)
        house = case.built.houses.get(review.venue_id) if isinstance(review, Review) else None
        if isinstance(review, Review) and house:
            place = house.place
            if not in_age(review.visited_on, place.renovated_on, case.built.today):
                return f"{source} tells of a visit on {review.visited_on}"
    return ""


def _finding(case: ShortlistCase, wanted: str, faults: Iterator[str]) -> Finding:
    found = list(faults)
    return Finding(not found, wanted, "; ".join(found) or wanted, case.goal.members)


def _text(value: Value) -> str:
    return value if isinstance(value, str) else " ".join(map(str, value))
