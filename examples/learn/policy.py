"""A linear policy: every option's score is the sum of the weights of its features, and the options share a softmax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np

from learn.errand import Errand, Option
from learn.reading import Reading

SIZE = 1 << 14
"""The most features that there can be."""
CLIP = 0.2
"""How far a probability goes from what it was before what is learnt from the same episodes stops."""


class Signs(NamedTuple):
    """The features of options, one after the other: where the weight of each stands, and whose it is."""

    places: np.ndarray
    owners: np.ndarray


class Chosen(NamedTuple):
    """A choice: what spoke for every option, their probabilities, and which was taken."""

    signs: Signs
    chances: np.ndarray
    taken: int


class PointerPolicy:
    """Plays the errand; remembers the choices of the last episode.

    Args:
        seed: of its draws.
        greedy: whether the best option is always taken.
    """

    name = "pointer"

    def __init__(self, seed: int = 0, greedy: bool = False) -> None:
        self.weights = np.zeros(SIZE)
        self.greedy = greedy
        self.choices: list[Chosen] = []
        self._places: dict[str, int] = {}
        self._rng = np.random.default_rng(seed)

    def run(self, env: gym.Env[dict[str, Any], Any], observation: dict[str, Any]) -> float:
        """Play an episode to its end and return its reward."""
        self.choices = []
        reading = Reading(observation["content"])
        errand = Errand(reading, self.choose)
        env.unwrapped.record_usage(usd=0.0)
        while True:
            observation, reward, terminated, truncated, _ = env.step(errand.next_call())
            if terminated or truncated:
                return float(reward)
            reading.see(observation["tool"], observation["content"])

    def choose(self, kind: str, options: Sequence[Option]) -> Any:
        """Take an option by its probability, or the best one."""
        signs = self.signs_of(options)
        chances = self.chances(signs)
        taken = int(chances.argmax()) if self.greedy else int(np.searchsorted(chances.cumsum(), self._rng.random()))
        taken = min(taken, len(options) - 1)
        self.choices.append(Chosen(signs, chances, taken))
        return options[taken].value

    def signs_of(self, options: Sequence[Option]) -> Signs:
        """Return the features of options."""
        known = self._places
        places = [known.setdefault(name, len(known)) for option in options for name in option.features]
        sizes = [len(option.features) for option in options]
        return Signs(np.array(places), np.arange(len(options)).repeat(sizes))

    def chances(self, signs: Signs) -> np.ndarray:
        """Return the probability of every option."""
        scores = np.bincount(signs.owners, self.weights[signs.places])
        powers = np.exp(scores - scores.max())
        return powers / powers.sum()


def add_gradient(gradient: np.ndarray, choice: Chosen, now: np.ndarray, advantage: float, entropy: float) -> None:
    """Add the gradient of PPO's clipped objective, and of the entropy, at a choice.

    Args:
        gradient: what is added to.
        choice: with the probabilities at the time when it was made.
        now: the probabilities now; where they are those of the choice, this is the gradient of REINFORCE.
        advantage: how much better than expected it went.
        entropy: what undecidedness is worth.
    """
    ratio = now[choice.taken] / choice.chances[choice.taken]
    clipped = ratio > 1 + CLIP if advantage > 0 else ratio < 1 - CLIP
    pull = 0.0 if clipped else advantage * ratio
    logs = np.log(now + 1e-12)
    slopes = -pull * now - entropy * now * (logs - now @ logs)
    slopes[choice.taken] += pull
    np.add.at(gradient, choice.signs.places, slopes[choice.signs.owners])


class Adam:
    """The optimiser of that name, going up.

    Args:
        size: of the weights.
    """

    def __init__(self, size: int) -> None:
        self._steps = 0
        self._mean, self._square = np.zeros(size), np.zeros(size)

    def step(self, weights: np.ndarray, gradient: np.ndarray, rate: float) -> None:
        """Change the weights in place, each by about the rate."""
        self._steps += 1
        self._mean += 0.1 * (gradient - self._mean)
        self._square += 0.01 * (gradient**2 - self._square)
        mean = self._mean / (1 - 0.9**self._steps)
        square = self._square / (1 - 0.99**self._steps)
        weights += rate * mean / (np.sqrt(square) + 1e-8)
