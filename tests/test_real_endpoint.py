"""Twenty episodes with a real model behind a real endpoint, if one is named; docs/models.md says how to start one."""

from __future__ import annotations

import os

import pytest
from recording import found
from toy import ENV_ID, install_toy

from agentbench_env.policies import load_policy
from agentbench_env.policies.chat_options import chat_spec
from agentbench_env.rollout.concurrent import run_waiting
from agentbench_env.rollout.engine import Job

URL, MODEL = os.environ.get("AGENTBENCH_TEST_ENDPOINT", ""), os.environ.get("AGENTBENCH_TEST_MODEL", "smollm2")


@pytest.mark.endpoint
@pytest.mark.skipif(not URL, reason="AGENTBENCH_TEST_ENDPOINT names no endpoint, e.g. http://localhost:8000/v1")
def test_twenty_episodes_with_a_real_model():
    pytest.importorskip("openai", reason="chat policies need the extra agentbench-env[chat]")
    install_toy()
    spec = chat_spec(f"chat:{MODEL}", {"base_url": URL, "max_tokens": "24", "temperature": "0", "seed": "1"})
    jobs = [Job(ENV_ID, seed, 0, {"max_steps": 2}, spec) for seed in range(20)]
    episodes = list(run_waiting(jobs, load_policy(spec), 4))
    assert sorted(one.seed for one in episodes) == list(range(20))
    assert [one.failure.message for one in episodes if one.failure is not None] == []
    assert all(found(one) == [] for one in episodes)
    usages = [usage for one in episodes for step in one.steps for usage in step.usage]
    assert usages
    assert all(usage.input_tokens and usage.output_tokens and usage.latency_s for usage in usages)
