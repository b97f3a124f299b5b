"""Makes environments, steps them in turn, and prints as JSON what each takes: `python -m benchmarks.memory 1000`."""

from __future__ import annotations

import gc
import json
import resource
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium as gym

from agentbench_env.tool import input_schema
from benchmarks.measures import chosen
from benchmarks.timing import pin, timed

ROUNDS = 5


def resident_kb() -> int:
    """Return the resident memory of this process; where the system does not say, its peak."""
    rollup = Path("/proc/self/smaps_rollup")
    if rollup.exists():
        return next(int(line.split()[1]) for line in rollup.read_text().splitlines() if line.startswith("Rss:"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def reads(env: Any) -> list[dict[str, Any]]:
    """Return the calls of a task that only read and need no arguments."""
    tools = env.unwrapped.action_space.tools.values()
    names = [tool.name for tool in tools if tool.effect == "read" and not input_schema(tool)["required"]]
    return [{"tool": name, "arguments": {}} for name in names]


def measure(number: int, tasks: Sequence[str]) -> dict[str, Any]:
    """Return kilobytes each, megabytes of the process, and nanoseconds of each step."""
    ids = [env_id for task in chosen(tasks) for env_id in task.env_ids]
    warm = [_begun(env_id, seed) for seed in range(2) for env_id in ids]
    for env in warm:
        for call in reads(env):
            env.step(call)
    gc.collect()
    before = resident_kb()
    envs = [_begun(ids[place % len(ids)], 10 + place) for place in range(number)]
    calls = [reads(env) for env in envs]
    steps: list[int] = []
    for turn in range(ROUNDS):
        for env, choices in zip(envs, calls, strict=True):
            steps.append(timed(env.step, choices[turn % len(choices)]))
    after = resident_kb()
    return {"kb_each": (after - before) / number, "mb_all": after / 1024, "step_ns": steps}


def _begun(env_id: str, seed: int) -> Any:
    env = gym.make(env_id)
    env.reset(seed=seed)
    return env


if __name__ == "__main__":
    pin()
    print(json.dumps(measure(int(sys.argv[1]), sys.argv[2:])))
