"""The files that verl trains from: the tools of a domain, and rows of data.

python examples/stacks/verl_files.py data

verl's trainer is then told, besides all that concerns the model:

    data.train_files=data/train.parquet data.return_raw_chat=True
    actor_rollout_ref.rollout.multi_turn.enable=True
    actor_rollout_ref.rollout.multi_turn.tool_config_path=data/tools.yaml
    actor_rollout_ref.rollout.multi_turn.max_tool_response_length=16384
    reward.custom_reward_function.path=pkg://agentbench_env.adapters.verl
    reward.custom_reward_function.name=compute_score
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

import pyarrow
from pyarrow import parquet

from agentbench_env.adapters.verl import rows, tool_config
from agentbench_env.sampling import TaskSampler


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    (folder / "tools.yaml").write_text(tool_config("ta"), encoding="utf-8")
    sampler = TaskSampler(["ta-two-leg-itinerary-SG", "ta-trip-refund-claim-KR"], difficulties=("easy",))
    parquet.write_table(pyarrow.Table.from_pylist(rows(islice(sampler, 16))), folder / "train.parquet")
    print(*sorted(path.name for path in folder.iterdir()))


if __name__ == "__main__":
    main()
