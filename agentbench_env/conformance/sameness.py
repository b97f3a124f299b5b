"""Proofs that an instance and an episode are the same everywhere, and that environments are good Gymnasium citizens."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import gymnasium as gym
from gymnasium.utils.env_checker import check_env

from agentbench_env.conformance.fresh import marks
from agentbench_env.conformance.report import Found, each_seed, over_seeds
from agentbench_env.conformance.subject import Subject, action_of, episode_of, replay
from agentbench_env.env import AgentbenchEnv

FOREIGN = {"PYTHONHASHSEED": "4242", "TZ": "Asia/Kathmandu", "LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"}
"""Surroundings that must make no difference."""


@over_seeds
def same_bytes(subject: Subject, seeds: Sequence[int]) -> Iterator[Found]:
    """A fresh process with another hash seed, time zone and language builds the same instances and episodes."""
    keys = [(subject.task_id, subject.market, subject.difficulty, subject.split, seed) for seed in seeds]
    surroundings = {**os.environ, **FOREIGN, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-m", "agentbench_env.conformance.fresh"],
        input=json.dumps(keys),
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        env=surroundings,
        check=False,
    )
    if done.returncode:
        yield Found(seeds[0], f"the fresh process failed:\n{done.stderr[-4000:]}", True)
        return
    for seed, key, there in zip(seeds, keys, json.loads(done.stdout), strict=True):
        here = marks(*key)
        differing = [name for name in here if here[name] != there[name]]
        if differing:
            yield Found(seed, f"a fresh process gives another {' and '.join(differing)}")
            return


@each_seed(most=1)
def gymnasium(subject: Subject, seed: int) -> Iterator[str]:
    """Gymnasium's own checker passes with every warning an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gym.make(subject.env_id, split=subject.split, difficulty=subject.difficulty, disable_env_checker=True)
        check_env(env.unwrapped)
    yield from ()


@each_seed(most=24)
def snapshots(subject: Subject, seed: int) -> Iterator[str]:
    """From a restored snapshot the same actions lead to the same lineage."""
    env, rest, head = _halfway(subject, seed)
    snapshot = env.snapshot()
    for attempt in ("first", "second"):
        replay(env, rest)
        if env.lineage.head != head:
            yield f"the {attempt} run from a snapshot ends in another lineage than the expert's"
        if not env.lineage.verify():
            yield f"the lineage of the {attempt} run from a snapshot does not verify"
        env.restore(snapshot)


@each_seed(most=24)
def forks(subject: Subject, seed: int) -> Iterator[str]:
    """What happens in a fork changes nothing in its origin."""
    env, rest, head = _halfway(subject, seed)
    before = _state(env)
    twin = env.fork()
    replay(twin, rest)
    if twin.lineage.head != head:
        yield "a fork ends in another lineage than the expert's"
    if _state(env) != before:
        yield "what a fork did has changed its origin"
    replay(env, rest)
    if env.lineage.head != head:
        yield "after a fork the origin ends in another lineage than the expert's"


@each_seed(most=3)
def pickling(subject: Subject, seed: int) -> Iterator[str]:
    """A pickled or deep-copied environment goes on as the original does."""
    ways: dict[str, Callable[[AgentbenchEnv], AgentbenchEnv]] = {
        "pickled": lambda env: pickle.loads(pickle.dumps(env)),
        "deep-copied": copy.deepcopy,
    }
    for name, copied in ways.items():
        env, rest, head = _halfway(subject, seed)
        before = _state(env)
        twin = copied(env)
        replay(twin, rest)
        if twin.lineage.head != head:
            yield f"a {name} environment ends in another lineage than the expert's"
        if _state(env) != before:
            yield f"what a {name} environment did has changed its origin"


def _halfway(subject: Subject, seed: int) -> tuple[AgentbenchEnv, list[dict[str, Any]], str]:
    """Return an environment halfway through the expert's run, the actions left, and the head they must lead to."""
    solved = subject.solved(seed)
    actions = [action_of(entry) for entry in solved.lineage]
    env = subject.env(seed)
    replay(env, actions[: len(actions) // 2])
    return env, actions[len(actions) // 2 :], solved.lineage.head


def _state(env: AgentbenchEnv) -> tuple[object, ...]:
    episode = episode_of(env)
    seen, stamps = tuple(episode.seen_ids), tuple(episode.world.stamps)
    return env.lineage.head, episode.world.digest(), episode.elapsed_s, seen, stamps, tuple(episode.approvals.values())
