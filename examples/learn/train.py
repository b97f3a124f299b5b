"""Learn by PPO; the advantage of an episode is that over its group, the others of the same instance, and over all.

PYTHONPATH=examples python -m learn.train --seed 0 --out curve.json
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import islice
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

from agentbench_env.sampling import Sample, TaskSampler
from learn.policy import SIZE, Adam, Chosen, PointerPolicy, add_gradient

ERRAND, DIFFICULTY = "rl-reservation-change-SG", "easy"
GROUP, GROUPS = 16, 16
"""Episodes of an instance, and instances, for each update."""
ROUNDS, RATE, ENTROPY = 4, 0.03, 0.05
"""Steps that are taken on the same episodes, how long they are, and what undecidedness is worth, to begin with."""
MOST_STEPS = 15


def errands(split: str, **kwargs: Any) -> gym.Env[dict[str, Any], Any]:
    """Make the environment; unless `kwargs` say otherwise, a crossed boundary ends its episode."""
    settings = {"split": split, "difficulty": DIFFICULTY, "max_steps": MOST_STEPS, "on_violation": "terminate"}
    return gym.make(f"agentbench_env:Agentbench/{ERRAND}", **(settings | kwargs))


class Training:
    """A policy that learns.

    Args:
        seed: of the draws of instances and of choices.
    """

    def __init__(self, seed: int = 0) -> None:
        self.policy = PointerPolicy(seed)
        self._sampler = TaskSampler(ERRAND, difficulties=(DIFFICULTY,), group_size=GROUP, seed=seed)
        self._env = errands("train")
        self._adam = Adam(SIZE)

    def update(self, left: float = 1.0, groups: int = GROUPS) -> float:
        """Play, take some steps, and return the mean reward of what was played.

        Args:
            left: the share of the training that is to come: steps and the worth of undecidedness shrink with it.
            groups: how many instances are played.
        """
        played = [self._play(sample) for sample in islice(self._sampler, groups * GROUP)]
        rewards = np.array([reward for reward, _ in played]).reshape(groups, GROUP)
        advantages = advantages_of(rewards).ravel()
        lessons = [
            (choice, advantage)
            for advantage, (_, choices) in zip(advantages, played, strict=True)
            for choice in choices
            if advantage
        ]
        for _ in range(ROUNDS if lessons else 0):
            gradient = np.zeros(SIZE)
            for choice, advantage in lessons:
                add_gradient(gradient, choice, self.policy.chances(choice.signs), advantage, left * ENTROPY)
            self._adam.step(self.policy.weights, gradient / len(lessons), left * RATE)
        return float(rewards.mean())

    def _play(self, sample: Sample) -> tuple[float, list[Chosen]]:
        observation, _ = self._env.reset(seed=sample.seed)
        return self.policy.run(self._env, observation), self.policy.choices


def advantages_of(rewards: np.ndarray) -> np.ndarray:
    """Return how much better than expected each episode went, in standard deviations.

    Half of what is expected is the mean of its group, so that an easy instance is no merit; half is the mean of all, so
    that an instance in which nothing succeeds still speaks against what is done there.

    Args:
        rewards: a row for each group.
    """
    over = rewards - (rewards.mean(axis=1, keepdims=True) + rewards.mean()) / 2
    return over / (over.std() or 1.0)


class Examination:
    """The first instances of a split, kept at their beginning.

    Args:
        split: which to take them from.
        instances: how many.
    """

    def __init__(self, split: str = "test", instances: int = 200) -> None:
        env = errands(split)
        self._begun: list[tuple[Any, dict[str, Any]]] = []
        for seed in range(instances):
            observation, _ = env.reset(seed=seed)
            self._begun.append((env.unwrapped.fork(), observation))

    def score(self, policy: PointerPolicy) -> dict[str, float]:
        """Return the shares of successes and of violations in one episode of each."""
        outcomes: list[str] = []
        for begun, observation in self._begun:
            env = begun.fork()
            policy.run(env, observation)
            outcomes.append(env.verdict.outcome)
        return {name: outcomes.count(name) / len(outcomes) for name in ("success", "violation")}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--updates", type=int, default=150)
    parser.add_argument("--every", type=int, default=10, help="Updates between examinations.")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    training, examination = Training(given.seed), Examination()
    curve: list[dict[str, float]] = []
    spent = 0.0
    for update in range(given.updates + 1):
        if update % given.every == 0:
            episodes = update * GROUPS * GROUP
            curve.append({"episodes": episodes, "cpu_s": round(spent, 1), **examination.score(training.policy)})
            print(json.dumps(curve[-1]), flush=True)
        if update < given.updates:
            begun = time.process_time()
            training.update(left=1 - update / given.updates)
            spent += time.process_time() - begun
    training.policy.greedy = True
    best = examination.score(training.policy)
    print(json.dumps({"greedy": best}))
    if given.out:
        given.out.write_text(json.dumps({"seed": given.seed, "test": curve, "greedy": best}), encoding="utf-8")


if __name__ == "__main__":
    main()
