"""The local engine: episodes one after another, in this process or in several, in the order they were asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from typing import Any

import gymnasium as gym
import msgspec

from agentbench_env.errors import EndpointFault, PolicyStopped
from agentbench_env.policies import Policy, load_policy
from agentbench_env.rollout.record import RecordTrajectory
from agentbench_env.rollout.store import Selection
from agentbench_env.rollout.trajectory import Trajectory

KEPT = 4
"""Environments and policies that a process keeps for the next episode."""


class Job(msgspec.Struct, frozen=True):
    """One episode to be run: plain values, so that it travels between processes."""

    env_id: str
    seed: int
    trial: int
    kwargs: dict[str, Any]
    policy: str


def jobs_of(selection: Selection, policy: str, secret: Mapping[str, Any] | None = None) -> list[Job]:
    """Return a selection's episodes by environment, seed and trial; `secret` arguments are used and not recorded."""
    kwargs = selection.kwargs | dict(secret or {})
    return [Job(*key, kwargs, policy) for key in selection.episodes()]


def run_jobs(jobs: Sequence[Job], workers: int = 1) -> Iterator[Trajectory]:
    """Run episodes and yield their records in the order of `jobs`, whatever the number of processes."""
    if workers <= 1:
        yield from map(run_job, jobs)
        return
    chunk = max(1, min(16, len(jobs) // (4 * workers)))
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(run_job, jobs, chunksize=chunk)


def run_job(job: Job) -> Trajectory:
    """Run one episode."""
    env = _env(job.env_id, msgspec.json.encode(job.kwargs, order="sorted"), job.policy)
    return run_episode(_policy(job.policy), env, job.seed, job.trial)


def run_episode(policy: Policy, env: RecordTrajectory, seed: int, trial: int = 0) -> Trajectory:
    """Run a policy through one episode and return the record.

    Whatever a policy or the suite raises is recorded as an infrastructure outcome and stops nothing else; an
    `EndpointFault` is the endpoint's.
    """
    try:
        policy.run(env, begin(env, seed, trial))
    except Exception as error:
        return end(env, error)
    return end(env)


def begin(env: RecordTrajectory, seed: int, trial: int) -> dict[str, Any]:
    """Begin the recording of an episode and return its first observation."""
    env.trajectory, env.trial = None, trial
    observation, _ = env.reset(seed=seed)
    env.action_space.seed(seed)
    return observation


def end(env: RecordTrajectory, error: Exception | None = None) -> Trajectory:
    """Return the record of an episode whose policy has returned, or has raised an error."""
    match error:
        case None:
            env.abandon()
        case PolicyStopped():
            env.abandon(str(error))
        case EndpointFault():
            env.fail("endpoint", error)
        case _:
            # What the environment raised is recorded already; this records what else went wrong.
            env.fail("policy", error)
    assert env.trajectory is not None
    return env.trajectory


@lru_cache(maxsize=KEPT)
def _env(env_id: str, kwargs: bytes, policy: str) -> RecordTrajectory:
    made = gym.make(env_id, disable_env_checker=True, **msgspec.json.decode(kwargs))
    return RecordTrajectory(made, policy=policy)


@lru_cache(maxsize=KEPT)
def _policy(spec: str) -> Policy:
    return load_policy(spec)
