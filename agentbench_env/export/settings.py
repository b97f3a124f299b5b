"""The settings that tell plain, hardened and test episodes apart in a file."""

from __future__ import annotations

from typing import Any

from agentbench_env.rollout.record import environment_arguments
from agentbench_env.rollout.trajectory import Trajectory


def settings(one: Trajectory) -> dict[str, Any]:
    """Return `split`, `difficulty`, `faults` (a share) and `injections` of an episode, also where they are the default.

    With `injections` the instance is drawn from those that may hold hostile text; not all of them do.
    """
    given = environment_arguments() | one.kwargs
    return {
        "split": given["split"],
        "difficulty": given["difficulty"],
        # A column has one type: a record may say 0.
        "faults": float(given["faults"]),
        "injections": given["injections"],
    }
