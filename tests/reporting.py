"""Runs for the tests of reports: real episodes, and episodes whose outcomes are chosen."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import gymnasium as gym
import msgspec

from agentbench_env.policies import load_policy
from agentbench_env.report.tally import Episode, RunResult
from agentbench_env.rollout import RecordTrajectory, RunWriter, Trajectory
from agentbench_env.rollout.engine import run_episode
from agentbench_env.rollout.store import Selection, describe_run

KWARGS = {"split": "train", "difficulty": "standard"}
STAY, TRIP, DIARY = "ta-accessible-stay", "ta-two-leg-itinerary", "ec-daily-agenda-brief"


def played(spec: str, task: str, market: str, seed: int = 0, trial: int = 0, name: str = "") -> Trajectory:
    """Play one episode of the suite."""
    made = gym.make(f"Agentbench/{task}-{market}", disable_env_checker=True, **KWARGS)
    return run_episode(load_policy(spec), RecordTrajectory(made, policy=name or spec), seed, trial)


def write_run(directory: Path, policy: str, episodes: Iterable[Trajectory]) -> Path:
    """Write episodes as a run of all their environments, seeds and trials."""
    listed = list(episodes)
    env_ids, seeds = ({key(one): None for one in listed} for key in (lambda one: one.env_id, lambda one: one.seed))
    selection = Selection(tuple(env_ids), tuple(seeds), KWARGS, 1 + max(one.trial for one in listed))
    with RunWriter(directory, describe_run(policy, selection)) as writer:
        for one in listed:
            writer.write(msgspec.structs.replace(one, policy=policy).sealed())
    return directory


def result(name: str, outcomes: Iterable[str], task: str = STAY, market: str = "SG", **changes: Any) -> RunResult:
    """Return a run with one instance for each text of outcomes, one letter a trial: s, f, v, t or i."""
    words = {"s": "success", "f": "failure", "v": "violation", "t": "timeout", "i": "infrastructure"}
    episodes = [
        Episode("ta", task, market, seed, trial, words[letter], 5 + seed, 10.0, None, (), ())
        for seed, letters in enumerate(outcomes)
        for trial, letter in enumerate(letters)
    ]
    return msgspec.structs.replace(RunResult(name, name, "2026.1", dict(KWARGS), episodes), **changes)
