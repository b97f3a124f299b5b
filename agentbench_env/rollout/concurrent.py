"""The engine of policies that wait: many episodes in flight in one process, yielded as they end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import gymnasium as gym

from agentbench_env.errors import EndpointRefused
from agentbench_env.policies import Policy
from agentbench_env.rollout.engine import Job, begin, end
from agentbench_env.rollout.record import RecordTrajectory
from agentbench_env.rollout.trajectory import Trajectory


def run_waiting(jobs: Iterable[Job], policy: Policy, concurrency: int, retries: int = 0) -> Iterator[Trajectory]:
    """Run episodes of a policy whose `run` is a coroutine, and yield their records in the order of completion.

    Jobs are taken only as episodes end, so that as many environments exist as episodes are in flight. Environments
    are stepped in this process, between the policy's waits; while the consumer has a record, nothing else goes on.

    Args:
        jobs: the episodes, all for this policy.
        policy: plays them all.
        concurrency: how many episodes are in flight, from 1.
        retries: how often an episode with an infrastructure outcome is run again; the last outcome is yielded.

    Raises:
        EndpointRefused: the endpoint refuses every episode; those that have ended are yielded before.
    """
    rest = iter(jobs)
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        flying = {loop.create_task(play(job, policy, retries)) for job in islice(rest, concurrency)}
        try:
            while flying:
                landed, flying = runner.run(asyncio.wait(flying, return_when=asyncio.FIRST_COMPLETED))
                flying |= {loop.create_task(play(job, policy, retries)) for job in islice(rest, len(landed))}
                # An episode that ended is not lost where another one, at the same time, ended the run.
                yield from (task.result() for task in sorted(landed, key=lambda task: task.exception() is not None))
        finally:
            runner.run(_give_up(policy, flying))


async def play(job: Job, policy: Policy, retries: int) -> Trajectory:
    """Run one episode, and again while its outcome is infrastructure and retries are left."""
    made: gym.Env[dict[str, Any], Any] = gym.make(job.env_id, disable_env_checker=True, **job.kwargs)
    env = RecordTrajectory(made, policy=job.policy)
    try:
        one = await _episode(env, job, policy)
        while not one.scored and retries > 0:
            one = await _episode(env, job, policy)
            retries -= 1
    finally:
        env.close()
    return one


async def _episode(env: RecordTrajectory, job: Job, policy: Policy) -> Trajectory:
    try:
        waiting = policy.run(env, begin(env, job.seed, job.trial))
        assert waiting is not None
        await waiting
    except EndpointRefused:
        raise
    except Exception as error:
        return end(env, error)
    return end(env)


async def _give_up(policy: Policy, flying: Iterable[asyncio.Task[Trajectory]]) -> None:
    """Give up the episodes that are still in flight, and let the policy close what it holds open."""
    for task in flying:
        task.cancel()
    await asyncio.gather(*flying, return_exceptions=True)
    await close(policy)


async def close(policy: Policy) -> None:
    """Let a policy close what it holds open, if it has a way to."""
    closing = getattr(policy, "close", None)
    if closing is not None:
        await closing()
