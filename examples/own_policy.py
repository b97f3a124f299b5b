"""A policy of one's own: a tool-calling loop around a model, here a stand-in that needs no network.

The command line takes it too:

    PYTHONPATH=examples agentbench rollout ta-two-leg-itinerary-SG --policy python:own_policy:ToolCaller --seeds 0:3
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import gymnasium as gym

import agentbench_env
from agentbench_env.rollout import RecordTrajectory
from agentbench_env.rollout.engine import run_episode

gym.register_envs(agentbench_env)

Message = dict[str, Any]
Model = Callable[[list[Message], list[dict[str, Any]]], Message]
"""Takes the messages so far and the tools, and returns the assistant's next message, as chat APIs do."""


def stand_in(messages: list[Message], tools: list[dict[str, Any]]) -> Message:
    """Look at the cards and the rates, ask one question, then give a quick and wrong answer."""
    plan: list[tuple[str, dict[str, Any]]] = [
        ("wallet_list_cards", {}),
        ("wallet_get_rates", {}),
        ("user_ask", {"topic": "bag", "question": "How heavy will the bags be?"}),
        ("task_finish", {"outcome": "quoted", "plan_id": "", "total": {}, "constraints": []}),
    ]
    name, arguments = plan[sum(message["role"] == "tool" for message in messages)]
    function = {"name": name, "arguments": json.dumps(arguments)}
    usage = {"prompt_tokens": 900 + 50 * len(messages), "completion_tokens": 40}
    return {"role": "assistant", "tool_calls": [{"function": function}], "usage": usage}


class ToolCaller:
    """Hands the brief and the tools to a model and carries out the calls that it returns.

    Args:
        model: what chooses the next call.
        usd_per_token: the price of a token, for the cost that is reported.
    """

    name = "tool-caller"

    def __init__(self, model: Model = stand_in, usd_per_token: float = 1e-6) -> None:
        self._model, self._usd_per_token = model, usd_per_token

    def run(self, env: gym.Env[dict[str, Any], Any], observation: dict[str, Any]) -> None:
        """Play an episode to its end."""
        tools = env.get_wrapper_attr("action_space").openai_tools()
        messages: list[Message] = [{"role": "user", "content": observation["content"]}]
        ended = False
        while not ended:
            said = self._model(messages, tools)
            messages.append(said)
            function = said["tool_calls"][0]["function"]
            tokens = said["usage"]
            usd = self._usd_per_token * (tokens["prompt_tokens"] + tokens["completion_tokens"])
            env.unwrapped.record_usage(tokens["prompt_tokens"], tokens["completion_tokens"], usd=usd, latency_s=1.5)
            action = {"tool": function["name"], "arguments": function["arguments"]}
            observation, _, terminated, truncated, _ = env.step(action)
            messages.append({"role": "tool", "content": observation["content"]})
            ended = terminated or truncated


def main() -> None:
    env = RecordTrajectory(gym.make("Agentbench/ta-two-leg-itinerary-SG"), policy=ToolCaller.name)
    for seed in range(3):
        episode = run_episode(ToolCaller(), env, seed)
        cost = episode.cost["total_usd"]
        print(
            f"seed {seed}: {episode.outcome}, {len(episode.steps)} steps, {episode.time['elapsed_s']} s, {cost:.4f} USD"
        )
    env.close()


if __name__ == "__main__":
    main()
