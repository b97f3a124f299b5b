"""The command of verifiers evaluates a scripted model on the taskset, and its traces hold what happened."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("verifiers", reason="tests/stacks/run.py makes the environment of this stack")
from fake_endpoint import calls, endpoint, streamed, text
from recording import found
from stack_kit import HARD_TEST

from agentbench_env.adapters.session import FAULT, EpisodeSession
from agentbench_env.adapters.verifiers import AgentbenchConfig, AgentbenchTaskset, ErrandTools
from agentbench_env.env import AgentbenchEnv
from agentbench_env.errors import EnvironmentFault
from agentbench_env.rollout.engine import Job, run_job
from agentbench_env.rollout.trajectory import read_line

pytestmark = pytest.mark.stacks
EXAMPLES = Path(__file__).parents[2] / "examples" / "stacks"
ENV = "ta-two-leg-itinerary-SG"
OPTIONS = {"split": "train", "difficulty": "easy"}
SOLVED, GIVEN_UP, SILENT = 0, 1, 2


def test_tasks_are_small_and_the_same_each_time():
    config = {"id": "agentbench-vf", "envs": [ENV, ENV[:-2] + "KR"], "seeds": 2, "difficulty": "easy"}
    one, two = (list(AgentbenchTaskset(AgentbenchConfig(**config))) for _ in range(2))
    assert [task.data for task in one] == [task.data for task in two]
    assert [(task.data.idx, task.data.seed) for task in one] == [(0, 0), (1, 1), (2, 0), (3, 1)]
    assert one[0].data.prompt == EpisodeSession(ENV, 0, **OPTIONS).brief
    with pytest.raises(ValueError, match="easy, standard, hard"):
        list(AgentbenchTaskset(AgentbenchConfig(**config | {"difficulty": "medium"})))


def test_a_file_of_samples_is_a_taskset(tmp_path):
    file = tmp_path / "samples.jsonl"
    lines = [HARD_TEST._asdict(), {"env_id": ENV, "seed": 4, "max_steps": 7}]
    file.write_text("\n".join(map(json.dumps, lines)))
    config = {"id": "agentbench-vf", "samples": file, "options": {"clock": "wall", "difficulty": "easy"}}
    one, two = AgentbenchTaskset(AgentbenchConfig(**config))
    assert (one.data.env_id, one.data.seed) == (HARD_TEST.env_id, HARD_TEST.seed)
    assert one.data.options == {"split": "test", "difficulty": "hard", "clock": "wall"}
    assert two.data.options == {"split": "train", "difficulty": "easy", "clock": "wall", "max_steps": 7}
    assert one.data.prompt == EpisodeSession(ENV, HARD_TEST.seed, **one.data.options).brief
    for given, said in (
        ({"dificulty": "hard"}, "jsonl:1: .*Did you mean"),
        ({"user": "x"}, "jsonl:1: option is 'user'"),
    ):
        file.write_text(json.dumps({**HARD_TEST._asdict(), **given}))
        with pytest.raises(ValueError, match=said):
            list(AgentbenchTaskset(AgentbenchConfig(**config)))
    file.write_text("7\n")
    with pytest.raises(ValueError, match=r"jsonl:1: .*must be an object"):
        list(AgentbenchTaskset(AgentbenchConfig(**config)))
    with pytest.raises(ValueError, match="both samples and environments"):
        list(AgentbenchTaskset(AgentbenchConfig(**config, envs=[ENV])))
    with pytest.raises(ValueError, match="no environments"):
        list(AgentbenchTaskset(AgentbenchConfig(id="agentbench-vf")))


@pytest.fixture
def task():
    config = AgentbenchConfig(id="agentbench-vf", envs=[ENV], seeds=1, difficulty="easy")
    return next(iter(AgentbenchTaskset(config)))


def call_at_once(task, monkeypatch, *names: str) -> tuple[list[Any], list[Any]]:
    """Call tools of the task's server at once; return the results, and the states as they arrive, the first slowly."""
    delays, arrived = iter((0.05, 0.0)), []

    async def push(server: ErrandTools, before: bytes) -> None:
        state = server.state.model_copy()
        await asyncio.sleep(next(delays))
        arrived.append(state)

    async def main() -> list[Any]:
        (server,) = task.toolsets(task.config)
        await server.setup_task(task.data)
        return await asyncio.gather(*(server._call_tool(name, {}) for name in names))

    monkeypatch.setattr(ErrandTools, "_push_state", push)
    return asyncio.run(main()), arrived


def test_of_calls_at_once_the_last_state_is_the_latest(task, monkeypatch):
    results, states = call_at_once(task, monkeypatch, "wallet_list_cards", "wallet_get_rates")
    assert [result.is_error for result in results] == [False, False]
    assert [len(read_line(state.record.encode()).steps) for state in states] == [1, 2]
    assert {(state.outcome, state.reward) for state in states} == {("", None)}


def test_a_fault_of_the_suite_tells_the_model_nothing_and_has_no_reward(task, monkeypatch, caplog):
    def failing(*_):
        raise EnvironmentFault("secret_goal")

    monkeypatch.setattr(AgentbenchEnv, "step", failing)
    ((result,), (state,)) = call_at_once(task, monkeypatch, "wallet_list_cards")
    assert (result.is_error, result.content[0].text) == (True, FAULT)
    assert "secret_goal" in caplog.text
    trace = SimpleNamespace(state=state, info={})
    asyncio.run(task.finalize(trace, None))
    with pytest.raises(RuntimeError, match=f"{ENV}, seed 0"):
        asyncio.run(task.success(trace))


def command(name: str, *arguments: str) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PYTHONPATH": str(EXAMPLES), "OPENAI_API_KEY": "none", "PATH": path}
    program = str(Path(sys.executable).with_name(name))
    done = subprocess.run([program, *arguments], capture_output=True, text=True, env=env, timeout=400, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def traces_in(folder: Path) -> dict[int, dict[str, Any]]:
    (file,) = folder.rglob("traces.jsonl")
    episodes = [json.loads(line) for line in file.read_text().splitlines()]
    traces = [trace for episode in episodes for trace in episode.get("traces", [episode])]
    return {trace["task"]["data"]["seed"]: trace for trace in traces}


def evaluate(folder: Path) -> None:
    """Let the model solve the first task, give up the second one after two calls, and call nothing in the third."""
    briefs = {EpisodeSession(ENV, seed, **OPTIONS).brief: seed for seed in (SOLVED, GIVEN_UP, SILENT)}
    steps = run_job(Job(f"Agentbench/{ENV}", SOLVED, 0, OPTIONS, "expert")).steps

    def model(request: dict[str, Any]) -> Any:
        seed = next(briefs[one["content"]] for one in request["messages"] if one["content"] in briefs)
        turn = sum(one["role"] == "tool" for one in request["messages"])
        if seed == SILENT or (seed == GIVEN_UP and turn):
            answer = text("I give up.")
        elif seed == GIVEN_UP:
            answer = calls(*((step.action["tool"], step.action["arguments"]) for step in steps[:2]))
        else:
            answer = calls((steps[turn].action["tool"], steps[turn].action["arguments"]))
        return streamed(answer) if request.get("stream") else answer

    with endpoint(model) as fake:
        command(
            *("vf-eval", "agentbench-vf", "-m", "scripted", "-n", "3"),
            *("--no-push", "--no-rich", "--output-dir", str(folder)),
            *("--env.agent.harness.id", "null", "--env.agent.runtime.type", "subprocess"),
            *("--env.taskset.envs", ENV, "--env.taskset.difficulty", "easy"),
            *("--client.base-url", fake.url, "--client.api-key-var", "OPENAI_API_KEY"),
        )


def test_a_model_is_evaluated_and_scored_again(tmp_path):
    run, again = tmp_path / "run", tmp_path / "again"
    evaluate(run)
    by_seed = traces_in(run)
    solved, given_up, silent = (by_seed[seed] for seed in (SOLVED, GIVEN_UP, SILENT))
    rewards = [trace["rewards"]["success"]["score"] for trace in (solved, given_up, silent)]
    assert rewards == [1.0, 0.0, 0.0]
    assert (solved["metrics"]["violation"], given_up["metrics"]["violation"]) == (0.0, 0.0)
    for trace, outcome, steps in ((solved, "success", None), (given_up, "abandoned", 2), (silent, "abandoned", 0)):
        told = trace["info"]["agentbench"]
        record = read_line(told["record"].encode())
        assert (told["outcome"], record.outcome, record.reward) == (outcome, outcome, float(trace is solved))
        assert steps in (None, len(record.steps))
        assert found(record) == []
    (folder,) = run.iterdir()
    command("vf-replay", str(folder), "--no-rich", "--output-dir", str(again))
    rescored = traces_in(again)
    assert {seed: trace["rewards"] for seed, trace in rescored.items()} == {
        seed: trace["rewards"] for seed, trace in by_seed.items()
    }
