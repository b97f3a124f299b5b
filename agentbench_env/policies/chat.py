"""A model behind any OpenAI-compatible endpoint, playing by tool calls."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import msgspec

from agentbench_env.action import NOT_JSON
from agentbench_env.policies.chat_options import read_options
from agentbench_env.policies.endpoint import Endpoint
from agentbench_env.policies.prices import find_price
from agentbench_env.policies.replies import Reply
from agentbench_env.rollout.conversation import REASONING

THOUGHTS = (*REASONING, "reasoning_details")
"""What a model's message holds of its reasoning, in whatever form."""
NO_JSON = "unreadable"
"""Where arguments that are no JSON object stand in what goes back to the model: endpoints refuse them as they were."""


class Chat:
    """Shows a model the brief and the tools, and carries out its calls, several of one message in their order.

    A reply without a call is a step too, answered by an error that says to call a tool. What each reply cost and how
    long it took is reported to the environment, and so is each message. One policy plays many episodes at once.

    Args:
        rest: `MODEL` or `MODEL?name=value&...`, see `ChatOptions`.

    Raises:
        WrongArgument: there is no such option.
        ValueError: an option has a value that it cannot have, or the endpoint's key is missing.
        OSError: a file that is named cannot be read.
        ImportError: the openai package is missing.
    """

    def __init__(self, rest: str) -> None:
        options = read_options(rest)
        self.name = f"chat:{options.model}"
        self._resend = () if options.resend_reasoning else THOUGHTS
        self._system = Path(options.system_file).read_text(encoding="utf-8") if options.system_file else ""
        self._price = find_price(options.host, options.model, options.prices)
        self._endpoint = Endpoint(options)

    async def run(self, env: gym.Env[dict[str, Any], Any], observation: dict[str, Any]) -> None:
        """Play an episode to its end.

        Raises:
            PolicyStopped: the conversation outgrew the model.
            EndpointFault: the endpoint failed.
        """
        core: Any = env.unwrapped
        tools: list[dict[str, Any]] = env.get_wrapper_attr("action_space").openai_tools()
        messages: list[dict[str, Any]] = []
        if self._system:
            messages.append({"role": "system", "content": self._system})
            core.record_message(messages[0])
        messages.append({"role": "user", "content": observation["content"]})
        steps = 0
        while True:
            reply, latency_s = await self._endpoint.complete(messages, tools)
            core.record_usage(reply.input_tokens, reply.output_tokens, self._usd(reply), latency_s)
            message = with_ids(reply.message, steps)
            core.record_message(message)
            messages.append(self._sent_back(message))
            for id, action in actions_of(message):
                observation, _, terminated, truncated, _ = env.step(action)
                if terminated or truncated:
                    return
                steps += 1
                answer = {"role": "tool", "tool_call_id": id} if id else {"role": "user"}
                messages.append(answer | {"content": observation["content"]})

    async def close(self) -> None:
        """Close the connections to the endpoint."""
        await self._endpoint.close()

    def _usd(self, reply: Reply) -> float | None:
        if self._price is None or reply.input_tokens is None or reply.output_tokens is None:
            return None
        return self._price.usd(reply.input_tokens, reply.output_tokens, reply.cached_tokens)

    def _sent_back(self, message: dict[str, Any]) -> dict[str, Any]:
        """Return a message as the model sees it again."""
        seen = {key: value for key, value in message.items() if key not in self._resend}
        calls = message.get("tool_calls")
        if not calls:
            return {"content": ""} | seen
        return {"content": None} | seen | {"tool_calls": [call | {"function": _readable(call)} for call in calls]}


def with_ids(message: dict[str, Any], steps: int) -> dict[str, Any]:
    """Return a message whose calls have what the conversation needs of them: an id of their own, arguments as text."""
    calls: list[dict[str, Any]] = []
    for number, call in enumerate(message.get("tool_calls") or (), steps):
        id, function = call.get("id"), call.get("function")
        if not isinstance(id, str) or not id or any(id == other["id"] for other in calls):
            id = f"call_{number}"
        function = function if isinstance(function, dict) else {}
        name, arguments = function.get("name"), function.get("arguments") or "{}"
        text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
        told = {"name": name if isinstance(name, str) else "", "arguments": text}
        calls.append({"type": "function"} | call | {"id": id, "function": function | told})
    return message | {"tool_calls": calls} if calls else {k: v for k, v in message.items() if k != "tool_calls"}


def actions_of(message: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the actions of a message with the ids of their calls; its text, without an id, where it calls nothing."""
    for call in message.get("tool_calls") or ():
        yield call["id"], {"tool": call["function"]["name"], "arguments": call["function"]["arguments"]}
    if not message.get("tool_calls"):
        content = message.get("content") or ""
        text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        # Quoted, because the environment carries out a call that is written as text, and a model's text is none.
        yield "", json.dumps(text, ensure_ascii=False) if _is_object(text) else text


def _readable(call: dict[str, Any]) -> dict[str, Any]:
    function, text = call["function"], call["function"]["arguments"]
    return function if _is_object(text) else function | {"arguments": json.dumps({NO_JSON: text}, ensure_ascii=False)}


def _is_object(text: str) -> bool:
    try:
        return isinstance(msgspec.json.decode(text), dict)
    except NOT_JSON:
        return False
