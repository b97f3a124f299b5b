"""The environment as Gymnasium and its users know it."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import gymnasium as gym
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import RecordEpisodeStatistics, TimeLimit
from showcase import MARKETS, TASK_ID, core, env_id, episode, expert_actions, make, run, solve, state
from toy import toy_env

from agentbench_env.calibration import Median, write_medians
from agentbench_env.errors import ResetNeeded
from agentbench_env.policies import load_policy
from agentbench_env.registry import RELEASE

KEYS = {
    "time": {"elapsed_s", "limit_s"},
    "cost": {"inference_usd", "tool_fees_usd", "total_usd"},
    "normalized": {"time", "cost"},
}


# --- Gymnasium


@pytest.mark.parametrize("market", MARKETS)
def test_gymnasiums_checker_passes(market):
    check_env(gym.make(env_id(market), disable_env_checker=True).unwrapped)


@pytest.mark.parametrize("market", MARKETS)
def test_the_expert_earns_one_in_the_wrapped_environment(market):
    env = make(market, 0)
    info = solve(env)
    assert (info["reward"], info["outcome"], info["ended"]) == (1.0, "success", True)
    with pytest.raises(ResetNeeded, match="reset"):
        env.step({"tool": "papers_list"})


@pytest.mark.parametrize("market", MARKETS)
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
@pytest.mark.parametrize("done", [0, 6])
def test_copies_go_on_by_themselves(market, copied, done):
    actions = expert_actions(market, 3)
    env = make(market, 3)
    run(env, actions[:done])
    before = state(env)
    twin = copied(env)
    there = run(twin, actions[done:])
    assert state(env) == before
    assert run(env, actions[done:]) == there
    assert there[-1][1:3] == (1.0, True)
    assert core(twin).lineage.verify()
    assert twin.action_space == env.action_space


def test_a_fresh_environment_can_be_copied():
    for twin in (copy.deepcopy(make("SG")), pickle.loads(pickle.dumps(make("SG")))):
        assert twin.reset(seed=1)[0] == make("SG").reset(seed=1)[0]


def test_statistics_and_time_limit():
    env = RecordEpisodeStatistics(make("SG"))
    env.reset(seed=0)
    info = solve(env)
    assert info["episode"]["r"] == 1.0
    assert info["episode"]["l"] == info["steps"]
    env = TimeLimit(make("SG"), 3)
    env.reset(seed=0)
    ends = [step[2:4] for step in run(env, [{"tool": "papers_list"}] * 3)]
    assert ends == [(False, False), (False, False), (False, True)]
    assert run(make("SG", 0, max_episode_steps=1), [{"tool": "papers_list"}])[0][3]


def test_reset_chooses_the_next_seed_by_itself():
    env, twin = make("SG"), make("SG")
    first = [env.reset(seed=5)[0], env.reset()[0], env.reset()[0]]
    assert first == [twin.reset(seed=5)[0], twin.reset()[0], twin.reset()[0]]
    assert len({one["content"] for one in first}) == 3
    assert env.reset(seed=core(twin).instance_seed)[0] == first[2]
    assert env.reset(seed=2**64 - 1)[0] != first[0]


def test_render_shows_the_last_step():
    env = make("SG", render_mode="ansi")
    env.reset(seed=0)
    assert "brief" in env.render()
    env.step({"tool": "papers_list"})
    assert "papers_list" in env.render()
    assert "paper_id" in env.render()


def test_step_needs_reset():
    env = core(make("SG"))
    with pytest.raises(ResetNeeded, match="reset"):
        env.step({"tool": "papers_list"})
    assert env.verdict is None
    assert env.usage == ()


# --- info


def shape(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: shape(child) for key, child in value.items()}
    return "number or none" if value is None or type(value) is float else type(value).__name__


def test_info_has_the_same_keys_and_types_on_every_step():
    env = make("SG")
    infos = [env.reset(seed=0)[1]]
    infos += [step[4] for step in run(env, [*expert_actions("SG", 0)[:-1], "nonsense", expert_actions("SG", 0)[-1]])]
    for number, info in enumerate(infos):
        verdict = info.pop("verdict")
        assert (verdict is not None) == (number == len(infos) - 1)
        assert {key: set(info[key]) for key in KEYS} == KEYS
        assert info["time"]["limit_s"] == 1800.0
    assert len({json.dumps(shape(info), sort_keys=True) for info in infos}) == 1
    assert [info["outcome"] for info in infos] == [""] * (len(infos) - 1) + ["success"]


def test_time_and_cost_repeat_exactly():
    actions = [{**action, "usage": {"usd": 0.001, "latency_s": 0.7}} for action in expert_actions("JP", 1)]
    ends = [run(make("JP", 1), actions)[-1][4] for _ in range(2)]
    assert ends[0] == ends[1]
    assert 0 < ends[0]["time"]["elapsed_s"] < 1800
    latencies = sum(make("JP").action_space.tools[action["tool"]].latency_s for action in actions)
    assert ends[0]["time"]["elapsed_s"] == pytest.approx(latencies + 0.7 * len(actions))
    assert ends[0]["cost"]["inference_usd"] == pytest.approx(0.001 * len(actions))


def test_unknown_cost_is_none_and_no_cost_is_zero():
    env = make("SG", 0)
    assert env.step("nonsense")[4]["cost"] == {"inference_usd": None, "tool_fees_usd": 0.0, "total_usd": None}
    core(env).record_usage(usd=0.0)
    assert env.step("nonsense")[4]["cost"] == {"inference_usd": 0.0, "tool_fees_usd": 0.0, "total_usd": 0.0}
    core(env).record_usage(input_tokens=10)
    core(env).record_usage(usd=1)
    assert env.step("nonsense")[4]["cost"] == {"inference_usd": None, "tool_fees_usd": 0.0, "total_usd": None}


@pytest.mark.parametrize(("spec", "cost"), [("expert", 0.0), ("random", 0.0), ("shortcut:first", 0.0)])
def test_scripted_policies_cost_nothing(spec, cost):
    env = make("SG")
    load_policy(spec).run(env, env.reset(seed=0)[0])
    assert core(env)._info()["cost"]["inference_usd"] == cost


def test_tools_may_charge():
    env = toy_env()
    seed = next(seed for seed in range(99) if env.reset(seed=seed) and episode(env).case.outcome == "ordered")
    load_policy("expert").run(env, env.reset(seed=seed)[0])
    assert core(env)._info()["cost"] == {"inference_usd": 0.0, "tool_fees_usd": 0.01, "total_usd": 0.01}


def test_normalized_values_need_reference_medians(tmp_path):
    file = tmp_path / "medians.toml"
    write_medians(file, {TASK_ID: {"SG": Median(100.0, 5, 5, RELEASE, "2026-06-01", "pilot", "standard", 0.5)}})
    env = make("SG", reference=str(file))
    assert env.reset(seed=0)[1]["normalized"] == {"time": None, "cost": None}
    core(env).record_usage(usd=0.25)
    info = solve(env)
    cost = 0.25 + info["cost"]["tool_fees_usd"]
    assert info["normalized"] == {"time": 100.0 / info["time"]["elapsed_s"], "cost": 0.5 / cost}
    assert info["reward"] == 1.0
    env = make("KR", 0, reference=str(file))
    assert solve(env)["normalized"] == {"time": None, "cost": None}


def test_the_verdict_is_frozen_and_readable():
    env = make("SG", 0)
    verdict = solve(env)["verdict"]
    assert core(env).verdict is verdict
    for thing, name in ((verdict, "outcome"), (verdict.clauses[0], "held")):
        with pytest.raises(AttributeError):
            setattr(thing, name, "success")
    assert isinstance(verdict.clauses, tuple)
    assert {one.id for one in verdict.clauses} == core(env)._episode.instance.sentences.keys()
    assert all(one.id in str(verdict) and one.sentence in str(verdict) for one in verdict.clauses)
