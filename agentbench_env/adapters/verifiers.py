"""A taskset for verifiers (version 1 of its interface) and for the trainers that consume such tasksets.

A rollout has a tool server of its own, a process that holds its episode; this module is also that server's program.
"""

from __future__ import annotations

import json
from asyncio import Lock
from collections.abc import Callable, Iterator
from logging import getLogger
from pathlib import Path
from typing import Any

from agentbench_env.adapters.client_options import asked_episode
from agentbench_env.adapters.session import FAULT, CallResult, EpisodeSession
from agentbench_env.extras import need

_vf = need("verifiers.v1", "verifiers")
_mcp = need("mcp.types", "verifiers")
_log = getLogger(__name__)

__all__ = ["AgentbenchTaskset"]

INFO = "agentbench"
"""Where a trace's info says how its episode ended."""


class ErrandState(_vf.State):
    """What a rollout's tool server tells its task, after every call: the server is ended with the rollout."""

    outcome: str = ""
    """How the episode ended; empty while it runs."""
    reward: float | None = None
    record: str = ""
    """The episode's record, a line as rollouts write it; while it runs, the one that it would have if it were left."""


class ErrandData(_vf.TaskData):
    """One task: which environment, instance and arguments."""

    env_id: str
    seed: int
    options: dict[str, Any] = {}


class ErrandConfig(_vf.TaskConfig):
    """Where the tool servers run."""

    tools: _vf.ToolsetConfig = _vf.ToolsetConfig()  # pyright: ignore[reportInvalidTypeForm]


class AgentbenchConfig(_vf.TasksetConfig):
    """Which environments and seeds make the taskset: `samples`, or else `envs` with the four fields after it."""

    samples: Path | None = None
    """File of JSON lines, each a sample as `Sample._asdict()` has it; other columns are any of `CLIENT_OPTIONS`."""
    envs: list[str] = []
    """Environments, e.g. `ta-two-leg-itinerary-SG`."""
    first_seed: int = 0
    seeds: int = 100
    """How many seeds of each environment, from the first one on."""
    split: str = "train"
    difficulty: str = "standard"
    options: dict[str, Any] = {}
    """Other arguments of the environments, see `AgentbenchEnv`."""
    task: ErrandConfig = ErrandConfig()


class Errand(_vf.Task[ErrandData, ErrandState, ErrandConfig]):
    """Takes the reward from the episode: 1 if every clause of the contract holds, 0 otherwise and if it did not end."""

    @classmethod
    def toolsets(cls, config: ErrandConfig) -> list[Any]:
        """Give each rollout a tool server of its own."""
        return [ErrandTools(config.tools)]

    @_vf.stop
    async def has_ended(self, trace: _vf.Trace) -> bool:  # pyright: ignore
        """Whether the episode is over, so that no more is asked of the model."""
        return trace.state.outcome != ""

    async def finalize(self, trace: Any, runtime: Any) -> None:
        """Put how the episode ended into the trace, where it stays: the state is gone with the rollout."""
        state = trace.state
        left = {"outcome": "abandoned", "reward": 0.0}
        ended = {"outcome": state.outcome, "reward": state.reward}
        trace.info[INFO] = {**(ended if state.outcome else left), "record": state.record}

    @_vf.reward(weight=1.0)
    async def success(self, trace: Any) -> float:
        """Return the episode's reward.

        Raises:
            RuntimeError: the suite's own code failed; the rollout is outside the score.
        """
        reward = trace.info[INFO]["reward"]
        if reward is None:
            raise RuntimeError(f"the environment failed in {self.data.env_id}, seed {self.data.seed}")
        return reward

    @_vf.metric
    async def violation(self, trace: Any) -> float:
        """Whether the boundary was crossed."""
        return float(trace.info[INFO]["outcome"] == "violation")


class ErrandTools(_vf.Toolset[_vf.ToolsetConfig, ErrandState]):
    """A rollout's tool server: the environment's tools, under their own names."""

    TOOL_PREFIX = None

    async def setup_task(self, task: ErrandData) -> None:
        """Begin the episode."""
        self._session = EpisodeSession(task.env_id, task.seed, policy="verifiers", **task.options)
        self._turn = Lock()

    def register(self, mcp: Any) -> None:
        """Answer by the environment's schemas, which are data and no Python signatures."""
        mcp.list_tools = self._list_tools
        mcp.call_tool = self._call_tool

    async def _list_tools(self) -> list[Any]:
        await self._in_turn(self._tell)
        functions = [tool["function"] for tool in self._session.tools]
        return [
            _mcp.Tool(name=one["name"], description=one["description"], input_schema=one["parameters"])
            for one in functions
        ]

    async def _call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        result = await self._in_turn(self._call, name, arguments)
        content = [_mcp.TextContent(type="text", text=result["content"])]
        return _mcp.CallToolResult(content=content, is_error=result["is_error"])

    async def _in_turn(self, deed: Callable[..., Any], *arguments: Any) -> Any:
        """Do something and send the state: of two calls at once, the first must not replace what the second sent."""
        async with self._turn:
            return await self._with_state(deed)(*arguments)

    def _call(self, name: str, arguments: dict[str, Any]) -> CallResult:
        try:
            result = self._session.call_now(name, arguments)
        except Exception:
            # Raised, it would keep the outcome from the task, which is to put the rollout outside the score.
            _log.exception("a call of %s failed", name)
            result: CallResult = {"content": FAULT, "is_error": True, "done": True}
        self._tell()
        return result

    def _tell(self) -> None:
        session, state = self._session, self.state
        state.outcome, state.reward = session.outcome, session.reward
        state.record = session.trajectory_so_far().line().decode()


class AgentbenchTaskset(_vf.Taskset[Errand, AgentbenchConfig]):
    """The samples of a file, or every environment with every seed, environment by environment."""

    def load(self) -> Iterator[Errand]:
        """Yield the tasks; the prompt of each is the brief of its instance.

        Raises:
            WrongArgument: an id, option, column or value that does not exist.
            ValueError: the configuration names no environment, or samples besides, or a line of the file is none.
        """
        config = self.config
        common = {"split": config.split, "difficulty": config.difficulty, **config.options}
        for row in self._rows():
            asked = {**common, **row}
            with EpisodeSession(**asked) as session:
                id = f"{session.env_id}/{asked['split']}/{session.seed}"
                named = {"env_id": session.env_id, "seed": session.seed}
                options = {name: value for name, value in asked.items() if name not in named}
                data = ErrandData(id=id, prompt=session.brief, **named, options=options)
            yield Errand(data, config.task)

    def _rows(self) -> Iterator[dict[str, Any]]:
        config = self.config
        if bool(config.envs) == bool(config.samples):
            text = "name either: --env.taskset.envs ta-two-leg-itinerary-SG, or --env.taskset.samples samples.jsonl"
            raise ValueError(f"the taskset has {'both samples and' if config.envs else 'no'} environments; {text}")
        if config.samples is None:
            for env in config.envs:
                for seed in range(config.first_seed, config.first_seed + config.seeds):
                    yield {"env_id": env, "seed": seed}
            return
        for number, line in enumerate(config.samples.read_text(encoding="utf-8").splitlines(), 1):
            try:
                row = json.loads(line)
                if not isinstance(row, dict):
                    raise ValueError(f"the line is {line!r}; it must be an object")
                yield asked_episode(row)
            except ValueError as error:
                raise ValueError(f"{config.samples}:{number}: {error}") from error


if __name__ == "__main__":
    ErrandTools.run()
