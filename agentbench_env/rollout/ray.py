"""The Ray engine: episodes in processes of a Ray cluster, yielded as they end."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from secrets import token_hex
from socket import create_connection
from typing import Any

from agentbench_env.errors import ClusterFault
from agentbench_env.extras import need
from agentbench_env.policies import load_policy
from agentbench_env.registry import RELEASE
from agentbench_env.rollout.concurrent import close, play
from agentbench_env.rollout.crew import share_out
from agentbench_env.rollout.engine import AHEAD, Job, given_up, run_job
from agentbench_env.rollout.store import library_versions
from agentbench_env.rollout.trajectory import Trajectory

CPUS = 0.1
"""What a process asks of the cluster: a share so small that a busy cluster takes it, too."""
REACH_S = 10.0
START_S = 120.0
CLOSE_S = 5.0


def load_ray() -> Any:
    """Return Ray, told to print nothing among a program's own output; raise MissingExtra if it is not installed."""
    # What it has to say of dead processes would go to the standard output; it reads this only when it is imported.
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", "^")
    os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")
    return need("ray", "ray")


def run_on_ray(
    jobs: Iterable[Job],
    concurrency: int | None = None,
    workers: int | None = None,
    retries: int = 0,
    address: str | None = None,
) -> Iterator[Trajectory]:
    """Run episodes in the processes of a Ray cluster and yield their records in the order of completion.

    Joins the cluster that this process has joined already, or the one at `address`, or the one that the environment
    variable RAY_ADDRESS names; where there is none it starts one of its own on this machine and stops it at the end.
    Episodes are taken as records are; what a dead process had in hand is run again as the local engine does.

    Args:
        jobs: the episodes, all for one policy.
        concurrency: how many episodes each process has in flight, for policies that wait; None: one after another.
        workers: processes; None: as many as the cluster has cores.
        retries: how often an episode with an infrastructure outcome is run again; the last outcome is yielded.
        address: of a running cluster, e.g. `auto` or `10.0.0.5:6379`.

    Raises:
        MissingExtra: Ray is not installed.
        ClusterFault: no cluster can be joined or started, or its machines have another release or other libraries.
    """
    with cluster(address, workers) as ray:
        number = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        hire = lambda: _Actor(ray, concurrency, retries)
        first = [hire() for _ in range(number)]
        _await(ray, first)
        yield from share_out(jobs, lambda: first.pop() if first else hire(), number, given_up, in_order=False)


@contextmanager
def cluster(address: str | None = None, workers: int | None = None) -> Generator[Any]:
    """Be in a Ray cluster for a while, as `run_on_ray` says; several runs may share it. Gives Ray.

    Args:
        address: of a running cluster.
        workers: how many cores one of its own claims to have at least.

    Raises:
        MissingExtra, ClusterFault: there is none.
    """
    ray = load_ray()
    if ray.is_initialized():
        yield ray
        return
    address = address or os.environ.get("RAY_ADDRESS") or "local"
    own: dict[str, Any] = {}
    if address == "local":
        own = {"num_cpus": max(workers or 0, os.cpu_count() or 1), "include_dashboard": False}
        # Who has the token can join; where there is none Ray writes one into the user's home.
        os.environ.setdefault("RAY_AUTH_TOKEN", token_hex(32))
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        _reach(address)
        ray.init(address, log_to_driver=False, logging_level="ERROR", **own)
    except Exception as error:  # Ray has no class of its own for this.
        what = "start" if own else f"join the cluster at {address}"
        raise ClusterFault(f"Ray could not {what}: {_last_line(error)}") from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _reach(address: str) -> None:
    """Raise an error if nobody listens at HOST:PORT, where Ray would go on trying for minutes."""
    if "://" in address:
        raise ValueError("name HOST:PORT, from a machine that is in the cluster")
    host, _, port = address.rpartition(":")
    if host:
        create_connection((host, int(port)), REACH_S).close()


class _Actor:
    """One of the cluster's processes as a worker."""

    def __init__(self, ray: Any, concurrency: int | None, retries: int) -> None:
        self._ray, self._retries, self._waits = ray, retries, concurrency is not None
        self.room = concurrency or AHEAD
        self.deaths = (ray.exceptions.RayActorError, ray.exceptions.ObjectLostError)
        # Room for its closing beside the episodes in flight.
        options = {"max_concurrency": self.room + 1} if self._waits else {}
        made = ray.remote(Waiting if self._waits else Computing)
        made = made.options(num_cpus=CPUS, scheduling_strategy="SPREAD", **options)
        self._process = made.remote(_versions())
        self.begun = self._process.begun.remote()

    def start(self, job: Job) -> Future[Trajectory]:
        return self._process.run.remote(job, self._retries).future()

    def close(self) -> None:
        if self._waits:
            self._ray.wait([self._process.close.remote()], timeout=CLOSE_S)
        self._ray.kill(self._process)


def _await(ray: Any, actors: list[_Actor]) -> None:
    """Wait for processes to begin."""
    try:
        ray.get([actor.begun for actor in actors], timeout=START_S)
    except ray.exceptions.GetTimeoutError as error:
        why = f"{len(actors)} processes did not begin within {START_S:.0f} s; ask for fewer --workers"
        raise ClusterFault(f"the Ray cluster is too busy or too small: {why}") from error
    except ray.exceptions.RayError as error:
        raise ClusterFault(f"the Ray cluster cannot run episodes: {_last_line(error)}") from error


def _versions() -> dict[str, str]:
    return {"agentbench-env": RELEASE} | library_versions()


def _last_line(error: Exception) -> str:
    """Return the end of Ray's long messages, which says what is the matter."""
    return str(error).strip().rpartition("\n")[2]


class _Home:
    """A process in the cluster; it must have what the run is said to have."""

    def __init__(self, versions: Mapping[str, str]) -> None:
        if (here := _versions()) != versions:
            raise ClusterFault(f"a machine of the cluster has {here}, and the run is of {dict(versions)}")

    def begun(self) -> None:
        """Return when the process has begun."""


class Computing(_Home):
    """An actor that runs episodes one after another."""

    def run(self, job: Job, retries: int) -> Trajectory:
        """Run one episode."""
        return run_job(job, retries)


class Waiting(_Home):
    """An actor with many episodes in flight."""

    def __init__(self, versions: Mapping[str, str]) -> None:
        super().__init__(versions)
        self._policies = dict[str, Any]()

    async def run(self, job: Job, retries: int) -> Trajectory:
        """Run one episode, beside others."""
        if job.policy not in self._policies:
            self._policies[job.policy] = load_policy(job.policy)
        return await play(job, self._policies[job.policy], retries)

    async def close(self) -> None:
        """Let the policy close what it holds open."""
        for policy in self._policies.values():
            await close(policy)
