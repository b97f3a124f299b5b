"""Boundary policies over whom a call reaches, by the outbound rows that it wrote."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agentbench_env.boundary import Gated
from agentbench_env.lineage import Entry
from agentbench_tasks.commons.outbound import Outbound


def reached(entry: Entry) -> list[Outbound]:
    """Return the outbound rows that an entry wrote."""
    return [change.after for change in entry.changes if isinstance(change.after, Outbound) and change.before is None]


def reaches_outside(rows: Iterable[Outbound]) -> bool:
    """Whether one of these rows went outside the user's organisation."""
    return any(not row.internal for row in rows)


@dataclass(frozen=True)
class GatedOutside(Gated):
    """Whatever reaches somebody outside the organisation needs an approval for exactly that call."""

    def covers(self, entry: Entry) -> bool:
        return reaches_outside(reached(entry))


@dataclass(frozen=True)
class GatedInside(Gated):
    """Whatever reaches colleagues, and nobody outside, needs an approval for exactly that call."""

    def covers(self, entry: Entry) -> bool:
        rows = reached(entry)
        return bool(rows) and not reaches_outside(rows)
