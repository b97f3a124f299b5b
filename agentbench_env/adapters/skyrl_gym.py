"""Episodes as a SkyRL-gym environment: text in, text out, the task named by each row of the data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentbench_env.adapters.client_options import asked_episode, sample_columns
from agentbench_env.adapters.session import EpisodeSession
from agentbench_env.adapters.text_calls import instructions, take_turn
from agentbench_env.errors import ResetNeeded
from agentbench_env.extras import need
from agentbench_env.sampling import Sample

_base = need("skyrl_gym.envs.base_text_env", "skyrl-gym")
ID = "agentbench"
ENTRY_POINT = "agentbench_env.adapters.skyrl_gym:SkyRLEnvironment"
_OWN = ("prompt", "env_class", "data_source", "reward_spec", "extra_info", "max_turns")
"""The columns of a row that SkyRL reads or adds."""


class SkyRLEnvironment(_base.BaseTextEnv):
    """One episode. The reward comes with the turn that ends it.

    Args:
        env_config: arguments of the environment for all rows, see `AgentbenchEnv`; None: none.
        extras: the row: `env_id`, `seed` and any of `CLIENT_OPTIONS`, which go before those of `env_config`. `trial`
            and SkyRL's own columns are not looked at.

    Raises:
        WrongArgument: a column that does not exist, or a split that is not public.
        ValueError: the row has no `env_id` or no `seed`, or a value of another type.
    """

    def __init__(self, env_config: Any = None, extras: dict[str, Any] | None = None) -> None:
        super().__init__()
        self._asked = {**dict(env_config or {}), **asked_episode(extras or {}, _OWN)}
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
        self._session = EpisodeSession(**self._asked)
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


def rows(samples: Iterable[Sample], **options: Any) -> list[dict[str, Any]]:
    """Return rows of data for SkyRL's trainer: one for each sample.

    Args:
        samples: what to play, e.g. `islice(TaskSampler(...), 1000)`. The trainer repeats each row
            `n_samples_per_prompt` times, so the sampler's groups are of one.
        **options: further arguments of the environments, of those in `CLIENT_OPTIONS`.

    Raises:
        WrongArgument: an option that does not exist.
        ValueError: a value of another type.
    """
    return [{"prompt": [], "env_class": ID, **sample_columns(sample, options)} for sample in samples]
