"""ATIF 1.8, the Agent Trajectory Interchange Format: a folder with one JSON document an episode.

`<environment>/seed-<seed>-trial-<trial>.json`. The documents are built and checked by the models of the `atif` package.
Timestamps are in-world time. A scripted policy's turns say that no model was called.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from agentbench_env.export import ExportFault
from agentbench_env.export.messages import json_text, plain_message
from agentbench_env.export.settings import settings
from agentbench_env.extras import need
from agentbench_env.fresh import whole
from agentbench_env.registry import NAMESPACE
from agentbench_env.rollout.stats import total_of
from agentbench_env.rollout.trajectory import Step, Trajectory, Usage

SCHEMA = "ATIF-v1.8"
SCRIPTED = ("expert", "random", "shortcut", "script", "replay")
"""Kinds of policies that call no model."""
NOTES = "Timestamps are in-world time."


def write(episodes: Iterable[Trajectory], path: Path) -> int:
    """Write episodes to a new folder; return how many.

    Raises:
        MissingExtra: the atif package is not installed.
        ExportFault: two episodes are of the same environment, seed and trial.
    """
    atif = need("atif", "atif")
    number = 0
    with whole(path) as part:
        part.mkdir()
        for one in episodes:
            file = part / one.env_id.removeprefix(f"{NAMESPACE}/") / f"seed-{one.seed}-trial-{one.trial}.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            if file.exists():
                raise ExportFault(
                    f"{one.env_id} seed {one.seed} trial {one.trial} stands twice; export runs one by one"
                )
            made = atif.Trajectory.model_validate(document(one))
            file.write_text(json_text(made.to_json_dict()) + "\n", encoding="utf-8")
            number += 1
    return number


def document(one: Trajectory) -> dict[str, Any]:
    """Return an episode as an ATIF document in plain values."""
    usages = [usage for step in one.steps for usage in step.usage]
    return {
        "schema_version": SCHEMA,
        "trajectory_id": one.digest,
        "agent": {"name": one.policy or "unnamed", "version": one.release, "tool_definitions": list(one.tools)},
        "steps": list(_steps(one)),
        "notes": NOTES,
        "extra": {"env_id": one.env_id, "seed": one.seed, "trial": one.trial, **settings(one)},
        "final_metrics": {
            "total_prompt_tokens": total_of(usage.input_tokens for usage in usages),
            "total_completion_tokens": total_of(usage.output_tokens for usage in usages),
            "total_cost_usd": one.cost["total_usd"],
            "total_steps": len(one.steps),
            "extra": {"reward": one.reward, "outcome": one.outcome, "time": one.time, "cost": one.cost},
        },
    }


def _steps(one: Trajectory) -> Iterator[dict[str, Any]]:
    """Yield the system's and the user's message, then a turn for each of the assistant's, with its results."""
    scripted = one.policy.partition(":")[0] in SCRIPTED
    done = iter(one.steps)
    turn: dict[str, Any] | None = None
    number = 0
    for message in map(plain_message, one.messages):
        if message["role"] in ("tool", "user") and turn is not None:
            _add_result(turn, message, next(done), scripted)
            continue
        number += 1
        step: dict[str, Any] = {"step_id": number, "source": message["role"], "message": message["content"]}
        if message["role"] == "assistant":
            if turn is not None:
                yield turn
            turn = step | _said(message, scripted)
        else:
            yield step
    if turn is not None:
        yield turn


def _said(message: dict[str, Any], scripted: bool) -> dict[str, Any]:
    said: dict[str, Any] = {"source": "agent"}
    if scripted:
        said["llm_call_count"] = 0
    if "reasoning_content" in message:
        said["reasoning_content"] = message["reasoning_content"]
    if "tool_calls" in message:
        said["tool_calls"] = [_call(call) for call in message["tool_calls"]]
    return said


def _call(call: dict[str, Any]) -> dict[str, Any]:
    """A call; arguments that are no object, which ATIF has no place for, stand in `extra` as they were."""
    text = call["function"]["arguments"]
    try:
        arguments = json.loads(text)
    except ValueError:
        arguments = None
    made = {"tool_call_id": call["id"], "function_name": call["function"]["name"], "arguments": arguments}
    return made if isinstance(arguments, dict) else made | {"arguments": {}, "extra": {"arguments": text}}


def _add_result(turn: dict[str, Any], message: dict[str, Any], step: Step, scripted: bool) -> None:
    result = {"content": message["content"], "extra": {"is_error": step.is_error, "elapsed_s": step.elapsed_s}}
    if message["role"] == "tool":
        result["source_call_id"] = message["tool_call_id"]
    turn.setdefault("observation", {"results": []})["results"].append(result)
    turn["timestamp"] = step.now
    if step.usage and not scripted:
        turn["metrics"] = _metrics(step.usage)
        turn["llm_call_count"] = len(step.usage)


def _metrics(usages: tuple[Usage, ...]) -> dict[str, Any]:
    return {
        "prompt_tokens": total_of(usage.input_tokens for usage in usages),
        "completion_tokens": total_of(usage.output_tokens for usage in usages),
        "cost_usd": total_of(usage.usd for usage in usages),
        "extra": {"latency_s": total_of(usage.latency_s for usage in usages)},
    }
