"""One Parquet file with a row an episode.

Whatever differs from tool to tool (the tools, the arguments, actions, verdict, lineage) is JSON text: Arrow gives a
column one type, and would fill every call with the arguments of all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from agentbench_env.export import chat
from agentbench_env.export.messages import json_text
from agentbench_env.extras import need
from agentbench_env.fresh import whole
from agentbench_env.rollout.trajectory import Trajectory

EPISODES_A_GROUP = 64
"""Episodes that are in memory at once: a row group."""


def write(episodes: Iterable[Trajectory], path: Path) -> int:
    """Write episodes to a new file; return how many.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    pa, pq = need("pyarrow", "parquet"), need("pyarrow.parquet", "parquet")
    schema = _schema(pa)
    number = 0
    with whole(path) as part, pq.ParquetWriter(part, schema, compression="zstd") as writer:
        for rows in _groups(map(row, episodes)):
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))
            number += len(rows)
    return number


def row(one: Trajectory) -> dict[str, Any]:
    """Return one row in plain values."""
    steps = [
        {
            "action": json_text(step.action),
            "tool": step.tool,
            "content": step.content,
            "is_error": step.is_error,
            "now": step.now,
            "elapsed_s": step.elapsed_s,
            "lineage_head": step.lineage_head,
            "usage": [msgspec.to_builtins(usage) for usage in step.usage],
        }
        for step in one.steps
    ]
    return chat.row(one) | {
        "release": one.release,
        "kwargs": json_text(one.kwargs),
        "instance_digest": one.instance_digest,
        "steps": steps,
        "time": one.time,
        "cost": one.cost,
        "verdict": json_text(msgspec.to_builtins(one.verdict)),
        "lineage": json_text(one.lineage),
        "failure": json_text(msgspec.to_builtins(one.failure)),
        "stopped": one.stopped,
        "digest": one.digest,
    }


def _groups(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    while group := list(islice(rows, EPISODES_A_GROUP)):
        yield group


def _schema(pa: Any) -> Any:
    text, number, whole_number, truth = pa.string(), pa.float64(), pa.int64(), pa.bool_()
    call = pa.struct([("id", text), ("type", text), ("function", pa.struct([("name", text), ("arguments", text)]))])
    message = pa.struct(
        [
            ("role", text),
            ("content", text),
            ("reasoning_content", text),
            ("tool_calls", pa.list_(call)),
            ("tool_call_id", text),
        ]
    )
    usage = pa.struct(
        [("input_tokens", whole_number), ("output_tokens", whole_number), ("usd", number), ("latency_s", number)]
    )
    step = pa.struct(
        [
            ("action", text),
            ("tool", text),
            ("content", text),
            ("is_error", truth),
            ("now", text),
            ("elapsed_s", number),
            ("lineage_head", text),
            ("usage", pa.list_(usage)),
        ]
    )
    cost = pa.struct([("inference_usd", number), ("tool_fees_usd", number), ("total_usd", number)])
    return pa.schema(
        [
            ("messages", pa.list_(message)),
            ("tools", text),
            ("env_id", text),
            ("seed", whole_number),
            ("trial", whole_number),
            ("split", text),
            ("difficulty", text),
            ("faults", number),
            ("injections", truth),
            ("policy", text),
            ("outcome", text),
            ("reward", number),
            ("release", text),
            ("kwargs", text),
            ("instance_digest", text),
            ("steps", pa.list_(step)),
            ("time", pa.struct([("elapsed_s", number), ("limit_s", number)])),
            ("cost", cost),
            ("verdict", text),
            ("lineage", text),
            ("failure", text),
            ("stopped", text),
            ("digest", text),
        ]
    )
