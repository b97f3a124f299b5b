"""The contracts, where their tasks live, and the ids of the environments.

Contracts never change and are read from `contracts.toml`; a task's module is found from its id. Packages of others
add tasks by the entry-point group `agentbench_env.tasks` (name: task id, value: `module:TaskClass`).
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from agentbench_env.errors import TaskNotBuilt, WrongArgument

if TYPE_CHECKING:
    from agentbench_env.task import Task

NAMESPACE = "Agentbench"
RELEASE = "2026.1"
"""Raised by every change that alters an instance or a verdict."""
ENTRY_POINTS = "agentbench_env.tasks"


class Contract(NamedTuple):
    """What never changes about a contract; its title and clauses stand in its task's file."""

    id: str
    number: str
    domain: str
    domain_title: str
    package: str
    timeout_s: float
    markets: tuple[str, ...]

    @property
    def module(self) -> str:
        """The module of the contract's task."""
        return f"agentbench_tasks.{self.package}.{self.id.partition('-')[2].replace('-', '_')}"

    @property
    def env_ids(self) -> tuple[str, ...]:
        """The ids of the contract's environments, one a market."""
        return tuple(f"{NAMESPACE}/{self.id}-{market}" for market in self.markets)


@cache
def contracts() -> dict[str, Contract]:
    """Return the suite's contracts by id, in the order of their numbers."""
    data = tomllib.loads((files("agentbench_env") / "contracts.toml").read_text(encoding="utf-8"))
    markets = tuple(data["markets"])
    return {
        id: Contract(id, number, prefix, domain["title"], domain["package"], float(domain["timeout_s"]), markets)
        for prefix, domain in data["domains"].items()
        for number, id in domain["contracts"].items()
    }


def contract(task_id: str) -> Contract:
    """Return one contract; raise WrongArgument for an unknown id."""
    known = contracts() | third_party_contracts()
    if task_id not in known:
        raise WrongArgument("task", task_id, known)
    return known[task_id]


@cache
def third_party_contracts() -> dict[str, Contract]:
    """Return the contracts of installed third-party tasks; each names its own time limit and markets."""
    found: dict[str, Contract] = {}
    for point in entry_points(group=ENTRY_POINTS):
        task: Any = point.load()
        domain, limit, markets = point.name.partition("-")[0], float(task.timeout_s), tuple(task.markets)
        found[point.name] = Contract(point.name, "", domain, task.__module__, "", limit, markets)
    return found


def is_built(one: Contract) -> bool:
    """Whether the contract's task exists; looks at files, imports nothing."""
    if not one.package:
        return True
    return (files("agentbench_tasks") / one.package / f"{one.module.rpartition('.')[2]}.py").is_file()


@cache
def load_task(task_id: str) -> Task[Any]:
    """Return the task of a contract; raise TaskNotBuilt if it does not exist yet."""
    from agentbench_env.task import Task

    one = contract(task_id)
    if not one.package:
        (point,) = entry_points(group=ENTRY_POINTS, name=task_id)
        return point.load()()
    if not is_built(one):
        raise TaskNotBuilt(one.id, one.number)
    module = import_module(one.module)
    (task,) = (
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Task) and value.__module__ == module.__name__
    )
    return task()


def register_all() -> None:
    """Register the environments of every contract with Gymnasium. Imports no task."""
    import gymnasium as gym

    for one in (contracts() | third_party_contracts()).values():
        for market, env_id in zip(one.markets, one.env_ids, strict=True):
            if env_id not in gym.registry:
                gym.register(
                    env_id,
                    entry_point="agentbench_env.env:AgentbenchEnv",
                    kwargs={"task": one.id, "market": market},
                )


def split_env_id(env_id: str) -> tuple[str, str]:
    """Return (task id, market) of an environment's id, with or without the namespace; raise WrongArgument."""
    name = env_id.removeprefix(f"{NAMESPACE}/")
    task_id, _, market = name.rpartition("-")
    known = contracts() | third_party_contracts()
    if task_id not in known or market not in known[task_id].markets:
        raise WrongArgument("environment id", name, [id.partition("/")[2] for c in known.values() for id in c.env_ids])
    return task_id, market
