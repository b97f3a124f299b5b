"""Results of a run by task and market: counts, success rate with its interval, time and cost."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from agentbench_env.calibration import Medians
from agentbench_env.registry import split_env_id
from agentbench_env.rollout.stats import median_of, total_of, wilson
from agentbench_env.rollout.trajectory import Trajectory


class Row(msgspec.Struct, frozen=True):
    """What one group of episodes came to. Infrastructure outcomes are counted apart and enter nothing else.

    `low` and `high` bound the success rate's 95 % Wilson interval. Times are in seconds, costs in USD; None: unknown.
    The normalised values are reference / median, None until a reference is registered.
    """

    task: str
    market: str
    episodes: int
    scored: int
    success: int
    failure: int
    violation: int
    timeout: int
    max_steps: int
    abandoned: int
    infrastructure: int
    rate: float | None
    low: float
    high: float
    median_time_s: float | None
    median_cost_usd: float | None
    total_cost_usd: float | None
    normalized_time: float | None = None
    normalized_cost: float | None = None


def summarize(trajectories: Iterable[Trajectory], medians: Medians) -> tuple[list[Row], Row]:
    """Return a row for each task and market, in the order in which they first appear, and the row of all episodes."""
    groups: dict[tuple[str, str], list[Trajectory]] = defaultdict(list)
    for one in trajectories:
        groups[split_env_id(one.env_id)].append(one)
    rows: list[Row] = []
    for (task, market), group in groups.items():
        row, median = _row(task, market, group), medians.get(task, {}).get(market)
        if median is not None:
            row = msgspec.structs.replace(
                row,
                normalized_time=_ratio(median.time_s, row.median_time_s),
                normalized_cost=_ratio(median.cost_usd, row.median_cost_usd),
            )
        rows.append(row)
    return rows, _row("all", "", [one for group in groups.values() for one in group])


def _row(task: str, market: str, group: Sequence[Trajectory]) -> Row:
    scored = [one for one in group if one.scored]
    outcomes = Counter(one.outcome for one in group)
    low, high = wilson(outcomes["success"], len(scored))
    costs = [one.cost["total_usd"] for one in scored]
    return Row(
        task,
        market,
        len(group),
        len(scored),
        outcomes["success"],
        outcomes["failure"],
        outcomes["violation"],
        outcomes["timeout"],
        outcomes["max_steps"],
        outcomes["abandoned"],
        outcomes["infrastructure"],
        outcomes["success"] / len(scored) if scored else None,
        low,
        high,
        median_of(one.time["elapsed_s"] for one in scored),
        median_of(costs),
        total_of(costs),
    )


def _ratio(reference: float | None, measured: float | None) -> float | None:
    return reference / measured if reference is not None and measured else None
