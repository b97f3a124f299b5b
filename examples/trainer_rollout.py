"""A rollout function for trainers that want messages, tools and a reward, as rLLM does.

With rLLM, `rollout` is the body of the function under `@rllm.rollout`, where `complete` asks the model at the address
that it is given; the reward goes into the episode's artifacts, and the function under `@rllm.evaluator` returns it.

python examples/trainer_rollout.py
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from agentbench_env.adapters.session import EpisodeSession

Complete = Callable[[list[dict[str, Any]], list[dict[str, Any]]], Awaitable[dict[str, Any]]]


async def rollout(complete: Complete, env_id: str, seed: int) -> dict[str, Any]:
    async with EpisodeSession(env_id, seed, difficulty="easy", max_steps=20) as session:
        messages, tools = session.messages, session.tools
        while not session.done:
            message = await complete(messages, tools)
            messages.append(message)
            for call in message.get("tool_calls") or ():
                result = await session.call(call["function"]["name"], call["function"]["arguments"])
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": result["content"]})
            if not message.get("tool_calls"):
                result = await session.act(message["content"])
                messages.append({"role": "user", "content": result["content"]})
    metrics = {"calls": session.steps, "elapsed_s": session.info["time"]["elapsed_s"]}
    return {"messages": messages, "tools": tools, "reward": session.reward, "metrics": metrics}


async def list_cards_then_stop(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> dict[str, Any]:
    """Stand in for a model: one good call, and then words that reach nobody."""
    if len(messages) > 1:
        return {"role": "assistant", "content": "That is all."}
    function = {"name": "wallet_list_cards", "arguments": "{}"}
    return {"role": "assistant", "tool_calls": [{"id": "call_0", "type": "function", "function": function}]}


async def main() -> None:
    env_id = "Agentbench/ta-two-leg-itinerary-SG"
    group = await asyncio.gather(*(rollout(list_cards_then_stop, env_id, seed=4) for _ in range(3)))
    for one in group:
        print(f"reward {one['reward']}, {len(one['messages'])} messages, {one['metrics']['calls']} calls")


if __name__ == "__main__":
    asyncio.run(main())
