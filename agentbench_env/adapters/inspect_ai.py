"""Episodes as an Inspect task: a model of Inspect plays them, a scorer reads the reward.

`inspect eval agentbench_env/agentbench --model openai/gpt-5 -T env_ids=ta-two-leg-itinerary-SG -T seeds=5`
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agentbench_env.adapters.session import EpisodeSession
from agentbench_env.extras import need
from agentbench_env.registry import NAMESPACE

_inspect = need("inspect_ai", "inspect-ai")
_dataset = need("inspect_ai.dataset", "inspect-ai")
_model = need("inspect_ai.model", "inspect-ai")
_scorer = need("inspect_ai.scorer", "inspect-ai")
_solver = need("inspect_ai.solver", "inspect-ai")
_tool = need("inspect_ai.tool", "inspect-ai")
_util = need("inspect_ai.util", "inspect-ai")
RESULT = "agentbench"
"""Where the sample's store keeps how the episode ended."""


@_inspect.task
def agentbench(env_ids: str | Sequence[str], seeds: int | Sequence[int] = 1, **options: Any) -> Any:
    """Make an Inspect task of environments and seeds.

    Args:
        env_ids: ids of environments, as a list or with commas between them; the namespace may be left out.
        seeds: the seeds, or how many of them from 0 on.
        **options: arguments of the environments, see `AgentbenchEnv`.

    Raises:
        WrongArgument: an id, option or value that does not exist.
        TaskNotBuilt: a contract's task does not exist in this release.
        ValueError: a seed or value that is out of range.
    """
    names = env_ids.split(",") if isinstance(env_ids, str) else env_ids
    numbers = range(seeds) if isinstance(seeds, int) else seeds
    samples = [_sample(name.strip(), seed, options) for name in names for seed in numbers]
    return _inspect.Task(dataset=_dataset.MemoryDataset(samples), solver=play(**options), scorer=reward())


def _sample(env_id: str, seed: int, options: dict[str, Any]) -> Any:
    with EpisodeSession(env_id, seed, **options) as session:
        name = f"{session.env_id.removeprefix(f'{NAMESPACE}/')}.{seed}"
        return _dataset.Sample(input=session.brief, id=name, metadata={"env_id": session.env_id, "seed": seed})


@_solver.solver
def play(**options: Any) -> Any:
    """Return the solver: the sample's model calls tools until the episode ends.

    Calls reach the episode as the model wrote them, so that one that makes no sense is a step with an error.

    Args:
        **options: arguments of the environments, see `AgentbenchEnv`.
    """

    async def solve(state: Any, generate: Any) -> Any:
        session = EpisodeSession(state.metadata["env_id"], state.metadata["seed"], **options)
        try:
            with session:
                state.tools = [_offered(session, tool["function"]) for tool in session.tools]
                try:
                    while not session.done:
                        state = await generate(state, tool_calls="none")
                        await _take_turn(session, state)
                except _util.LimitExceededError as limit:
                    session.close_now(str(limit))
                    raise
        finally:
            # Also where Inspect cancels the solver, as its time limit does: then the episode has been abandoned.
            state.store.set(RESULT, {"reward": session.reward, **session.info})
        return state

    return solve


def _offered(session: EpisodeSession, function: dict[str, Any]) -> Any:
    async def execute(**arguments: Any) -> str:
        return (await session.call(function["name"], arguments))["content"]

    parameters = _tool.ToolParams.model_validate(function["parameters"])
    return _tool.ToolDef(execute, function["name"], function["description"], parameters).as_tool()


async def _take_turn(session: EpisodeSession, state: Any) -> None:
    """Carry out the calls of the model's last message and add their results."""
    message, usage = state.output.message, state.output.usage
    if usage is not None:
        session.record_usage(usage.input_tokens, usage.output_tokens, latency_s=state.output.time)
    for call in message.tool_calls or ():
        # What Inspect could not read as arguments, the episode cannot either: it answers with an error.
        result = await session.call(call.function, call.parse_error or call.arguments)
        error = _tool.ToolCallError("unknown", result["content"]) if result["is_error"] else None
        answer = {"content": result["content"], "tool_call_id": call.id, "function": call.function, "error": error}
        state.messages.append(_model.ChatMessageTool(**answer))
    if not message.tool_calls:
        result = await session.act(message.text)
        state.messages.append(_model.ChatMessageUser(content=result["content"]))


@_scorer.scorer(metrics=[_scorer.mean(), _scorer.stderr()])
def reward() -> Any:
    """Return the scorer: 1 or 0 as the episode was judged, with its verdict and figures; a failed one has no score."""

    async def score(state: Any, target: Any) -> Any:
        ended = state.store.get(RESULT, {"reward": None, "outcome": "infrastructure"})
        if ended["reward"] is None:
            return _scorer.Score.unscored(reason=ended["outcome"], answer=ended["outcome"], metadata=ended)
        broken = [clause["id"] for clause in (ended["verdict"] or {}).get("clauses", ()) if not clause["held"]]
        return _scorer.Score(
            value=ended["reward"],
            answer=ended["outcome"],
            explanation=f"broken: {', '.join(broken)}" if broken else "",
            metadata=ended,
        )

    return score
