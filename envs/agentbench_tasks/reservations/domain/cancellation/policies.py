"""Scripted policies of a table that is called off: the expert, other right ways, near misses, guesses."""

from __future__ import annotations

from agentbench_env.policies.expert import Do
from agentbench_tasks.reservations.domain.cancellation.case import CancellationCase
from agentbench_tasks.reservations.domain.cancellation.moves import Moves


class CancellationPolicies:
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: CancellationCase, do: Do) -> None:
        """Find the table, tie it to the user, read the limit, write the message, ask, prepare the rest."""
        Moves(case, do).solve()
