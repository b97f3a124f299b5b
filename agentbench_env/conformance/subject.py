"""What proofs look at: one task in one market and difficulty, and runs of its scripts."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from agentbench_env.draw import Split
from agentbench_env.env import AgentbenchEnv
from agentbench_env.episode import Episode
from agentbench_env.instance import Instance, build_instance
from agentbench_env.lineage import Entry
from agentbench_env.policies.expert import Do, EpisodeOver, Refused, Stepping
from agentbench_env.policies.scripted import Script
from agentbench_env.registry import contract, load_task
from agentbench_env.task import Difficulty, Task

QUIET_EFFECTS = frozenset({"", "read", "user", "finish"})
"""Effects of calls that write nothing."""


class Subject(msgspec.Struct, frozen=True):
    """One task in one market, difficulty and split."""

    task_id: str
    market: str
    difficulty: Difficulty
    split: Split = "train"

    @property
    def env_id(self) -> str:
        """The environment's id."""
        one = contract(self.task_id)
        return one.env_ids[one.markets.index(self.market)]

    @property
    def task(self) -> Task[Any]:
        """The task."""
        return load_task(self.task_id)

    def instance(self, seed: int, injections: bool = False) -> Instance:
        """Return the instance of a seed."""
        return build_instance(self.task_id, self.market, self.split, self.difficulty, seed, injections)

    def env(self, seed: int, faults: float = 0.0, injections: bool = False) -> AgentbenchEnv:
        """Return an environment that was reset to a seed."""
        options: dict[str, Any] = {"faults": faults, "injections": injections}
        env = AgentbenchEnv(self.task_id, self.market, self.split, self.difficulty, **options)
        env.reset(seed=seed)
        return env

    def solved(self, seed: int) -> AgentbenchEnv:
        """Return an environment in which the expert has played."""
        env = self.env(seed)
        play(env, self.task.expert)
        return env


def episode_of(env: AgentbenchEnv) -> Episode:
    """Return the episode of an environment: proofs may see what policies may not."""
    episode = env._episode  # pyright: ignore[reportPrivateUsage]
    assert episode is not None
    return episode


def play(env: AgentbenchEnv, script: Script, between: Stepping | None = None) -> Refused | None:
    """Run a script; return the refusal that stopped it, None if none did.

    Args:
        env: an environment that was just reset.
        script: takes the case and a `Do`.
        between: if given, what the script steps instead of the environment.
    """
    try:
        script(episode_of(env).case, Do(between or env))
    except EpisodeOver:
        return None
    except Refused as refused:
        return None if env.verdict else refused
    return None


def action_of(entry: Entry) -> dict[str, Any]:
    """Return the action that an entry records."""
    return {"tool": entry.tool, "arguments": json.loads(entry.arguments)}


def replay(env: AgentbenchEnv, actions: list[dict[str, Any]]) -> None:
    """Step an environment with actions."""
    for action in actions:
        env.step(action)


def shortfall(who: str, env: AgentbenchEnv, refused: Refused | None) -> str:
    """Say why a script that should earn 1 did not, "" if it did."""
    if refused is not None:
        return f"{who} was stopped by a refusal: {refused}"
    if env.verdict is None:
        return f"{who} ended without an answer after {len(env.lineage)} calls"
    if env.verdict.success:
        return ""
    broken = [one for one in env.verdict.clauses if not one.held]
    reasons = "; ".join(f"{one.id} (expected {one.expected}, observed {one.observed})" for one in broken)
    return f"{who} ended in {env.verdict.outcome}: {reasons}"
