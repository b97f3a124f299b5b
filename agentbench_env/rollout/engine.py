"""The local engine: episodes one after another, in this process or in several, in the order they were asked for."""

from __future__ import annotations

import gc
import os
from collections.abc import Container, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache, partial
from multiprocessing import parent_process
from signal import SIG_DFL, SIGINT, signal
from threading import Thread
from typing import Any

import gymnasium as gym
import msgspec

from agentbench_env.draw import stable_number
from agentbench_env.errors import EndpointFault, EndpointRefused, PolicyStopped
from agentbench_env.policies import Policy, load_policy
from agentbench_env.rollout.crew import MOST_DEATHS, share_out
from agentbench_env.rollout.garbage import YOUNG, seldom_collected
from agentbench_env.rollout.record import RecordTrajectory
from agentbench_env.rollout.store import Selection
from agentbench_env.rollout.trajectory import Key, Trajectory

KEPT = 4
"""Environments and policies that a process keeps for the next episode."""
AHEAD = 2
"""Episodes a worker has in hand or waiting."""


class Job(msgspec.Struct, frozen=True):
    """One episode to be run: plain values, so that it travels between processes."""

    env_id: str
    seed: int
    trial: int
    kwargs: dict[str, Any]
    policy: str


class WorkerDied(RuntimeError):
    """The processes that ran an episode were killed, e.g. for want of memory."""


def jobs_of(
    selection: Selection, policy: str, secret: Mapping[str, Any] | None = None, done: Container[Key] = ()
) -> Iterator[Job]:
    """Yield a selection's episodes by environment, seed and trial.

    Args:
        selection: what is asked for.
        policy: what plays, see `load_policy`.
        secret: arguments of the environment that are used and not recorded.
        done: episodes to be left out.
    """
    kwargs = selection.kwargs | dict(secret or {})
    return (Job(*key, kwargs, policy) for key in selection.episodes() if key not in done)


def run_jobs(jobs: Iterable[Job], workers: int = 1, retries: int = 0) -> Iterator[Trajectory]:
    """Run episodes and yield their records in the order of `jobs`, whatever the number of processes.

    Reads only a few jobs ahead, so that memory does not grow with their number. What a killed process had in hand is
    run again in another one; an episode that costs too many of them has an infrastructure outcome.

    Args:
        jobs: what is run.
        workers: processes; 1 runs all in this one.
        retries: how often an episode with an infrastructure outcome is run again; the last outcome is yielded.
    """
    if workers <= 1:
        with seldom_collected():
            yield from (run_job(job, retries) for job in jobs)
        return
    yield from share_out(jobs, partial(_Process, retries), workers, given_up, in_order=True)


def run_job(job: Job, retries: int = 0) -> Trajectory:
    """Run one episode, and again while its outcome is infrastructure and retries are left."""
    env, policy = _env_of(job), _policy(job.policy)
    one = run_episode(policy, env, job.seed, job.trial)
    while not one.scored and retries > 0:
        one = run_episode(policy, env, job.seed, job.trial)
        retries -= 1
    return one


def given_up(job: Job, death: BaseException) -> Trajectory:
    """Return the record of an episode that cost too many processes: it has begun, and no more."""
    env = _env_of(job)
    begin(env, job.seed, job.trial)
    last = str(death).strip().rpartition("\n")[2]
    return end(env, WorkerDied(f"{MOST_DEATHS} processes died that ran it, the last for this reason: {last}"))


class _Process:
    """A process that runs episodes one after another."""

    room = AHEAD
    deaths = (BrokenProcessPool,)

    def __init__(self, retries: int) -> None:
        self._retries = retries
        self._pool = ProcessPoolExecutor(1, initializer=_begin_worker)

    def start(self, job: Job) -> Future[Trajectory]:
        try:
            return self._pool.submit(run_job, job, self._retries)
        except BrokenProcessPool as error:
            failed = Future[Trajectory]()
            failed.set_exception(error)
            return failed

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)


def _begin_worker() -> None:
    """Let a worker end at Ctrl-C without a word, and with its parent, which it would otherwise outlive if killed."""
    gc.set_threshold(YOUNG)
    signal(SIGINT, SIG_DFL)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def run_episode(policy: Policy, env: RecordTrajectory, seed: int, trial: int = 0) -> Trajectory:
    """Run a policy through one episode and return the record.

    Whatever a policy or the suite raises is recorded as an infrastructure outcome and stops nothing else; an
    `EndpointFault` is the endpoint's.

    Raises:
        EndpointRefused: no episode can be played; this one leaves no record.
    """
    try:
        policy.run(env, begin(env, seed, trial))
    except EndpointRefused:
        raise
    except Exception as error:
        return end(env, error)
    return end(env)


def begin(env: RecordTrajectory, seed: int, trial: int) -> dict[str, Any]:
    """Begin the recording of an episode and return its first observation.

    The action space is seeded by environment, seed and trial.
    """
    env.trajectory, env.trial = None, trial
    observation, _ = env.reset(seed=seed)
    env.action_space.seed(stable_number("action space", env.env_id, seed, trial) % 2**32)
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


def _env_of(job: Job) -> RecordTrajectory:
    return _env(job.env_id, msgspec.json.encode(job.kwargs, order="sorted"), job.policy)


@lru_cache(maxsize=KEPT)
def _env(env_id: str, kwargs: bytes, policy: str) -> RecordTrajectory:
    made = gym.make(env_id, disable_env_checker=True, **msgspec.json.decode(kwargs))
    return RecordTrajectory(made, policy=policy)


@lru_cache(maxsize=KEPT)
def _policy(spec: str) -> Policy:
    return load_policy(spec)
