"""What is right: the places that qualify, and what the evidence establishes of every place in reach."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from agentbench_tasks.reservations.domain.shortlist.evidence import Attribute, Established, Known, established
from agentbench_tasks.reservations.domain.shortlist.plot import Plot


class Goal(msgspec.Struct, frozen=True):
    """What is right."""

    evidence: dict[str, dict[Attribute, Established]]
    """By house in reach, what is established of it."""
    members: tuple[str, ...]
    """The houses that meet both musts."""


def goal_of(plot: Plot, houses: Iterable[Known], today: str) -> Goal:
    """Return what is right among these houses on a day."""
    evidence = {known.place.id: established(known, today) for known in houses}
    members = tuple(id for id, found in evidence.items() if _meets(plot, found))
    return Goal(evidence, members)


def _meets(plot: Plot, found: dict[Attribute, Established]) -> bool:
    return all(must.is_met_by(found[must.attribute].value if must.attribute in found else None) for must in plot.musts)
