"""Random schema-valid calls."""

from __future__ import annotations

from typing import Any

import gymnasium as gym

from agentbench_env.draw import stable_number


class RandomPolicy:
    """Samples the action space until the episode ends.

    Args:
        seed: with the brief, what the samples depend on.
    """

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def run(self, env: gym.Env[dict[str, Any], Any], observation: dict[str, Any]) -> None:
        """Step the environment with samples."""
        env.unwrapped.record_usage(usd=0.0)  # type: ignore[attr-defined]
        env.action_space.seed(stable_number("random policy", self._seed, observation["content"]) % 2**32)
        ended = False
        while not ended:
            _, _, terminated, truncated, _ = env.step(env.action_space.sample())
            ended = terminated or truncated
