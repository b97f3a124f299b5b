"""Policies that wait: many episodes in flight in one process."""

from __future__ import annotations

from typing import Any

import pytest
from chat_kit import FINISH, RULES, play, prepare
from fake_endpoint import Answer, calls, endpoint, in_turn, refused
from recording import recorded
from toy import ENV_ID

from agentbench_env.policies import load_policy, waits
from agentbench_env.policies.chat_options import chat_spec
from agentbench_env.rollout.concurrent import run_waiting
from agentbench_env.rollout.engine import Job


@pytest.fixture(autouse=True)
def _prepared(monkeypatch):
    prepare(monkeypatch)


def test_many_episodes_are_in_flight_and_no_more_than_asked():
    with endpoint(lambda request: expert_like(request)._replace(stall_s=0.05)) as fake:
        spec = chat_spec("chat:m", {"base_url": fake.url})
        jobs = [Job(ENV_ID, seed, 0, {}, spec) for seed in range(40)]
        done = list(run_waiting(iter(jobs), load_policy(spec), 8))
    assert sorted(one.seed for one in done) == list(range(40))
    assert 1 < fake.most_at_once <= 8


def expert_like(request: dict[str, Any]) -> Answer:
    return calls(FINISH if any(message["role"] == "tool" for message in request["messages"]) else RULES)


def test_episodes_come_in_the_order_in_which_they_end():
    def script(request: dict[str, Any]) -> Answer:
        slow = request["messages"][0]["content"] == briefs[0]
        return calls(FINISH)._replace(stall_s=0.3 if slow else 0.0)

    briefs = [recorded("expert", seed, difficulty="easy").brief for seed in range(3)]
    episodes, _ = play(script, seeds=3, concurrency=3)
    assert episodes[-1].seed == 0


def test_a_run_that_is_left_closes_what_is_in_flight():
    with endpoint(lambda request: expert_like(request)._replace(stall_s=0.02)) as fake:
        spec = chat_spec("chat:m", {"base_url": fake.url})
        episodes = run_waiting([Job(ENV_ID, seed, 0, {}, spec) for seed in range(9)], load_policy(spec), 3)
        next(episodes)
        episodes.close()
        asked = len(fake.requests)
        assert asked < 18
    assert next(episodes, None) is None


class Waits:
    """A policy of one's own that waits."""

    name = "waits"

    def __init__(self) -> None:
        self.closed = False

    async def run(self, env, observation):
        env.step({"tool": "shop_get_rules"})
        if "lamp" in observation["content"]:
            raise ValueError("no lamps")
        env.step({"tool": FINISH[0], "arguments": FINISH[1]})

    async def close(self):
        self.closed = True


def test_episodes_outside_the_score_are_run_again():
    with endpoint(in_turn(*[refused(500)] * 4, calls(RULES), refused(500), refused(500), calls(FINISH))) as fake:
        spec = chat_spec("chat:m", {"base_url": fake.url, "retries": "1"})
        job = Job(ENV_ID, 0, 2, {}, spec)
        (good,) = run_waiting([job], load_policy(spec), 1, retries=3)
    assert (good.outcome, good.trial, len(good.steps)) == ("failure", 2, 1)
    assert len(fake.requests) == 8


def test_a_policy_of_ones_own_may_wait_too():
    policy = load_policy(f"python:{__name__}:Waits")
    assert waits(policy)
    assert not waits(load_policy("expert"))
    episodes = list(run_waiting([Job(ENV_ID, seed, 0, {}, "waits") for seed in range(30)], policy, 4))
    assert {one.outcome for one in episodes} == {"failure", "infrastructure"}
    faults = {one.failure.whose for one in episodes if one.failure is not None}
    assert faults == {"policy"}
    assert policy.closed
