"""Episodes as GEM environments: text in, text out, `gem.make("agentbench:ta-two-leg-itinerary-SG")`."""

from __future__ import annotations

from typing import Any

from agentbench_env.adapters.session import EpisodeSession
from agentbench_env.adapters.text_calls import instructions, take_turn
from agentbench_env.errors import ResetNeeded
from agentbench_env.extras import need
from agentbench_env.registry import NAMESPACE, contracts, is_built

_gem = need("gem", "gem")
PREFIX = "agentbench"


class GemEnvironment(_gem.Env):
    """One environment; each `reset` begins another episode. Observations are texts, actions are a model's turns.

    Args:
        task: an environment's id, e.g. `Agentbench/ta-two-leg-itinerary-SG`; the namespace may be left out.
        seed: the instance that a `reset` without a seed begins with, the next one with each further `reset`.
        **options: arguments of the environment, see `AgentbenchEnv`.
    """

    def __init__(self, task: str, seed: int = 0, **options: Any) -> None:
        super().__init__()
        self._task, self._next_seed, self._options = task, seed, options
        self._session: EpisodeSession | None = None

    def reset(self, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        """Begin an episode: the tools, how to call them, and the user's brief.

        Raises:
            WrongArgument: an id, option or value that does not exist.
            TaskNotBuilt: the contract's task does not exist in this release.
            ValueError: a seed or value that is out of range.
        """
        self.close()
        self._session = None
        seed = self._next_seed if seed is None else seed
        self._session = EpisodeSession(self._task, seed, **self._options)
        self._next_seed = seed + 1
        return f"{instructions(self._session)}\n\n{self._session.brief}", self._session.info

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Carry out a model's turn; what makes no sense is answered by an error. The turn that ends it is rewarded.

        Raises:
            ResetNeeded: no episode has begun.
            EnvironmentFault: the suite's own code failed; the episode has no reward.
        """
        if self._session is None:
            raise ResetNeeded("call reset() before step()")
        session = self._session
        over = session.done
        results = take_turn(session, action)
        reward = 0.0 if over else session.reward or 0.0
        truncated = session.done and any(step.truncated for step in session.trajectory().steps[-1:])
        return results, reward, session.done and not truncated, truncated, session.info

    def close(self) -> None:
        """Leave: an episode that still runs is abandoned."""
        if self._session is not None:
            self._session.close_now()


def register_all() -> None:
    """Register every built environment with GEM as `agentbench:<id without namespace>`; again does nothing."""
    known = need("gem.envs.registration", "gem").ENV_REGISTRY
    for one in contracts().values():
        for env_id in one.env_ids if is_built(one) else ():
            name = f"{PREFIX}:{env_id.removeprefix(f'{NAMESPACE}/')}"
            if name not in known:
                _gem.register(name, "agentbench_env.adapters.gem:GemEnvironment", task=env_id)
