"""Learning from a file alone: episodes of the expert, some with random calls in between, are exported and imitated.

The policy and what it is given are those of `learn`; here it sees no reward, only recorded calls. The file is chat
lines; where Minari is installed, the same episodes are written as a Minari dataset, too.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import gymnasium as gym
import numpy as np
from learn.errand import FINISH, QUOTE, TOOLS, Errand, Option
from learn.policy import SIZE, Adam, Chosen, PointerPolicy, add_gradient
from learn.reading import CHANGE, Reading
from learn.train import Examination, errands

from agentbench_env.export import load_writer
from agentbench_env.extras import MissingExtra
from agentbench_env.policies import load_policy
from agentbench_env.policies.expert import Refused
from agentbench_env.rollout import RecordTrajectory, Trajectory

Call = dict[str, Any]


class Noisy(gym.Wrapper[dict[str, Any], Any, dict[str, Any], Any]):
    """Makes a random valid call before some of the policy's own.

    Args:
        env: what is played.
        share: how often.
        seed: of the draws.
    """

    def __init__(self, env: gym.Env[dict[str, Any], Any], share: float, seed: int = 0) -> None:
        super().__init__(env)
        self._share, self._rng = share, np.random.default_rng(seed)
        env.action_space.seed(seed)

    def step(self, action: Any) -> tuple[dict[str, Any], Any, bool, bool, dict[str, Any]]:
        if self._rng.random() < self._share:
            result = self.env.step(self._random_call())
            if result[3]:
                return result
        return self.env.step(action)

    def _random_call(self) -> Call:
        """A valid call of a tool that the policy has, but for the last one."""
        call = self.env.action_space.sample()
        while call["tool"] not in TOOLS or call["tool"] == FINISH:
            call = self.env.action_space.sample()
        return call


def collect(share: float, episodes: int) -> list[Trajectory]:
    """Record the episodes that the expert ends, on so many instances of the training split, and with random calls."""
    env = RecordTrajectory(
        errands("train", max_steps=60, on_violation="continue"), policy="expert" if not share else "noisy-expert"
    )
    noisy = Noisy(env, share)
    recorded: list[Trajectory] = []
    for seed in range(episodes):
        observation, _ = noisy.reset(seed=seed)
        try:
            load_policy("expert").run(noisy, observation)
        except Refused:
            continue  # a random call made the expert's next one impossible, and it gave up
        assert env.trajectory is not None
        recorded.append(env.trajectory)
    return recorded


def read(file: Path) -> Iterator[tuple[str, list[tuple[Call, str]], float]]:
    """Yield of each line the brief, the calls with their results, and the reward."""
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        brief, *rest = row["messages"]
        results = {one["tool_call_id"]: one["content"] for one in rest if one["role"] == "tool"}
        calls = [call for one in rest for call in one.get("tool_calls") or ()]
        steps = [
            ({"tool": c["function"]["name"], "arguments": json.loads(c["function"]["arguments"])}, results[c["id"]])
            for c in calls
        ]
        yield brief["content"], steps, row["reward"]


class Copyist:
    """Makes the choices that lead to recorded calls.

    Args:
        policy: whose numbering of features is used.
        steps: of an episode.
    """

    def __init__(self, policy: PointerPolicy, steps: Sequence[tuple[Call, str]]) -> None:
        self._policy = policy
        self.choices: list[Chosen] = []
        self._call: Call = {}
        self._possible = True
        self._meant = self._last(steps, FINISH)
        self._change = self._last(steps, CHANGE) or self._last(steps, QUOTE)

    def copy(self, call: Call, errand: Errand) -> None:
        """Add the choices that lead to a call; none, if the policy cannot make it."""
        self._call, self._possible, before = call, True, len(self.choices)
        errand.next_call()
        if not self._possible:
            del self.choices[before:]

    @staticmethod
    def _last(steps: Sequence[tuple[Call, str]], tool: str) -> dict[str, Any]:
        return next((call["arguments"] for call, _ in reversed(steps) if call["tool"] == tool), {})

    def choose(self, kind: str, options: Sequence[Option]) -> Any:
        """Return what the record has; what it does not tell is left as it is and taught as nothing."""
        values = [one.value for one in options]
        wanted = self._wanted(kind)
        if wanted is None or wanted not in values:
            self._possible = self._possible and wanted is None
            return values[0]
        signs = self._policy.signs_of(options)
        self.choices.append(Chosen(signs, self._policy.chances(signs), values.index(wanted)))
        return wanted

    def _wanted(self, kind: str) -> Any:
        arguments, (day, _, clock) = self._call["arguments"], self._change.get("start", "").partition("T")
        return {
            "tool": self._call["tool"],
            "booking": self._meant.get("reservation"),
            "day": day or None,
            "clock": clock or None,
            "people": self._change.get("party_size") or None,
            "channel": arguments.get("channel"),
            "deadline": arguments.get("cutoff", {}).get("value", {}).get("local"),
            "outcome": arguments.get("outcome"),
        }[kind]


def imitate(file: Path, only_successes: bool = False, rounds: int = 60) -> tuple[PointerPolicy, int]:
    """Train a policy on a file; return it, and on how many episodes."""
    policy = PointerPolicy(greedy=True)
    lessons: list[Chosen] = []
    used = 0
    for brief, steps, reward in read(file):
        if only_successes and not reward:
            continue
        used += 1
        reading, copyist = Reading(brief), Copyist(policy, steps)
        errand = Errand(reading, copyist.choose)
        for call, result in steps:
            if call["tool"] not in TOOLS:
                continue
            copyist.copy(call, errand)
            reading.see(call["tool"], result)
        lessons += copyist.choices
    adam = Adam(SIZE)
    for _ in range(rounds):
        gradient = np.zeros(SIZE)
        for lesson in lessons:
            now = policy.chances(lesson.signs)
            add_gradient(gradient, lesson._replace(chances=now), now, advantage=1.0, entropy=0.0)
        adam.step(policy.weights, gradient / max(len(lessons), 1), rate=0.1)
    return policy, used


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--episodes", type=int, default=40)
    parser.add_argument("--noise", type=float, default=0.5)
    parser.add_argument("--instances", type=int, default=40, help="Unseen instances to score on.")
    given = parser.parse_args()
    folder, examination = Path(mkdtemp()), Examination("test", given.instances)
    print("data                    episodes  success  violation")
    for name, share, only in (
        ("expert", 0.0, False),
        ("noisy", given.noise, False),
        ("noisy, reward 1 only", given.noise, True),
    ):
        file = folder / f"{share}.jsonl"
        if not file.exists():
            recorded = collect(share, given.episodes)
            load_writer("chat")(recorded, file)
            write_minari(recorded, folder / f"minari-{share}")
        policy, used = imitate(file, only)
        shares = examination.score(policy)
        print(f"{name:24}{used:8}{shares['success']:9.1%}{shares['violation']:11.1%}")


def write_minari(recorded: list[Trajectory], folder: Path) -> None:
    """Write the episodes as a Minari dataset, if Minari is there."""
    try:
        load_writer("minari")(recorded, folder)
    except MissingExtra as missing:
        print(f"({missing})")


if __name__ == "__main__":
    main()
