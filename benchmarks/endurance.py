"""Plays many episodes of all tasks into a store and prints the memory: `python -m benchmarks.endurance 20000`.

The policy finishes at once: an episode costs little more than its instance and its record.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from tempfile import TemporaryDirectory
from typing import NamedTuple

from agentbench_env.rollout import RunWriter
from agentbench_env.rollout.engine import jobs_of, run_jobs
from agentbench_env.rollout.store import Selection, describe_run
from agentbench_env.rollout.summary import Tally
from benchmarks.measures import FIRST_SEED, chosen
from benchmarks.memory import resident_kb

POLICY = "shortcut:finish_at_once"
EVERY = 1_000


class Sample(NamedTuple):
    """The resident memory of the process once so many episodes are stored."""

    episodes: int
    mb: float


def endure(number: int, every: int = EVERY) -> Iterator[Sample]:
    """Play and store so many pairs of environment and seed, each once, and yield the memory after every so many."""
    ids = tuple(env_id for task in chosen(()) for env_id in task.env_ids)
    # One seed after the other, so that all environments are there from the first samples on.
    rounds = -(-number // len(ids))
    selections = (Selection(ids, (FIRST_SEED + place,), {}) for place in range(rounds))
    jobs = (job for selection in selections for job in jobs_of(selection, POLICY))
    tally = Tally()
    with TemporaryDirectory() as folder, RunWriter(folder, describe_run(POLICY, Selection(ids, (), {}))) as writer:
        for place, (_, one) in enumerate(zip(range(number), run_jobs(jobs), strict=False), 1):
            writer.write(one)
            tally.add(one.result)
            if place % every == 0 or place == number:
                yield Sample(place, resident_kb() / 1024)


if __name__ == "__main__":
    for sample in endure(int(sys.argv[1])):
        print(f"{sample.episodes:7,} episodes  {sample.mb:7.1f} MB", flush=True)
