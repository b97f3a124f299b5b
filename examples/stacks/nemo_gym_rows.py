"""Rows of data for NeMo-Gym.

python examples/stacks/nemo_gym_rows.py train.jsonl
"""

from __future__ import annotations

import json
import sys
from itertools import islice
from pathlib import Path

from agentbench_env.adapters.nemo_gym import rows
from agentbench_env.sampling import TaskSampler


def main() -> None:
    sampler = TaskSampler(["ta-two-leg-itinerary-SG", "ta-two-leg-itinerary-KR"], difficulties=("easy",), group_size=4)
    lines = [json.dumps(row, ensure_ascii=False) for row in rows(islice(sampler, 8))]
    Path(sys.argv[1]).write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} rows")


if __name__ == "__main__":
    main()
