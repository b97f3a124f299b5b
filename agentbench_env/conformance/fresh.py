"""What identifies instances and their expert's episodes; run as a program, it answers for keys on its input."""

from __future__ import annotations

import json
import sys
from typing import Any

from agentbench_env.conformance.subject import Subject


def marks(task_id: str, market: str, difficulty: Any, split: Any, seed: int) -> dict[str, str]:
    """Return the digest of an instance and the last hash of its expert's lineage."""
    subject = Subject(task_id, market, difficulty, split)
    return {"instance": subject.instance(seed).digest, "lineage": subject.solved(seed).lineage.head}


if __name__ == "__main__":
    print(json.dumps([marks(*key) for key in json.load(sys.stdin)]))
