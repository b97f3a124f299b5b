"""Rows of data for NeMo-Gym.

python examples/stacks/nemo_gym_rows.py train.jsonl
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from agentbench_env.adapters.nemo_gym import rows


def main() -> None:
    env_ids = ["Agentbench/ta-two-leg-itinerary-SG", "Agentbench/ta-two-leg-itinerary-KR"]
    lines = [json.dumps(row, ensure_ascii=False) for row in rows(env_ids, range(4), difficulty="easy")]
    Path(sys.argv[1]).write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} rows")


if __name__ == "__main__":
    main()
