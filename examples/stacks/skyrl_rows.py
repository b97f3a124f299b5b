"""Rows of data for SkyRL, and one of them played as its generator does.

python examples/stacks/skyrl_rows.py
"""

from __future__ import annotations

import json
from itertools import islice

import skyrl_gym

from agentbench_env.adapters.skyrl_gym import ID, register, rows
from agentbench_env.sampling import TaskSampler

TURN = '<tool_call>\n{"name": "wallet_list_cards", "arguments": {}}\n</tool_call>'


def main() -> None:
    register()
    sampler = TaskSampler(["ta-two-leg-itinerary-SG", "ta-two-leg-itinerary-KR"], difficulties=("easy",))
    data = rows(islice(sampler, 4))
    for row in data:
        print(json.dumps(row))
    env = skyrl_gym.make(ID, extras=data[0])
    env.init(data[0]["prompt"])
    step = env.step(TURN)
    print(step["observations"][0]["content"][:60])
    env.close()
    print(env.get_metrics())


if __name__ == "__main__":
    main()
