"""One episode as plain JSON in and out: what every adapter drives, and what a loop of one's own can."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from types import TracebackType
from typing import Any, TypedDict

import gymnasium as gym
import msgspec

from agentbench_env.action import parse_json
from agentbench_env.env import AgentbenchEnv
from agentbench_env.errors import ResetNeeded, ToolError, WrongArgument
from agentbench_env.registry import NAMESPACE, split_env_id
from agentbench_env.rollout import engine
from agentbench_env.rollout.record import RecordTrajectory, environment_arguments
from agentbench_env.rollout.trajectory import Trajectory
from agentbench_env.spaces import ToolCallSpace
from agentbench_env.tool import Profile
from agentbench_env.world import canonical

OVER = canonical(
    {"error": "episode_over", "field": "", "message": "The episode has ended; this call did nothing.", "hint": ""}
).decode()
"""The result of a call after the end."""
FAULT = "The suite itself has failed: this episode is over and has no reward."
"""What models and clients are told where the suite's own code failed: nothing of its inside."""
IDLE_S = 1800.0
"""How long a session of a server may be silent before its episode is left."""
GONE = "the client went away"
"""Why such an episode was left, for the record."""


class CallResult(TypedDict):
    """What a call returns: the result's JSON text, whether it is an error, and whether the episode has ended."""

    content: str
    is_error: bool
    done: bool


class EpisodeSession:
    """One episode of one environment, begun at once, recorded as a rollout records it.

    Calls may come from several threads or tasks; they are carried out one after another, without leaving the thread
    that makes them: a call takes microseconds. Every method has a twin ending in `_now` for code that does not await.

    Args:
        env_id: an environment's id, e.g. `Agentbench/ta-two-leg-itinerary-SG`; the namespace may be left out.
        seed: which instance, a whole number from 0.
        profile: form of the tools' schemas; `flat` has no nested arguments. The record holds the full ones.
        policy: name of the policy, for the record.
        trial: which repetition of this environment and seed it is, for the record.
        sink: takes the trajectory when the episode ends, e.g. `RunWriter.write`. What it raises is raised by the call
            that ended the episode, and changes nothing of its reward.
        **options: arguments of the environment, see `AgentbenchEnv`.

    Raises:
        WrongArgument: an id, option or value that does not exist.
        TaskNotBuilt: the contract's task does not exist in this release.
        ValueError: a seed or value that is out of range.
    """

    def __init__(
        self,
        env_id: str,
        seed: int = 0,
        *,
        profile: Profile = "full",
        policy: str = "",
        trial: int = 0,
        sink: Callable[[Trajectory], object] | None = None,
        **options: Any,
    ) -> None:
        task, market = split_env_id(env_id)
        for name in options:
            if name not in environment_arguments():
                raise WrongArgument("option", name, environment_arguments())
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise ValueError(f"seed is {seed!r}; it must be a whole number from 0")
        made = gym.make(f"{NAMESPACE}/{task}-{market}", disable_env_checker=True, **options)
        core, space = made.unwrapped, made.action_space
        assert isinstance(core, AgentbenchEnv)
        assert isinstance(space, ToolCallSpace)
        self.env_id = f"{NAMESPACE}/{task}-{market}"
        self.seed = seed
        self._core, self._space = core, space
        self._profile: Profile = profile
        self._env = RecordTrajectory(made, sink, policy)
        # The sink is called while it is held, and may ask the session.
        self._lock = RLock()
        self._env.trial = trial
        observation, _ = self._env.reset(seed=seed)
        self.brief: str = observation["content"]
        """The user's first message: JSON text of request, boundary, profile, time and place."""

    # --- acting

    async def call(self, tool: str, arguments: dict[str, Any] | str | None = None) -> CallResult:
        """Call a tool.

        Args:
            tool: its name; a name that does not exist is answered by an error.
            arguments: an object, or its JSON text as models write it; None: no arguments.

        Raises:
            EnvironmentFault: the suite's own code failed; the episode has ended without a reward.
        """
        return self.call_now(tool, arguments)

    def call_now(self, tool: str, arguments: dict[str, Any] | str | None = None) -> CallResult:
        """Call a tool, as `call` does."""
        return self.act_now({"tool": tool, "arguments": {} if arguments is None else arguments})

    async def act(self, action: Any) -> CallResult:
        """Carry out an action as the environment takes it.

        Args:
            action: `{"tool": name, "arguments": {...}}`, or the same as JSON text; anything else, for instance a text
                without a call, is a step that changes nothing and is answered by an error. A text counts as written by
                a model: usage that it claims is left out.

        Raises:
            EnvironmentFault: the suite's own code failed; the episode has ended without a reward.
            MessageFault: the message reported by `record_message` announces another action.
        """
        return self.act_now(action)

    def act_now(self, action: Any) -> CallResult:
        """Carry out an action, as `act` does."""
        with self._lock:
            if self.done:
                return {"content": OVER, "is_error": True, "done": True}
            observation, _, terminated, truncated, _ = self._env.step(_unclaimed(action))
        return {
            "content": observation["content"],
            "is_error": bool(observation["is_error"]),
            "done": terminated or truncated,
        }

    def record_message(self, message: dict[str, Any]) -> None:
        """Report the model's message that leads to the next calls, for the record, as `AgentbenchEnv` takes it.

        Raises:
            MessageFault: it is no such message.
        """
        with self._lock:
            if not self.done:
                self._core.record_message(message)

    def record_usage(
        self,
        input_tokens: int | None = None,
        output_tokens: int | None = None,
        usd: float | None = None,
        latency_s: float | None = None,
    ) -> None:
        """Report what the policy spent on its next action, as `AgentbenchEnv` takes it."""
        with self._lock:
            if not self.done:
                self._core.record_usage(input_tokens, output_tokens, usd, latency_s)

    # --- what a policy may see

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The conversation so far as OpenAI chat messages: the user's brief, the calls, their results."""
        with self._lock:
            return msgspec.to_builtins(list(self._env.messages))

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools as OpenAI's chat completions API takes them."""
        return msgspec.to_builtins(self._space.openai_tools(self._profile))

    @property
    def steps(self) -> int:
        """How many calls have been carried out, errors included."""
        return len(self._core.lineage)

    @property
    def done(self) -> bool:
        """Whether the episode has ended."""
        return self._env.trajectory is not None

    # --- what came of it

    @property
    def reward(self) -> float | None:
        """1.0 or 0.0 once the episode has ended; None while it runs, and for an infrastructure outcome."""
        return None if self._env.trajectory is None else self._env.trajectory.reward

    @property
    def outcome(self) -> str:
        """How the episode ended, as `Trajectory` has it; "" while it runs."""
        return "" if self._env.trajectory is None else self._env.trajectory.outcome

    @property
    def verdict(self) -> dict[str, Any] | None:
        """Outcome and clauses as plain values; None while the episode runs and if it was not judged."""
        return self.info["verdict"]

    @property
    def info(self) -> dict[str, Any]:
        """Time, cost and the rest of the environment's `info` as plain values."""
        return {**msgspec.to_builtins(self._env.info), "outcome": self.outcome}

    def trajectory(self) -> Trajectory:
        """Return the record of the episode.

        Raises:
            ResetNeeded: the episode still runs.
        """
        if self._env.trajectory is None:
            raise ResetNeeded("the episode still runs: its record is made when it ends, at the latest by close()")
        return self._env.trajectory

    def trajectory_so_far(self) -> Trajectory:
        """Return the record of the episode; while it runs, the one that it would have if it were left now."""
        with self._lock:
            return self._env.trajectory or self._env.so_far()

    # --- leaving

    async def close(self, stopped: str = "") -> None:
        """Leave: an episode that still runs is recorded as abandoned, with reward 0.

        Args:
            stopped: why it was left, for the record.
        """
        self.close_now(stopped)

    def close_now(self, stopped: str = "") -> None:
        """Leave, as `close` does."""
        with self._lock:
            self._env.abandon(stopped)
            self._env.close()

    async def __aenter__(self) -> EpisodeSession:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.__exit__(kind, error, traceback)

    def __enter__(self) -> EpisodeSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        # What the caller's own code raises is no deed of the policy: an infrastructure outcome, as in rollouts.
        with self._lock:
            engine.end(self._env, error if isinstance(error, Exception) else None)
            self._env.close()


def _unclaimed(action: Any) -> Any:
    """Leave out usage that a text claims: only whoever runs the model knows what it spent, and reports it."""
    if not isinstance(action, str | bytes):
        return action
    try:
        read = parse_json(action, "the action")
    except ToolError:
        return action
    return without_usage(read) if isinstance(read, dict) and "usage" in read else action


def without_usage(call: dict[str, Any]) -> dict[str, Any]:
    """Return a call without the usage that it reports."""
    return {key: value for key, value in call.items() if key != "usage"}
