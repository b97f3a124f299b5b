"""PettingZoo: an episode for two agents, `assistant_0` who calls tools and `user_0` who is asked for leave and advice.

Importing the module registers all environments with PettingZoo:

    import pettingzoo
    import agentbench_env.adapters.pettingzoo

    env = pettingzoo.make("aec", "Agentbench/ta-two-leg-itinerary-SG")
"""

# The Gymnasium environment underneath is this one's own, private parts included.
# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, ClassVar

import gymnasium as gym
import msgspec
import pettingzoo
from gymnasium import spaces
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from agentbench_env.adapters.user_acts import Deny, Grant, Say, StaySilent, UserAct, UserActSpace, read_act, shown
from agentbench_env.env import AgentbenchEnv, observation_space
from agentbench_env.episode import Episode, Turn, error_body
from agentbench_env.errors import AgentbenchError, ResetNeeded, ToolError
from agentbench_env.lineage import Lineage
from agentbench_env.registry import contracts, third_party_contracts
from agentbench_env.user import Question, RuleUser, User
from agentbench_env.verdict import Verdict

ASSISTANT, USER = "assistant_0", "user_0"
LONGEST_CONTENT = 1_000_000
"""Characters of an observation's content; a longer proposal is cut."""
MOST_TRIES = 3
"""Actions of the user's player that make no sense, one after the other, until they count as silence."""
UserPolicy = Callable[[dict[str, Any]], Any]
"""What plays `user_0`: it takes an observation and returns an action."""


class AgentbenchAEC(pettingzoo.AECEnv[str, dict[str, Any], Any]):
    """One contract in one market, for two agents that take turns.

    `assistant_0` acts, observes and is rewarded as in the Gymnasium environment. Its turns follow one another until it
    calls `user_ask` or `user_request_approval`: then `user_0` has the turn, and what it does completes the call.
    `user_0` observes the brief while nothing is asked, else the question, or the proposal with the records that it
    refers to; its reward is always 0, for the contract judges the assistant alone. Its `info` holds `brief`, and
    `outcome` and `verdict` as the assistant's does. Both agents end together.

    Args:
        task: contract id, e.g. `ta-two-leg-itinerary`.
        market: market code.
        kwargs: the other arguments of `AgentbenchEnv`, but for `user`.

    Raises:
        WrongArgument: a value that an argument cannot have.
        TaskNotBuilt: the contract's task does not exist in this release.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "name": "agentbench",
        "render_modes": ["ansi"],
        "render_fps": 1,
        "is_parallelizable": True,
    }

    def __init__(self, task: str, market: str, **kwargs: Any) -> None:
        super().__init__()
        if "user" in kwargs:
            raise ValueError("there is no argument user here: the user is whoever plays user_0, e.g. a RulePolicy")
        self.core = AgentbenchEnv(task, market, **kwargs)
        """The Gymnasium environment underneath, for `record_usage` and the like; it is stepped by this one."""
        self.render_mode = self.core.render_mode
        self.possible_agents = [ASSISTANT, USER]
        self.agents: list[str] = []
        self._observation_spaces = {agent: observation_space(LONGEST_CONTENT) for agent in self.possible_agents}
        self._user_space = UserActSpace()
        self._tries = 0
        self._refusal: ToolError | None = None

    # --- PettingZoo

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations; both have the same keys."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions: tool calls of the assistant, acts of the user."""
        return {ASSISTANT: self.core.action_space, USER: self._user_space}[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode, as `AgentbenchEnv.reset` does; the assistant has the first turn."""
        self.core.reset(seed=seed, options=options)
        self._tries, self._refusal = 0, None
        self.agents = self.possible_agents[:]
        self.agent_selection = ASSISTANT
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = self._infos()

    def step(self, action: Any) -> None:
        """Carry out an action of the agent whose turn it is, whatever it is; None once the agent has ended.

        Raises:
            ResetNeeded: the episode has not begun or has ended for both.
            EnvironmentFault: the suite's own code failed.
        """
        if not self.agents:
            raise ResetNeeded("call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        turn = self._episode.begin(action) if agent == ASSISTANT else self._heard(action)
        self.agent_selection = USER if turn is None else ASSISTANT
        if turn is not None:
            self.core._last = turn
            self.rewards[ASSISTANT], terminated, truncated = self.core._ending()
            self.terminations = dict.fromkeys(self.agents, terminated)
            self.truncations = dict.fromkeys(self.agents, truncated)
        self.infos = self._infos()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent observes: the assistant its last result, the user what it is asked or the brief."""
        observation = self.core._observation()
        if agent == ASSISTANT:
            return observation
        waiting, refusal = self._episode.waiting, self._refusal
        if waiting is None:
            return {**observation, "tool": "", "content": self.lineage.content(-1), "is_error": 0}
        body = shown(waiting.asked)
        if refusal is not None:
            body = {**error_body(refusal, "en"), "asked": body}
        content = msgspec.json.encode(body).decode()[:LONGEST_CONTENT]
        return {**observation, "tool": waiting.tool, "content": content, "is_error": int(refusal is not None)}

    def render(self) -> str | None:
        """Return the last step as text, in render mode "ansi"."""
        return self.core.render()

    def close(self) -> None:
        """Release nothing: an environment holds no resources."""
        self.core.close()

    # --- the suite's own

    @property
    def lineage(self) -> Lineage:
        """The entries of the episode so far."""
        return self.core.lineage

    @property
    def verdict(self) -> Verdict | None:
        """The verdict, None while the episode runs."""
        return self.core.verdict

    def fork(self) -> AgentbenchAEC:
        """Return an independent environment in the same state, whosever turn it is."""
        twin = copy(self)
        twin.core, twin._user_space = self.core.fork(), UserActSpace()
        twin.agents, twin.rewards = self.agents.copy(), self.rewards.copy()
        twin._cumulative_rewards = self._cumulative_rewards.copy()
        twin.terminations, twin.truncations = self.terminations.copy(), self.truncations.copy()
        twin.infos = {agent: info.copy() for agent, info in self.infos.items()}
        return twin

    @property
    def _episode(self) -> Episode:
        return self.core._running()

    def _heard(self, action: Any) -> Turn | None:
        """Complete the call that waits with an act of the user; None if the action is none and may be tried again."""
        waiting = self._episode.waiting
        assert waiting is not None
        act: UserAct = StaySilent()
        try:
            act = read_act(action, waiting.asked)
        except ToolError as refusal:
            self._tries += 1
            if self._tries < MOST_TRIES:
                self._refusal = refusal
                return None
        self._tries, self._refusal = 0, None
        return self._episode.hear(act)

    def _infos(self) -> dict[str, dict[str, Any]]:
        info = self.core._info()
        of_user = {"brief": self.lineage.content(-1), "outcome": info["outcome"], "verdict": info["verdict"]}
        return {ASSISTANT: info, USER: of_user}


class RulePolicy:
    """Plays `user_0` as the task's own user would, or any other `User`: the episode is that of the Gymnasium one.

    Args:
        env: the environment in which it plays, wrapped or not.
        user: a user of one's own; None: the rule-based default.
    """

    def __init__(self, env: pettingzoo.AECEnv[str, dict[str, Any], Any], user: User | None = None) -> None:
        if not isinstance(env.unwrapped, AgentbenchAEC):
            raise TypeError(f"RulePolicy plays in an AgentbenchAEC, not in {env.unwrapped!r}")
        self._env, self._user = env.unwrapped, user or RuleUser()

    def __call__(self, observation: dict[str, Any]) -> UserAct:
        """Return the act; it is found by the rules, not from the observation."""
        episode = self._env._episode
        if episode.waiting is None:
            raise AgentbenchError(f"nothing is asked of {USER}: it is not its turn")
        asked, script = episode.waiting.asked, episode.script
        if isinstance(asked, Question):
            return Say(text=self._user.reply(asked.topic, asked.question, script))
        decision = self._user.decide(asked, script)
        if not decision.answered:
            return StaySilent()
        return Grant(reason=decision.reason) if decision.granted else Deny(reason=decision.reason)


class AssistantSide(gym.Env[dict[str, Any], Any]):
    """The assistant's side as a Gymnasium environment, for policies that step one; a policy plays `user_0`.

    Args:
        env: the environment of both agents.
        user: what plays `user_0`.
    """

    metadata: ClassVar[dict[str, Any]] = AgentbenchEnv.metadata  # type: ignore[misc]

    def __init__(self, env: AgentbenchAEC, user: UserPolicy) -> None:
        self._env, self._user = env, user
        self.render_mode = env.render_mode
        self.observation_space = env.observation_space(ASSISTANT)
        self.action_space = env.action_space(ASSISTANT)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode."""
        self._env.reset(seed=seed, options=options)
        return self._env.observe(ASSISTANT), self._env.infos[ASSISTANT]

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Carry out an action of the assistant, and the user's turn if it has one."""
        env = self._env
        env.step(action)
        while env.agent_selection == USER:
            env.step(self._user(env.observe(USER)))
        ended = env.terminations[ASSISTANT], env.truncations[ASSISTANT]
        return env.observe(ASSISTANT), env.rewards[ASSISTANT], *ended, env.infos[ASSISTANT]

    def render(self) -> str | None:  # type: ignore[override]
        """Return the last step as text, in render mode "ansi"."""
        return self._env.render()

    @property
    def unwrapped(self) -> AgentbenchEnv:  # type: ignore[override]
        """The Gymnasium environment underneath."""
        return self._env.core


def parallel_env(task: str, market: str, **kwargs: Any) -> pettingzoo.ParallelEnv[str, dict[str, Any], Any]:
    """Make an environment and convert it for APIs in which all agents step at once, by PettingZoo's own conversion."""
    return turn_based_aec_to_parallel(AgentbenchAEC(task, market, **kwargs))


def register_all() -> None:
    """Register the environments of every contract with PettingZoo, for both of its APIs. Imports no task."""
    for one in (contracts() | third_party_contracts()).values():
        for market, env_id in zip(one.markets, one.env_ids, strict=True):
            if env_id not in pettingzoo.aec_registry:
                kwargs = {"task": one.id, "market": market}
                pettingzoo.register("aec", env_id, f"{__name__}:AgentbenchAEC", kwargs=kwargs)
                pettingzoo.register("parallel", env_id, f"{__name__}:parallel_env", kwargs=kwargs)


register_all()
