"""What an OpenAI-compatible endpoint answers, read without trust in its shape."""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, Mapping
from typing import Any, NamedTuple

import msgspec

MOST_SHOWN = 300


class BrokenReply(Exception):
    """An answer that is no chat completion."""


class Reply(NamedTuple):
    """A model's message as it gave it, and the tokens that it took (None: the endpoint does not say)."""

    message: dict[str, Any]
    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int


def read_reply(body: Any) -> Reply:
    """Read the body of an answer; raise BrokenReply if it holds no message."""
    try:
        # There and back, so that nothing is in it which could not be recorded.
        message = dict(msgspec.json.decode(msgspec.json.encode(body["choices"][0]["message"])))
    except (LookupError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise BrokenReply(f"an answer without a message: {json.dumps(body)[:MOST_SHOWN]}") from error
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list) or not all(isinstance(call, Mapping) for call in calls):
        raise BrokenReply(f"tool_calls that are no list of calls: {json.dumps(calls)[:MOST_SHOWN]}")
    usage = body.get("usage")
    usage = usage if isinstance(usage, Mapping) else {}
    details = usage.get("prompt_tokens_details")
    cached = _tokens(details.get("cached_tokens")) if isinstance(details, Mapping) else None
    given, written = _tokens(usage.get("prompt_tokens")), _tokens(usage.get("completion_tokens"))
    return Reply(_without_none(message) | {"role": "assistant"}, given, written, min(cached or 0, given or 0))


async def read_stream(chunks: AsyncIterable[Any]) -> dict[str, Any]:
    """Put the pieces of a streamed answer together as the body of one that is not streamed.

    Raises:
        BrokenReply: the stream ended before the message did.
    """
    message: dict[str, Any] = {}
    calls: dict[int, dict[str, Any]] = {}
    usage, finished = None, False
    async for chunk in chunks:
        piece = chunk.to_dict()
        if "error" in piece:
            raise BrokenReply(f"an error in the stream: {json.dumps(piece['error'])[:MOST_SHOWN]}")
        usage = piece.get("usage") or usage
        for choice in (piece.get("choices") or ())[:1]:
            delta = dict(choice.get("delta") or {})
            for place, call in enumerate(delta.pop("tool_calls", None) or ()):
                call = dict(call)
                _extend(calls.setdefault(call.pop("index", place), {}), call)
            _extend(message, delta)
            finished = finished or choice.get("finish_reason") is not None
    if not finished:
        raise BrokenReply("a stream that ended before the message did")
    if calls:
        message["tool_calls"] = [calls[index] for index in sorted(calls)]
    return {"choices": [{"message": message}], "usage": usage}


def _extend(whole: dict[str, Any], piece: Mapping[str, Any]) -> None:
    """Add a piece to what came before: texts grow, all else is told once."""
    for name, value in piece.items():
        if isinstance(value, Mapping):
            _extend(whole.setdefault(name, {}), value)
        elif isinstance(value, str) and name not in ("role", "type", "id"):
            whole[name] = whole.get(name, "") + value
        elif value is not None:
            whole[name] = value


def _without_none(value: Any) -> Any:
    """Leave out what an endpoint says nothing of: `"refusal": null` and the like."""
    if isinstance(value, Mapping):
        return {key: _without_none(one) for key, one in value.items() if one is not None}
    return [_without_none(one) for one in value] if isinstance(value, list) else value


def _tokens(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
