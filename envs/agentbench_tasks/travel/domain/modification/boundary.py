"""The boundary of a booking that is only to be priced: a committed change and a committed cancellation apart."""

from __future__ import annotations

from dataclasses import dataclass

import agentbench_env as ab
from agentbench_env.lineage import Entry
from agentbench_tasks.travel.domain.records_changes import PricedAction


@dataclass(frozen=True)
class Cancels(ab.Gated):
    """Covers every call that carried out a priced cancellation."""

    def covers(self, entry: Entry) -> bool:
        committed = [change.after for change in entry.changes if isinstance(change.after, PricedAction)]
        return any(action.committed and action.action == "cancel" for action in committed)
