"""The two-leg journey in tests: its environments, the seeds that fit a test, what a careful assistant does."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import gymnasium as gym

import agentbench_env
from agentbench_env.env import AgentbenchEnv
from agentbench_env.episode import Episode
from agentbench_env.instance import build_instance
from agentbench_env.policies.expert import run_script
from agentbench_env.registry import contract, load_task
from agentbench_tasks.travel.domain.geography import carrier_facts
from agentbench_tasks.travel.domain.two_leg.moves import Moves
from agentbench_tasks.travel.domain.two_leg.policies import _deliver

TASK_ID = "ta-two-leg-itinerary"
MARKETS = contract(TASK_ID).markets
EXPERT = load_task(TASK_ID).expert
Env = gym.Env[dict[str, Any], Any]


def env_id(market: str) -> str:
    return f"{agentbench_env.registry.NAMESPACE}/{TASK_ID}-{market}"


def make(market: str = "SG", seed: int | None = None, **kwargs: Any) -> Env:
    """Make the environment as anybody does and, if a seed is given, reset it."""
    env = gym.make(env_id(market), **kwargs)
    if seed is not None:
        env.reset(seed=seed)
    return env


def core(env: Env) -> AgentbenchEnv:
    assert isinstance(env.unwrapped, AgentbenchEnv)
    return env.unwrapped


def episode(env: Env) -> Episode:
    found = core(env)._episode
    assert found is not None
    return found


def state(env: Env) -> tuple[object, ...]:
    """Everything that an action which makes no sense must leave as it is."""
    ep = episode(env)
    world, shown = ep.world, {id: keys and frozenset(keys) for id, keys in ep.shown.items()}
    return len(world.journal), tuple(world.stamps), dict(ep.approvals), tuple(ep.seen_ids), shown, ep.answer


def run(env: Any, actions: list[Any]) -> list[tuple[Any, ...]]:
    return [env.step(action) for action in actions]


def solve(env: Env) -> dict[str, Any]:
    """Play the expert to the end and return the last info, with `reward` and `steps`."""
    return run_script(EXPERT, env)


def expert_actions(market: str, seed: int, **kwargs: Any) -> list[dict[str, Any]]:
    """Return what the expert does, as plain actions."""
    env = make(market, seed, **kwargs)
    solve(env)
    return [{"tool": entry.tool, "arguments": json.loads(entry.arguments)} for entry in core(env).lineage]


def seed_of(fits: Callable[[Any], bool], market: str = "SG", difficulty: Any = "standard") -> int:
    """Return the first training seed whose case fits."""
    seeds = (seed for seed in range(600) if fits(build_instance(TASK_ID, market, "train", difficulty, seed).case))
    return next(seeds)


def holds_free(case: Any, *legs: int) -> bool:
    """Whether the carriers of the target's legs hold at no charge."""
    return all(carrier_facts()[case.built.target[leg - 1].fare.carrier].hold == "free" for leg in legs)


def wants_holds(case: Any) -> bool:
    """Whether the user wants both legs held and grants it."""
    return case.wish.mode == "hold" and case.wish.reaction == "yes" and holds_free(case, 1, 2)


def play_moves(env: Env, how: type[Moves]) -> dict[str, Any]:
    """Play the careful way with moves of one's own and return the last info, with `reward`."""

    def script(case: Any, do: Any) -> None:
        moves = how(case, do)
        moves.look_around()
        found = moves.gather()
        for leg in found:
            moves.hold(leg)
        _deliver(moves, found)

    return run_script(script, env)
