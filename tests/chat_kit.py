"""Episodes of the toy task played by the model of a scripted endpoint."""

from __future__ import annotations

from typing import Any

import pytest
from fake_endpoint import Answer, Script, endpoint, in_turn
from toy import ENV_ID, install_toy

from agentbench_env.policies import load_policy
from agentbench_env.policies.chat_options import chat_spec
from agentbench_env.rollout import Trajectory
from agentbench_env.rollout.concurrent import run_waiting
from agentbench_env.rollout.engine import Job

pytest.importorskip("openai", reason="chat policies need the extra agentbench-env[chat]")

FINISH = ("task_finish", {"outcome": "handed_back", "offer_id": "", "total": {}})
RULES = ("shop_get_rules", {})


def prepare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the toy task, with short pauses after failures and nothing of the surroundings."""
    install_toy()
    monkeypatch.setattr("agentbench_env.policies.endpoint.FIRST_PAUSE_S", 0.01)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def play(script: Script, seeds: int = 1, concurrency: int = 1, **options: Any) -> tuple[list[Trajectory], list[Any]]:
    """Play episodes with the model of a script; return their records, and the requests that were made."""
    with endpoint(script) as fake:
        spec = chat_spec("chat:m", {"base_url": fake.url} | {key: str(value) for key, value in options.items()})
        jobs = [Job(ENV_ID, seed, 0, {"difficulty": "easy"}, spec) for seed in range(seeds)]
        return list(run_waiting(jobs, load_policy(spec), concurrency)), fake.requests


def play_one(*answers: Answer, **options: Any) -> tuple[Trajectory, list[Any]]:
    (one,), requests = play(in_turn(*answers), **options)
    return one, requests
