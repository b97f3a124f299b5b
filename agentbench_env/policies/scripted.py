"""The scripted policies of a task, played as any other policy is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium as gym

from agentbench_env.errors import WrongArgument
from agentbench_env.policies.expert import Do, run_script
from agentbench_env.task import Task

Script = Callable[[Any, Do], None]


def scripts(task: Task[Any]) -> dict[str, Script]:
    """Return every scripted policy of a task by name: the expert, other ways, counterexamples, shortcuts."""
    names = ("expert", *task.other_ways, *task.counterexamples, *task.shortcuts)
    return {name: getattr(task, name) for name in names}


class Scripted:
    """Plays one scripted policy of the task at hand.

    Args:
        name: `expert`, or the method's name.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def run(self, env: gym.Env[dict[str, Any], Any], observation: dict[str, Any]) -> None:
        """Play the script to its end."""
        known = scripts(env.unwrapped._episode.task)  # type: ignore[attr-defined]
        if self.name not in known:
            raise WrongArgument("script", self.name, known)
        env.unwrapped.record_usage(usd=0.0)  # type: ignore[attr-defined]
        run_script(known[self.name], env)
