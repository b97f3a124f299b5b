"""Runs for the tests of reports: real episodes, and episodes whose outcomes are chosen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gymnasium as gym
import msgspec
from recording import KWARGS

from agentbench_env.policies import load_policy
from agentbench_env.report.tally import Episode, RunResult
from agentbench_env.rollout import RecordTrajectory, Trajectory
from agentbench_env.rollout.engine import run_episode

STAY, TRIP, DIARY = "ta-accessible-stay", "ta-two-leg-itinerary", "ec-daily-agenda-brief"


def played(spec: str, task: str, market: str, seed: int = 0, trial: int = 0, name: str = "") -> Trajectory:
    """Play one episode of the suite."""
    made = gym.make(f"Agentbench/{task}-{market}", disable_env_checker=True, **KWARGS)
    return run_episode(load_policy(spec), RecordTrajectory(made, policy=name or spec), seed, trial)


def result(name: str, outcomes: Iterable[str], task: str = STAY, market: str = "SG", **changes: Any) -> RunResult:
    """Return a run with one instance for each text of outcomes, one letter a trial: s, f, v, t or i."""
    words = {"s": "success", "f": "failure", "v": "violation", "t": "timeout", "i": "infrastructure"}
    episodes = [
        Episode("ta", task, market, seed, trial, words[letter], 5 + seed, 10.0, None, (), ())
        for seed, letters in enumerate(outcomes)
        for trial, letter in enumerate(letters)
    ]
    return msgspec.structs.replace(RunResult(name, name, "2026.1", dict(KWARGS), episodes), **changes)
