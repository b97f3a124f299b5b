"""Messages in the one plain form that the formats share, whatever else a model's endpoint put into them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from agentbench_env.rollout.conversation import REASONING


def plain_message(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a chat message with nothing but role, content, reasoning, tool calls and the call that it answers."""
    plain: dict[str, Any] = {"role": message["role"], "content": _text(message.get("content"))}
    reasoning = next((_text(message[key]) for key in REASONING if message.get(key)), None)
    if reasoning:
        plain["reasoning_content"] = reasoning
    if message.get("tool_calls"):
        plain["tool_calls"] = [_call(call) for call in message["tool_calls"]]
    if message.get("tool_call_id") is not None:
        plain["tool_call_id"] = message["tool_call_id"]
    return plain


def answered_messages(messages: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return a conversation in plain form in which every call has its answer, as chat templates demand.

    Calls that were never carried out, such as those beside the one that ended the episode, are left out, and so is a
    message that then says nothing.
    """
    kept: list[dict[str, Any]] = []
    answers = 0
    # Backwards, because the answers of a message come after it, in the order of its calls.
    for message in map(plain_message, reversed(list(messages))):
        if message["role"] == "tool":
            answers += 1
        elif calls := message.pop("tool_calls", []):
            if carried_out := calls[:answers]:
                message["tool_calls"] = carried_out
            answers = 0
            if not (carried_out or message["content"]):
                continue
        kept.append(message)
    return kept[::-1]


def json_text(value: Any) -> str:
    """Write a value as JSON text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    function = call["function"]
    arguments = function["arguments"]
    text = arguments if isinstance(arguments, str) else json_text(arguments)
    return {"id": call["id"], "type": "function", "function": {"name": function["name"], "arguments": text}}


def _text(content: Any) -> str:
    """The text of a content, which some endpoints cut into parts."""
    if isinstance(content, list):
        return "".join(part.get("text") or "" for part in content if isinstance(part, dict))
    return content or ""
