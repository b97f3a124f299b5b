"""Vector environments see and do what single ones do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from showcase import MARKETS, env_id, expert_actions, make

SEEDS = [3, 4]
FEW = 5


def row(batch: dict[str, Any], number: int) -> dict[str, Any]:
    return {key: values[number] for key, values in batch.items()}


def compare(vector: Any, markets: Sequence[str], seeds: Sequence[int]) -> None:
    """Play the same in the vector and in single environments; the results must be the same, and stay so."""
    actions = [expert_actions(market, seed)[:FEW] for market, seed in zip(markets, seeds, strict=True)]
    envs = [make(market) for market in markets]
    everybody = range(len(envs))
    starts = [env.reset(seed=seed) for env, seed in zip(envs, seeds, strict=True)]
    observation, info = vector.reset(seed=list(seeds))
    kept = [(observation, [start[0] for start in starts])]
    assert [info["lineage_head"][n] for n in everybody] == [start[1]["lineage_head"] for start in starts]
    for several in zip(*actions, strict=True):
        alone = [env.step(action) for env, action in zip(envs, several, strict=True)]
        observation, rewards, terminated, truncated, info = vector.step(several)
        kept.append((observation, [one[0] for one in alone]))
        for n in everybody:
            assert (rewards[n], terminated[n], truncated[n]) == alone[n][1:4]
            mine = alone[n][4]
            for key in ("lineage_head", "outcome", "verdict"):
                assert info[key][n] == mine[key]
            assert info["time"]["elapsed_s"][n] == mine["time"]["elapsed_s"]
            assert info["cost"]["tool_fees_usd"][n] == mine["cost"]["tool_fees_usd"]
    for observation, ones in kept:
        assert [row(observation, n) for n in everybody] == ones
    vector.close()


def make_vec(market: str, mode: str, **vector_kwargs: Any) -> Any:
    return gym.make_vec(env_id(market), num_envs=2, vectorization_mode=mode, vector_kwargs=vector_kwargs)


@pytest.mark.parametrize("market", MARKETS)
def test_sync(market):
    vector = make_vec(market, "sync")
    assert isinstance(vector, SyncVectorEnv)
    compare(vector, [market] * 2, SEEDS)


@pytest.mark.parametrize("market", MARKETS)
def test_async_forked(market):
    vector = make_vec(market, "async", context="fork")
    assert isinstance(vector, AsyncVectorEnv)
    compare(vector, [market] * 2, SEEDS)


def test_async_spawned():
    compare(make_vec("KR", "async", context="spawn"), ["KR"] * 2, SEEDS)


def test_async_without_shared_memory():
    compare(make_vec("TH", "async", context="fork", shared_memory=False), ["TH"] * 2, SEEDS)


@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_all_markets_side_by_side(context):
    makers = [partial(gym.make, f"agentbench_env:{env_id(market)}") for market in MARKETS]
    compare(AsyncVectorEnv(makers, context=context), MARKETS, range(len(MARKETS)))


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_whole_episodes(mode):
    actions = [expert_actions("SG", seed) for seed in SEEDS]
    vector = gym.make_vec(
        env_id("SG"), num_envs=2, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, max_steps=90
    )
    first, _ = vector.reset(seed=SEEDS)
    longest = max(map(len, actions))
    rewards = np.zeros(2)
    ended = [False, False]
    for step in range(longest):
        if all(ended):
            break
        both = [mine[step] if step < len(mine) else {"tool": "papers_list"} for mine in actions]
        if mode is AutoresetMode.DISABLED and any(ended):
            observation, _ = vector.reset(options={"reset_mask": np.array(ended)})
            ended = [False, False]
        observation, reward, terminated, truncated, info = vector.step(both)
        rewards += reward
        for number in range(2):
            if terminated[number] and len(actions[number]) == step + 1:
                final = info["final_info"] if mode is AutoresetMode.SAME_STEP else info
                assert final["outcome"][number] == "success"
                assert final["verdict"][number].success
                if mode is AutoresetMode.SAME_STEP:
                    assert observation["content"][number] != first["content"][number]
                ended[number] = mode is AutoresetMode.DISABLED
        assert not truncated.any()
    assert list(rewards) == [1.0, 1.0]
    vector.close()


def test_infos_of_different_kinds_are_batched():
    """One environment knows its cost, the other does not; one has ended, the other has not."""
    vector = gym.make_vec(
        env_id("SG"),
        num_envs=2,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": AutoresetMode.DISABLED},
        max_steps=2,
    )
    for known in (0, 1):
        vector.reset(seed=SEEDS)
        vector.envs[known].unwrapped.record_usage(usd=0.25)
        usage = [{"tool": "papers_list"}, {"tool": "papers_list"}]
        *_, info = vector.step(usage)
        assert info["cost"]["inference_usd"][known] == 0.25
        unknown = info["cost"]["inference_usd"][1 - known]
        assert unknown is None or np.isnan(unknown)
        assert info["cost"]["tool_fees_usd"].dtype == np.float64
        assert info["time"]["elapsed_s"].dtype == np.float64
        *_, truncated, info = vector.step(usage)
        assert truncated.all()
        assert [verdict.outcome for verdict in info["verdict"]] == ["max_steps", "max_steps"]
    vector.close()


def test_one_call_for_all_actions_of_a_vector():
    vector = gym.make_vec(env_id("SG"), num_envs=2, vectorization_mode="sync")
    vector.reset(seed=SEEDS)
    vector.action_space.seed(0)
    for _ in range(20):
        observation, *_ = vector.step(vector.action_space.sample())
        assert observation in vector.observation_space
    vector.close()
