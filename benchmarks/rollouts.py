"""What recording and storing adds to a rollout of the expert."""

from __future__ import annotations

import gc
from collections.abc import Callable
from tempfile import TemporaryDirectory
from typing import Any

import gymnasium as gym

from agentbench_env.instance import build_instance
from agentbench_env.policies import load_policy
from agentbench_env.rollout import RecordTrajectory, RunWriter
from agentbench_env.rollout.engine import run_episode
from agentbench_env.rollout.garbage import seldom_collected
from agentbench_env.rollout.store import Selection, describe_run
from benchmarks.measures import FIRST_SEED, chosen
from benchmarks.timing import Row, Sizes, timed

WARM = 2


def store(sizes: Sizes) -> list[Row]:
    """The expert's episodes of all tasks and markets, in a bare loop and through the store, taking turns.

    Both draw the instance anew; the store's share is the record, its digest, its line and the system's work to bring it
    to the disk, not the wait for the disk.
    """
    ids = [env_id for task in chosen(sizes.tasks) for env_id in task.env_ids]
    each = -(-sizes.stored // len(ids))
    times: list[tuple[int, int]] = []
    with TemporaryDirectory() as folder, RunWriter(folder, describe_run("expert", Selection((), (), {}))) as writer:
        for env_id in ids:
            times += _pairs(env_id, each, writer)
    alone, stored = (sum(column) for column in zip(*times, strict=True))
    group = f"{len(times):,} expert episodes"
    return [
        Row(group, "bare loop, mean", alone / len(times) / 1e6, "ms"),
        Row(group, "recorded and stored, mean", stored / len(times) / 1e6, "ms"),
        Row(group, "stored over bare", stored / alone, "x", 1.25),
    ]


def _pairs(env_id: str, number: int, writer: RunWriter) -> list[tuple[int, int]]:
    """Return the nanoseconds of each episode alone and stored; like a rollout, no environment but these is alive."""
    policy = load_policy("expert")
    bare: Any = gym.make(env_id, disable_env_checker=True)
    recorded = RecordTrajectory(gym.make(env_id, disable_env_checker=True), policy="expert")

    def play(seed: int) -> None:
        observation, _ = bare.reset(seed=seed)
        policy.run(bare, observation)

    def play_and_store(seed: int) -> None:
        with seldom_collected():  # as a rollout does
            writer.write(run_episode(policy, recorded, seed))

    times: list[tuple[int, int]] = []
    for place in range(WARM + number):
        works: list[Callable[[int], None]] = [play, play_and_store]
        spent: dict[Callable[[int], None], int] = {}
        for work in works if place % 2 else reversed(works):
            # The second one must neither find the instance that the first one drew nor clear up after it.
            build_instance.cache_clear()
            gc.collect(1)
            spent[work] = timed(work, FIRST_SEED + place)
        times.append((spent[play], spent[play_and_store]))
    return times[WARM:]
