"""Episodes as trajectories of ART: its model plays a sample, and what it said and earned is what ART trains on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentbench_env.adapters.session import EpisodeSession
from agentbench_env.extras import need
from agentbench_env.sampling import Sample

_art = need("art", "art")


async def rollout(model: Any, sample: Sample, request: Mapping[str, Any] | None = None, **options: Any) -> Any:
    """Play an episode by a model of ART.

    Args:
        model: an `art.Model` or `art.TrainableModel`, registered, so that it has an endpoint.
        sample: what to play; those of a `TaskSampler` with `group_size=n` come in groups of n, one
            `art.TrajectoryGroup` each.
        request: what each request says besides model, messages and tools, e.g. `{"max_completion_tokens": 1000}`.
        **options: further arguments of `EpisodeSession`, e.g. `max_steps` or `sink`.

    Returns:
        An `art.Trajectory`: the conversation, in which the model's turns are the endpoint's choices, the tools, the
        reward of the contract, and figures of the episode; its metadata are the fields of the sample and the outcome.

    Raises:
        EnvironmentFault: the suite's own code failed. An `art.TrajectoryGroup` leaves such an episode out, and one
            whose endpoint failed: neither has a reward.
        WrongArgument: an id, option or value that does not exist.
    """
    options = {"policy": model.name, **options, **sample._asdict()}
    async with EpisodeSession(**options) as session:
        said: list[Any] = [*session.messages]
        played = _art.Trajectory(messages_and_choices=said, tools=session.tools)
        while not session.done:
            completion = await model.openai_client().chat.completions.create(
                model=model.get_inference_name(), messages=played.messages(), tools=session.tools, **(request or {})
            )
            if completion.usage is not None:
                session.record_usage(completion.usage.prompt_tokens, completion.usage.completion_tokens)
            played.messages_and_choices.append(completion.choices[0])
            played.messages_and_choices += await _answers(session, completion.choices[0].message)
    played.reward = session.reward
    played.metrics = {
        "success": session.outcome == "success",
        "violation": session.outcome == "violation",
        "calls": session.steps,
        "elapsed_s": session.info["time"]["elapsed_s"],
    }
    played.metadata = {**sample._asdict(), "outcome": session.outcome}
    return played.finish()


async def _answers(session: EpisodeSession, message: Any) -> list[dict[str, Any]]:
    """Carry out the calls of a model's turn; a turn without any is a step answered by an error."""
    if not message.tool_calls:
        return [{"role": "user", "content": (await session.act(message.content or ""))["content"]}]
    results = [
        (call.id, await session.call(call.function.name, call.function.arguments)) for call in message.tool_calls
    ]
    return [{"role": "tool", "tool_call_id": id, "content": result["content"]} for id, result in results]
