"""With the wall clock real seconds count, and nothing else does."""

from __future__ import annotations

import json

import pytest
from showcase import core, episode, expert_actions, make

from agentbench_env import episode as module


class Clock:
    def __init__(self) -> None:
        self.seconds = 5000.0

    def monotonic(self) -> float:
        return self.seconds


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


def test_real_seconds_count(clock):
    env = make("SG", 0, clock="wall")
    assert core(env)._info()["time"] == {"elapsed_s": 0.0, "limit_s": 1800.0}
    clock.seconds += 61.25
    observation, *_, info = env.step({"tool": "user_ask", "arguments": {"topic": "other", "question": "?"}})
    assert info["time"]["elapsed_s"] == 61.25
    start = episode(env).world.start_at
    assert episode(env).world.now == start + 61
    assert observation["now"] == episode(env).world.now_iso


def test_reported_thinking_does_not_count_twice(clock):
    env = make("SG", 0, clock="wall")
    clock.seconds += 10
    core(env).record_usage(usd=0.5, latency_s=999.0)
    info = env.step({"tool": "papers_list", "usage": {"usd": 0.25, "latency_s": 999.0}})[4]
    assert info["time"]["elapsed_s"] == 10.0
    assert info["cost"]["inference_usd"] == 0.75


def test_the_limit_is_real_too(clock):
    actions = expert_actions("SG", 0)
    env = make("SG", 0, clock="wall")
    for action in actions[:-1]:
        clock.seconds += 1
        assert not env.step(action)[3]
    clock.seconds += 1800
    observation, reward, terminated, truncated, info = env.step(actions[-1])
    assert (reward, terminated, truncated, info["outcome"]) == (0.0, False, True, "timeout")
    assert json.loads(observation["content"])["error"] == "timeout"


def test_the_expert_earns_one_in_real_time(clock):
    actions = expert_actions("SG", 0)
    env = make("SG", 0, clock="wall")
    for action in actions:
        clock.seconds += 0.5
        step = env.step(action)
    assert step[1:4] == (1.0, True, False)
    assert step[4]["time"]["elapsed_s"] == 0.5 * len(actions)
    assert core(env).lineage.verify()


def test_every_episode_has_a_start_of_its_own(clock):
    env = make("SG", 0, clock="wall")
    clock.seconds += 100
    assert env.step("no call")[4]["time"]["elapsed_s"] == 100.0
    env.reset(seed=0)
    clock.seconds += 3
    assert env.step("no call")[4]["time"]["elapsed_s"] == 3.0


def test_a_restored_snapshot_is_still_in_real_time(clock):
    env = make("SG", 0, clock="wall")
    snapshot = core(env).snapshot()
    clock.seconds += 30
    core(env).restore(snapshot)
    assert env.step("no call")[4]["time"]["elapsed_s"] == 30.0


def test_the_virtual_clock_reads_no_real_one(clock):
    env = make("SG", 0)
    clock.seconds += 10_000
    latency = env.action_space.tools["papers_list"].latency_s
    assert env.step({"tool": "papers_list"})[4]["time"]["elapsed_s"] == latency
