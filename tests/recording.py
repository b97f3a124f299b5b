"""Recorded episodes of the toy task, runs of recorded episodes, and what verification says of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from toy import toy_env

from agentbench_env.policies import load_policy
from agentbench_env.rollout import RecordTrajectory, RunWriter, Trajectory
from agentbench_env.rollout.engine import run_episode
from agentbench_env.rollout.store import Line, Selection, describe_run
from agentbench_env.rollout.verify import Trust, verify_line

replace = msgspec.structs.replace
NO_TRUST = Trust()
KWARGS = {"split": "train", "difficulty": "standard"}


def recorded(spec: str = "expert", seed: int = 0, **kwargs: Any) -> Trajectory:
    env = RecordTrajectory(toy_env(**kwargs), policy=spec)
    return run_episode(load_policy(spec), env, seed)


def write_run(directory: Path, policy: str, episodes: Iterable[Trajectory]) -> Path:
    """Write episodes as a run of all their environments, seeds and trials."""
    listed = list(episodes)
    env_ids, seeds = ({key(one): None for one in listed} for key in (lambda one: one.env_id, lambda one: one.seed))
    selection = Selection(tuple(env_ids), tuple(seeds), KWARGS, 1 + max(one.trial for one in listed))
    with RunWriter(directory, describe_run(policy, selection)) as writer:
        for one in listed:
            writer.write(replace(one, policy=policy).sealed())
    return directory


def found(trajectory: Trajectory, trust: Trust = NO_TRUST) -> list[tuple[int | None, str]]:
    checked = verify_line(Line("e:1", trajectory.line() + b"\n"), trust)
    return [(one.step, one.field) for one in checked.differences]


def with_action(trajectory: Trajectory, number: int, action: Any) -> Trajectory:
    """Change an action, and the message that announces it."""
    messages = list(trajectory.messages)
    place = 1 + 2 * number
    (call,) = messages[place]["tool_calls"]
    function = {"name": action["tool"], "arguments": json.dumps(action["arguments"])}
    messages[place] = {**messages[place], "tool_calls": [{**call, "function": function}]}
    return replace(with_step(trajectory, number, action=action), messages=tuple(messages))


def with_step(trajectory: Trajectory, number: int, **changes: Any) -> Trajectory:
    steps = list(trajectory.steps)
    steps[number] = replace(steps[number], **changes)
    return replace(trajectory, steps=tuple(steps))
