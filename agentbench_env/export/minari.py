"""Minari datasets: one for each environment, below a folder that `MINARI_DATASETS_PATH` may name.

Buffers of whole episodes are written as they are; Minari's collector, which needs jax, is not used. An action is the
JSON text of a call, which the environment accepts as it is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import gymnasium as gym
from gymnasium import spaces

from agentbench_env.env import MOST_STEPS
from agentbench_env.episode import MOST_CHARACTERS
from agentbench_env.export import ExportFault
from agentbench_env.export.messages import json_text
from agentbench_env.export.settings import settings
from agentbench_env.extras import need
from agentbench_env.fresh import whole
from agentbench_env.rollout.trajectory import Trajectory

HELD = 64
"""Episodes that are in memory at once."""
MOST_ACTION = 1_000_000


def write(episodes: Iterable[Trajectory], path: Path) -> int:
    """Write episodes to a new folder; return how many. Episodes without a step are left out: Minari has none.

    Raises:
        MissingExtra: minari is not installed.
        ExportFault: episodes of one environment differ in its arguments.
    """
    with whole(path) as part:
        part.mkdir()
        # Minari sums sizes wrongly below a relative path.
        datasets = _Datasets(part.absolute())
        for one in episodes:
            if one.steps:
                datasets.add(one)
        datasets.flush()
    return datasets.written


def dataset_id(one: Trajectory) -> str:
    """Return the id of the dataset that an episode belongs to, e.g. `Agentbench/ta-two-leg-itinerary-SG/expert-v0`."""
    policy = re.sub(r"[^\w]+", "_", one.policy, flags=re.ASCII).strip("_") or "unnamed"
    return f"{one.env_id}/{policy}-v0"


class _Datasets:
    """The datasets of an export, each opened when its first episodes are written."""

    def __init__(self, root: Path) -> None:
        for library in ("h5py", "PIL"):
            need(library, "minari")  # what Minari itself imports only at the first write
        self._minari = need("minari", "minari")
        self._storage = need("minari.dataset.minari_storage", "minari").MinariStorage
        self._root = root
        self._open: dict[str, Any] = {}
        self._kwargs: dict[str, dict[str, Any]] = {}
        self._held: dict[str, list[Trajectory]] = defaultdict(list)
        self.written = 0

    def add(self, one: Trajectory) -> None:
        """Take an episode; write all that are held once they are many."""
        id = dataset_id(one)
        kwargs = self._kwargs.setdefault(id, one.kwargs)
        if kwargs != one.kwargs:
            raise ExportFault(
                f"{one.env_id} was run with {json_text(kwargs)} and with {json_text(one.kwargs)}; "
                "a Minari dataset has one environment: export the runs one by one"
            )
        self._held[id].append(one)
        self.written += 1
        if self.written % HELD == 0:
            self.flush()

    def flush(self) -> None:
        """Write all that are held."""
        for id, group in self._held.items():
            storage = self._open.get(id) or self._new(id, group[0])
            first = storage.total_episodes
            storage.update_episodes([self._buffer(one) for one in group])
            numbers = range(first, first + len(group))
            storage.update_episode_metadata([_metadata(one) for one in group], numbers)
        self._held.clear()

    def _new(self, id: str, one: Trajectory) -> Any:
        folder = self._root / id / "data"
        folder.mkdir(parents=True)
        spec = gym.spec(one.env_id)
        storage = self._storage.new(
            folder,
            observation_space=_observations(),
            action_space=spaces.Text(MOST_ACTION, min_length=0),
            env_spec=replace(spec, kwargs={**spec.kwargs, **one.kwargs}),
            data_format="hdf5",
        )
        storage.update_metadata(
            {
                "dataset_id": id,
                "minari_version": self._minari.__version__,
                "algorithm_name": one.policy,
                "description": f"Agentbench {one.release}: {one.env_id}, policy {one.policy}",
            }
        )
        self._open[id] = storage
        return storage

    def _buffer(self, one: Trajectory) -> Any:
        steps = one.steps
        brief_hash = sha256(one.brief.encode()).hexdigest()
        return self._minari.data_collector.EpisodeBuffer(
            seed=one.seed,
            observations={
                "tool": ["", *(step.tool for step in steps)],
                "content": [one.brief, *(step.content for step in steps)],
                "is_error": [0, *(int(step.is_error) for step in steps)],
                "step": list(range(len(steps) + 1)),
            },
            actions=[json_text(step.action) for step in steps],
            rewards=[step.reward for step in steps],
            terminations=[step.terminated for step in steps],
            truncations=[step.truncated for step in steps],
            infos={
                "elapsed_s": [0.0, *(step.elapsed_s for step in steps)],
                "lineage_head": [brief_hash, *(step.lineage_head for step in steps)],
            },
        )


def _observations() -> spaces.Dict:
    """The environment's observations but for `now`, which a record does not hold for the brief."""
    return spaces.Dict(
        {
            "tool": spaces.Text(64, min_length=0),
            "content": spaces.Text(MOST_CHARACTERS),
            "is_error": spaces.Discrete(2),
            "step": spaces.Discrete(MOST_STEPS + 1),
        }
    )


def _metadata(one: Trajectory) -> dict[str, Any]:
    return {"trial": one.trial, "outcome": one.outcome, "digest": one.digest, **settings(one)}
