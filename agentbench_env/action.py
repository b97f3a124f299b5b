"""Actions as they come in, whatever they are: JSON text read, what they report as spent, what is kept of bad ones."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from agentbench_env.errors import ToolError
from agentbench_env.tool import Tool, parse_arguments
from agentbench_env.world import canonical

NOT_JSON = (ValueError, RecursionError, msgspec.DecodeError)
"""What reading a text as JSON raises; msgspec 0.19, which GEM asks for, does not count its error as a ValueError."""
LONGEST_ACTION = 200_000
LONGEST_KEPT = 2000
FORM = 'an object {"tool": ..., "arguments": {...}}'
MOST_USAGE = 1_000_000_000
_USAGE: Mapping[str, type | tuple[type, ...]] = {
    "input_tokens": int,
    "output_tokens": int,
    "usd": (int, float),
    "latency_s": (int, float),
}


def parse_json(text: str | bytes, place: str) -> Any:
    """Read JSON text; refuse the call if it is none."""
    if len(text) > LONGEST_ACTION:
        raise ToolError("invalid_action", f"{place} has {len(text)} characters.", "", f"at most {LONGEST_ACTION}")
    try:
        return msgspec.json.decode(text if isinstance(text, bytes) else str(text))
    except NOT_JSON as error:
        reason = str(error)[:200]
        hint = 'a JSON object {"tool": ..., "arguments": {...}}: call a tool, plain text reaches nobody'
        raise ToolError("invalid_action", f"{place} is not JSON: {reason}", "", hint) from error


def read_call(action: Any, tools: Mapping[str, type[Tool]]) -> Tool:
    """Read an action, a typed call or an object, as a call of one of the tools; refuse it with what would be right."""
    if isinstance(action, Tool):
        if tools.get(action.name) is type(action):
            return action
        action = action.as_action()
    if not isinstance(action, Mapping):
        raise ToolError("invalid_action", "An action is a tool call.", "", FORM)
    name, arguments = action.get("tool"), action.get("arguments", {})
    tool = tools.get(name) if isinstance(name, str) else None
    if tool is None:
        raise ToolError("unknown_tool", "There is no such tool.", "tool", f"one of: {', '.join(tools)}")
    extra = sorted(str(key)[:40] for key in action if key not in ("tool", "arguments", "usage"))
    if extra:
        raise ToolError("invalid_action", "An action has no such key.", extra[0], "tool, arguments")
    if isinstance(arguments, str | bytes):
        arguments = parse_json(arguments, "arguments")
    if not isinstance(arguments, Mapping):
        raise ToolError("invalid_argument", "The arguments are no object.", "arguments", "a JSON object")
    if not all(isinstance(key, str) for key in arguments):
        raise ToolError("invalid_argument", "An argument's name is no text.", "arguments", "a JSON object")
    return parse_arguments(tool, arguments)


def unreadable(error: Exception) -> ToolError:
    """Return the refusal of an action that cannot even be looked at: a policy's own objects may fail in any way."""
    return ToolError("invalid_action", f"The action cannot be read: {type(error).__name__}.", "", FORM)


def usage_of(action: Any) -> Mapping[str, Any] | None:
    """Return the usage that an action reports, None if it reports none; refuse the call if it makes no sense."""
    usage = action.get("usage") if isinstance(action, Mapping) else None
    fault = "" if usage is None else usage_fault(usage)
    if fault:
        raise ToolError("invalid_action", fault, "usage", "an object of input_tokens, output_tokens, usd, latency_s")
    return usage


def usage_fault(usage: Any) -> str:
    """Say what is wrong with a report of usage, "" if nothing is."""
    if not isinstance(usage, Mapping):
        return "usage is no object."
    for name, value in usage.items():
        if name not in _USAGE:
            return f"usage has no part {str(name)[:40]!r}."
        number = isinstance(value, _USAGE[name]) and not isinstance(value, bool)
        if value is not None and not (number and 0 <= value <= MOST_USAGE):
            kind = "whole number" if _USAGE[name] is int else "number"
            return f"{name} is no {kind} from 0 to {MOST_USAGE}."
    return ""


def message_fault(message: Any) -> str:
    """Say why a value is no chat message of a policy, "" if it is one."""
    if not isinstance(message, Mapping) or message.get("role") not in ("system", "assistant"):
        return "a message is an object whose role is 'system' or 'assistant'; results are answered by the environment"
    content, calls = message.get("content"), message.get("tool_calls") or ()
    if message["role"] == "system":
        return "" if isinstance(content, str) else "the content of a system message must be text"
    if not isinstance(calls, Sequence) or not all(_is_tool_call(call) for call in calls):
        return "tool_calls must be a list of {id, type, function: {name, arguments}}, the arguments as JSON text"
    return ""


def _is_tool_call(call: Any) -> bool:
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(function, Mapping):
        return False
    return all(isinstance(value, str) for value in (call.get("id"), function.get("name"), function.get("arguments")))


def tool_named(action: Any, tools: Container[str]) -> str:
    """Return the tool that a malformed action names, "" if there is none of that name."""
    name = action.get("tool") if isinstance(action, Mapping) else None
    return name if isinstance(name, str) and name in tools else ""


def kept(action: Any) -> str:
    """Keep what a malformed action was: itself when it is short JSON, else its hash, so that the chain covers it."""
    try:
        text = action if isinstance(action, str) else canonical(action).decode()
    except (TypeError, ValueError, RecursionError):
        text = type(action).__name__
    if isinstance(action, str) or len(text) > LONGEST_KEPT:
        text = canonical({"sha256": sha256(text.encode("utf-8", "surrogatepass")).hexdigest()}).decode()
    return text
