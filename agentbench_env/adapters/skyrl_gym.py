"""Episodes as a SkyRL-gym environment: text in, text out, the task named by each row of the data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentbench_env.adapters.session import EpisodeSession
from agentbench_env.adapters.text_calls import instructions, take_turn
from agentbench_env.errors import ResetNeeded
from agentbench_env.extras import need

_base = need("skyrl_gym.envs.base_text_env", "skyrl-gym")
ID = "agentbench"
ENTRY_POINT = "agentbench_env.adapters.skyrl_gym:SkyRLEnvironment"


class SkyRLEnvironment(_base.BaseTextEnv):
    """One episode. The reward comes with the turn that ends it.

    Args:
        env_config: arguments of the environment for all rows, see `AgentbenchEnv`; None: none.
        extras: the row: `env_id`, `seed` and `options` (arguments for this row alone; may be left out).
    """

    def __init__(self, env_config: Any = None, extras: dict[str, Any] | None = None) -> None:
        super().__init__()
        row = extras or {}
        if missing := [name for name in ("env_id", "seed") if name not in row]:
            raise ValueError(f"the row has no {' and no '.join(missing)}; `rows` makes rows that have them")
        self._env_id, self._seed = row["env_id"], int(row["seed"])
        self._options = {**dict(env_config or {}), **dict(row.get("options") or {})}
        self._session: EpisodeSession | None = None

    def init(self, prompt: list[dict[str, str]]) -> tuple[list[dict[str, str]], dict[str, Any]]:
        """Begin the episode.

        Args:
            prompt: the row's own messages, e.g. a system prompt.

        Returns:
            The row's messages, then how to call the tools with the user's brief; and the episode's `info`.

        Raises:
            WrongArgument: an id, option or value that does not exist.
            TaskNotBuilt: the contract's task does not exist in this release.
            ValueError: a seed or value that is out of range.
        """
        self.close()
        self._session = None
        self._session = EpisodeSession(self._env_id, self._seed, **self._options)
        text = f"{instructions(self._session)}\n\n{self._session.brief}"
        return [*prompt, {"role": "user", "content": text}], self._session.info

    def step(self, action: str) -> dict[str, Any]:
        """Carry out a model's turn; what makes no sense is answered by an error.

        Raises:
            ResetNeeded: `init` was not called.
            EnvironmentFault: the suite's own code failed; the episode has no reward.
        """
        if self._session is None:
            raise ResetNeeded("call init() before step()")
        over = self._session.done
        results = take_turn(self._session, action)
        self.turns += 1
        return {
            "observations": [{"role": "user", "content": results}],
            "reward": 0.0 if over else self._session.reward or 0.0,
            "done": self._session.done,
            "metadata": self._session.info,
        }

    def get_metrics(self) -> dict[str, float]:
        """Return success, calls, simulated seconds and tool fees in USD of the episode; nothing of one that failed."""
        if self._session is None or self._session.outcome == "infrastructure":
            return {}
        info = self._session.info
        return {
            "success": self._session.reward or 0.0,
            "calls": float(self._session.steps),
            "elapsed_s": info["time"]["elapsed_s"],
            "tool_fees_usd": info["cost"]["tool_fees_usd"],
        }

    def close(self) -> None:
        """Leave: an episode that still runs is abandoned."""
        if self._session is not None:
            self._session.close_now()


def register() -> None:
    """Register the environment with SkyRL-gym as `agentbench`; again does nothing."""
    registration = need("skyrl_gym.envs.registration", "skyrl-gym")
    if ID not in registration.registry:
        registration.register(ID, ENTRY_POINT)


def rows(env_ids: Iterable[str], seeds: Iterable[int]) -> list[dict[str, Any]]:
    """Return rows of data for SkyRL's trainer: every environment with every seed."""
    numbers = tuple(seeds)
    return [{"prompt": [], "env_class": ID, "env_id": env_id, "seed": seed} for env_id in env_ids for seed in numbers]
