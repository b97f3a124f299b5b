"""JSON lines for fine-tuning: `messages` and `tools` of one episode a line, and which episode it is.

Arguments of calls and the list of tools are JSON text. A loader that infers one type for a column, as `datasets` does
from the first megabytes, would otherwise mix the arguments of all tools, or fail at the first task with other tools.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from agentbench_env.export.messages import answered_messages, json_text
from agentbench_env.export.settings import settings
from agentbench_env.fresh import whole
from agentbench_env.rollout.trajectory import Trajectory


def write(episodes: Iterable[Trajectory], path: Path) -> int:
    """Write episodes to a new file; return how many."""
    number = 0
    with whole(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        for one in episodes:
            file.write(json_text(row(one)) + "\n")
            number += 1
    return number


def row(one: Trajectory) -> dict[str, Any]:
    """Return what one line says."""
    return {
        "messages": answered_messages(one.messages),
        "tools": json_text(one.tools),
        "env_id": one.env_id,
        "seed": one.seed,
        "trial": one.trial,
        **settings(one),
        "policy": one.policy,
        "outcome": one.outcome,
        "reward": one.reward,
    }
