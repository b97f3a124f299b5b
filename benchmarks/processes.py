"""What is measured in processes of their own: imports, and the memory of live environments."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from statistics import median
from typing import Any

from benchmarks.timing import Row, Sizes, time_rows

PEERS = ("tau2", "agentdojo", "tool_sandbox")

IMPORTS = """
import json, time
start = time.process_time()
import gymnasium
base = time.process_time()
import agentbench_env
registered = time.process_time()
env = gymnasium.make("Agentbench/ta-two-leg-itinerary-SG")
env.reset(seed=0)
observed = time.process_time()
print(json.dumps([base - start, registered - base, observed - start]))
"""


def _child(*arguments: str) -> Any:
    """Run Python in a fresh process; return what it prints, read as JSON."""
    path = os.pathsep.join(filter(None, [os.getcwd(), *sys.path]))
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE, text=True, check=True
    )
    return json.loads(done.stdout)


def imports(sizes: Sizes) -> list[Row]:
    """Imports in cold processes: Gymnasium, this package over it, and all that it takes to the first observation."""
    runs = [_child("-c", IMPORTS) for _ in range(sizes.processes)]
    gymnasium, own, first = (median(run[place] for run in runs) for place in range(3))
    return [
        Row("import gymnasium", "median", gymnasium, "s"),
        Row("import agentbench_env, over Gymnasium's", "median", own, "s", 0.25),
        Row("first observation, Gymnasium's import included", "median", first, "s", 0.7),
    ]


def memory(sizes: Sizes) -> list[Row]:
    """Live environments of all tasks and markets, each with a world of its own, stepped in turn."""
    found = _child("-m", "benchmarks.memory", str(sizes.envs), *sizes.tasks)
    group = f"{sizes.envs:,} live environments"
    return [
        Row(group, "memory of each", found["kb_each"], "kB", 300),
        Row(group, "memory of the process", found["mb_all"], "MB", 500),
        *time_rows(f"{group}, stepped in turn", found["step_ns"], "us"),
    ]


def peers() -> list[str]:
    """Say which peers stand beside this package in the environment; none is needed."""
    return [f"{name}: {'installed' if find_spec(name) else 'peer not installed'}" for name in PEERS]
