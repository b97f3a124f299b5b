"""Random schema-valid calls."""

from __future__ import annotations

from typing import Any, cast

import gymnasium as gym

from agentbench_env.draw import stable_number
from agentbench_env.env import AgentbenchEnv


class RandomPolicy:
    """Samples the action space until the episode ends.

    Args:
        seed: with the task, its market, the episode's seed and its trial, what the samples depend on.
    """

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def run(self, env: gym.Env[dict[str, Any], Any], observation: dict[str, Any]) -> None:
        """Step the environment with samples."""
        core = cast(AgentbenchEnv, env.unwrapped)
        core.record_usage(usd=0.0)
        trial = env.get_wrapper_attr("trial") if env.has_wrapper_attr("trial") else 0
        episode = core.task.id, core.market.code, core.instance_seed, trial
        env.action_space.seed(stable_number("random policy", self._seed, *episode) % 2**32)
        ended = False
        while not ended:
            _, _, terminated, truncated, _ = env.step(env.action_space.sample())
            ended = terminated or truncated
