"""A wrapper that records episodes, in rollouts and in loops of one's own."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import Parameter, signature
from typing import Any, cast

import gymnasium as gym
import msgspec
import numpy as np

from agentbench_env.env import AgentbenchEnv
from agentbench_env.errors import ResetNeeded
from agentbench_env.registry import RELEASE
from agentbench_env.rollout.conversation import Conversation
from agentbench_env.rollout.trajectory import FORMAT, Failure, Step, Trajectory, Usage
from agentbench_env.tool import Tool

UNRECORDED = frozenset({"task", "market", "salt", "reference", "render_mode"})
"""Arguments that stand in the id, are secret, or change nothing of an episode."""
ALWAYS = ("split", "difficulty")
"""Arguments that are recorded even where they are the default."""
UNKNOWN: dict[str, Any] = {
    "lineage_head": "",
    "verdict": None,
    "time": {"elapsed_s": None, "limit_s": None},
    "cost": {"inference_usd": None, "tool_fees_usd": None, "total_usd": None},
}
"""What is recorded of an episode that could not begin."""
Observation = dict[str, Any]


class RecordTrajectory(gym.Wrapper[Observation, Any, Observation, Any]):
    """Records each episode as a `Trajectory` and hands it to `sink` when it ends.

    Actions are brought to plain JSON before they are carried out, so that what is recorded is what was done. An episode
    that is left by `reset` or `close` after its first step is recorded as abandoned.

    Whatever `sink` raises is raised by the step that ended the episode; the record and its reward stand by then.

    Args:
        env: an environment made by `gymnasium.make`, to be wrapped last.
        sink: takes each finished trajectory, e.g. `RunWriter.write`.
        policy: name of the policy, for the record.
    """

    def __init__(
        self, env: gym.Env[Observation, Any], sink: Callable[[Trajectory], object] | None = None, policy: str = ""
    ) -> None:
        super().__init__(env)
        core = env.unwrapped
        if not isinstance(core, AgentbenchEnv) or core.spec is None:
            raise TypeError(f"{core!r} is no Agentbench environment made by gymnasium.make; only those can be recorded")
        self._core = core
        self.env_id = core.spec.id
        """The id that the environment was made by."""
        given = environment_arguments() | core.spec.kwargs
        recorded = (*ALWAYS, *(key for key in core.spec.kwargs if key not in (*ALWAYS, *UNRECORDED)))
        self._kwargs = {key: given[key] for key in recorded}
        for key, value in self._kwargs.items():
            if not isinstance(value, str | int | float | None):
                raise ValueError(f"{key} is {value!r}, which cannot be recorded; name a user as 'module:attribute'")
        self._sink, self._policy = sink, policy
        self._seed, self._brief, self._steps = 0, "", list[Step]()
        self._info: dict[str, Any] | None = None
        self.info: dict[str, Any] = UNKNOWN
        """What the environment last told besides an observation; it stays when the episode ends."""
        self._usages = self._said = 0
        self._conversation = Conversation("")
        self._tools = tuple(core.action_space.openai_tools())
        self.trial = 0
        """Which repetition of its environment and seed the next finished episode is."""
        self.trajectory: Trajectory | None = None
        """The last finished episode."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode, as the environment does."""
        self._leave()
        self._steps, self._usages, self._said, self._brief = [], 0, 0, ""
        try:
            observation, info = self.env.reset(seed=seed, options=options)
        except Exception as error:
            self._seed, self._info, self.info = seed or 0, UNKNOWN, UNKNOWN
            self.fail("environment", error)
            raise
        self._seed, self._brief = self._core.instance_seed, observation["content"]
        self._info = self.info = info
        self._conversation = Conversation(self._brief)
        return observation, info

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Carry out one action and record it.

        Raises:
            MessageFault: the policy reported a message that announces another step.
        """
        if self._info is not None and self._info["lineage_head"] != self._core.lineage.head:
            raise RuntimeError("the environment was moved past the recorder (restore, or step on an inner environment)")
        # A typed call is carried out as it is: its plain form says all of it and would only be read again.
        call = action if isinstance(action, Tool) else None
        action = plain_action(action) if call is None else call.as_action()
        usage = self._reported()
        if self._info is not None:
            self._listen()
            self._conversation.announce(action)
        try:
            observation, reward, terminated, truncated, info = self.env.step(action if call is None else call)
        except Exception as error:
            self.fail("environment", error, action, usage)
            raise
        self._usages = len(self._core.usage)
        if self._info is not None:
            self._info = self.info = info
            self._conversation.answer(observation["content"])
            digest = self._core.lineage[-1].digest
            self._steps.append(_step(action, usage, observation, digest, float(reward), terminated, truncated, info))
            if terminated or truncated:
                self._finish(float(reward), info["outcome"])
        return observation, float(reward), terminated, truncated, info

    @property
    def messages(self) -> tuple[dict[str, Any], ...]:
        """The conversation so far as OpenAI chat messages."""
        if self._info is not None:
            self._listen()
        return self._conversation.messages

    def so_far(self) -> Trajectory:
        """Return the record that the running episode would have if it were left now; it goes on.

        Raises:
            ResetNeeded: no episode runs.
        """
        if self._info is None:
            raise ResetNeeded("no episode runs: `trajectory` is the record of the last one")
        return self._record(self._info, 0.0, "abandoned", None, "")

    def abandon(self, stopped: str = "") -> None:
        """Record an episode that the policy does not bring to its end, and why if it says so."""
        if self._info is not None:
            self._finish(0.0, "abandoned", stopped=stopped)

    def fail(self, whose: str, error: Exception, action: Any = None, usage: tuple[Usage, ...] = ()) -> None:
        """Record that the `environment`, the `policy` or its `endpoint` failed: an outcome outside the score."""
        if self._info is not None:
            self._finish(None, "infrastructure", Failure(whose, _say(error), action, usage))

    def close(self) -> None:
        """Close the environment."""
        self._leave()
        super().close()

    def _leave(self) -> None:
        if self._steps:
            self.abandon()
        self._info = None

    def _reported(self) -> tuple[Usage, ...]:
        new = self._core.usage[self._usages :]
        return tuple(msgspec.convert(report, Usage) for report in new)

    def _listen(self) -> None:
        self._conversation.say(self._core.messages[self._said :])
        self._said = len(self._core.messages)

    def _finish(self, reward: float | None, outcome: str, failure: Failure | None = None, stopped: str = "") -> None:
        info = cast(dict[str, Any], self._info)
        self._info = None
        self.trajectory = self._record(info, reward, outcome, failure, stopped)
        self._steps = []
        if self._sink is not None:
            self._sink(self.trajectory)

    def _record(
        self, info: dict[str, Any], reward: float | None, outcome: str, failure: Failure | None, stopped: str
    ) -> Trajectory:
        begun = bool(self._brief)
        if begun:
            self._listen()
        return Trajectory(
            format=FORMAT,
            release=RELEASE,
            env_id=self.env_id,
            seed=self._seed,
            trial=self.trial,
            kwargs=self._kwargs,
            policy=self._policy,
            reward=reward,
            outcome=outcome,
            time=info["time"],
            cost=info["cost"],
            failure=failure,
            stopped=stopped,
            instance_digest=self._core.instance_digest if begun else "",
            brief=self._brief,
            tools=self._tools,
            messages=self._conversation.messages if begun else (),
            steps=tuple(self._steps),
            lineage=tuple(self._core.lineage.export()) if begun else (),
            lineage_head=info["lineage_head"],
            verdict=info["verdict"],
        ).sealed()


@cache
def environment_arguments() -> dict[str, Any]:
    """The arguments that an environment takes, with their defaults."""
    return {
        name: parameter.default
        for name, parameter in signature(AgentbenchEnv).parameters.items()
        if parameter.default is not Parameter.empty
    }


def _step(
    action: Any,
    usage: tuple[Usage, ...],
    observation: Observation,
    digest: str,
    reward: float,
    terminated: bool,
    truncated: bool,
    info: dict[str, Any],
) -> Step:
    return Step(
        action,
        usage,
        observation["tool"],
        observation["content"],
        digest,
        bool(observation["is_error"]),
        observation["now"],
        reward,
        terminated,
        truncated,
        info["time"]["elapsed_s"],
        info["lineage_head"],
    )


def plain_action(action: Any) -> Any:
    """Return an action as plain JSON values; what has no such form becomes a text that says what it was."""
    if isinstance(action, bytes):
        action = action.decode("utf-8", "replace")
    try:
        return msgspec.json.decode(msgspec.json.encode(action, enc_hook=_plain))
    except UnicodeEncodeError:
        if isinstance(action, str):
            return action.encode("utf-8", "replace").decode()
    except (TypeError, ValueError, OverflowError, RecursionError):
        pass
    return f"an object of type {type(action).__name__}"


def _plain(value: Any) -> Any:
    if isinstance(value, Tool):
        return value.as_action()
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _say(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".encode("utf-8", "replace").decode()
