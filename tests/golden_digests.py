"""Golden digests: what the expert's episodes are in every built contract and market, written down.

`python tests/golden_digests.py` rewrites them all, on purpose, after a change that is meant to alter instances or
verdicts; names of contracts after it rewrite only those.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from agentbench_env.conformance.subject import Subject
from agentbench_env.env import AgentbenchEnv
from agentbench_env.policies.expert import run_script
from agentbench_env.registry import contracts, is_built
from agentbench_env.task import DIFFICULTIES, Difficulty

FOLDER = Path(__file__).parent / "golden"
SEEDS = (0, 1)
LENGTH = 16
BUILT = [one.id for one in contracts().values() if is_built(one)]


def golden(task_id: str) -> dict[str, list[Any]]:
    """Return the digests of instance and lineage and the reward of the expert's episodes of a contract."""
    return {
        f"{market} {difficulty} {seed}": mark(Subject(task_id, market, difficulty), seed)
        for market in contracts()[task_id].markets
        for difficulty in DIFFICULTIES
        for seed in SEEDS
    }


def mark(subject: Subject, seed: int) -> list[Any]:
    env = subject.solved(seed)
    reward = float(env.verdict is not None and env.verdict.success)
    return [env.instance_digest[:LENGTH], env.lineage.head[:LENGTH], reward]


def file_of(task_id: str) -> Path:
    return FOLDER / f"{task_id}.json"


class Watch:
    """Steps an environment and hashes everything that it returns."""

    def __init__(self, env: AgentbenchEnv, seed: int) -> None:
        self.unwrapped, self._hash = env, sha256()
        self._take(env.reset(seed=seed))

    def step(self, action: Any) -> Any:
        result = self.unwrapped.step(action)
        self._take(result)
        return result

    def _take(self, result: Any) -> None:
        self._hash.update(repr(result).encode())

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()


def everything_seen(task_id: str, difficulty: Difficulty = "hard", seed: int = 5) -> dict[str, str]:
    """Hash all that a policy sees of one expert's episode in each market, in the user's own language."""
    found: dict[str, str] = {}
    for market in contracts()[task_id].markets:
        env = AgentbenchEnv(task_id, market, "test", difficulty, prompt_language="local", faults=0.1, injections=True)
        watch = Watch(env, seed)
        run_script(Subject(task_id, market, difficulty).task.expert, watch)
        found[market] = watch.digest
    return found


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for task in sys.argv[1:] or BUILT:
        lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in golden(task).items()]
        file_of(task).write_text("{\n" + ",\n".join(lines) + "\n}\n")
