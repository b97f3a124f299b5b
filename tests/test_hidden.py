"""Nothing that a policy is handed holds the goal, the checks or the world before they are shown."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.wrappers import RecordEpisodeStatistics
from showcase import MARKETS, core, env_id, episode, expert_actions, make, solve
from toy import toy_env

from agentbench_env.boundary import Policy
from agentbench_env.episode import Episode
from agentbench_env.instance import Instance
from agentbench_env.policies.expert import Do, run_script
from agentbench_env.rollout import RecordTrajectory
from agentbench_env.task import Task, TaskScript
from agentbench_env.user import RuleUser, Script
from agentbench_env.verdict import Verdict
from agentbench_env.world import Record, Start, World

HIDDEN = (Episode, Instance, Task, TaskScript, World, Start, Record, Policy, Do, Verdict)
DEEPEST = 8
LEAVES = (str, bytes, int, float, type(None), np.ndarray, np.generic, np.random.Generator, np.random.BitGenerator)
NOT_LOOKED_INTO = (type, types.ModuleType, types.FunctionType, types.MethodType, types.BuiltinFunctionType)


def children(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        yield from ((f"[{key!r}]", child) for pair in value.items() for key, child in ((pair[0], pair[0]), pair))
    elif isinstance(value, list | tuple | set | frozenset):
        yield from ((f"[{number}]", child) for number, child in enumerate(value))
    for name in dir(value):
        if not name.startswith("_"):
            try:
                child = getattr(value, name)
            except Exception:  # what cannot be read gives nothing away
                continue
            yield f".{name}", child


def reachable(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield everything that public attributes and containers lead to, each object once."""
    known: dict[int, Any] = {}
    rows = [(path, value, 0)]
    while rows:
        place, one, depth = rows.pop()
        if id(one) in known:
            continue
        # Kept, so that no other object gets its id.
        known[id(one)] = one
        yield place, one
        if depth < DEEPEST and not isinstance(one, (*LEAVES, *NOT_LOOKED_INTO)):
            rows += [(place + name, child, depth + 1) for name, child in children(one)]


def secrets_of(env: Any) -> tuple[set[str], tuple[type, ...]]:
    """The ids that the goal names and that no result has printed, and the types of what is hidden."""
    ep = episode(env)
    built = ep.case.built
    goal = {id for pair in built.right for id in pair} | {option.service.id for option in built.target}
    kinds = {type(ep.case), type(built), type(built.wish), type(built.inventory), type(built.target[0])}
    printed = "".join(ep.lineage.content(index) for index in range(-1, len(ep.lineage)))
    return {id for id in goal if id not in printed}, (*HIDDEN, *kinds)


def leaks(env: Any, handed: dict[str, Any]) -> list[str]:
    ids, kinds = secrets_of(env)
    assert ids
    found = []
    for place, one in reachable(handed, ""):
        if isinstance(one, kinds):
            found.append(f"{place} is a {type(one).__name__}")
        if isinstance(one, str):
            found += [f"{place} holds {id}" for id in ids if id in one]
    return found


def handed(env: Any, *more: Any) -> dict[str, Any]:
    spaces = {"action_space": env.action_space, "observation_space": env.observation_space}
    return {"env": env, "core": env.unwrapped, "spaces": spaces, "spec": env.spec, "more": more}


@pytest.mark.parametrize("market", MARKETS)
def test_the_goal_cannot_be_reached_after_reset(market):
    env = make(market)
    assert leaks(env, handed(env, *env.reset(seed=0))) == []


@pytest.mark.parametrize("market", MARKETS)
def test_the_goal_cannot_be_reached_while_looking_around(market):
    env = make(market)
    results: list[Any] = [env.reset(seed=1)]
    for action in expert_actions(market, 1):
        if action["tool"] == "carrier_search_services":
            break
        results.append(env.step(action))
    results.append(env.step({"tool": "carrier_get_service", "arguments": {"service_id": "no such"}}))
    results.append(env.step("no call"))
    assert len(results) > 4
    assert leaks(env, handed(env, *results)) == []


def test_wrappers_hide_it_too():
    env = RecordTrajectory(RecordEpisodeStatistics(gym.make(env_id("SG"))))
    found = leaks_after(env, env.reset(seed=2))
    assert found == []
    vector = gym.make_vec(env_id("SG"), num_envs=1, vectorization_mode="sync")
    observation, info = vector.reset(seed=2)
    assert leaks(vector.envs[0], {"vector": vector, "observation": observation, "info": info}) == []
    vector.close()


def leaks_after(env: Any, start: Any) -> list[str]:
    return leaks(env, handed(env, start, env.step({"tool": "papers_list"})))


def test_snapshots_and_forks_hide_it_too():
    env = make("SG", 0)
    twin = core(env).fork()
    assert leaks(env, {"snapshot": core(env).snapshot(), "fork": twin, "space": twin.action_space}) == []


def test_the_end_is_told_only_at_the_end():
    env = make("SG", 0)
    assert core(env).verdict is None
    info = solve(env)
    assert isinstance(info["verdict"], Verdict)
    assert isinstance(core(env).verdict, Verdict)


def test_this_test_would_find_it():
    env = make("SG", 0)
    (target, *_) = episode(env).case.built.right
    assert leaks(env, {"notes": [{"deep": (f"Buy {target[0]}.",)}]}) == [f"['notes'][0]['deep'][0] holds {target[0]}"]
    for secret in (episode(env), episode(env).case, episode(env).world, episode(env).task, core(env)._episode.instance):
        assert leaks(env, {"x": [secret]})[0].startswith("['x'][0] is a ")


def test_the_world_itself_is_not_reachable_by_ids():
    env = make("SG", 0)
    shown = set(episode(env).shown)
    unseen = episode(env).world.start.records.keys() - shown
    texts = [one for _, one in reachable(handed(env), "") if isinstance(one, str)]
    assert [id for id in unseen for text in texts if text == id] == []


class Curious(RuleUser):
    """A user of one's own that notes what it is handed."""

    def __init__(self) -> None:
        self.handed: list[Any] = []

    def decide(self, proposal: Any, script: Script) -> Any:
        self.handed += [proposal, script]
        return super().decide(proposal, script)


def test_a_user_of_ones_own_is_handed_the_proposal_alone():
    user = Curious()
    env = toy_env(user=user)
    next(seed for seed in range(50) if env.reset(seed=seed) and episode(env).case.outcome == "ordered")
    ep = episode(env)
    run_script(ep.task.expert, env)
    kinds = (Episode, Instance, Task, World, Start, type(ep.case))
    assert user.handed[0].tool == "shop_send_order"
    assert [place for place, one in reachable(user.handed, "") if isinstance(one, kinds)] == []
