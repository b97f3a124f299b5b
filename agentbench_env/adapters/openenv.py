"""Episodes behind an OpenEnv server: one episode a websocket, and the tasks listed by split and index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pydantic import Field

from agentbench_env.adapters.client_errors import CONFLICT, MISTAKES, answered, logged
from agentbench_env.adapters.client_options import PUBLIC_SPLITS, asked_episode, check_split
from agentbench_env.adapters.session import IDLE_S, CallResult, EpisodeSession
from agentbench_env.errors import WrongArgument
from agentbench_env.extras import need
from agentbench_env.registry import RELEASE
from agentbench_env.rollout.trajectory import Trajectory

_server = need("openenv.core.env_server", "openenv")
_answer = need("fastapi", "openenv").HTTPException


class CallAction(_server.Action):
    """A tool call."""

    tool: str = Field(description="Name of a tool that the first observation lists.")
    arguments: dict[str, Any] | str = Field(default={}, description="Its arguments, as an object or as JSON text.")


class CallObservation(_server.Observation):
    """A tool's result; after `reset` the user's brief with the tools. The reward comes with the last one."""

    content: str = Field(description="The result, or the brief, as JSON text.")
    is_error: bool = Field(default=False, description="Whether the call was answered by an error.")
    tools: list[dict[str, Any]] = Field(default=[], description="After reset: the tools as OpenAI's schemas.")


class EpisodeState(_server.State):
    """How the episode stands, for whoever trains: not to be shown to a policy."""

    env_id: str = ""
    seed: int | None = None
    outcome: str = ""
    verdict: dict[str, Any] | None = None
    info: dict[str, Any] = {}


class EpisodeEnvironment(_server.Environment):
    """One connection's environment; each `reset` begins another episode.

    Args:
        env_ids: the environments that are served.
        seeds: the seeds of each of them in every split.
        sink: takes the trajectory of every episode when it ends. What it raises is logged.
        **options: arguments of the environments, see `AgentbenchEnv`; the split is chosen by `reset`.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(
        self,
        env_ids: Sequence[str],
        seeds: Sequence[int],
        sink: Callable[[Trajectory], object] | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self._env_ids, self._seeds, self._options = tuple(env_ids), seeds, options
        self._sink = None if sink is None else logged(sink)
        self._session: EpisodeSession | None = None
        self._episode_id: str | None = None

    # --- episodes

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        env_id: str = "",
        split: str = "train",
        index: int | None = None,
        **options: Any,
    ) -> CallObservation:
        """Begin an episode: of the task `index` of a split, or of an environment and a seed.

        Args:
            seed: which instance; 0 if neither it nor an index is given.
            episode_id: the caller's own name for the episode.
            env_id: which environment; the first one if it is not given.
            split: which split.
            index: which of the split's tasks, instead of `env_id` and `seed`.
            **options: arguments of the environment for this episode alone, of those in `CLIENT_OPTIONS`; a
                sample's `trial` is not looked at.
        """
        left, self._session = self._session, None
        # Apart from the client's mistakes: it made none if this fails.
        with answered(_answer):
            if left is not None:
                left.close_now()
        with answered(_answer, *MISTAKES):
            if index is not None:
                task = self.get_task(split, index)
                env_id, seed = task["env_id"], task["seed"]
            env_id = env_id or self._env_ids[0]
            if env_id not in self._env_ids:
                raise WrongArgument("env_id", env_id, self._env_ids)
            row = {**options, "env_id": env_id, "seed": 0 if seed is None else seed, "split": split}
            self._session = session = EpisodeSession(sink=self._sink, **{**self._options, **asked_episode(row)})
        self._episode_id = episode_id
        return CallObservation(content=session.brief, tools=session.tools)

    def step(self, action: CallAction, timeout_s: float | None = None, **_: Any) -> CallObservation:
        """Carry out a call; `timeout_s` is not used, a call takes microseconds."""
        session = self._session
        if session is None:
            raise _answer(
                CONFLICT, "no episode has begun on this connection: episodes need the websocket /ws, and a reset first"
            )
        over = session.done
        with answered(_answer):
            result: CallResult = session.call_now(action.tool, action.arguments)
        reward = session.reward
        return CallObservation(**result, reward=0.0 if over and reward else reward)

    async def reset_async(self, *arguments: Any, **named: Any) -> CallObservation:
        """Begin an episode without a change of thread."""
        return self.reset(*arguments, **named)

    async def step_async(self, action: CallAction, timeout_s: float | None = None, **_: Any) -> CallObservation:
        """Carry out a call without a change of thread."""
        return self.step(action)

    @property
    def state(self) -> EpisodeState:
        """How the episode stands."""
        session = self._session
        if session is None:
            return EpisodeState()
        return EpisodeState(
            episode_id=self._episode_id,
            step_count=session.steps,
            env_id=session.env_id,
            seed=session.seed,
            outcome=session.outcome,
            verdict=session.verdict,
            info=session.info,
        )

    def close(self) -> None:
        """Leave the episode: one that still runs is abandoned."""
        if self._session is not None:
            self._session.close_now()

    def get_metadata(self) -> Any:
        """What the server says of itself."""
        text = "Errands for a tool-using assistant, judged on what really happened."
        return _server.EnvironmentMetadata(name="agentbench", description=text, version=RELEASE)

    # --- tasks

    def list_splits(self) -> list[str]:
        """Name the splits."""
        return list(PUBLIC_SPLITS)

    def num_tasks(self, split: str) -> int:
        """Count a split's tasks."""
        check_split(split)
        return len(self._env_ids) * len(self._seeds)

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """List a split's tasks, by environment and seed."""
        return self.get_task_range(split)

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """Return a task: what `reset` takes to begin it."""
        number = self.num_tasks(split)
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < number:
            raise IndexError(f"index is {index!r}; split {split!r} has the tasks 0 to {number - 1}")
        place, which = divmod(index, len(self._seeds))
        env_id, seed = self._env_ids[place], self._seeds[which]
        return {"id": f"{env_id}/{split}/{seed}", "index": index, "split": split, "env_id": env_id, "seed": seed}

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> list[dict[str, Any]]:
        """List some of a split's tasks, as a slice does."""
        return [self.get_task(split, index) for index in range(*slice(start, stop).indices(self.num_tasks(split)))]


def create_app(
    env_ids: Sequence[str],
    seeds: Sequence[int] = range(100),
    sink: Callable[[Trajectory], object] | None = None,
    max_concurrent_envs: int = 256,
    idle_s: float = IDLE_S,
    **options: Any,
) -> Any:
    """Return the FastAPI application that serves environments.

    Args:
        env_ids: the environments.
        seeds: the seeds of each of them in every split.
        sink: takes the trajectory of every episode when it ends. What it raises is logged.
        max_concurrent_envs: how many websockets may be open at once.
        idle_s: seconds of silence after which an episode is abandoned, looked at every quarter of it, 5 s at least.
        **options: arguments of the environments, see `AgentbenchEnv`.

    Raises:
        WrongArgument: an id, option or value that does not exist.
        ValueError: there is no environment or no seed, or a number is out of range.
    """
    if not env_ids or not seeds:
        raise ValueError("an OpenEnv server needs at least one environment and one seed")
    limits = _server.ConcurrencyConfig(max_concurrent_envs=max_concurrent_envs, session_timeout=idle_s)
    for env_id in env_ids:
        EpisodeSession(env_id, seeds[0], **options).close_now()

    def environment() -> EpisodeEnvironment:
        return EpisodeEnvironment(env_ids, seeds, sink, **options)

    return _server.create_app(
        environment,
        CallAction,
        CallObservation,
        env_name="agentbench",
        concurrency_config=limits,
        state_cls=EpisodeState,
    )
