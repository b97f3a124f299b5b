"""Groups of trajectories for ART: every group is one instance, drawn by a sampler that learns what is worth playing.

python examples/stacks/art_groups.py http://localhost:8000/v1 MODEL

To train, take an `art.TrainableModel`, `await model.register(backend)`, and hand each round's groups to
`await backend.train(model, groups)`.
"""

from __future__ import annotations

import asyncio
import sys
from itertools import islice

import art

from agentbench_env.adapters.art import rollout
from agentbench_env.sampling import Curriculum, Sample, TaskSampler

GROUPS, GROUP_SIZE = 2, 3


async def play_round(model: art.Model, sampler: TaskSampler) -> list[art.TrajectoryGroup]:
    groups = (
        art.TrajectoryGroup(
            rollout(model, sample, {"temperature": 1.0}, max_steps=20) for sample in islice(sampler, GROUP_SIZE)
        )
        for _ in range(GROUPS)
    )
    # Episodes that failed for no fault of the model are left out of their groups.
    played = await art.gather_trajectory_groups(groups, max_exceptions=GROUPS * GROUP_SIZE)
    for one in (trajectory for group in played for trajectory in group):
        sampler.report(Sample(**{name: one.metadata[name] for name in Sample._fields}), one.reward)
    return played


async def main() -> None:
    url, name = sys.argv[1:]
    model = art.Model(
        name=name,
        project="agentbench",
        inference_base_url=url,
        inference_api_key="none",
        inference_model_name=name,
    )
    sampler = TaskSampler(
        "ta-two-leg-itinerary-SG", difficulties=("easy",), group_size=GROUP_SIZE, curriculum=Curriculum()
    )
    for group in await play_round(model, sampler):
        seeds = {one.metadata["seed"] for one in group}
        print(f"seeds {seeds}: rewards {[one.reward for one in group]}, {len(group.exceptions)} left out")
    print(f"success so far: {sampler.rates()}")


if __name__ == "__main__":
    asyncio.run(main())
