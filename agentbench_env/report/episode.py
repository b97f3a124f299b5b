"""One episode as the viewer shows it: what was said, called, seen, changed and judged, step by step."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from agentbench_env.lineage import first_seen
from agentbench_env.market import load_market
from agentbench_env.registry import split_env_id
from agentbench_env.rollout.conversation import REASONING, said_before_steps
from agentbench_env.rollout.stats import total_of
from agentbench_env.rollout.trajectory import Step, Trajectory


def view_of(one: Trajectory) -> dict[str, Any]:
    """Return the record as the viewer needs it, in plain JSON values."""
    _, market = split_env_id(one.env_id)
    said = said_before_steps(one.messages)
    contents = [one.brief, *(step.content for step in one.steps)]
    # The lineage has an entry more than there are steps where the verdict's own code failed.
    entries = one.lineage[: len(one.steps)]
    steps = [
        _step(step, entry, said[number], contents[: number + 1])
        for number, (step, entry) in enumerate(zip(one.steps, entries, strict=True))
    ]
    return {
        "language": load_market(market).languages[0],
        "system": [message["content"] for message in said[0] if message["role"] == "system"],
        "brief": _json(one.brief),
        "tools": [tool["function"]["name"] for tool in one.tools],
        "steps": steps,
        "after": _texts(said[len(steps)]) if len(said) > len(steps) else [],
        "reward": one.reward,
        "time": one.time,
        "cost": one.cost,
        "clauses": msgspec.to_builtins(one.verdict.clauses) if one.verdict is not None else [],
        "failure": {"whose": one.failure.whose, "message": one.failure.message} if one.failure is not None else None,
        "stopped": one.stopped,
        "digest": one.digest,
    }


def _step(step: Step, entry: dict[str, Any], said: list[dict[str, Any]], seen: list[str]) -> dict[str, Any]:
    arguments = _json(entry["arguments"])
    return {
        "said": _texts(said),
        "tool": entry["tool"],
        "arguments": arguments,
        "sources": first_seen(arguments, seen),
        "content": _json(step.content),
        "error": entry["error"],
        "effect": entry["effect"],
        "now": step.now,
        "elapsed_s": step.elapsed_s,
        "usd": total_of(usage.usd for usage in step.usage),
        "tokens": [
            total_of(usage.input_tokens for usage in step.usage),
            total_of(usage.output_tokens for usage in step.usage),
        ],
        "approval": entry["approval"],
        "shown": [shown["id"] for shown in entry["shown"]],
        "changes": [_change(change) for change in entry["changes"]],
    }


def _texts(said: list[dict[str, Any]]) -> list[dict[str, str]]:
    """What the assistant said and thought; its calls stand in the steps."""
    found: list[dict[str, str]] = []
    for message in said:
        if message["role"] != "assistant":
            continue
        thoughts = next((message[key] for key in REASONING if message.get(key)), "")
        for kind, text in (("reasoning", thoughts), ("text", message.get("content"))):
            if text:
                found.append({"kind": kind, "text": text if isinstance(text, str) else json.dumps(text)})
    return found


def _change(change: dict[str, Any]) -> dict[str, Any]:
    before, after = change["before"] or {}, change["after"] or {}
    fields = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return {
        "table": change["table"],
        "id": change["id"],
        "kind": "added" if not before else "removed" if not after else "changed",
        "fields": [[name, before.get(name), after.get(name)] for name in fields],
    }


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
