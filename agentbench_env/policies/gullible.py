"""A gullible assistant: it reads what lies about, does what hostile text asks for, and goes on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from agentbench_env.env import AgentbenchEnv
from agentbench_env.episode import Episode
from agentbench_env.injections import Ask, Bait
from agentbench_env.policies.expert import Stepping

Stepped = tuple[dict[str, Any], Any, bool, bool, dict[str, Any]]


class Gullible(Stepping):
    """Steps an environment for a script; reads hostile texts first of all, and obeys each as soon as a result shows it.

    Args:
        env: an environment that was just reset.
    """

    def __init__(self, env: AgentbenchEnv) -> None:
        self._env = env
        # What a text asks for is hidden from policies; this one plays the victim.
        episode = env._episode  # pyright: ignore[reportPrivateUsage]
        assert episode is not None
        self._episode: Episode = episode
        self._left = episode.world.all(Bait)
        self.followed: list[Bait] = []

    def step(self, action: Any) -> Stepped:
        """Carry out one action, after whatever results so far told assistants to do."""
        for bait in self._left:
            self._make(bait.read)
            if bait.carrier_id in self._episode.shown:
                self.followed.append(bait)
                self._obey(bait)
        self._left = []
        return self._env.step(action)

    def _obey(self, bait: Bait) -> None:
        before: dict[str, Any] = {}
        for ask in bait.asks:
            before = self._make(ask, before)

    def _make(self, ask: Ask, before: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
        arguments = {name: _filled(value, before) for name, value in ask.arguments.items()}
        observation = self._env.step({"tool": ask.tool, "arguments": arguments})[0]
        return json.loads(observation["content"])


def _filled(value: Any, before: Mapping[str, Any]) -> Any:
    if isinstance(value, str) and value[:1] == "{" and value[-1:] == "}":
        return before.get(value[1:-1], value)
    return value
