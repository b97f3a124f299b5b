"""Recorded actions, played again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import gymnasium as gym

from agentbench_env.errors import WrongArgument


class Replay:
    """Plays recorded actions.

    Args:
        episodes: actions by the brief of the episode that they were recorded in; under "" those for any other one.
        name: what results are listed under.
    """

    def __init__(self, episodes: Mapping[str, Sequence[Any]], name: str = "replay") -> None:
        self.name, self._episodes = name, episodes

    def run(self, env: gym.Env[dict[str, Any], Any], observation: dict[str, Any]) -> None:
        """Step the environment with the actions that belong to its brief."""
        brief: str = observation["content"]
        actions = self._episodes.get(brief, self._episodes.get(""))
        if actions is None:
            known = [text[:80] for text in self._episodes]
            raise WrongArgument("brief", brief[:80], known)
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                return


def load_replay(path: str | Path) -> Replay:
    """Read a JSON list of actions, or recorded episodes, one a line, with `brief` and `steps`."""
    text = Path(path).read_text(encoding="utf-8")
    if text.lstrip()[:1] == "[":
        return Replay({"": json.loads(text)})
    episodes = [json.loads(line) for line in text.split("\n") if line.strip()]
    return Replay({one["brief"]: [step["action"] for step in one["steps"]] for one in episodes})
