"""The command of verifiers evaluates a scripted model on the taskset, and its traces hold what happened."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verifiers", reason="tests/stacks/run.py makes the environment of this stack")
from fake_endpoint import calls, endpoint, streamed, text
from recording import found

from agentbench_env.adapters.session import EpisodeSession
from agentbench_env.adapters.verifiers import AgentbenchConfig, AgentbenchTaskset
from agentbench_env.rollout.engine import Job, run_job
from agentbench_env.rollout.trajectory import read_line

pytestmark = pytest.mark.stacks
EXAMPLES = Path(__file__).parents[2] / "examples" / "stacks"
ENV = "ta-two-leg-itinerary-SG"
OPTIONS = {"split": "train", "difficulty": "easy"}
SOLVED, GIVEN_UP = 0, 1


def test_tasks_are_small_and_the_same_each_time():
    config = {"id": "agentbench-vf", "envs": [ENV, ENV[:-2] + "KR"], "seeds": 2, "difficulty": "easy"}
    one, two = (list(AgentbenchTaskset(AgentbenchConfig(**config))) for _ in range(2))
    assert [task.data for task in one] == [task.data for task in two]
    assert [(task.data.idx, task.data.seed) for task in one] == [(0, 0), (1, 1), (2, 0), (3, 1)]
    assert one[0].data.prompt == EpisodeSession(ENV, 0, **OPTIONS).brief
    with pytest.raises(ValueError, match="easy, standard, hard"):
        list(AgentbenchTaskset(AgentbenchConfig(**config | {"difficulty": "medium"})))


def evaluate(folder: Path) -> list[dict[str, Any]]:
    """Let the model solve the first task and give up the second one; return the traces."""
    briefs = {EpisodeSession(ENV, seed, **OPTIONS).brief: seed for seed in (SOLVED, GIVEN_UP)}
    steps = run_job(Job(f"Agentbench/{ENV}", SOLVED, 0, OPTIONS, "expert")).steps

    def model(request: dict[str, Any]) -> Any:
        seed = next(briefs[one["content"]] for one in request["messages"] if one["content"] in briefs)
        turn = sum(one["role"] == "tool" for one in request["messages"])
        if seed == GIVEN_UP and turn:
            answer = text("I give up.")
        else:
            answer = calls((steps[turn].action["tool"], steps[turn].action["arguments"]))
        return streamed(answer) if request.get("stream") else answer

    with endpoint(model) as fake:
        command = [
            *(str(Path(sys.executable).with_name("vf-eval")), "agentbench-vf", "-m", "scripted", "-n", "2"),
            *("--no-push", "--no-rich", "--output-dir", str(folder)),
            *("--env.agent.harness.id", "null", "--env.agent.runtime.type", "subprocess"),
            *("--env.taskset.envs", ENV, "--env.taskset.difficulty", "easy"),
            *("--client.base-url", fake.url, "--client.api-key-var", "OPENAI_API_KEY"),
        ]
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        env = {**os.environ, "PYTHONPATH": str(EXAMPLES), "OPENAI_API_KEY": "none", "PATH": path}
        done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=400, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (file,) = folder.rglob("traces.jsonl")
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_a_model_is_evaluated(tmp_path):
    episodes = evaluate(tmp_path)
    traces = [trace for episode in episodes for trace in episode.get("traces", [episode])]
    by_seed = {trace["task"]["data"]["seed"]: trace for trace in traces}
    solved, given_up = by_seed[SOLVED], by_seed[GIVEN_UP]
    assert [trace["rewards"]["success"]["score"] for trace in (solved, given_up)] == [1.0, 0.0]
    assert (solved["metrics"]["violation"], given_up["metrics"]["violation"]) == (0.0, 0.0)
    assert solved["info"]["agentbench"]["outcome"] == "success"
    assert given_up["info"]["agentbench"]["outcome"] == "abandoned"
    assert found(read_line(solved["info"]["agentbench"]["record"].encode())) == []
