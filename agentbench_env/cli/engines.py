"""Which engine a command is asked to run episodes by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from agentbench_env.cli.output import WrongUse
from agentbench_env.errors import WrongArgument

if TYPE_CHECKING:
    from agentbench_env.policies import Policy
    from agentbench_env.rollout.engine import Job
    from agentbench_env.rollout.trajectory import Trajectory

IN_FLIGHT = 16
ENGINES = ("local", "ray")

OneEngine = Annotated[
    str, typer.Option("--engine", help="local, on this machine, or ray, in a Ray cluster (extra agentbench-env[ray]).")
]
RayAddress = Annotated[
    str | None,
    typer.Option(
        "--ray-address",
        metavar="ADDRESS",
        help="The running cluster that --engine ray joins: auto or HOST:PORT.",
        show_default="RAY_ADDRESS, or else a cluster of its own on this machine",
    ),
]
EngineWorkers = Annotated[
    int | None, typer.Option("--workers", min=1, help="Processes.", show_default="1, or with Ray the cluster's cores")
]
Concurrency = Annotated[
    int | None,
    typer.Option(
        "--concurrency",
        min=1,
        help="Episodes in flight at once, with Ray in each process; for chat:MODEL and other policies that wait.",
        show_default=str(IN_FLIGHT),
    ),
]


def engine_of(
    policy: Policy, engine: str, ray_address: str | None, workers: int | None, concurrency: int | None, retries: int
) -> Callable[[Iterable[Job]], Iterator[Trajectory]]:
    """Return what runs a policy's episodes: many in flight if it waits, else one after another in each process.

    Raises:
        WrongUse, WrongArgument: the options do not fit each other.
        MissingExtra: the engine's library is not installed.
    """
    from agentbench_env.policies import waits

    if engine not in ENGINES:
        raise WrongArgument("--engine", engine, ENGINES)
    if not waits(policy):
        if concurrency is not None:
            raise WrongUse(f"--concurrency is for policies that wait; {policy.name} computes: use --workers")
    else:
        concurrency = concurrency or IN_FLIGHT
    if engine == "ray":
        return _ray(ray_address, workers, concurrency, retries)
    if ray_address is not None:
        raise WrongUse("--ray-address belongs to --engine ray, and the engine is local")
    return _local(policy, workers or 1, concurrency, retries)


def _ray(
    address: str | None, workers: int | None, concurrency: int | None, retries: int
) -> Callable[[Iterable[Job]], Iterator[Trajectory]]:
    from agentbench_env.rollout.ray import load_ray, run_on_ray

    load_ray()  # Before anything is written, so that a missing one is said first.
    return partial(run_on_ray, concurrency=concurrency, workers=workers, retries=retries, address=address)


def _local(
    policy: Policy, workers: int, concurrency: int | None, retries: int
) -> Callable[[Iterable[Job]], Iterator[Trajectory]]:
    from agentbench_env.rollout.concurrent import run_waiting
    from agentbench_env.rollout.engine import run_jobs

    if concurrency is None:
        return partial(run_jobs, workers=workers, retries=retries)
    if workers > 1:
        raise WrongUse(f"--workers is for policies that compute; {policy.name} waits: use --concurrency")
    return partial(run_waiting, policy=policy, concurrency=concurrency, retries=retries)
